import Base
import SystemCalls
import TICDSCore

/// Checks the clients of each document: each member must have its folders and files, and all other clients must have
/// none.
struct DocumentClientsCheck: RemoteCheck {
    private let context: VerificationContext
    private let document: DocumentSnapshot
    private let devices: Set<RemoteName>
    private var covered: CoveredPaths { context.covered }
    private let commands: Set<RemoteName>
    private let recentSyncs: [RemoteName: RemoteFile]
    private let tombstones: [RemoteName: RemoteFile]
    private let stores: [RemoteName: WholeStoreSnapshot]

    private init(_ context: VerificationContext, _ document: DocumentSnapshot, devices: Set<RemoteName>) {
        self.context = context
        self.document = document
        self.devices = devices
        commands = Set(document.syncCommands)
        recentSyncs = Dictionary(document.recentSyncs.map { ($0.client, $0.file) }) { first, _ in first }
        tombstones = Dictionary(
            document.deletedClients.map { ($0.identifier, $0.file) }, uniquingKeysWith: { first, _ in first })
        stores = Dictionary(document.wholeStores.map { ($0.client, $0) }) { first, _ in first }
    }

    static func findings(_ context: VerificationContext) -> [Finding] {
        let devices = Set(context.snapshot.clientDevices.map(\.identifier))
        return context.snapshot.documents.flatMap {
            DocumentClientsCheck(context, $0, devices: devices).findings()
        }
    }

    private func findings() -> [Finding] {
        var findings: [Finding] = []
        let authors = document.clients.lazy.filter { !$0.changeSets.isEmpty }.map(\.identifier)
        let firstAuthors = Array(authors.prefix(2))
        for client in document.clients where !covered.isTwin(client.path) {
            let needsProtection = firstAuthors.contains { $0 != client.identifier }
            findings += self.findings(ofMember: client.identifier, needsProtection: needsProtection)
        }
        if isListed(folder(RemoteLayout.syncChanges)) { findings += findingsOfStrangers() }
        if let finding = missingWholeStore() { findings.append(finding) }
        return findings + commandSets()
    }

    private func findings(ofMember client: RemoteName, needsProtection: Bool) -> [Finding] {
        var findings: [Finding] = []
        if let tombstone = tombstones[client] {
            findings.append(finding(.tombstoneOfMember, at: tombstone.path, client))
        }
        let command = folder(RemoteLayout.syncCommands).appending(client)
        if isListed(command.parent), !commands.contains(client), !covered.contains(command) {
            findings.append(
                finding(.commandFolderMissing, at: command, client, expected: "a folder", found: "nothing"))
        }
        let recentSync = folder(RemoteLayout.recentSyncs).appending(
            client.appending(suffix: RemoteLayout.recentSyncSuffix))
        if needsProtection, isListed(recentSync.parent), recentSyncs[client] == nil,
            !covered.contains(recentSync)
        {
            findings.append(
                finding(.recentSyncMissing, at: recentSync, client, expected: "a file", found: "nothing"))
        }
        if let store = stores[client], lacksStore(store) { findings.append(emptyStoreFolder(store)) }
        return findings
    }

    private func lacksStore(_ store: WholeStoreSnapshot) -> Bool {
        store.store == nil && isListed(store.path)
            && !covered.contains(store.path.appending(RemoteLayout.wholeStoreFile))
    }

    private func emptyStoreFolder(_ store: WholeStoreSnapshot) -> Finding {
        let isOnly = document.wholeStores.allSatisfy { $0.store == nil }
        return finding(
            .wholeStoreFolderEmpty, at: store.path, store.client,
            expected: RemoteLayout.wholeStoreFile.text, found: "nothing",
            effects: isOnly ? [Effect(.stopsVacuum, .everyone), Effect(.cannotDownload, .newClients)] : nil)
    }

