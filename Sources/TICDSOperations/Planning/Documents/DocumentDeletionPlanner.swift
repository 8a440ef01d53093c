import Base
public import SystemCalls
public import TICDSCore

/// Plans the deletion of a document as the framework deletes it: it writes the tombstone, then removes everything
/// (ticds-protocol(7), 1.11).
public struct DocumentDeletionPlanner: Sendable {
    private let remote: PlannedRemote
    private let standIn: Bool

    /// - Parameter standIn: whether to write a tombstone with only the identifier if there is no `documentInfo.plist`.
    public init(_ remote: PlannedRemote, standIn: Bool = false) {
        self.remote = remote
        self.standIn = standIn
    }

    /// - Throws: `.unknownName` for the document; `.refused` if there is nothing to copy as the tombstone.
    public func plan(_ identifier: RemoteName) throws(FileProblem) -> Plan {
        let (document, report) = try remote.document(identifier)
        var plan = Plan(
            root: remote.root, command: "ticds-document delete",
            summary: "Delete document \(remote.name(ofDocument: identifier))")
        try Tombstones(remote: remote, standIn: standIn).add(ofDocument: identifier, to: &plan)
        try plan.addRemoval(document.path, in: remote.snapshot)
        addContents(report, to: &plan)
        addClients(report, to: &plan)
        plan.addConsequence(
            "Clients that have the document open fail to synchronise, and old ones may crash (error 21); when a client next opens the document, it asks its app whether to create the document again"
        )
        plan.addConsequence(
            "The client then throws away its helper files, including the edits that it has not sent; if it still has such edits when it uploads the first whole store of the new document, the upload fails (error 13), and the client synchronises nothing until its app is started again"
        )
        return plan
    }

    private func addContents(_ report: DocumentReport, to plan: inout Plan) {
        let sets = PlanFormat.sets(report.changeSets)
        let stores = report.wholeStores.part.filter { $0.isMissing == false }
        guard let newest = stores.compactMap(\.modified).max() else {
            let stores =
                report.wholeStores.isWhole
                ? "no whole store contains their data"
                : "whether a whole store contains their data is unknown: a sync service has not delivered it"
            return plan.warn("\(sets) will be removed, and \(stores)")
        }
        plan.explain(
            "\(sets) and \(counted(stores.count, "whole store")) will be removed, the newest store of \(remote.style.minute(newest))"
        )
    }

    private func addClients(_ report: DocumentReport, to plan: inout Plan) {
        let members = report.clients.filter { $0.isMember == true }
        if !members.isEmpty {
            let names = members.map { PlanFormat.name($0.identifier, $0.description) }
            plan.explain("Its clients: \(PlanFormat.list(names))")
        }
        for client in members {
            guard let last = [client.lastSync, client.changeSetTimes?.upperBound].compactMap(\.self).max(),
                remote.now.seconds(since: last) < PlanFormat.lately
            else { continue }
            let name = PlanFormat.name(client.identifier, client.description)
            plan.warn("\(name) was active in the document recently, on \(remote.style.minute(last))")
        }
    }
}
