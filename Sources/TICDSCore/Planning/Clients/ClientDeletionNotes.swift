import SystemCalls

/// What a person should know before a client is deleted.
struct ClientDeletionNotes {
    let remote: PlannedRemote
    let client: RemoteName

    /// What the document loses with the client.
    func add(leaving identifier: RemoteName, to plan: inout Plan) throws(FileProblem) {
        let (document, report) = try remote.document(identifier)
        let place = remote.name(ofDocument: identifier)
        let mine = report.clients.first { $0.identifier == client }
        if let times = mine?.changeSetTimes, let sets = mine?.changeSets.count {
            plan.note(
                .reason,
                "\(counted(sets, "change set")) of the client in \(place) will be removed, the newest of \(PlanWords.time(times.upperBound))"
            )
        }
        addActivity([mine?.lastSync, mine?.changeSetTimes?.upperBound], place, to: &plan)
        addUnapplied(UnappliedChangeSets.of(client, document, report), place, to: &plan)
        let stores = document.wholeStores.filter { $0.store != nil }.map(\.client)
        if stores == [client] {
            plan.note(
                .warning,
                "The only whole store of \(place) will be removed: until another client uploads one, a client that needs a whole store finds none"
            )
        }
        if remote.tree[ClientPlaces(of: client, in: identifier).temporaryFiles] != nil,
            !plan.actions.contains(where: { $0.change.path.names.contains(RemoteLayout.temporaryFiles) })
        {
            plan.note(
                .reason, "Its leftovers in TemporaryFiles of \(place) stay, as with the framework")
        }
    }

    private func addActivity(_ times: [FileTime?], _ place: String, to plan: inout Plan) {
        guard let last = times.compactMap(\.self).max(), remote.now.seconds(since: last) < PlanWords.lately
        else { return }
        plan.note(.warning, "The client was active in \(place) recently, on \(PlanWords.time(last))")
    }

    private func addUnapplied(_ lacking: [UnappliedChangeSets], _ place: String, to plan: inout Plan) {
        for other in lacking {
            let sets = counted(other.changeSets, "change set")
            let basis =
                other.asOf.map { "as of \(PlanWords.time($0))" } ?? "nobody knows what it has applied"
            plan.note(
                .warning,
                "\(remote.name(ofClient: other.client)) may not have applied \(sets) of the client in \(place) (\(basis)), and will never get them"
            )
        }
    }

    /// What the client does when it runs again.
    func addConsequences(_ scope: ClientDeletionPlanner.Scope, isTombstoned: Bool, to plan: inout Plan) {
        if isTombstoned {
            plan.note(
                .consequence,
                "When the client next opens the document, it finds that it was removed, throws away the edits that it has not sent, registers anew, and has to load a whole store"
            )
            plan.note(
                .consequence,
                "While it has edits that it has not sent, each upload of a whole store fails (error 13); if that is the first upload of a document that it creates, it synchronises nothing until its app is started again"
            )
            plan.note(
                .consequence,
                "If it is running now, it continues without an error while it has nothing to send: it receives, and writes its recent-sync file anew, which holds back the vacuum until you delete the client again; once it has an edit to send, its synchronisations fail (error 2); with Dropbox or iCloud it makes its folder again and continues in spite of the tombstone"
            )
        }
        guard scope == .application else { return }
        plan.note(
            .consequence, "The client registers with the application again as soon as its app runs")
        if remote.snapshot.isEncrypted {
            plan.note(.consequence, "It then asks for the password of the remote")
        }
    }
}
