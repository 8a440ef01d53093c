import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync
import TICDSStorages

struct SyncStatus: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what a run would find: edits to send, sets to fetch, and what prevents a run.",
        discussion: """
            Changes nothing and needs no password: it looks only at names and times in the remote.

            Examples:
              ticds-sync status Notes
              ticds-sync status Notes --json | jq .setsToFetch
            """)

    @OptionGroup var replica: ReplicaOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let folder = try replica.folder
        let session = try ReplicaSession(folder, lockWait: 5)
        var problem: FileProblem?
        var storage: (any RemoteStorage)?
        var status: ReplicaStatus
        do throws(FileProblem) {
            let found = try OpenReplica.storage(of: session.configuration, folder)
            status = try session.status(found)
            storage = found
        } catch {
            problem = error
            status = try session.status(nil)
        }
        let view = ReplicaStatusView(folder: folder, configuration: session.configuration, status: status)
        try context.print(view, ReplicaStatusView.schema) {
            view.show(to: &$0, context.colour(), context.style)
        }
        if let problem { context.report(problem) }
        for problem in status.remote?.problems ?? [] { context.report(problem) }
        if storage == nil { return .partial }
        if view.needsAPerson { return .findings }
        return status.remote?.problems.isEmpty == false ? .partial : .success
    }
}

/// The status of a replica, as text and as JSON.
struct ReplicaStatusView {
    let folder: ReplicaFolder
    let configuration: ReplicaConfiguration
    let status: ReplicaStatus

    /// Whether the user must act: a run would refuse, or has left a transaction open.
    var needsAPerson: Bool {
        status.remote?.obstacle != nil && status.remote?.membership != .unregistered
            || status.remote?.goneSets.isEmpty == false || status.remote?.unknownSets.isEmpty == false
            || status.transactions.contains { $0.state == .unableToClose }
    }

    func show(to text: inout OutputBuffer, _ colour: Colour, _ style: TextStyle) {
        text.line(colour.paint("\(folder.path)", .bold))
        for (label, value) in facts(style) {
            let padding = String(repeating: " ", count: max(0, 18 - label.count))
            text.line("  \(label)\(padding)\(value)")
        }
        if let obstacle = status.remote?.obstacle, status.remote?.membership != .unregistered {
            text.line("  \(colour.paint("in the way", .bad))        \(obstacle)")
        }
        if let remote = status.remote {
            SetWarnings(folder, configuration)
                .add(remote.goneSets, remote.unknownSets, to: &text) { "client \($0)" }
        }
        for transaction in status.transactions {
            let problem = transaction.problem.map { ": \($0)" } ?? ""
            text.line("  transaction       \(transaction.uuid) is \(transaction.state.word)\(problem)")
        }
    }

    private func facts(_ style: TextStyle) -> [(String, String)] {
        var facts = [
            ("remote", RemoteAddress.shown(configuration.remote)), ("document", configuration.document),
            ("client", "\(configuration.client) (\(configuration.description))"),
            ("last run", status.lastRun.map { style.minuteWithAge($0) } ?? "never"),
            ("edits", Quantities.count(status.edits)),
            ("waiting", Quantities.count(status.changesWaiting, "change") + " recorded and not sent"),
            ("in the store", Quantities.count(status.setsInDocument, "change set")),
        ]
        if let sending = status.sending { facts.append(("being sent", sending)) }
        guard let remote = status.remote else { return facts }
        let size = style.size(remote.bytesToFetch)
        facts.append(("to fetch", "\(Quantities.count(remote.setsToFetch, "change set")), \(size)"))
        if let since = remote.lagsSince { facts.append(("lags since", style.minuteWithAge(since))) }
        if let newest = remote.newest { facts.append(("newest of others", style.minuteWithAge(newest))) }
        if remote.strays > 0 {
            facts.append(("no change sets", Quantities.count(remote.strays, "entry", "entries")))
        }
        if remote.membership == .unregistered {
            facts.append(("registered", "not yet; the next run does it"))
        }
        return facts
    }

    static let schema = JSONSchema<ReplicaStatusView>(
        "ticds.syncStatus/1", "Printed by ticds-sync(1) `status`."
    ) {
        $0("replica", "", \.folder.path)
        $0("remote", "", { RemoteAddress.shown($0.configuration.remote) })
        $0("document", "", \.configuration.document)
        $0("client", "", \.configuration.client)
        $0("description", "", \.configuration.description)
        $0("lastRun", "", \.status.lastRun)
        $0("edits", "Edits of the store that are not recorded yet, counted as sync changes.", \.status.edits)
        $0("changesWaiting", "Recorded changes that are not sent yet.", \.status.changesWaiting)
        $0("sendingChangeSet", "The set that a run was sending when it ended early.", \.status.sending)
        $0("setsInStore", "Change sets that are applied to the store.", \.status.setsInDocument)
        $0("transactions", "Transactions that are not closed.", \.status.transactions)
        $0(
            "remoteRead", "Whether the remote could be read; if not, all following keys are null or empty.",
            { $0.status.remote != nil })
        $0("membership", "", \.status.remote?.membership)
        $0("obstacle", "Why a run would refuse.", \.status.remote?.obstacle)
        $0("setsOfOthers", "", \.status.remote?.setsOfOthers)
        $0("setsToFetch", "", \.status.remote?.setsToFetch)
        $0("bytesToFetch", "", \.status.remote?.bytesToFetch)
        $0("newestOfOthers", "The newest set of another client.", \.status.remote?.newest)
        $0("lagsSince", "The oldest one that is not in the store.", \.status.remote?.lagsSince)
        $0("strays", "", \.status.remote?.strays)
        $0(
            "goneSets", "As in `ticds.syncRun/1`, of this client alone.",
            { $0.status.remote?.goneSets ?? [] },
            GoneSet.fields)
        $0("unknownSets", "As in `ticds.syncRun/1`.", { $0.status.remote?.unknownSets ?? [] })
        $0("unread", "What could not be read.", { $0.status.remote?.problems ?? [] })
    }
}