    /// Findings about clients with files in the document but without a folder of change sets.
    private func findingsOfStrangers() -> [Finding] {
        let members = Set(document.clients.map(\.identifier))
        var strangers = commands.union(recentSyncs.keys).union(stores.keys)
        strangers.subtract(members)
        return strangers.flatMap { stranger in
            isTwin(stranger) || covered.contains(folder(RemoteLayout.syncChanges).appending(stranger))
                ? [] : findings(ofStranger: stranger)
        }
    }

    private func isTwin(_ client: RemoteName) -> Bool {
        covered.isTwin(folder(RemoteLayout.syncCommands).appending(client))
            || covered.isTwin(folder(RemoteLayout.wholeStore).appending(client))
            || recentSyncs[client].map { covered.isTwin($0.path) } ?? false
    }

    private func findings(ofStranger client: RemoteName) -> [Finding] {
        let recentSync = recentSyncs[client]?.path
        let store = stores[client]?.path
        if tombstones[client] != nil {
            let remains = recentSync ?? store ?? folder(RemoteLayout.syncCommands).appending(client)
            let effects =
                (recentSync ?? store == nil ? [] : [Effect(.stopsVacuum, .everyone)])
                + (commands.contains(client) ? [Effect(.cannotRegister, .thisClient)] : [])
            return [
                finding(.removalInterrupted, at: remains, client, found: traces(of: client), effects: effects)
            ]
        }
        if devices.contains(client) || commands.contains(client) {
            let path = folder(RemoteLayout.syncChanges).appending(client)
            let effects =
                [Effect(.blocks, .thisClient)]
                + (recentSync ?? store == nil ? [] : [Effect(.stopsVacuum, .everyone)])
            return [
                finding(
                    .changeSetFolderGone, at: path, client, expected: "a folder or a tombstone",
                    found: traces(of: client), effects: effects)
            ]
        }
        return [
            recentSync.map { finding(.recentSyncOfNobody, at: $0, client) },
            store.map { path in
                let isEmpty = stores[client].map(lacksStore) ?? false
                return finding(
                    .wholeStoreOfNobody, at: path, client,
                    effects: isEmpty ? FindingKind.wholeStoreFolderEmpty.effects : nil)
            },
        ].compactMap(\.self)
    }

    private func traces(of client: RemoteName) -> String {
        [
            commands.contains(client) ? "a folder in SyncCommands" : nil,
            recentSyncs[client].map { "a recent sync of \($0.modified)" },
            stores[client].map { _ in "a folder in WholeStore" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    private func missingWholeStore() -> Finding? {
        let path = folder(RemoteLayout.wholeStore)
        let hasChangeSets = document.clients.contains { !$0.changeSets.isEmpty }
        let hasFolder = context.snapshot.tree.listing(path).part.contains { entry in
            entry.kind == .folder && entry.name != RemoteLayout.sharedExternalData
        }
        guard hasChangeSets, isListed(path), !hasFolder else { return nil }
        return context.finding(
            .noWholeStore, at: path, document: document.identifier, expected: "the whole store of a client",
            found: "nothing")
    }

    private func commandSets() -> [Finding] {
        document.syncCommands.compactMap { client in
            let path = folder(RemoteLayout.syncCommands).appending(client)
            let listing = context.snapshot.tree.listing(path).part
            let count = listing.lazy.filter {
                $0.kind == .file && $0.name.removing(suffix: RemoteLayout.commandSetSuffix) != nil
            }.count
            return count == 0 ? nil : finding(.syncCommands, at: path, client, found: counted(count, "file"))
        }
    }

    private func folder(_ name: RemoteName) -> RemotePath { document.path.appending(name) }
    private func isListed(_ folder: RemotePath) -> Bool { context.snapshot.tree.folders[folder] != nil }

    private func finding(
        _ kind: FindingKind, at path: RemotePath, _ client: RemoteName, expected: String? = nil,
        found: String? = nil, effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            kind, at: path, document: document.identifier, client: client, expected: expected, found: found,
            effects: effects)
    }
}
