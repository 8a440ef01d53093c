public import SystemCalls

/// The time at which a client was removed from a document, as far as it can be known.
///
/// The tombstone does not contain this time: it is a copy of the client's device information, and copies of the File
/// Manager variant keep the time of the original (ticds-protocol(7), 1.10). The evidence is a journal that recorded the
/// removal, a tombstone that is newer than its original, or bounds.
public struct RemovalTime: Hashable, Sendable {
    /// The evidence for the time.
    public enum Evidence: String, CaseIterable, Sendable {
        /// The local journal: ticds removed the client.
        case journal
        /// The tombstone is newer than the device information that it copies, so its time is the time at which it was
        /// written.
        case tombstone
        /// Only bounds are known.
        case bounds
    }

    /// The evidence for the time.
    public var evidence: Evidence
    /// The time; nil if only bounds are known.
    public var exact: FileTime?
    /// The latest trace of the client before the removal: the device information that was copied, or a change set that the
    /// register of another client names.
    public var notBefore: FileTime
    /// The earliest modification time among the folders that a removal changes; nil if none can be right.
    public var notAfter: FileTime?
}

/// The evidence for the times of removals, besides the listing.
public struct RemovalEvidence: Sendable {
    /// The times at which ticds wrote tombstones, by their paths.
    public package(set) var journalled: [RemotePath: FileTime] = [:]
    /// The newest change set of a removed client that a register names, by the path of its tombstone.
    public private(set) var newestSets: [RemotePath: FileTime] = [:]
    /// The problems of reading.
    public package(set) var problems: [FileProblem] = []

    /// Evidence from the listing alone.
    public init() {}

    /// Reads the registers beside the whole stores of documents from which clients were removed.
    public init(_ snapshot: RemoteSnapshot, in storage: any RemoteStorage, now: FileTime) {
        let latest = now.adding(seconds: 86_400)
        for document in snapshot.documents where !document.deletedClients.isEmpty {
            let tombstones = Dictionary(
                document.deletedClients.map { ($0.identifier.text, $0.file.path) },
                uniquingKeysWith: { one, _ in one })
            for store in document.wholeStores {
                guard let file = store.register else { continue }
                do throws(FileProblem) {
                    try ChangeSetRegister(file.path, in: storage).forEachChangeSet { line in
                        guard let client = line.clientIdentifier, let path = tombstones[client],
                            let identifier = line.identifier,
                            let time = ChangeSetIdentifier.nominalTime(RemoteName(identifier)), time < latest
                        else { return }
                        newestSets[path] = max(newestSets[path] ?? time, time)
                    }
                } catch {
                    problems.append(error)
                }
            }
        }
    }

    /// The time of a removal, as far as it is known.
    func time(of tombstone: Tombstone, from document: DocumentSnapshot, in snapshot: RemoteSnapshot)
        -> RemovalTime
    {
        let written = tombstone.file.modified
        let original = snapshot.clientDevices.first { $0.identifier == tombstone.identifier }?.deviceInfo
            .part?.modified
        let bound = max(written, newestSets[tombstone.file.path] ?? written)
        let changed = [RemoteLayout.deletedClients, RemoteLayout.syncChanges, RemoteLayout.syncCommands]
            .compactMap { snapshot.tree[document.path.appending($0)].part?.modified }
        // A folder that is older than the last trace got its time from a copy.
        let notAfter = changed.filter { $0 >= bound }.min()
        if let time = journalled[tombstone.file.path] {
            return RemovalTime(evidence: .journal, exact: time, notBefore: bound, notAfter: notAfter)
        }
        if let original, written > original, bound == written {
            return RemovalTime(evidence: .tombstone, exact: written, notBefore: bound, notAfter: notAfter)
        }
        return RemovalTime(evidence: .bounds, exact: nil, notBefore: bound, notAfter: notAfter)
    }
}
