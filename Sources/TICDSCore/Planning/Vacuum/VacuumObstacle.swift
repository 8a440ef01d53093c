import SystemCalls

/// Something that makes the horizon of a document unsafe, because it hides what a client has.
public struct VacuumObstacle: Hashable, Sendable {
    /// What hides what a client has.
    public enum Kind: String, Sendable {
        /// A placeholder, a file that is being downloaded, or one of one byte or nothing but zeros.
        case notDownloaded
        /// A file without a single byte: online-only, or cut off.
        case empty
        /// A folder that could not be listed, or a file that could not be read.
        case unreadable
        /// A client of which neither a recent sync nor a register tells anything.
        case noRecentSync
        /// The time of a recent sync has not come yet.
        case recentSyncInFuture
        /// A folder of a whole store without one.
        case noWholeStore
        /// A document without any.
        case noWholeStores
        /// The register of a whole store cannot be read.
        case unreadableRegister
    }

    /// What is in the way.
    public var kind: Kind
    /// What is missing or unreadable.
    public var path: RemotePath
    /// Whose it is; nil where it concerns all.
    public var client: RemoteName?
    /// In one sentence without a full stop.
    public var problem: String

    /// What is in the way of a vacuum of `document`, but for its registers.
    static func find(_ document: VacuumDocument) -> [VacuumObstacle] {
        let hidden = hiddenFiles(document)
        return hidden + recentSyncs(document, hidden) + wholeStores(document, hidden)
    }

    // MARK: Files that are not there, or not whole

    private static let folders = [
        RemoteLayout.syncChanges, RemoteLayout.recentSyncs, RemoteLayout.wholeStore,
    ]

    private static func hiddenFiles(_ document: VacuumDocument) -> [VacuumObstacle] {
        let strays = document.snapshot.strays.compactMap { stray -> VacuumObstacle? in
            guard isInside(stray.path, document) else { return nil }
            // The content of recent syncs is read by nobody, but their times count: those of the true files.
            let absence: AbsentContent
            switch stray.kind {
            case .cloudPlaceholder: absence = .placeholder
            case .partialDownload: absence = .partialDownload
            case .notDownloaded: absence = stray.size == 1 ? .oneByte : .zeros
            case .emptyFile: absence = .empty
            default: return nil
            }
            return VacuumObstacle(
                kind: absence == .empty ? .empty : .notDownloaded, path: stray.path,
                client: client(of: stray.path.parent.appending(stray.originalName ?? "")),
                problem: "\(stray.path) is \(absence.text)")
        }
        return strays + unlisted(document)
    }

    private static func unlisted(_ document: VacuumDocument) -> [VacuumObstacle] {
        guard !document.snapshot.problems.isEmpty else { return [] }
        let root = document.snapshot.root.bytes.count
        return document.snapshot.problems.compactMap { problem in
            let inside = problem.path.bytes.dropFirst(root).split(separator: UInt8(ascii: "/"))
            let path = RemotePath(inside.map { RemoteName($0) })
            let isAbove = document.path.names.starts(with: path.names)
            guard isAbove || isInside(path, document) else { return nil }
            return VacuumObstacle(
                kind: .unreadable, path: path, client: client(of: path),
                problem: "\(path) could not be listed: \(problem.problem)")
        }
    }

    private static func isInside(_ path: RemotePath, _ document: VacuumDocument) -> Bool {
        path.names.count > 2 && path.names.starts(with: document.path.names)
            && folders.contains(path.names[2])
    }

    /// The client to whom a file of a document belongs: `Documents/<document>/<folder>/<client>...`
    static func client(of path: RemotePath) -> RemoteName? {
        guard path.names.count > 3 else { return nil }
        let name = path.names[3]
        guard path.names[2] == RemoteLayout.recentSyncs else { return name }
        return name.removing(suffix: RemoteLayout.recentSyncSuffix) ?? name
    }

    // MARK: What is not known of clients

    private static func recentSyncs(
        _ document: VacuumDocument, _ hidden: [VacuumObstacle]
    ) -> [VacuumObstacle] {
        let folder = document.path.appending(RemoteLayout.recentSyncs)
        let known = Set(hidden.filter { $0.path.names.starts(with: folder.names) }.compactMap(\.client))
        return document.facts.compactMap { client in
            guard client.receives, !known.contains(client.identifier) else { return nil }
            let name = RemoteName(client.identifier.bytes + Array(RemoteLayout.recentSyncSuffix.utf8))
            let path = folder.appending(name)
            guard let time = client.lastSync else {
                if document.settings.rule == .applied, client.register != nil { return nil }
                return VacuumObstacle(
                    kind: .noRecentSync, path: path, client: client.identifier,
                    problem: "client \(client.identifier) has no recent sync; what it has is not known")
            }
            guard document.isInFuture(time) else { return nil }
            return VacuumObstacle(
                kind: .recentSyncInFuture, path: path, client: client.identifier,
                problem: "the recent sync of \(client.identifier) is of \(time), which has not come yet")
        }
    }

    private static func wholeStores(
        _ document: VacuumDocument, _ hidden: [VacuumObstacle]
    ) -> [VacuumObstacle] {
        let folder = document.path.appending(RemoteLayout.wholeStore)
        let known = Set(hidden.filter { $0.path.names.starts(with: folder.names) }.compactMap(\.client))
        guard document.facts.contains(where: { $0.storeFolder != nil }) || !known.isEmpty else {
            return [
                VacuumObstacle(
                    kind: .noWholeStores, path: folder, client: nil,
                    problem: "there is no whole store, so that a new client needs every change set")
            ]
        }
        return document.facts.compactMap { client in
            guard let path = client.storeFolder, client.store == nil, !known.contains(client.identifier)
            else {
                return nil
            }
            return VacuumObstacle(
                kind: .noWholeStore, path: path, client: client.identifier,
                problem: "\(path) holds no whole store; an upload may be under way, or was cut off")
        }
    }
}
