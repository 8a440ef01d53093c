import Base
public import SystemCalls
public import TICDSCore

/// Plans the removal of a client: from documents as the framework removes it (ticds-protocol(7), 1.10), also to
/// complete an interrupted removal; or from the whole app, which the framework cannot do.
public struct ClientDeletionPlanner: Sendable {
    /// The places from which the client is removed.
    public enum Scope: Sendable, Hashable {
        /// One document.
        case document(RemoteName)
        /// Every document; the client stays registered with the app.
        case allDocuments
        /// All documents and `ClientDevices`.
        case application
    }

    private let remote: PlannedRemote
    private let standIn: Bool

    /// - Parameter standIn: whether to write a tombstone with only the identifier if there is no `deviceInfo.plist`.
    public init(_ remote: PlannedRemote, standIn: Bool = false) {
        self.remote = remote
        self.standIn = standIn
    }

    /// The plan; without actions if the remote contains nothing of the client.
    /// - Throws: `.refused` if there is nothing to copy as the tombstone; `.unknownName` for the document;
    ///   `.encrypted` if a tombstone must be encrypted and the password is missing.
    public func plan(_ client: RemoteName, from scope: Scope) throws(FileProblem) -> Plan {
        guard client.isSafe, client != RemoteLayout.sharedExternalData else {
            throw remote.refusal(
                [RemoteLayout.clientDevices], "\"\(client)\" is not a client",
                advice: "Name a client by its identifier")
        }
        var plan = Plan(
            root: remote.root, command: "ticds-client delete", summary: summary(client, scope))
        if !FrameworkLists.isLongEnough(client) {
            plan.warn(
                "the identifier has fewer than five characters, so the framework leaves the client out of its lists"
            )
        }
        var removedFrom: [RemoteName] = []
        for document in try documents(scope) {
            if try add(client, document, scope, to: &plan) { removedFrom.append(document.identifier) }
        }
        if scope == .application {
            try plan.addRemoval([RemoteLayout.clientDevices, client], in: remote.snapshot)
        }
        guard !plan.actions.isEmpty else {
            plan.explain("there is nothing of \(remote.name(ofClient: client)) to delete")
            return plan
        }
        let notes = ClientDeletionNotes(remote: remote, client: client)
        if case .document = scope {
        } else {
            try plan.dependOnNames(in: [RemoteLayout.documents], remote.tree)
        }
        for document in removedFrom {
            try notes.add(leaving: document, to: &plan)
            try plan.dependOnFetching(of: document, in: remote.tree)
        }
        notes.addConsequences(scope, isTombstoned: !removedFrom.isEmpty, to: &plan)
        return plan
    }

    private func documents(_ scope: Scope) throws(FileProblem) -> [DocumentSnapshot] {
        guard case .document(let identifier) = scope else { return remote.snapshot.documents }
        return [try remote.document(identifier).0]
    }

