public import SystemCalls

/// Plans the return of a removed client to a document: makes its folders, restores what the trash still has of it, and
/// removes the tombstone.
public struct ClientRestorePlanner: Sendable {
    private let remote: PlannedRemote
    private let trash: TrashedEntries

    /// - Parameter trash: the entries of ``places(of:in:)`` in the trash.
    public init(_ remote: PlannedRemote, trash: TrashedEntries) {
        self.remote = remote
        self.trash = trash
    }

    /// What to look for in the trash: what the document had of the client, and what the application had.
    public static func places(of client: RemoteName, in document: RemoteName) -> [[RemotePath]] {
        [ClientPlaces(of: client, in: document).removed, [[RemoteLayout.clientDevices, client]]]
    }

    /// The plan; without actions if the client is a member and has no tombstone.
    /// - Throws: `.refused` for an unknown client; `.unknownName` for the document.
    public func plan(_ client: RemoteName, in identifier: RemoteName) throws(FileProblem) -> Plan {
        try remote.checkRead()
        let (document, _) = try remote.document(identifier)
        let name = remote.name(ofClient: client)
        let place = remote.name(ofDocument: identifier)
        let places = ClientPlaces(of: client, in: identifier)
        let tombstone = Tombstones.path(of: client, in: identifier)
        let hasTombstone = remote.tree[tombstone] != nil
        let isMember = document.client(client) != nil
        let isRegistered = remote.tree[[RemoteLayout.clientDevices, client]] != nil
        guard client.isSafe, hasTombstone || isMember || isRegistered || !trash.isEmpty else {
            throw remote.refusal(
                tombstone, "nothing is known about client \"\(client)\"",
                advice: "It registers by itself when its app runs")
        }
        var plan = Plan(
            root: remote.root, command: "ticds-client restore",
            summary: "Restore client \(name) to document \(place)")
        try addDevice(client, tombstone, to: &plan)
        let hasChanges = try addFolder(places.syncChanges, to: &plan)
        _ = try addFolder(places.syncCommands, to: &plan)
        for path in [places.recentSync, places.wholeStore] {
            _ = try plan.addRestoration(of: path, from: trash, in: remote.tree)
        }
        // Last: with the tombstone, but without its folder, the client would start anew; without both it would be
        // stuck (ticds-protocol(7), 7.2).
        try plan.addRemoval(tombstone, in: remote.snapshot, because: "the client no longer counts as removed")
        if plan.actions.isEmpty {
            plan.explain("\(name) is a member of \(place) and was not removed")
        } else {
            addNotes(hasChanges: hasChanges, isMember: isMember, to: &plan)
        }
        return plan
    }

    /// Restores a folder from the trash and returns true; otherwise makes it if it is missing.
    private func addFolder(_ path: RemotePath, to plan: inout Plan) throws(FileProblem) -> Bool {
        if try plan.addRestoration(of: path, from: trash, in: remote.tree) { return true }
        try plan.addFolders(to: path, in: remote.tree)
        return false
    }

    /// Restores `ClientDevices/<client>` if it was removed with the client: from the trash, otherwise from the tombstone.
    private func addDevice(
        _ client: RemoteName, _ tombstone: RemotePath, to plan: inout Plan
    ) throws(FileProblem) {
        let device: RemotePath = [RemoteLayout.clientDevices, client]
        guard remote.tree[device] == nil else { return }
        if try plan.addRestoration(of: device, from: trash, in: remote.tree) { return }
        guard let copy = remote.tree[tombstone], copy.kind == .file else {
            return plan.warn(
                "\(device) is missing: lists of the document's clients fail until the client registers again")
        }
        let content = PlannedContent.copy(of: tombstone, seen: try remote.tree.state(of: tombstone))
        try plan.addFolders(to: device.parent, in: remote.tree)
        plan.add(
            .writeTree(
                path: device,
                entries: [
                    TreeEntry(path: [RemoteLayout.deviceInfo], content: content, modified: copy.modified)
                ]),
            because: "the tombstone is a copy of the file that was there")
    }

    private func addNotes(hasChanges: Bool, isMember: Bool, to plan: inout Plan) {
        if hasChanges, let moved = trash.moved {
            plan.explain("The trash still contains what was removed on \(PlanWords.time(moved))")
            plan.addConsequence(
                "Other clients apply those of its change sets that they had not applied before; sets that are older than edits made meanwhile may undo those edits"
            )
        } else if isMember {
            plan.explain("The client is already a member; its folders stay as they are")
        } else {
            plan.warn(
                "The trash contains no change sets of the client: its new folder is empty, and the sets that others had not fetched are lost"
            )
        }
        plan.addConsequence(
            "Unless its app ran meanwhile, the client continues where it was, and keeps the edits that it has not sent"
        )
        plan.warn(
            "No vacuum waited for the client while it was away: if one removed change sets of others that the client had not applied, the client has to load a whole store"
        )
    }
}
