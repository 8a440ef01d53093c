import Base
import SystemCalls
import TICDSCore

extension UndoPlanner {
    /// A client that the plan brings back to a document, as it was when it last synchronised.
    private struct ReturningClient {
        var client: RemoteName
        /// `SyncChanges` of the document.
        var changes: RemotePath
        var lastSync: FileTime

        init?(_ action: PlanAction) {
            guard let (path, seen) = action.restoredState, path.isRecentSync, let time = seen.modified,
                let client = path.names[3].removing(suffix: RemoteLayout.recentSyncSuffix)
            else { return nil }
            self.client = client
            changes = RemoteLayout.document(path.names[1]).appending(RemoteLayout.syncChanges)
            lastSync = time
        }

        /// Whether an action removed a change set of another client that this one cannot have fetched.
        func lacksWhatIsRemoved(by action: PlanAction) -> Bool {
            guard case .moveToTrash(let path, let seen) = action.kind, seen.kind == .file,
                path.parent.parent == changes, path.parent.last != client, let name = path.last,
                let modified = seen.modified
            else { return false }
            let identifier = name.removing(suffix: RemoteLayout.changeSetSuffix) ?? name
            return max(modified, ChangeSetIdentifier.sendingTime(identifier, modified: modified)) > lastSync
        }
    }

    private static let vacuum = "ticds-vacuum"

    /// Warns of what clients do that have taken a key which the undo removes.
    /// - Throws: `.refused` if a key that came since would stay beside the one that comes back.
    static func checkKeys(
        _ plan: inout Plan, _ record: OperationRecord, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        var removed: [RemoteName: Set<RemoteName>] = [:]
        var restored: [RemoteName: Set<RemoteName>] = [:]
        for action in plan.actions {
            let names = action.kind.path.names
            guard names.count == 4, names[0] == RemoteLayout.documents, names[2] == RemoteLayout.integrityKey
            else { continue }
            switch action.kind {
            case .setTime: continue
            case .moveToTrash: removed[names[1], default: []].insert(names[3])
            default: restored[names[1], default: []].insert(names[3])
            }
        }
        for document in Set(removed.keys).union(restored.keys).sorted() {
            let folder = RemoteLayout.document(document).appending(RemoteLayout.integrityKey)
            // Older ones were there when the operation began.
            let present = Set(
                try storage.entriesIfPresent(of: folder).withoutSystemFiles.lazy
                    .filter { $0.modified > record.started }.map(\.name))
            let others = present.subtracting(removed[document] ?? []).subtracting(restored[document] ?? [])
            if restored[document] != nil, let other = others.min() {
                throw refused(
                    record, plan.root,
                    "cannot be undone: document \(document) has got the key \(other) since, and would have two",
                    "Choose a key with ticds-integrity reset")
            }
            plan.warn(
                "Each client that has synchronised with document \(document) since the operation remembers the key that goes "
                    + "away: it will lose its unsent edits, and must load the whole store again")
        }
    }

    /// Warns that a client which the plan brings back may lack change sets. Refuses to bring it back if the journal shows that
    /// a later vacuum removed sets that it has not fetched, and if that can be undone: the client would
    /// go on without them, and nothing would tell it.
    static func checkReturningClients(
        _ plan: inout Plan, _ record: OperationRecord, _ journal: borrowing Journal,
        _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let clients = plan.actions.compactMap { ReturningClient($0) }
        if clients.isEmpty { return }
        let later = try journal.standingOperations().filter {
            $0.number > record.number && $0.command == vacuum
        }
        for operation in later {
            let steps = try journal.steps(of: operation.number)
            let lacking = steps.filter { step in
                clients.contains { $0.lacksWhatIsRemoved(by: step.action) }
            }
            if lacking.isEmpty { continue }
            let names = Set(clients.map(\.client.description)).sorted().listed(3)
            let what =
                "was followed by operation \(operation.number) (\(operation.summary)), which removed "
                + "\(counted(lacking.count, "change set")) that \(names) has not applied and would never get"
            guard steps.allSatisfy({ $0.inverse(TrashPlace(operation: operation.number, action: 0)) != nil })
            else {
                plan.warn("The operation \(what): the client has to load a whole store")
                continue
            }
            throw refused(record, journal.state.root, what, "First undo operation \(operation.number)")
        }
        plan.warn(
            "No vacuum waited for the client while it was away: if one removed change sets of others that the client had not "
                + "applied, the client has to load a whole store")
        for folder in Set(clients.map(\.changes)).sorted() {
            try plan.dependOnContent(of: folder, in: storage)
        }
    }
}

extension PlanAction {
    /// The file that the action brings back from the trash, and its state.
    fileprivate var restoredState: (path: RemotePath, seen: EntryState)? {
        switch kind {
        case .restore(let path, _, let seen), .replaceFile(let path, .trashed(_, let seen), _, _):
            (path, seen)
        default: nil
        }
    }
}
