import Synchronization
public import SystemCalls
public import TICDSCore

/// Finds the obstacles to the vacuum of one document, except those in registers, which ``RegisterRule`` finds.
struct VacuumObstacles {
    let document: VacuumInput
    let sources: VacuumSources
    private var storage: any RemoteStorage { sources.storage }

    // MARK: In the listing

    /// The obstacles in the listing: absent and incomplete files, and clients with too little known about them.
    func listed() -> [VacuumObstacle] {
        let hidden = strays() + unlisted()
        return hidden + recentSyncs(besides: hidden) + wholeStores(besides: hidden)
    }

    private static let folders = [
        RemoteLayout.syncChanges, RemoteLayout.recentSyncs, RemoteLayout.wholeStore,
    ]
    /// A tombstone decides whether a client without a folder still receives sets.
    private static let listedFolders = folders + [RemoteLayout.deletedClients]

    /// No code reads the contents of recent syncs, but their times count, and a placeholder has a time of its own.
    private func strays() -> [VacuumObstacle] {
        document.snapshot.strays.compactMap { stray in
            guard let absence = stray.absentContent, isInside(stray.path, Self.folders) else { return nil }
            return VacuumObstacle(
                absence, stray.path, of: stray.path.parent.appending(stray.originalName ?? ""))
        }
    }

    private func unlisted() -> [VacuumObstacle] {
        document.snapshot.problems.compactMap { problem in
            let path = document.snapshot.tree.place(of: problem)
            guard document.path.names.starts(with: path.names) || isInside(path, Self.listedFolders)
            else { return nil }
            var obstacle = VacuumObstacle(
                .unreadable, path, "\(path) could not be listed: \(problem.problem)")
            obstacle.unread = problem.isUnread ? problem : nil
            return obstacle
        }
    }

    private func isInside(_ path: RemotePath, _ folders: [RemoteName]) -> Bool {
        path.names.count > 2 && path.names.starts(with: document.path.names)
            && folders.contains(path.names[2])
    }

    private func recentSyncs(besides hidden: [VacuumObstacle]) -> [VacuumObstacle] {
        let folder = document.path.appending(RemoteLayout.recentSyncs)
        let known = clients(of: hidden, in: folder)
        return document.facts.compactMap { client in
            guard client.receives, !known.contains(client.identifier) else { return nil }
            let path = folder.appending(client.identifier.appending(suffix: RemoteLayout.recentSyncSuffix))
            // A folder that could not be listed is itself an obstacle.
            if !document.snapshot.tree[path].isWhole { return nil }
            guard let time = client.lastSync else {
                if document.settings.rule == .applied, client.register != nil { return nil }
                return VacuumObstacle(
                    .noRecentSync, path,
                    "client \(client.identifier) has no recent sync, so which change sets it has is unknown"
                )
            }
            guard document.isInFuture(time) else { return nil }
            return VacuumObstacle(
                .recentSyncInFuture, path,
                "the recent sync of \(client.identifier) has the time \(time), which is in the future")
        }
    }

    private func wholeStores(besides hidden: [VacuumObstacle]) -> [VacuumObstacle] {
        let folder = document.path.appending(RemoteLayout.wholeStore)
        let known = clients(of: hidden, in: folder)
        guard document.facts.contains(where: { $0.storeFolder != nil }) || !known.isEmpty else {
            // A folder that could not be listed is itself an obstacle.
            if document.snapshot.gap(inNamesOf: folder) != nil { return [] }
            return [
                VacuumObstacle(
                    .noWholeStores, folder,
                    "there is no whole store, so that a new client needs every change set")
            ]
        }
        return document.facts.compactMap { client in
            guard let path = client.storeFolder, client.store == nil, !known.contains(client.identifier)
            else { return nil }
            return VacuumObstacle(
                .noWholeStore, path,
                "\(path) contains no whole store; an upload may be in progress, or was interrupted")
        }
    }

    /// The clients that have a hidden entry in a folder.
    private func clients(of hidden: [VacuumObstacle], in folder: RemotePath) -> Set<RemoteName> {
        Set(hidden.filter { $0.path.names.starts(with: folder.names) }.compactMap(\.client))
    }

    // MARK: In the files

    /// Files whose contents are not local although they look present in the listing, which searches only files without
    /// blocks for zeros (`CloudPlaceholder`). Checks the recent syncs and whole stores, on which a vacuum depends.
    func inContents(removesSets: Bool) -> [VacuumObstacle] {
        let syncs = document.document.recentSyncs.map(\.file.path)
        let unfit = document.facts.flatMap { client -> [VacuumObstacle] in
            guard let folder = client.storeFolder else { return [] }
            let isExamined = removesSets && document.storeCounts(client)
            return stores(in: folder).compactMap { obstacle($0, isStore: true, isExamined: isExamined) }
        }
        return syncs.compactMap { obstacle($0) } + unfit
    }

    /// The same for the sets that a vacuum would remove: those at the positions of `clients`.
    func inSets(_ clients: [VacuumClient]) -> [VacuumObstacle] { clients.flatMap(removable) }

