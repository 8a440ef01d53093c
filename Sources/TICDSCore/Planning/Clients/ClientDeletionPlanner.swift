public import SystemCalls

/// Plans the removal of a client: from documents as the framework does it (ticds-protocol(7), 4.10), finishing removals
/// that were interrupted, and from the whole application, which the framework cannot.
public struct ClientDeletionPlanner: Sendable {
    /// What the client is removed from.
    public enum Scope: Sendable, Hashable {
        /// One document.
        case document(RemoteName)
        /// Every document; the client stays registered with the application.
        case allDocuments
        /// All documents and `ClientDevices`.
        case application
    }

    private let remote: PlannedRemote
    private let standIn: Bool

    /// - Parameter standIn: write a tombstone with the identifier alone where the client has no `deviceInfo.plist`.
    public init(_ remote: PlannedRemote, standIn: Bool = false) {
        self.remote = remote
        self.standIn = standIn
    }

    /// The plan; without actions where there is nothing of the client.
    /// - Throws: `.refused` where there is nothing to make a tombstone of; `.unknownName` for the document;
    ///   `.encrypted` where a tombstone would have to be encrypted and the password is missing.
    public func plan(_ client: RemoteName, from scope: Scope) throws(FileProblem) -> Plan {
        try remote.checkRead()
        guard client.isSafe, client != RemoteLayout.sharedExternalData else {
            throw remote.refusal(
                [RemoteLayout.clientDevices], "\"\(client)\" is not a client",
                advice: "Name a client by its identifier")
        }
        var plan = Plan(
            root: remote.root, command: "ticds-client delete", summary: summary(client, scope))
        if !FrameworkLists.isLongEnough(client) {
            plan.note(
                .warning,
                "the identifier has fewer than five characters, so the framework leaves the client out of its lists"
            )
        }
        var removedFrom: [RemoteName] = []
        for document in try documents(scope) {
            if try add(client, document, scope, to: &plan) { removedFrom.append(document.identifier) }
        }
        try addDevice(client, scope, to: &plan)
        guard !plan.actions.isEmpty else {
            plan.note(.reason, "there is nothing of \(remote.name(ofClient: client)) to delete")
            return plan
        }
        let notes = ClientDeletionNotes(remote: remote, client: client)
        for document in removedFrom { try notes.add(leaving: document, to: &plan) }
        notes.addConsequences(scope, isTombstoned: !removedFrom.isEmpty, to: &plan)
        return plan
    }

    private func documents(_ scope: Scope) throws(FileProblem) -> [DocumentSnapshot] {
        guard case .document(let identifier) = scope else { return remote.snapshot.documents }
        return [try remote.document(identifier).0]
    }

    /// False where the document has nothing of the client.
    private func add(
        _ client: RemoteName, _ document: DocumentSnapshot, _ scope: Scope, to plan: inout Plan
    ) throws(FileProblem) -> Bool {
        let places = ClientPlaces(of: client, in: document.identifier)
        let isThere = places.removed.contains { remote.tree[$0] != nil }
        if isThere {
            // The tombstone comes first: without it the client would never find out (ticds-protocol(7), A-3 and A-4).
            let tombstones = Tombstones(remote: remote, standIn: standIn)
            try tombstones.add(client, in: document.identifier, to: &plan)
            if remote.tree[places.syncChanges] == nil {
                plan.note(
                    .reason,
                    "What is left of the client in \(remote.name(ofDocument: document.identifier)) will be removed: a removal was interrupted, or the client was running and has written its recent-sync file anew"
                )
            }
            for path in places.removed { try plan.addRemoval(path, in: remote.snapshot) }
        }
        if scope == .application {
            try plan.addRemoval(
                places.temporaryFiles, in: remote.snapshot, because: "left by uploads; no client reads it")
        }
        return isThere
    }

    private func addDevice(_ client: RemoteName, _ scope: Scope, to plan: inout Plan) throws(FileProblem) {
        guard scope == .application else { return }
        try plan.addRemoval([RemoteLayout.clientDevices, client], in: remote.snapshot)
    }

    private func summary(_ client: RemoteName, _ scope: Scope) -> String {
        let name = remote.name(ofClient: client)
        return switch scope {
        case .document(let document):
            "Delete client \(name) from document \(remote.name(ofDocument: document))"
        case .allDocuments: "Delete client \(name) from all documents"
        case .application: "Delete client \(name) from the application"
        }
    }
}
