import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Checks the integrity key, lists and fetches the change sets (ticds-protocol(7), 4.8.1).
    mutating func preSync() -> Bool {
        guard checkKey(), let clients = otherClients() else { return false }
        guard !clients.isEmpty else {
            return add(
                step(
                    "List the clients", .done, nil, "2", [],
                    "There is no other client, so there is nothing to fetch.")
            )
        }
        guard let requests = listChangeSets(of: clients) else { return false }
        return fetch(requests)
    }

    func step(
        _ name: String, _ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ number: String,
        _ paths: [RemotePath], _ sentence: String
    ) -> SimulationStep {
        SimulationStep(
            .preSync, name, outcome, error, section: "4.8.1-" + number, paths: paths, sentence)
    }

    private mutating func checkKey() -> Bool {
        let name = "Read the integrity key"
        let folder = listing.folder(RemoteLayout.integrityKey)
        guard let keys = listing.integrityKeys, let first = keys.first else {
            let text = "There is no integrity key, so every synchronisation of every client fails."
            return add(step(name, .fails, .integrityKeyMissing, "1", [folder], text))
        }
        let paths = keys.map { folder.appending($0.name) }
        if keys.count == 1, simulation.start == .running, !hasLeftTraces, simulation.standing != .removed {
            return add(step(name, .unknown, .integrityKeysDiffer, "1", paths, Self.otherKey))
        }
        guard keys.count > 1 else {
            let text = "The simulation assumes that the client remembers \(first.name)."
            return add(step(name, .done, nil, "1", paths, text))
        }
        let text =
            """
            \(keys.count) names can be taken for the key, and chance decides which comes first. If \
            it is not the one that the client remembers, the run fails with code 20, and the client \
            wipes its helper files, including edits that it has not sent.
            """
        return add(step(name, .unknown, .integrityKeysDiffer, "1", paths, text))
    }

    /// Entries of `SyncChanges` that count as other clients.
    private mutating func otherClients() -> [FolderEntry]? {
        guard let clients = listing.clients else {
            let text = "The folder SyncChanges is missing or cannot be listed."
            let paths = [listing.folder(RemoteLayout.syncChanges)]
            _ = add(step("List the clients", .fails, variant.errorOfMissingFile, "2", paths, text))
            return nil
        }
        return clients.filter { $0.name != simulation.client }
    }

    /// The sets of all clients that are not registered as applied; nil if a folder cannot be listed.
    private mutating func listChangeSets(of clients: [FolderEntry]) -> [ChangeSetRequest]? {
        var requests: [ChangeSetRequest] = []
        var notListed: [RemotePath] = []
        var listed = 0
        for client in clients {
            let folder = listing.folder(RemoteLayout.syncChanges).appending(client.name)
            guard let sets = listing.changeSets(of: client.name) else {
                notListed.append(folder)
                continue
            }
            listed += sets.count
            for set in sets where !applied.contains(set.identifier.text) {
                requests.append(
                    ChangeSetRequest(
                        author: client.name, identifier: set.identifier,
                        listed: folder.appending(set.entry.name), tree: context.snapshot.tree))
            }
        }
        let name = "List the change sets"
        // Dropbox also returns a listing for a file, which is empty.
        let isFile = { (path: RemotePath) in self.context.snapshot.tree[path]?.kind == .file }
        if variant == .dropbox, !notListed.allSatisfy(isFile) {
            let text = """
                Entries of SyncChanges that cannot be listed: \(notListed.count). The run fails.
                """
            _ = add(step(name, .fails, .dropboxClient, "3", notListed, text))
            return nil
        }
        var text = """
            \(counted(clients.count, "client")) with \(counted(listed, "change set")), \
            \(listed - requests.count) registered as applied\(knowledge).
            """
        if !notListed.isEmpty {
            text += """
                 \(notListed.count) of the clients cannot be listed and \
                \(notListed.count == 1 ? "counts" : "count") as having no sets.
                """
        }
        _ = add(step(name, .done, nil, "3", notListed, text))
        return requests
    }

    private var knowledge: String {
        switch simulation.known.source {
        case .ownRegister:
            " in the register that the client uploaded; the remote does not show what it applied later"
        case .downloadedRegister: " in the register that came with the whole store"
        case .nothing:
            simulation.standing == .newcomer || simulation.start == .anew && simulation.standing == .removed
                ? "" : "; there is no register of the client, so nothing is known"
        }
    }
}

/// A change set that a client requests: its identifier with the suffix .syncchg.
struct ChangeSetRequest {
    var author: RemoteName
    var identifier: RemoteName
    /// The entry because of which the client requests it.
    var listed: RemotePath
    /// The path that the client requests, which need not exist.
    var path: RemotePath
    var entry: FolderEntry?

    init(author: RemoteName, identifier: RemoteName, listed: RemotePath, tree: RemoteTree) {
        self.author = author
        self.identifier = identifier
        self.listed = listed
        path = listed.parent.appending(identifier.appending(suffix: RemoteLayout.changeSetSuffix))
        entry = tree[path]
    }
}