    /// The obstacle of a damaged store: new clients could not start from it, or would lack data, and need every set.
    /// - Parameter isExamined: whether to read the whole store; otherwise only its length is compared with its header.
    private func damage(
        _ file: any ReadableFile, _ path: RemotePath, isExamined: Bool
    ) throws(FileProblem) -> VacuumObstacle? {
        let size = try file.statusAtOpening().size
        let head = try file.head(count: WholeStoreLength.headSize)
        if let told = WholeStoreLength.told(by: head), size < told {
            return VacuumObstacle(
                .damagedStore, path, "\(path) is truncated: it has \(size) of \(told) bytes")
        }
        guard isExamined, !document.snapshot.isEncrypted, let problem = try sources.storeDamage(path) else {
            return nil
        }
        let found = problem.found.map { " (\($0))" } ?? ""
        return VacuumObstacle(.damagedStore, path, "\(path) is damaged: \(problem.problem)\(found)")
    }

    /// The file that is a whole store; if the whole store is a folder, the files that may be it.
    private func stores(in folder: RemotePath) -> [RemotePath] {
        let store = folder.appending(RemoteLayout.wholeStoreFile)
        if document.snapshot.tree[store].part?.kind == .file { return [store] }
        return document.snapshot.tree.listing(store).part.filter {
            $0.kind == .file && WholeStoreFolder.mayBeStore($0.name)
        }.map { store.appending($0.name) }
    }

    private func removable(of client: VacuumClient) -> [VacuumObstacle] {
        let folder = RemoteLayout.syncChanges(of: client.identifier, in: document.document.identifier)
        let listing = document.snapshot.tree.listing(folder).part
        let opened = storage.openFolder(folder)
        let found = Mutex<[VacuumObstacle]>([])
        ParallelWork.forEach(below: client.positions.count, workers: storage.workers) { number in
            let entry = listing[Int(client.positions[number])]
            guard entry.kind == .file, entry.size > 0, opened?.beginsWithContent(entry.name) != true,
                let obstacle = obstacle(folder.appending(entry.name), opened?.open(entry.name))
            else { return }
            found.withLock { $0.append(obstacle) }
        }
        return found.withLock { $0 }.sorted { $0.path < $1.path }
    }

    /// - Parameter opened: the file, if it could be opened.
    private func obstacle(
        _ path: RemotePath, _ opened: (any ReadableFile)? = nil, isStore: Bool = false,
        isExamined: Bool = false
    ) -> VacuumObstacle? {
        do throws(FileProblem) {
            let file: any ReadableFile
            if let opened { file = opened } else { file = try storage.open(path) }
            if let absence = try CloudPlaceholder.of(file) { return VacuumObstacle(absence, path) }
            return isStore ? try damage(file, path, isExamined: isExamined) : nil
        } catch {
            return error.kind == .missing ? nil : VacuumObstacle(.unreadable, path, unread: error)
        }
    }
}

/// Something that makes the horizon of a document unsafe, because it hides what a client has.
public struct VacuumObstacle: Hashable, Sendable {
    /// The reason why it is hidden what a client has.
    public enum Kind: String, Sendable, CaseIterable {
        /// A placeholder, a file that is being downloaded, or a file with one byte or only zeros.
        case notDownloaded
        /// An empty file: online-only, or truncated.
        case empty
        /// A folder that could not be listed, a file that could not be read, a link or a special file.
        case unreadable
        /// A client without a recent sync and without a register.
        case noRecentSync
        /// A recent sync with a time in the future.
        case recentSyncInFuture
        /// A whole-store folder that contains no store.
        case noWholeStore
        /// A document without a whole store.
        case noWholeStores
        /// The register of a whole store cannot be read.
        case unreadableRegister
        /// A whole store that is truncated or damaged.
        case damagedStore
    }

    /// The kind of obstacle.
    public var kind: Kind
    /// The file or folder that is missing or unreadable.
    public var path: RemotePath
    /// The client concerned; nil for all.
    public var client: RemoteName?
    /// The obstacle in one sentence without a full stop.
    public var problem: String
    /// The reason why a folder or file could not be listed or read; nil for every other obstacle.
    public var unread: FileProblem?

    /// - Parameter file: the file for which `path` stands, if it is a different one.
    init(_ kind: Kind, _ path: RemotePath, of file: RemotePath? = nil, _ problem: String) {
        self.kind = kind
        self.path = path
        client = Self.client(of: file ?? path)
        self.problem = problem
    }

    /// A file whose contents are not local.
    init(_ absence: CloudPlaceholder, _ path: RemotePath, of file: RemotePath? = nil) {
        let kind: Kind = absence == .empty ? .empty : absence.isDeliverable ? .notDownloaded : .unreadable
        self.init(kind, path, of: file, "\(path) is \(absence.text)")
    }

    /// A file that could not be read.
    init(_ kind: Kind, _ path: RemotePath, unread problem: FileProblem) {
        self.init(kind, path, "\(path) cannot be read: \(problem.problem)")
        unread = problem.isUnread ? problem : nil
    }

    /// Whether the obstacle may hide change sets.
    var isOfSets: Bool { path.names.dropFirst(2).first == RemoteLayout.syncChanges }

    /// Whether the obstacle hides which clients need which sets.
    var hidesNeeds: Bool {
        switch kind {
        case .notDownloaded, .empty, .unreadable, .unreadableRegister: true
        case .noRecentSync, .recentSyncInFuture, .noWholeStore, .noWholeStores, .damagedStore: false
        }
    }

    /// The client to which a file of a document belongs: `Documents/<document>/<folder>/<client>...`
    private static func client(of path: RemotePath) -> RemoteName? {
        guard path.names.count > 3 else { return nil }
        let name = path.names[3]
        guard path.names[2] == RemoteLayout.recentSyncs else { return name }
        return name.removing(suffix: RemoteLayout.recentSyncSuffix) ?? name
    }
}
