import SystemCalls
import SystemPackage
import TICDSCore

/// Chooses the entries of an archive. A part is usable by itself: with the devices of its clients, and the salt.
struct ExportSelection {
    private let scope: ArchiveScope
    private let isDecrypting: Bool
    private let documents: Set<RemoteName>?
    private let clients: Set<RemoteName>?

    init(_ scope: ArchiveScope, of snapshot: RemoteSnapshot, isDecrypting: Bool) {
        self.scope = scope
        self.isDecrypting = isDecrypting
        documents = scope.documents.map(Set.init)
        clients =
            scope.clients.map(Set.init)
            ?? scope.documents.map { Self.clients(of: $0.compactMap(snapshot.document)) }
    }

    /// The selection with which an archive was made, for entries that it may lack; everything without a manifest.
    /// - Parameter paths: the compared paths, which show the clients of the chosen documents.
    init(of manifest: ArchiveManifest?, _ paths: some Sequence<RemotePath>) {
        scope = manifest?.scope ?? ArchiveScope()
        isDecrypting = manifest?.wasDecrypted == true
        let chosen = scope.documents.map(Set.init)
        documents = chosen
        clients =
            scope.clients.map(Set.init)
            ?? chosen.map { chosen in
                Set(paths.lazy.filter { $0.document.map(chosen.contains) == true }.compactMap(\.client))
            }
    }

    private static func clients(of documents: [DocumentSnapshot]) -> Set<RemoteName> {
        var names: Set<RemoteName> = []
        for document in documents {
            names.formUnion(document.clients.map(\.identifier))
            names.formUnion(document.wholeStores.map(\.client))
            names.formUnion(document.recentSyncs.map(\.client))
        }
        return names
    }

    /// Whether an entry goes into the archive. Entries below an excluded folder are not checked.
    func includes(_ path: RemotePath) -> Bool {
        typealias Layout = RemoteLayout
        let names = path.names
        if isDecrypting, names.count == 2, names[0] == Layout.encryption,
            names[1] == Layout.salt || names[1] == Layout.encryptionTest
        {
            return false
        }
        guard !scope.isEverything, let first = names.first else { return true }
        switch first {
        case Layout.readMe, Layout.encryption: return true
        case Layout.clientDevices: return names.count == 1 || isChosen(client: names[1])
        case Layout.information: return names.count <= 2
        case Layout.documents:
            guard names.count > 1 else { return true }
            return documents?.contains(names[1]) != false && includes(inDocument: Array(names.dropFirst(2)))
        default: return false
        }
    }

    private func includes(inDocument names: [RemoteName]) -> Bool {
        typealias Layout = RemoteLayout
        guard scope.clients != nil || scope.isOnlyWholeStores, let first = names.first else { return true }
        guard names.count > 1 else { return Self.skeleton.contains(first) }
        switch first {
        case Layout.integrityKey: return true
        case Layout.syncChanges, Layout.syncCommands:
            return !scope.isOnlyWholeStores && isChosen(client: names[1])
        case Layout.recentSyncs:
            return !scope.isOnlyWholeStores && isChosen(file: names[1], Layout.recentSyncSuffix)
        case Layout.deletedClients:
            return !scope.isOnlyWholeStores && isChosen(file: names[1], Layout.propertyListSuffix)
        case Layout.wholeStore: return names[1] == Layout.sharedExternalData || isChosen(client: names[1])
        case Layout.temporaryFiles:
            if scope.isOnlyWholeStores { return names.count == 2 }
            return names.count == 2 || isChosen(client: names[2])
        default: return false
        }
    }

    private static let skeleton: Set<RemoteName> = [
        RemoteLayout.documentInfo, RemoteLayout.integrityKey, RemoteLayout.syncChanges,
        RemoteLayout.syncCommands, RemoteLayout.recentSyncs, RemoteLayout.deletedClients,
        RemoteLayout.wholeStore, RemoteLayout.temporaryFiles,
    ]

    private func isChosen(client: RemoteName) -> Bool { clients?.contains(client) != false }

    private func isChosen(file: RemoteName, _ suffix: String) -> Bool {
        clients == nil || file.removing(suffix: suffix).map(isChosen(client:)) == true
    }
}

/// The entries for an archive, in its order, and those that must be left out.
struct ExportList {
    private(set) var entries = BackupEntries()
    private(set) var leftOut: [ArchiveManifest.LeftOut] = []
    private let absent: [RemotePath: CloudPlaceholder]

    /// The entries and those left out, for a caller that changes them.
    var parts: (entries: BackupEntries, leftOut: [ArchiveManifest.LeftOut]) { (entries, leftOut) }

    /// - Parameter modified: the time of the application folder.
    init(_ snapshot: RemoteSnapshot, _ selection: ExportSelection, modified: FileTime) {
        absent = snapshot.absentFiles.reduce(into: [:]) { $0[$1.path] = $1.absence }
        entries.append(BackupEntry(path: .root, role: .folder, size: 0, modified: modified))
        add(.root, snapshot.tree, selection)
        for problem in snapshot.problems { leaveOut(snapshot.tree.place(of: problem), problem.problem) }
    }

    private mutating func add(_ folder: RemotePath, _ tree: RemoteTree, _ selection: ExportSelection) {
        for entry in tree.listing(folder).part {
            let path = folder.appending(entry.name)
            guard selection.includes(path) else { continue }
            switch entry.kind {
            case .symbolicLink: leaveOut(path, "a symbolic link")
            case .special: leaveOut(path, "a fifo, a socket or a device")
            case .file:
                if let absence = absent[path] {
                    leaveOut(path, "its content is not on this machine: \(absence.text)")
                    continue
                }
                entries.append(
                    BackupEntry(
                        path: path, role: FileRole(of: path, kind: .file), size: entry.size,
                        modified: entry.modified))
            case .folder:
                entries.append(BackupEntry(path: path, role: .folder, size: 0, modified: entry.modified))
                add(path, tree, selection)
            }
        }
    }

    private mutating func leaveOut(_ path: RemotePath, _ problem: String) {
        leftOut.append(ArchiveManifest.LeftOut(path: path, problem: problem))
    }
}
