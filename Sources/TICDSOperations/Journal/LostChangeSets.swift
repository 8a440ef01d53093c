public import SystemCalls
public import TICDSCore

/// Change sets whose content an operation of the journal replaced or removed, such as a repair. A client reads a set only
/// once, so that a client which read the former content never gets the new one.
public struct LostChangeSets: Sendable {
    private struct Loss {
        /// When the set was replaced or removed.
        var time: FileTime
        /// The modification time of a set that was removed; nil if it was replaced.
        var removed: FileTime?
        /// The last synchronisation of each client before that, by the name of its file; nil if the operation does not tell.
        var syncs: [RemoteName: FileTime]?
    }

    /// What happened last to each set. Changes of the encryption do not count.
    private var losses: [RemotePath: Loss] = [:]
    /// When the recent sync of a client was removed, as it is where the client is made to start anew with a whole store.
    private var restarts: [RemotePath: FileTime] = [:]

    /// Reads the journal of this user; operations that were undone do not count.
    /// - Throws: the error of reading the journal.
    public init(_ state: RemoteState) throws(FileProblem) {
        guard let journal = try Journal.read(state) else { return }
        for operation in try journal.standingOperations().reversed()
        where operation.mayConcernOthers && operation.undoes == nil {
            let conditions = try journal.conditions(of: operation.number)
            for step in try journal.steps(of: operation.number) {
                var loss = Loss(time: operation.started)
                switch step.action.kind {
                case .replaceFile(_, .recoded, _, _): continue
                case .replaceFile: break
                case .moveToTrash(let path, let seen) where seen.kind == .file:
                    loss.removed = seen.modified
                    if path.names.dropFirst(2).first == RemoteLayout.recentSyncs {
                        restarts[path] = operation.started
                    }
                default: continue
                }
                let names = step.action.kind.path.names
                guard names.count == 5, names[2] == RemoteLayout.syncChanges else { continue }
                let folder = RemoteLayout.document(names[1]).appending(RemoteLayout.recentSyncs)
                loss.syncs = Self.syncs(in: folder, conditions)
                losses[step.action.kind.path] = loss
            }
        }
    }

    private static func syncs(
        in folder: RemotePath, _ conditions: [PlanCondition]
    ) -> [RemoteName: FileTime]? {
        for case .notOlder(folder, let entries) in conditions {
            return Dictionary(entries.map { ($0.name, $0.modified) }) { first, _ in first }
        }
        return nil
    }

    /// The sets of other clients in a document whose edits a client lacks, sorted by path: it has probably read what was
    /// replaced, or not yet read what was removed.
    /// - Returns: those that it lacks, and those that it lacks unless it has loaded a whole store since.
    public func lacking(
        _ client: RemoteName, in document: DocumentSnapshot, _ tree: RemoteTree
    ) -> (surely: [RemotePath], perhaps: [RemotePath]) {
        guard let recent = document.recentSync(of: client)?.file else { return ([], []) }
        let own = RemoteLayout.syncChanges(of: client, in: document.identifier)
        var found: (surely: [RemotePath], perhaps: [RemotePath]) = ([], [])
        let restart = restarts[recent.path] ?? .first
        for (path, loss) in losses
        where path.names.starts(with: document.path.names) && path.parent != own && loss.time > restart {
            let isAsBefore = recent.modified < loss.time
            guard let last = isAsBefore ? recent.modified : loss.syncs?[recent.path.last ?? RemoteName("")]
            else { continue }
            let present = tree[path].part
            let lacks =
                if let removed = loss.removed { present == nil && last < removed } else {
                    present.map { $0.modified <= last } ?? false
                }
            if lacks, isAsBefore { found.surely.append(path) } else if lacks { found.perhaps.append(path) }
        }
        return (found.surely.sorted(), found.perhaps.sorted())
    }
}
