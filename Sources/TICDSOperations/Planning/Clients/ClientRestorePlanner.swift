import Base
public import SystemCalls
public import TICDSCore

/// Plans the return of a removed client to a document: makes its folders, restores what the trash still contains of it,
/// and removes the tombstone.
public struct ClientRestorePlanner: Sendable {
    private let remote: PlannedRemote
    private let trash: TrashedEntries

    /// - Parameter trash: the entries of ``places(of:in:)`` in the trash.
    public init(_ remote: PlannedRemote, trash: TrashedEntries) {
        self.remote = remote
        self.trash = trash
    }

    /// The paths to look for in the trash: those that the client had in the document, and those that it had in the app.
    public static func places(of client: RemoteName, in document: RemoteName) -> [[RemotePath]] {
        [ClientPlaces(of: client, in: document).removed, [[RemoteLayout.clientDevices, client]]]
    }

    /// The plan; without actions if the client is a member and has no tombstone.
    /// - Throws: `.refused` for an unknown client; `.unknownName` for the document.
    public func plan(_ client: RemoteName, in identifier: RemoteName) throws(FileProblem) -> Plan {
        try planAndRest(client, in: identifier).plan
    }

    /// The plan, and the paths of the entries that stay in the trash.
    /// - Throws: `.refused` for an unknown client; `.unknownName` for the document.
    public func planAndRest(
        _ client: RemoteName, in identifier: RemoteName
    ) throws(FileProblem) -> (plan: Plan, rest: [RemotePath]) {
        let (document, _) = try remote.document(identifier)
        let name = remote.name(ofClient: client)
        let place = remote.name(ofDocument: identifier)
        let places = ClientPlaces(of: client, in: identifier)
        let tombstone = Tombstones.path(of: client, in: identifier)
        let hasTombstone = remote[tombstone] != nil
        let isMember = document.client(client) != nil
        let isRegistered = remote[[RemoteLayout.clientDevices, client]] != nil
        guard client.isSafe, hasTombstone || isMember || isRegistered || !trash.isEmpty else {
            throw remote.refusal(
                tombstone, "nothing is known about client \"\(client)\"",
                advice: "It registers by itself when its app runs")
        }
        var plan = Plan(
            root: remote.root, command: "ticds-client restore",
            summary: "Restore client \(name) to document \(place)")
        try addDevice(client, tombstone, to: &plan)
        var rest: [RemotePath] = []
        let hasChanges = try addFolder(places.syncChanges, to: &plan, &rest)
        _ = try addFolder(places.syncCommands, to: &plan, &rest)
        _ = try plan.addRestoration(of: places.recentSync, from: trash, in: remote.tree)
        if try !plan.addRestoration(of: places.wholeStore, from: trash, in: remote.tree) {
            try addStore(places.wholeStore, to: &plan, &rest)
        }
        addEarlier(&rest)
        // Last: a client with the tombstone, but without its folder, would start again; without both it would be stuck
        // (ticds-protocol(7), 4.2).
        try plan.addRemoval(tombstone, in: remote.snapshot, because: "the client no longer counts as removed")
        if plan.actions.isEmpty, rest.isEmpty {
            plan.explain("\(name) is a member of \(place) and was not removed")
        } else if !plan.actions.isEmpty {
            addNotes(hasChanges: hasChanges, isMember: isMember, to: &plan)
        }
        addRest(rest, to: &plan)
        addOthers(client, besides: identifier, to: &plan)
        return (plan, rest)
    }

    /// Restores a folder from the trash and returns true; otherwise makes it if it is missing. If the folder exists,
    /// because the client or the sync service made it again, its former content is restored beside its present content.
    private func addFolder(
        _ path: RemotePath, to plan: inout Plan, _ rest: inout [RemotePath]
    ) throws(FileProblem) -> Bool {
        if try plan.addRestoration(of: path, from: trash, in: remote.tree) { return true }
        guard remote[path] != nil else {
            try plan.addFolders(to: path, in: remote.tree)
            return false
        }
        let (restored, taken) = try plan.addRestoration(ofContentsOf: path, from: trash, in: remote.tree)
        rest += taken
        return restored > 0
    }

    /// Restores a whole store with its register if its folder exists and is empty. Two stores are never mixed.
    private func addStore(
        _ path: RemotePath, to plan: inout Plan, _ rest: inout [RemotePath]
    ) throws(FileProblem) {
        if try remote.tree.listing(path).whole.isEmpty, remote[path]?.kind == .folder {
            let (_, taken) = try plan.addRestoration(ofContentsOf: path, from: trash, in: remote.tree)
            rest += taken
        } else {
            rest += try left(path, trash)
        }
    }

    /// Files of a folder in the trash that the remote does not have.
    private func left(_ path: RemotePath, _ trash: TrashedEntries) throws(FileProblem) -> [RemotePath] {
        var left: [RemotePath] = []
        for (path, content) in trash.files(below: path) {
            guard remote[path] != nil else {
                left.append(path)
                continue
            }
            if try !content.isSame(as: remote.tree.state(of: path)) { left.append(path) }
        }
        return left
    }

    /// Adds the remains of earlier removals of the client in the trash, unless this plan or an earlier one restores
    /// them.
    private func addEarlier(_ rest: inout [RemotePath]) {
        for trash in trash.earlier {
            for (path, content) in trash.contents where isChangeSet(path, content) {
                guard remote[path] == nil, self.trash.contents[path] == nil, !rest.contains(path) else {
                    continue
                }
                rest.append(path)
            }
        }
        rest.sort()
    }

    private func isChangeSet(_ path: RemotePath, _ content: TrashedEntries.Content) -> Bool {
        FileRole(of: path, kind: content.seen.kind) == .changeSet
    }

    private func addRest(_ rest: [RemotePath], to plan: inout Plan) {
        guard let first = rest.first else { return }
        let slots = ([trash] + trash.earlier).flatMap(\.entries.values).map(\.slot.operation)
        let operations = Set(slots).sorted().map(String.init).joined(separator: ", ")
        plan.warn(
            "\(counted(rest.count, "file")) of the client in the trash cannot be restored, because their names are taken or an earlier operation removed them, and stay there: \(first)\(rest.count > 1 ? " and others" : "") (trash of operation \(operations); ticds-journal list shows where it is)"
        )
    }

    /// Restores `ClientDevices/<client>` if it was removed with the client: from the trash, otherwise from the tombstone.
    private func addDevice(
        _ client: RemoteName, _ tombstone: RemotePath, to plan: inout Plan
    ) throws(FileProblem) {
        let device: RemotePath = [RemoteLayout.clientDevices, client]
        guard remote[device] == nil else { return }
        if try plan.addRestoration(of: device, from: trash, in: remote.tree) { return }
        guard let copy = remote[tombstone], copy.kind == .file else {
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

    /// Notes the number of other documents from which the client stays removed, and the command that takes the whole
    /// deletion back.
    private func addOthers(_ client: RemoteName, besides document: RemoteName, to plan: inout Plan) {
        let others = remote.snapshot.documents.count {
            $0.identifier != document && $0.deletedClients.contains { $0.identifier == client }
        }
        guard others > 0 else { return }
        let operation = trash.entries.values.map(\.slot.operation).max().map { " \($0)" } ?? ""
        plan.explain(
            "The client stays removed from \(counted(others, "other document")): ticds-journal undo\(operation) takes back a deletion in all documents"
        )
    }

    private func addNotes(hasChanges: Bool, isMember: Bool, to plan: inout Plan) {
        if hasChanges, let moved = trash.moved {
            plan.explain("The trash still contains what was removed on \(remote.style.minute(moved))")
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
