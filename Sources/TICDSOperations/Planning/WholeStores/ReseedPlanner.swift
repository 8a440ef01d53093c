import Base
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Plans to make one store the new base of a document: every returning client finds a different integrity key, discards
/// its state of synchronisation, and downloads this store (ticds-protocol(7), 1.2-B3, 1.7).
///
/// The plan removes the old key first and adds the new key last. In between the document has no key: a client fails,
/// and discards nothing, so that an interrupted operation harms no client.
public struct ReseedPlanner: Sendable {
    /// The store that becomes the new base, and the client that uploads it.
    public struct Base: Sendable {
        /// The store and its register. The register should name all change sets of the document, so that no client applies
        /// a set that arrives late; `applied` has only those that the store contains.
        public var upload: StoreUpload
        /// The client in whose name the store is uploaded.
        public var client: RemoteName
        /// Whether that client is a ticds replica, which continues with the new key.
        public var isReplica = false
        /// The number of the replica's unsent edits, which are in the store.
        public var unsentChanges = 0
        /// Whether `upload.applied` is known; if not, it is unknown which sets the store lacks.
        public var isCoverageKnown = true
        /// False if the key of the document changed since the replica synchronised last: then the sets that the replica
        /// has do not show what its store lacks.
        public var isKeyKnown = true

        /// A store that a user uploads in the name of `client`.
        public init(_ upload: StoreUpload, client: RemoteName) {
            self.upload = upload
            self.client = client
        }
    }

    private let remote: PlannedRemote
    private let document: DocumentSnapshot
    private let key: IntegrityResetPlanner
    private let base: Base

    /// - Parameters:
    ///   - identifier: the document.
    ///   - key: the new key of the document, which no client may know.
    /// - Throws: `.unknownName` for the document; `.refused` for a client that is not a member of it; the errors of
    ///   ``IntegrityResetPlanner``.
    public init(
        _ remote: PlannedRemote, _ storage: any RemoteStorage, document identifier: RemoteName,
        key: RemoteName,
        base: Base
    ) throws(FileProblem) {
        (document, _) = try remote.document(identifier)
        guard document.client(base.client) != nil else {
            throw remote.refusal(
                RemoteLayout.syncChanges(of: base.client, in: identifier),
                "the client \(base.client) is not registered with the document",
                advice: base.isReplica
                    ? "ticds-sync run registers the replica, unless it was removed: then name the remote, the store "
                        + "of the replica, and a client of the document with --client"
                    : "Choose one of the clients that ticds-inspect clients lists")
        }
        self.remote = remote
        self.base = base
        self.key = try IntegrityResetPlanner(of: document, in: remote.listed, storage, key: key)
    }

    /// The plan.
    /// - Parameter creator: the creator in `documentInfo.plist`; nil if that is not known.
    public func plan(command: String, creator: String?) throws(FileProblem) -> Plan {
        var plan = Plan(
            root: remote.root, command: command,
            summary: "Make the store of \(remote.name(ofClient: base.client)) the new base of document "
                + remote.name(ofDocument: document.identifier))
        try key.addRemovals(to: &plan)
        try addRetirements(to: &plan)
        let folder = RemoteLayout.wholeStore(of: base.client, in: document.identifier)
        try plan.addFolders(to: folder.parent, in: remote.tree)
        plan.add(
            .writeTree(path: folder, entries: base.upload.treeEntries), because: "the store and its register")
        try key.addKey(to: &plan, creator: creator)
        addNotes(to: &plan)
        // A set, store or key that comes meanwhile would stay beside the new base.
        for folder in [RemoteLayout.syncChanges, RemoteLayout.wholeStore, RemoteLayout.integrityKey] {
            try plan.dependOnContent(of: document.path.appending(folder), in: remote.tree)
        }
        return plan
    }

    /// Moves everything that belongs to the old base to the trash. The folders of the clients stay: without them the
    /// clients would not be registered.
    private func addRetirements(to plan: inout Plan) throws(FileProblem) {
        let changes = document.path.appending(RemoteLayout.syncChanges)
        for client in try remote.tree.listing(changes).whole where client.kind == .folder {
            let folder = changes.appending(client.name)
            for entry in try remote.tree.listing(folder).whole {
                let seen =
                    entry.kind == .folder
                    ? try remote.tree.state(of: folder.appending(entry.name))
                    : EntryState(kind: entry.kind, size: entry.size, modified: entry.modified)
                plan.add(
                    .moveToTrash(path: folder.appending(entry.name), seen: seen),
                    because: "belongs to the old base")
            }
        }
        for store in document.wholeStores {
            try plan.addRemoval(store.path, in: remote.snapshot, because: "belongs to the old base")
        }
    }

