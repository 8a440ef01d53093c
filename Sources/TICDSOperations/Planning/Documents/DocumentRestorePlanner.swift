public import SystemCalls
public import TICDSCore

/// Plans the return of a deleted document from the trash.
public struct DocumentRestorePlanner: Sendable {
    private let remote: PlannedRemote
    private let trash: TrashedEntries

    /// - Parameter trash: the folder of the document in the trash of the operation that deleted it.
    public init(_ remote: PlannedRemote, trash: TrashedEntries) {
        self.remote = remote
        self.trash = trash
    }

    /// Whether the trash has a folder of the document that cannot be restored, because the document exists again.
    public func leavesTrash(_ identifier: RemoteName) -> Bool {
        let path = RemoteLayout.document(identifier)
        return remote[path] != nil && trash[path] != nil
    }

    /// The plan; without actions if the document exists and has no tombstone.
    /// - Throws: `.refused` if the document is not in the trash.
    public func plan(_ identifier: RemoteName) throws(FileProblem) -> Plan {
        let path = RemoteLayout.document(identifier)
        let name = remote.name(ofDocument: identifier)
        let tombstone = Tombstones.path(ofDocument: identifier)
        var plan = Plan(
            root: remote.root, command: "ticds-document restore", summary: "Restore document \(name)")
        let isThere = remote[path] != nil
        if !isThere {
            guard identifier.isSafe, try plan.addRestoration(of: path, from: trash, in: remote.tree) else {
                throw remote.refusal(
                    path, "the trash does not have this document",
                    advice:
                        "Restore its folder from a back-up, with its times, and run this command again; or create a new document with that identifier with ticds-document create"
                )
            }
        }
        try plan.addRemoval(
            tombstone, in: remote.snapshot, because: "the document no longer counts as deleted")
        if let moved = trash.moved, !isThere {
            plan.explain("The trash still contains what was deleted on \(remote.style.minute(moved))")
            plan.addConsequence(
                "Clients whose app did not run meanwhile continue where they were; a client whose app did run has thrown away the edits that it had not sent, and has to load a whole store"
            )
        }
        if leavesTrash(identifier), let operation = trash[path]?.slot.operation {
            plan.warn(
                "\(name) exists again, so the folder that operation \(operation) deleted stays in the trash: to restore that one, move the document that exists now away with ticds-document delete, and then undo operation \(operation)"
            )
        } else if plan.actions.isEmpty {
            plan.explain("\(name) exists and was not deleted")
        }
        return plan
    }
}
