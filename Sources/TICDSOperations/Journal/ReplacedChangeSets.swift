public import SystemCalls
public import TICDSCore

/// Change sets whose content an operation of the journal replaced, such as a repair. A client reads a set only once, so
/// that a client which read the former content never gets the new one.
public struct ReplacedChangeSets: Sendable {
    /// When the content of each set was replaced for the last time. Changes of the encryption do not count.
    public private(set) var times: [RemotePath: FileTime] = [:]

    /// Reads the journal of this user; operations that were undone do not count.
    /// - Throws: the error of reading the journal.
    public init(_ state: RemoteState) throws(FileProblem) {
        guard let journal = try Journal.read(state) else { return }
        for operation in try journal.standingOperations()
        where operation.mayConcernOthers && operation.undoes == nil {
            for step in try journal.steps(of: operation.number) {
                guard case .replaceFile(let path, let content, _, _) = step.action.kind else { continue }
                if case .recoded = content { continue }
                guard path.names.dropFirst(2).first == RemoteLayout.syncChanges else { continue }
                times[path] = max(times[path] ?? operation.started, operation.started)
            }
        }
    }

    /// The sets of other clients in a document whose former content a client has probably read, since they are not younger
    /// than its last synchronisation, and were replaced after it; sorted by path.
    public func readBefore(
        by client: RemoteName, in document: DocumentSnapshot, _ tree: RemoteTree
    ) -> [RemotePath] {
        guard let last = document.recentSync(of: client)?.file.modified else { return [] }
        let own = RemoteLayout.syncChanges(of: client, in: document.identifier)
        return times.filter { path, replaced in
            guard path.names.starts(with: document.path.names), path.parent != own, last < replaced,
                let set = tree[path].part
            else { return false }
            return set.modified <= last
        }.keys.sorted()
    }
}