    // MARK: What a person should read first

    /// The change sets of a client, and the number of them that the store lacks; nil if that is unknown.
    private func lacking(_ client: ClientChangeSets) -> Int? {
        base.isCoverageKnown
            ? client.changeSets.count { !base.upload.applied.contains($0.identifier.bytes) } : nil
    }

    private func addNotes(to plan: inout Plan) {
        let sets = document.clients.reduce(into: FileTotals()) { sum, client in
            sum.add(client.changeSets.totals)
        }
        let stores = counted(document.wholeStores.count, "whole store")
        plan.explain(
            "All \(counted(sets.count, "change set")) of the document (\(remote.style.size(sets.bytes))) and \(stores) go to the trash; "
                + "the register of the new store names the sets, so that no client applies one that arrives late"
        )
        addClients(to: &plan)
        plan.addConsequence(
            "A client looks for the key when its app registers, usually when it starts; an app that is running now "
                + "fails with error 20 or 21 at each synchronisation until it is started again")
        plan.addConsequence(
            "The framework tells each app to download the store; an app that ignores this keeps its old content"
        )
        plan.addConsequence(
            "A replica of ticds-sync on another machine refuses to run and keeps its edits; ticds-sync clone makes a new one"
        )
        if base.isReplica {
            plan.addConsequence(
                "If this is undone, the replica must be made again with ticds-sync clone: it will know the new key"
            )
        }
        addWarnings(to: &plan)
    }

    private func addClients(to plan: inout Plan) {
        for client in document.clients {
            let name = remote.name(ofClient: client.identifier)
            if client.identifier == base.client, base.isReplica {
                let edits =
                    base.unsentChanges > 0
                    ? "; the store contains \(counted(base.unsentChanges, "change")) that it has not sent"
                    : ""
                plan.addConsequence("\(name): this replica, which continues with the new key\(edits)")
                continue
            }
            let sync = document.recentSync(of: client.identifier)
            let time =
                sync.map { "last synchronised on \(remote.style.minute($0.file.modified))" }
                ?? "time of the last synchronisation unknown"
            var text =
                "\(name), \(time): will find another integrity key, and must download the store; its unsent edits are lost"
            if let lacking = lacking(client), lacking > 0 {
                text += ", and so are \(lacking) of its \(counted(client.changeSets.count, "change set"))"
            }
            plan.addConsequence(text)
        }
        let members = Set(document.clients.map(\.identifier))
        for tombstone in document.deletedClients where !members.contains(tombstone.identifier) {
            plan.addConsequence(
                "\(remote.name(ofClient: tombstone.identifier)): was removed earlier, and starts again in any case"
            )
        }
    }

    private func addWarnings(to plan: inout Plan) {
        plan.warn(
            "Close the app on every client first: edits that were not sent are lost, and an app that uploads "
                + "its own store afterwards brings old content back")
        if !base.isKeyKnown {
            plan.warn(
                "The document has another integrity key than this replica knows: somebody made it again, reset the key or "
                    + "made another store the base. Nothing shows what the store of this replica lacks of the present "
                    + "one; the trash keeps it")
        }
        if base.isCoverageKnown {
            let lost = document.clients.compactMap { client -> String? in
                guard let lacking = lacking(client), lacking > 0 else { return nil }
                return "\(lacking) of \(remote.name(ofClient: client.identifier))"
            }
            let count = document.clients.reduce(0) { $0 + (lacking($1) ?? 0) }
            if count > 0 {
                plan.warn(
                    "The store lacks \(counted(count, "change set")): \(PlanFormat.list(lost)). What only they changed is "
                        + "lost to all clients; the trash keeps it")
            }
        } else {
            plan.warn(
                "Nothing shows which change sets the store contains: what is only in others is lost to all clients; "
                    + "the trash keeps it")
        }
        base.upload.warnOfOtherModels(remote, &plan)
    }
}
