import SystemCalls
public import TICDSCore

extension RemovalEvidence {
    /// Adds what the local journal says about the tombstones of a remote. Operations that were undone do not count.
    public mutating func add(_ state: RemoteState, _ snapshot: RemoteSnapshot) {
        var waiting = Set(snapshot.documents.flatMap(\.deletedClients).map(\.file.path))
        if waiting.isEmpty { return }
        do throws(FileProblem) {
            guard let journal = try Journal.read(state) else { return }
            for operation in try journal.standingOperations() where operation.mayConcernOthers {
                if waiting.isEmpty { return }
                for step in try journal.steps(of: operation.number) {
                    switch step.action.kind {
                    case .writeFile(let path, _, _), .replaceFile(let path, _, _, _):
                        if waiting.remove(path) != nil { journalled[path] = operation.started }
                    default: continue
                    }
                }
            }
        } catch {
            problems.append(error)
        }
    }
}

extension OperationRecord {
    /// Whether it may have changed files of other clients; false for the runs of replicas, of which a journal may have thousands.
    var mayConcernOthers: Bool { command != "ticds-sync run" }
}
