import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

/// Folders of the app, of documents and of their clients.
extension RepairPlanner {
    mutating func folder(_ finding: Finding) -> Verdict {
        makeFolder(finding.path, for: finding.kind)
        if finding.path == [RemoteLayout.encryption] {
            notes.add(
                .warning,
                "If this remote was ever encrypted, its salt is lost with the folder Encryption: restore the salt first"
            )
        }
        return .repaired
    }

    /// Makes a folder, and the folders and files that clients need in it.
    mutating func makeFolder(_ path: RemotePath, for kind: FindingKind) {
        actions.makeFolder(path, for: kind)
        switch path {
        case [RemoteLayout.information]:
            actions.makeFolder(path.appending(RemoteLayout.deletedDocuments), for: kind)
            actions.makeFolder(path.appending(RemoteLayout.deletedClients), for: kind)
        case [RemoteLayout.clientDevices]:
            for client in Set(snapshot.documents.flatMap { $0.clients.map(\.identifier) }) {
                register(client, for: kind)
            }
        default:
            guard path.names.count > 2, path.names[0] == RemoteLayout.documents,
                let document = snapshot.document(path.names[1])
            else { return }
            makeFolder(RemotePath(Array(path.names.dropFirst(2))), of: document, for: kind)
        }
    }

    private mutating func makeFolder(
        _ inside: RemotePath, of document: DocumentSnapshot, for kind: FindingKind
    ) {
        let commands = document.path.appending(RemoteLayout.syncCommands)
        switch inside.names[0] {
        case RemoteLayout.syncChanges where inside.names.count == 1:
            for client in clientsWithTraces(in: document) {
                makeFolder(RemoteLayout.syncChanges(of: client, in: document.identifier), for: kind)
            }
        case RemoteLayout.syncChanges where inside.names.count == 2:
            actions.makeFolder(commands.appending(inside.names[1]), for: kind)
            register(inside.names[1], for: kind)
            warn(ofUnprotected: inside.names[1], in: document)
        case RemoteLayout.syncCommands where inside.names.count == 1:
            for client in document.clients {
                actions.makeFolder(commands.appending(client.identifier), for: kind)
            }
        case RemoteLayout.temporaryFiles:
            actions.makeFolder(
                document.path.appending(RemoteLayout.temporaryFiles).appending(RemoteLayout.wholeStore),
                for: kind)
        case RemoteLayout.recentSyncs:
            for client in document.clients { warn(ofUnprotected: client.identifier, in: document) }
        default: break
        }
    }

    /// Clients that left traces of their membership, after the folder SyncChanges was lost.
    private func clientsWithTraces(in document: DocumentSnapshot) -> [RemoteName] {
        let devices = Set(snapshot.clientDevices.map(\.identifier))
        let others = document.recentSyncs.map(\.client) + document.wholeStores.map(\.client)
        let removed = Set(document.deletedClients.map(\.identifier))
        return Set(document.syncCommands).union(others.filter(devices.contains)).subtracting(removed).sorted()
    }

    private mutating func warn(ofUnprotected client: RemoteName, in document: DocumentSnapshot) {
        guard document.recentSync(of: client) == nil else { return }
        notes.add(
            .consequence,
            "Client \(client) has no recent sync in \(document.identifier): until it has synchronised, a vacuum "
                + "of another client may remove sets that it still needs")
    }

    private mutating func register(_ client: RemoteName, for kind: FindingKind) {
        let isKnown = snapshot.clientDevices.contains { $0.identifier == client && !$0.deviceInfo.isMissing }
        if !isKnown { _ = makeInformation(RemoteLayout.deviceInfo(of: client), for: kind) }
    }

    mutating func removal(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let client = finding.client, let document = finding.document.flatMap(snapshot.document) else {
            return .left("it is not known which client was removed")
        }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        let store = RemoteLayout.wholeStore(of: client, in: document.identifier)
        if try snapshot.tree[store].whole != nil, !hasSoundStore(document, besides: client) {
            return .left("its whole store is the only one: let another client upload its whole store first")
        }
        let paths = [
            document.path.appending(RemoteLayout.syncCommands).appending(client),
            document.path.appending(RemoteLayout.recentSyncs).appending(recentSync), store,
        ]
        for path in paths where try snapshot.tree[path].whole != nil {
            try actions.trash(path, for: finding.kind)
        }
        return .repaired
    }

    mutating func wholeStore(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard finding.path.names.count > 3, let document = finding.document.flatMap(snapshot.document) else {
            return .left("it is not known which client the whole store belongs to")
        }
        if let verdict = try intactTwin(finding) { return verdict }
        let folder = RemotePath(Array(finding.path.names.prefix(4)))
        let client = folder.names[3]
        guard hasSoundStore(document, besides: client) else {
            return .left("the document has no other whole store that is sound: let a client upload one first")
        }
        try actions.trash(folder, for: finding.kind)
        notes.add(
            .consequence,
            "New clients of \(document.identifier) no longer start from the whole store of client \(client); "
                + "its next upload makes the folder again")
        return .repaired
    }

    /// Whether another client has an intact whole store that does not move to the trash.
    private func hasSoundStore(_ document: DocumentSnapshot, besides client: RemoteName) -> Bool {
        document.wholeStores.contains { store in
            guard store.client != client, let file = store.store, file.size > 0 else { return false }
            let isDamaged = evidence.damaged.contains { $0.names.starts(with: store.path.names) }
            return !isDamaged && !actions.isGone(store.path)
        }
    }
}
