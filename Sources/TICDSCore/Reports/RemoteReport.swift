import Base
public import SystemCalls

/// What `status`, `documents`, `clients` and `stores` print. What could not be read is left out and named in
/// `problems`.
public struct RemoteReport: Sendable {
    /// The name of the remote's folder.
    public var applicationIdentifier: RemoteName
    /// Whether clients treat the remote as encrypted.
    public var isEncrypted: Bool
    /// By identifier.
    public var clients: [DeviceReport]
    /// By identifier.
    public var documents: [DocumentReport]
    /// Documents with a tombstone.
    public var deletedDocuments: [DeletedDocumentReport]
    /// Clients that look like one device.
    public var duplicates: [DeviceDuplicate]
    /// Entries that the framework did not put there.
    public var strays: [Stray]
    /// All plain files of the remote.
    public var files: FileTotals
    /// What could not be listed or read, and why.
    public var problems: [FileProblem]

    /// The first of them that leaves unknown what is in a folder or a file.
    public var unread: FileProblem? { problems.first(where: \.isUnread) }

    /// Reads the few small files that a report needs; the rest comes from the listing.
    public init(_ snapshot: RemoteSnapshot, sources: ReportSources) {
        var reader = ReportReader(sources, root: snapshot.root)
        sources.storage.prepareToRead {
            snapshot.clientDevices.compactMap(\.deviceInfo) + snapshot.documents.compactMap(\.documentInfo)
                + snapshot.deletedDocuments.map(\.file)
                + snapshot.documents.flatMap(\.wholeStores).compactMap(\.register)
        }
        let infos = snapshot.clientDevices.reduce(into: [RemoteName: DeviceInfo]()) {
            $0[$1.identifier] = reader.deviceInfo($1.deviceInfo)
        }
        let descriptions = infos.compactMapValues { $0.description }
        var documents: [DocumentReport] = []
        for document in snapshot.documents {
            let reporter = DocumentReporter(
                document: document, tree: snapshot.tree, isEncrypted: snapshot.isEncrypted,
                descriptions: descriptions)
            documents.append(reporter.report(&reader))
        }
        var deletedDocuments: [DeletedDocumentReport] = []
        for tombstone in snapshot.deletedDocuments {
            deletedDocuments.append(
                DeletedDocumentReport(
                    identifier: tombstone.identifier, deleted: tombstone.file.modified,
                    info: reader.documentInfo(tombstone.file)))
        }
        applicationIdentifier = snapshot.applicationIdentifier
        isEncrypted = snapshot.isEncrypted
        clients = Self.clients(snapshot, documents, infos)
        self.documents = documents
        self.deletedDocuments = deletedDocuments
        duplicates = DeviceDuplicate.find(clients)
        strays = snapshot.strays
        files = snapshot.tree.fileTotals
        problems = snapshot.problems() + reader.problems
    }

    private static func clients(
        _ snapshot: RemoteSnapshot, _ documents: [DocumentReport], _ infos: [RemoteName: DeviceInfo]
    ) -> [DeviceReport] {
        let registered = Set(snapshot.clientDevices.map(\.identifier))
        let hidden =
            snapshot.tree.listing([RemoteLayout.documents]).problem
            ?? documents.lazy.compactMap(\.members.problem).first
        let knowsClients = snapshot.tree.listing([RemoteLayout.clientDevices]).isWhole
        let listed = Set(FrameworkLists.applicationClients(snapshot.tree))
        let mentions = Dictionary(
            grouping: documents.flatMap { document in document.clients.map { (document.identifier, $0) } }
        ) { $0.1.identifier }
        return registered.union(mentions.keys).sorted().map { name in
            let places = mentions[name] ?? []
            return DeviceReport(
                identifier: name, isRegistered: registered.contains(name) ? true : knowsClients ? false : nil,
                info: infos[name],
                documents: places.filter { $0.1.isMember == true }.map(\.0),
                deletedFrom: documents.filter { $0.deletedClients.part.contains(name) }.map(\.identifier),
                lastSync: places.compactMap(\.1.lastSync).max(),
                wholeStoreUploaded: places.compactMap(\.1.wholeStoreUploaded).max(),
                changeSets: Seen(
                    places.reduce(into: FileTotals()) { $0.add($1.1.changeSets.part) },
                    hidden ?? places.lazy.compactMap(\.1.changeSets.problem).first),
                isListed: listed.contains(name))
        }
    }
}

/// A document that somebody deleted: `Information/DeletedDocuments/<document>.plist`.
public struct DeletedDocumentReport: Sendable {
    /// Identifier of the document.
    public var identifier: RemoteName
    /// The time of the tombstone.
    public var deleted: FileTime
    /// The copy of `documentInfo.plist`; nil if it could not be read.
    public var info: DocumentInfo?

    public var description: String? { info?.description }
}

extension RemoteTree {
    /// All plain files.
    public var fileTotals: FileTotals {
        folders.values.reduce(into: FileTotals()) { totals, listing in
            if let counted = listing.counted { totals.add(counted.totals) }
            for position in listing.indices where listing.kind(at: position) == .file {
                totals.add(listing.size(at: position))
            }
        }
    }
}
