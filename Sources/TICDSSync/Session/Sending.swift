import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The part of a run that changes the remote: one's own change set and the recent-sync file, in one operation
/// (ticds-protocol(7), 4.8.3).
struct Sending {
    let configuration: ReplicaConfiguration
    let storage: any RemoteStorage
    let keyring: RemoteKeyring
    let state: RemoteState
    let lockWait: Int64

    private var document: RemoteName { RemoteName(configuration.document) }
    private var client: RemoteName { RemoteName(configuration.client) }

    /// Where a set of one's own lies.
    func path(_ identifier: String) -> RemotePath {
        RemoteLayout.syncChanges(of: client, in: document)
            .appending(RemoteName(identifier + RemoteLayout.changeSetSuffix))
    }

    /// Whether a set of one's own is in the remote.
    func isSent(_ identifier: String) throws(FileProblem) -> Bool {
        try storage.kind(of: path(identifier)) == .file
    }

    /// Ends an operation of an earlier run that was interrupted, if nobody else's waits.
    func recover() throws(FileProblem) {
        let waiting = try Recovery.unfinished(state)
        guard !waiting.isEmpty, waiting.allSatisfy({ $0.command == Self.command }) else { return }
        _ = try Recovery.recover(state, lockWait: lockWait)
    }

    private static let command = "ticds-sync run"

    /// Sends a set, tells the others that this client has synchronised, or both.
    /// - Parameter recentSync: the plain bytes of the recent-sync file.
    func send(_ set: OutgoingSet?, recentSync: [UInt8]?) throws(FileProblem) {
        var plan = Plan(
            root: state.root, command: Self.command,
            summary: "Synchronise client \(client) with document \(document)")
        if let set {
            let path = path(set.identifier)
            plan.add(
                .writeFile(
                    path: path,
                    content: try keyring.sealed(set.bytes, path: path.filePath(under: storage.root)),
                    modified: set.modified), because: "the edits of this client")
        }
        if let recentSync { try addRecentSync(recentSync, to: &plan) }
        guard !plan.actions.isEmpty else { return }
        _ = try Executor(state, keepsTrash: false, lockWait: lockWait).run(plan)
    }

    private func addRecentSync(_ bytes: [UInt8], to plan: inout Plan) throws(FileProblem) {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.recentSyncs)
        let path = folder.appending(client.appending(suffix: RemoteLayout.recentSyncSuffix))
        let content = PlannedContent.bytes(PlannedBytes(bytes))
        if try storage.kind(of: folder) == nil { plan.add(.makeFolder(path: folder)) }
        if try storage.kind(of: path) != nil {
            let seen = try storage.state(of: path)
            plan.add(.replaceFile(path: path, content: content, modified: nil, seen: seen))
        } else {
            plan.add(.writeFile(path: path, content: content, modified: nil))
        }
    }

    /// The metadata of a set of another client, which all can read; nil where it tells nothing.
    func metadata(of example: RemotePath?) -> StoreMetadata? {
        guard let example,
            // try?: any metadata will do, an example only has the app's
            let bytes = try? keyring.read(storage, example, limit: .changeSet),
            // try?: the same
            let reader = try? ChangeSetReader(bytes, path: example.filePath(under: storage.root))
        else { return nil }
        let entity = FrameworkModels.syncChangeEntity
        guard reader.versionHash(of: entity) == FrameworkModels.syncChange.versionHashes[entity] else {
            return nil
        }
        return reader.metadata
    }
}
