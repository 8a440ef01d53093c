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

    /// Warns of what clients do that have taken a key which the undo removes.
    static func warnOfKeys(_ plan: inout Plan) {
        let documents = plan.actions.compactMap { action -> RemoteName? in
            let names = action.kind.path.names
            if case .setTime = action.kind { return nil }
            return names.count > 3 && names[2] == RemoteLayout.integrityKey ? names[1] : nil
        }
        for document in Set(documents).sorted() {
            plan.warn(
                "Each client that has synchronised with document \(document) since the operation remembers the key that goes "
                    + "away: it will lose its unsent edits, and must load the whole store again")
        }
    }

    /// Refuses to bring a client back after a later operation, such as a vacuum, has removed change sets that it has not
    /// fetched: it would go on without them, and nothing would tell it.
    static func refuseClientsWithoutSets(
        _ plan: Plan, _ record: OperationRecord, _ journal: borrowing Journal
    ) throws(FileProblem) {
        let clients = plan.actions.compactMap { ReturningClient($0) }
        if clients.isEmpty { return }
        let later = try journal.operations().filter {
            $0.number > record.number && $0.state == .done && $0.undoneBy == nil && $0.mayConcernOthers
        }
        for operation in later {
            let steps = try journal.steps(of: operation.number)
            for client in clients {
                let sets = steps.count { client.lacksWhatIsRemoved(by: $0.action) }
                if sets == 0 { continue }
                throw refused(
                    record, journal.state.root,
                    "was followed by operation \(operation.number) (\(operation.summary)), which removed "
                        + "\(counted(sets, "change set")) that client \(client.client) has not applied and would never get",
                    "First undo operation \(operation.number)")
            }
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
