import TICDSCore

/// Which entries of a remote go into an archive. A part is chosen so that it makes sense by itself: with the documents go
/// their clients' devices, and the salt with whatever is encrypted.
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

    private static func clients(of documents: [DocumentSnapshot]) -> Set<RemoteName> {
        var names: Set<RemoteName> = []
        for document in documents {
            names.formUnion(document.clients.map(\.identifier))
            names.formUnion(document.wholeStores.map(\.client))
            names.formUnion(document.recentSyncs.map(\.client))
        }
        return names
    }

    /// Whether an entry goes into the archive; where a folder does not, nothing below it does.
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
