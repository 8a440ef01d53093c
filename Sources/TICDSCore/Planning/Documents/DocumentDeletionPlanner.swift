public import SystemCalls

/// Plans the deletion of a document as the framework does it: the tombstone, then everything (ticds-protocol(7), 4.11).
public struct DocumentDeletionPlanner: Sendable {
    private let remote: PlannedRemote
    private let standIn: Bool

    /// - Parameter standIn: write a tombstone with the identifier alone where there is no `documentInfo.plist`.
    public init(_ remote: PlannedRemote, standIn: Bool = false) {
        self.remote = remote
        self.standIn = standIn
    }

    /// - Throws: `.unknownName` for the document; `.refused` where there is nothing to make the tombstone of.
    public func plan(_ identifier: RemoteName) throws(FileProblem) -> Plan {
        try remote.checkRead()
        let (document, report) = try remote.document(identifier)
        var plan = Plan(
            root: remote.root, command: "ticds-document delete",
            summary: "Delete document \(remote.name(ofDocument: identifier))")
        try Tombstones(remote: remote, standIn: standIn).add(ofDocument: identifier, to: &plan)
        try plan.addRemoval(document.path, in: remote.snapshot)
        addContents(report, to: &plan)
        addClients(report, to: &plan)
        plan.note(
            .consequence,
            "clients that have the document open fail to synchronise, and old ones may crash on it (error 21); when one next opens it, its app is asked whether to create the document anew"
        )
        plan.note(
            .consequence,
            "edits that a client has not sent then go with its helper files; where it still has any when it uploads the new document's first whole store, the upload fails (error 13), and the client synchronises nothing until its app is started again"
        )
        return plan
    }

    private func addContents(_ report: DocumentReport, to plan: inout Plan) {
        let sets = PlanWords.count(report.changeSets.count, "change set")
        let stores = report.wholeStores.filter { !$0.isMissing }
        guard let newest = stores.compactMap(\.modified).max() else {
            return plan.note(.warning, "\(sets) go, and there is no whole store that holds their data")
        }
        plan.note(
            .reason,
            "\(sets) and \(PlanWords.count(stores.count, "whole store")) go, the newest store of \(PlanWords.time(newest))"
        )
    }

    private func addClients(_ report: DocumentReport, to plan: inout Plan) {
        let members = report.clients.filter(\.isMember)
        if !members.isEmpty {
            let names = members.map { PlanWords.name($0.identifier, $0.description) }
            plan.note(.reason, "its clients: \(PlanWords.list(names))")
        }
        for client in members {
            guard let last = [client.lastSync, client.changeSetTimes?.upperBound].compactMap(\.self).max(),
                remote.now.seconds(since: last) < PlanWords.lately
            else { continue }
            let name = PlanWords.name(client.identifier, client.description)
            plan.note(.warning, "\(name) was active in the document lately, on \(PlanWords.time(last))")
        }
    }
}