    /// Returns false if the document contains nothing of the client.
    private func add(
        _ client: RemoteName, _ document: DocumentSnapshot, _ scope: Scope, to plan: inout Plan
    ) throws(FileProblem) -> Bool {
        let places = ClientPlaces(of: client, in: document.identifier)
        let isThere = places.removed.contains { remote[$0] != nil }
        if isThere {
            // The tombstone comes first: without it the client would never learn that it was removed
            // (ticds-protocol(7), A-3 and A-4).
            let tombstones = Tombstones(remote: remote, standIn: standIn)
            try tombstones.add(client, in: document.identifier, to: &plan)
            if remote[places.syncChanges] == nil {
                plan.explain(
                    "What is left of the client in \(remote.name(ofDocument: document.identifier)) will be removed: a removal was interrupted, or the client was running and has written its recent-sync file again"
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

/// The notes of a plan that deletes a client.
struct ClientDeletionNotes {
    let remote: PlannedRemote
    let client: RemoteName

    /// Adds what the document loses with the client.
    func add(leaving identifier: RemoteName, to plan: inout Plan) throws(FileProblem) {
        let (document, report) = try remote.document(identifier)
        let place = remote.name(ofDocument: identifier)
        let mine = report.clients.first { $0.identifier == client }
        if let times = mine?.changeSetTimes, let sets = mine.map({ PlanFormat.sets($0.changeSets) }) {
            plan.explain(
                "\(sets) of the client in \(place) will be removed, the newest of \(remote.style.minute(times.upperBound))"
            )
        }
        addActivity([mine?.lastSync, mine?.changeSetTimes?.upperBound], place, to: &plan)
        addUnapplied(UnappliedChangeSets.of(client, document, report).part, place, to: &plan)
        addLost(mine, document, report, place, to: &plan)
        let stores = document.wholeStores.filter { $0.store != nil }.map(\.client)
        if stores == [client] {
            plan.warn(
                "The only whole store of \(place) will be removed: until another client uploads one, a client that needs a whole store finds none"
            )
        }
        if remote[ClientPlaces(of: client, in: identifier).temporaryFiles] != nil,
            !plan.actions.contains(where: { $0.kind.path.names.contains(RemoteLayout.temporaryFiles) })
        {
            plan.explain("Its leftovers in TemporaryFiles of \(place) stay, as with the framework")
        }
    }

    /// Adds the sets that new clients, and a replay, no longer get: sets that their starting store does not contain.
    private func addLost(
        _ mine: DocumentClientReport?, _ document: DocumentSnapshot, _ report: DocumentReport,
        _ place: String,
        to plan: inout Plan
    ) {
        guard let mine, !mine.changeSets.isWhole || mine.changeSets.part.count > 0 else { return }
        let sets = PlanFormat.sets(mine.changeSets)
        let stores = document.wholeStores.filter { $0.client != client && $0.store != nil }
        let newest = stores.max { one, other in
            (one.store?.modified ?? FileTime(seconds: 0)) < (other.store?.modified ?? FileTime(seconds: 0))
        }
        let all = mine.changeSets.isWhole ? "all " : ""
        let isDelivered = report.wholeStores.isWhole ? "" : " that the sync service has delivered"
        guard let newest else {
            return plan.warn(
                "No other whole store of \(place) is left\(isDelivered): new clients, and ticds-store replay, lose the edits in \(all)\(sets) of the client"
            )
        }
        let name = remote.name(ofClient: newest.client)
        guard let lag = report.clients.first(where: { $0.identifier == newest.client })?.lag else {
            return plan.warn(
                "Nothing shows which change sets of the client are in the newest whole store of \(place), that of \(name): new clients, and ticds-store replay, may lose edits in any of the \(sets)"
            )
        }
        guard let behind = lag.behind.part.first(where: { $0.client == client }), behind.changeSets > 0 else {
            return
        }
        plan.warn(
            "\(behind.changeSets) of the client's \(sets) are not in the newest whole store of \(place), that of \(name): new clients, and ticds-store replay, lose their edits; first let a client that has them upload its whole store, or install a replay with ticds-store install"
        )
    }

    private func addActivity(_ times: [FileTime?], _ place: String, to plan: inout Plan) {
        guard let last = times.compactMap(\.self).max(), remote.now.seconds(since: last) < PlanFormat.lately
        else { return }
        plan.warn("The client was active in \(place) recently, on \(remote.style.minute(last))")
    }

    private func addUnapplied(_ lacking: [UnappliedChangeSets], _ place: String, to plan: inout Plan) {
        for other in lacking {
            let sets = counted(other.changeSets, "change set")
            let basis =
                other.asOf.map { "as of \(remote.style.minute($0))" } ?? "what it has applied is unknown"
            plan.warn(
                "\(remote.name(ofClient: other.client)) may not have applied \(sets) of the client in \(place) (\(basis)), and will never get them"
            )
        }
    }

    /// Adds what the client does when it runs again.
    func addConsequences(_ scope: ClientDeletionPlanner.Scope, isTombstoned: Bool, to plan: inout Plan) {
        if isTombstoned {
            plan.addConsequence(
                "When the client next opens the document, it finds that it was removed, throws away the edits that it has not sent, registers again, and has to load a whole store"
            )
            plan.addConsequence(
                "While it has edits that it has not sent, an upload of a whole store fails (error 13); if that is the first upload of a document that it creates, it synchronises nothing until its app is started again"
            )
            plan.addConsequence(
                "Once a synchronisation of it has failed (error 2), such an upload succeeds: as the newest store it gives new clients edits that are in no change set, so that the other clients never get them; delete the client again before a new client starts"
            )
            plan.addConsequence(
                "If it is running now, it continues without an error while it has nothing to send: it receives, and writes its recent-sync file again, which holds back the vacuum until you delete the client again; once it has an edit to send, its synchronisations fail (error 2); with Dropbox or iCloud it makes its folder again and continues in spite of the tombstone, and with iCloud it does not find out at its next start either"
            )
        }
        guard scope == .application else { return }
        plan.addConsequence("The client registers with the application again as soon as its app runs")
        if remote.snapshot.isEncrypted {
            plan.addConsequence("It then asks for the password of the remote")
        }
    }
}

/// The places of a client in a document, in the order in which the framework removes them
/// (ticds-protocol(7), 1.10).
struct ClientPlaces {
    let syncChanges: RemotePath
    let syncCommands: RemotePath
    let recentSync: RemotePath
    let wholeStore: RemotePath
    /// The folder with the remains of uploads. The framework never removes it.
    let temporaryFiles: RemotePath

    init(of client: RemoteName, in document: RemoteName) {
        typealias Layout = RemoteLayout
        let folder = Layout.document(document)
        syncChanges = Layout.syncChanges(of: client, in: document)
        syncCommands = folder.appending(Layout.syncCommands).appending(client)
        recentSync = folder.appending(Layout.recentSyncs)
            .appending(RemoteName(client.bytes + Layout.recentSyncSuffix.utf8))
        wholeStore = Layout.wholeStore(of: client, in: document)
        temporaryFiles = RemotePath(
            folder.names + [Layout.temporaryFiles, Layout.wholeStore, client])
    }

    /// The entries that the framework removes.
    var removed: [RemotePath] { [syncChanges, syncCommands, recentSync, wholeStore] }
}
