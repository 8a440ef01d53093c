import Base
public import SystemCalls

/// The data that `status`, `documents`, `clients` and `stores` print. Data that could not be read is left out and
/// listed in `problems`.
public struct RemoteReport: Sendable {
    /// The name of the remote's folder.
    public var applicationIdentifier: RemoteName
    /// Whether clients treat the remote as encrypted.
    public var isEncrypted: Bool
    /// The clients, by identifier.
    public var clients: [DeviceReport]
    /// The reason why there may be more clients than were listed; nil if there is none.
    public var unlistedClients: FileProblem?
    /// The documents, by identifier.
    public var documents: [DocumentReport]
    /// The reason why there may be more documents than were listed; nil if there is none.
    public var unlistedDocuments: FileProblem?
    /// Documents with a tombstone.
    public var deletedDocuments: [DeletedDocumentReport]
    /// Clients that look like one device.
    public var duplicates: [DeviceDuplicate]
    /// Entries that the framework did not make.
    public var strays: [Stray]
    /// All regular files of the remote.
    public var files: Seen<FileTotals>
    /// The problems of listing and reading.
    public var problems: [FileProblem]

    /// The first problem that hides the content of a folder or a file.
    public var unread: FileProblem? { problems.first(where: \.isUnread) }

    /// Reads the few small files that a report needs; the rest comes from the listing.
    public init(_ snapshot: RemoteSnapshot, sources: ReportSources) {
        var reader = ReportReader(sources, root: snapshot.root)
        sources.storage.prepareToRead {
            snapshot.clientDevices.compactMap(\.deviceInfo.part)
                + snapshot.documents.compactMap(\.documentInfo.part)
                + snapshot.deletedDocuments.map(\.file)
                + snapshot.documents.flatMap(\.wholeStores).compactMap(\.register)
        }
        let infos = snapshot.clientDevices.reduce(into: [RemoteName: DeviceInfo]()) {
            $0[$1.identifier] = reader.deviceInfo($1.deviceInfo.part)
        }
        let descriptions = infos.compactMapValues { $0.description }
        var documents: [DocumentReport] = []
        for document in snapshot.documents {
            let reporter = DocumentReporter(
                document: document, snapshot: snapshot, descriptions: descriptions)
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
        unlistedDocuments = snapshot.gap(inNamesOf: [RemoteLayout.documents])
        let clients = RemoteClients(snapshot, documents, hidden: unlistedDocuments)
        self.clients = clients.reports(infos)
        unlistedClients = clients.problem
        self.documents = documents
        self.deletedDocuments = deletedDocuments
        duplicates = DeviceDuplicate.find(self.clients)
        strays = snapshot.strays
        files = Seen(snapshot.tree.fileTotals, snapshot.gap(below: .root))
        problems = snapshot.problems() + reader.problems
    }
}

/// The clients of a remote, from its documents and the folder of the clients.
private struct RemoteClients {
    private let snapshot: RemoteSnapshot
    private let documents: [DocumentReport]
    /// The reason why there may be more documents.
    private let hidden: FileProblem?

    init(_ snapshot: RemoteSnapshot, _ documents: [DocumentReport], hidden: FileProblem?) {
        self.snapshot = snapshot
        self.documents = documents
        self.hidden = hidden
    }

    /// The reason why there may be more clients, registered or mentioned.
    var problem: FileProblem? {
        snapshot.gap(inNamesOf: [RemoteLayout.clientDevices])
            ?? documents.lazy.compactMap(\.members.problem).first ?? gap(RemoteLayout.recentSyncs)
            ?? gap(RemoteLayout.temporaryFiles)
            ?? documents.lazy.compactMap { [snapshot] document in
                [RemoteLayout.wholeStore, RemoteLayout.syncCommands].lazy.compactMap {
                    snapshot.gap(inNamesOf: [RemoteLayout.documents, document.identifier, $0])
                }.first
            }.first
    }

    /// The reason why there may be more in this folder of any document.
    private func gap(_ folder: RemoteName) -> FileProblem? {
        hidden
            ?? documents.lazy.compactMap { [snapshot] document in
                snapshot.gap(below: [RemoteLayout.documents, document.identifier, folder])
            }.first
    }

    func reports(_ infos: [RemoteName: DeviceInfo]) -> [DeviceReport] {
        let registered = Set(snapshot.clientDevices.map(\.identifier))
        let members = hidden ?? documents.lazy.compactMap(\.members.problem).first
        let tombstones = gap(RemoteLayout.deletedClients)
        let syncs = gap(RemoteLayout.recentSyncs)
        let knowsClients = snapshot.gap(inNamesOf: [RemoteLayout.clientDevices]) == nil
        let listed = Set(FrameworkLists.applicationClients(snapshot.tree))
        let mentions = Dictionary(
            grouping: documents.flatMap { document in document.clients.map { (document.identifier, $0) } }
        ) { $0.1.identifier }
        return registered.union(mentions.keys).sorted().map { name in
            let places = mentions[name] ?? []
            return DeviceReport(
                identifier: name, isRegistered: registered.contains(name) ? true : knowsClients ? false : nil,
                info: infos[name],
                documents: Seen(places.filter { $0.1.isMember == true }.map(\.0), members),
                deletedFrom: Seen(
                    documents.filter { $0.deletedClients.part.contains(name) }.map(\.identifier), tombstones),
                lastSync: Seen(places.compactMap(\.1.lastSync).max(), syncs),
                wholeStoreUploaded: Seen(
                    places.compactMap(\.1.wholeStoreUploaded.part).max(), unlistedStore(of: name)),
                changeSets: Seen(
                    places.reduce(into: FileTotals()) { $0.add($1.1.changeSets.part) },
                    members ?? places.lazy.compactMap(\.1.changeSets.problem).first),
                isListed: listed.contains(name) ? true : knowsClients ? false : nil)
        }
    }

    /// The reason why the client may have uploaded another whole store.
    private func unlistedStore(of client: RemoteName) -> FileProblem? {
        hidden
            ?? documents.lazy.compactMap { document in
                document.wholeStores.problem.flatMap { _ in
                    snapshot.gap(
                        below: [
                            RemoteLayout.documents, document.identifier, RemoteLayout.wholeStore, client,
                        ])
                }
            }.first
    }
}

/// A deleted document: `Information/DeletedDocuments/<document>.plist`.
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
    /// The totals of all regular files.
    public var fileTotals: FileTotals {
        folders.values.reduce(into: FileTotals()) { totals, listing in
            if let counted = listing.counted { totals.add(counted.totals) }
            for position in listing.indices where listing.kind(at: position) == .file {
                totals.add(listing.size(at: position))
            }
        }
    }
}
