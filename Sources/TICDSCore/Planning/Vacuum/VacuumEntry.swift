import SystemCalls

/// One entry of `SyncChanges/<client>`.
struct VacuumEntry {
    /// Place in the listing of the folder.
    var position: UInt32
    /// Bytes; 0 for a folder.
    var size: Int64
    var modified: FileTime
    /// The later of the modification time and the time in the name. A file keeps the time of the last edit when it is
    /// uploaded, the name is made at the upload (ticds-protocol(7), 4.8.3 and 7.5).
    var latest: FileTime
}

/// The entries of one author. All of a document are counted through, so that a bit stands for each.
struct VacuumFolder {
    var client: RemoteName
    /// Number of the first entry.
    var start: Int
    var entries: [VacuumEntry]

    /// The change sets of a client.
    init(_ client: ClientChangeSets, start: Int) {
        self.client = client.identifier
        self.start = start
        let sets = client.changeSets
        entries = []
        entries.reserveCapacity(sets.count)
        for position in sets.indices {
            let modified = sets.modified(at: position)
            let nominal = sets.withIdentifier(at: position) { ChangeSetIdentifier.nominalTime($0) }
            entries.append(
                VacuumEntry(
                    position: UInt32(clamping: sets.listingPosition(at: position)),
                    size: sets.size(at: position),
                    modified: modified, latest: max(modified, nominal ?? modified)))
        }
    }

    /// Everything in the folder of a client, as the framework's own vacuum takes it.
    init(everythingOf client: ClientChangeSets, in listing: FolderListing, start: Int) {
        self.client = client.identifier
        self.start = start
        entries = listing.indices.map { position in
            let modified = listing.modified(at: position)
            let nominal = listing.withName(at: position) { ChangeSetIdentifier.nominalTime($0) }
            let isFolder = listing.kind(at: position) == .folder
            return VacuumEntry(
                position: UInt32(clamping: position), size: isFolder ? 0 : listing.size(at: position),
                modified: modified, latest: max(modified, nominal ?? modified))
        }
    }
}

/// In what way a set is held back.
struct VacuumRole: OptionSet {
    let rawValue: UInt8
    /// The client itself may need it.
    static let client = VacuumRole(rawValue: 1)
    /// Who starts from the client's whole store may need it.
    static let store = VacuumRole(rawValue: 2)
}
