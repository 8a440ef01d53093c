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
        /// Whether it was damaged before that, so that clients may have read it damaged.
        var wasDamaged: Bool
        /// The last synchronisation of each client before that, by the name of its file; nil if the operation does not tell.
        var syncs: [RemoteName: FileTime]?
    }

    /// The last loss of each set. Changes of the encryption do not count.
    private var losses: [RemotePath: Loss] = [:]
    /// The time at which an operation removed the recent sync of a client, so that the client starts anew with a whole
    /// store.
    private var restarts: [RemotePath: FileTime] = [:]

    /// Reads the journal of this user; operations that were undone do not count.
    /// - Throws: the error of reading the journal.
    public init(_ state: RemoteState) throws(FileProblem) {
        guard let journal = try Journal.read(state) else { return }
        for operation in try journal.standingOperations().reversed()
        where operation.mayConcernOthers && operation.undoes == nil {
            let conditions = try journal.conditions(of: operation.number)
            for step in try journal.steps(of: operation.number) {
                var loss = Loss(
                    time: operation.started, wasDamaged: operation.command.hasPrefix("ticds-verify"))
                switch step.action.kind {
                case .replaceFile(_, .recoded, _, _): continue
                case .replaceFile: break
                case .moveToTrash(let path, let seen) where seen.kind == .file:
                    loss.removed = seen.modified
                    if FileRole(of: path, kind: .file) == .recentSync { restarts[path] = operation.started }
                default: continue
                }
                let path = step.action.kind.path
                // Copies and files of the system are no sets.
                guard FileRole(of: path, kind: .file) == .changeSet, let document = path.document,
                    StrayRules.isChangeSetIdentifier(path.last?.bytes ?? [])
                else { continue }
                let folder = RemoteLayout.document(document).appending(RemoteLayout.recentSyncs)
                loss.syncs = Self.syncs(in: folder, conditions)
                losses[path] = loss
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
        let recent = document.recentSync(of: client)?.file
        let place =
            recent?.path
            ?? document.path.appending(RemoteLayout.recentSyncs).appending(
                client.appending(suffix: RemoteLayout.recentSyncSuffix))
        let own = RemoteLayout.syncChanges(of: client, in: document.identifier)
        let restart = restarts[place] ?? .first
        var found: (surely: [RemotePath], perhaps: [RemotePath]) = ([], [])
        for (path, loss) in losses
        where path.names.starts(with: document.path.names) && path.parent != own && loss.time > restart {
            let present = tree[path].part
            // A set that came back was not lost.
            if loss.removed != nil, present != nil { continue }
            let isAsBefore = recent.map { $0.modified < loss.time } ?? false
            let last = isAsBefore ? recent?.modified : place.last.flatMap { loss.syncs?[$0] }
            guard let last, let written = loss.removed ?? present?.modified else {
                // Nothing shows when the client synchronised before.
                if recent == nil, loss.wasDamaged { found.perhaps.append(path) }
                continue
            }
            let isRead = written <= last
            switch (isRead, loss.removed != nil) {
            case (true, false), (false, true):
                isAsBefore ? found.surely.append(path) : found.perhaps.append(path)
            case (true, true): if loss.wasDamaged { found.perhaps.append(path) }
            case (false, false): break
            }
        }
        return (found.surely.sorted(), found.perhaps.sorted())
    }
}
