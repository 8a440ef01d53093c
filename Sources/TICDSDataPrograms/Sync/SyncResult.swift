import SystemCalls
import SystemPackage
public import TICDSCommandLine
import TICDSCore
public import TICDSSync

/// Runs a synchronisation, and prints its result.
struct SyncResult {
    let open: OpenReplica
    private let remote: ReplicaRemote
    private let options: RunOptions

    init(_ open: OpenReplica, _ remote: ReplicaRemote, _ options: RunOptions) {
        self.open = open
        self.remote = remote
        self.options = options
    }

    func run() throws(FileProblem) -> RunReport {
        let question = ConflictQuestion(open, remote.keyring, isDryRun: options.isDryRun)
        return try open.session.run(options, remote) { conflict throws(FileProblem) in
            try question.ask(conflict)
        }
    }

    /// The exit status of a command that did this.
    func status(_ report: RunReport) -> ExitStatus {
        if !report.badSets.isEmpty { return .findings }
        if report.transactions.contains(where: { $0.state == .unableToClose }) { return .findings }
        return report.problems.isEmpty ? .success : .partial
    }

    func print(_ report: RunReport, _ output: OutputOptions) throws(FileProblem) {
        for problem in report.problems { output.report(problem) }
        if output.json {
            try output.print((self, report), Self.schema)
        } else {
            var text = output.text()
            add(report, to: &text, output)
            try text.flush()
        }
    }
}

/// As text.
extension SyncResult {
    func add(_ report: RunReport, to text: inout OutputBuffer, _ output: OutputOptions) {
        let done = summary(report)
        let head = options.isDryRun && !done.isEmpty ? "would have " : ""
        text.line(head + (done.isEmpty ? "nothing to do" : done.joined(separator: "; ")))
        for sentence in report.tidied { text.line("  repaired: \(sentence)") }
        for copy in report.duplicates {
            text.line("  \(copy.identifier) has the contents of \(copy.original), and was not applied again")
        }
        for stray in report.strays { text.line("  not a change set: \(stray)") }
        for set in report.badSets { add(set, to: &text, output) }
        if report.setsHeldBack > 0 {
            text.line("  \(Quantities.count(report.setsHeldBack, "later change set")) not applied")
        }
        for transaction in report.transactions {
            let problem = transaction.problem.map { ": \($0)" } ?? ""
            text.line("  transaction \(transaction.uuid) could not be closed\(problem)")
        }
        if report.conflicts + report.warnings > 0 {
            let counts = [(report.conflicts, "conflict"), (report.warnings, "warning")]
                .filter { $0.0 > 0 }.map { Quantities.count($0.0, $0.1) }.joined(separator: ", ")
            let advice = options.isDryRun ? "" : " (ticds-sync log shows them)"
            text.line("  \(counts)\(advice)")
        }
    }

    private func summary(_ report: RunReport) -> [String] {
        var done: [String] = []
        if report.registers {
            done.append("registered as client \(open.configuration.client)")
        }
        if report.editsRecorded > 0 {
            done.append("recorded \(Quantities.count(report.editsRecorded, "edit"))")
        }
        if report.setsApplied > 0 {
            let changes = Quantities.count(report.changesApplied, "change")
            done.append("applied \(Quantities.count(report.setsApplied, "change set")) with \(changes)")
        }
        if report.setsAppliedAgain > 0 {
            done.append("applied \(Quantities.count(report.setsAppliedAgain, "later set")) again")
        }
        if let sent = report.sent { done.append("sent \(Quantities.count(sent.changes, "change"))") }
        if report.changesWaiting > 0 {
            let changes = Quantities.count(report.changesWaiting, "change")
            let isSent = options.isDryRun && options.direction != .pull
            done.append(isSent ? "sent \(changes)" : "\(changes) not sent")
        }
        return done
    }

    private func add(_ set: BadSet, to text: inout OutputBuffer, _ output: OutputOptions) {
        let client = open.name(of: set.client, remote.keyring)
        let word = output.colour().paint("bad change set", .bad)
        text.line("  \(word) \(set.identifier) of \(client): \(set.problem)")
    }
}

/// As JSON, schema `ticds.syncRun/1`.
extension SyncResult {
    static let schema = JSONSchema<(result: SyncResult, report: RunReport)>(
        "ticds.syncRun/1", "Printed by ticds-sync(1) `run`; by `watch` as a line for each run."
    ) {
        $0("replica", "", { $0.result.open.folder.path })
        $0("remote", "", { $0.result.open.storage.root })
        $0("document", "", { $0.result.open.configuration.document })
        $0("client", "", { $0.result.open.configuration.client })
        $0("direction", "", { $0.result.options.direction })
        $0("dryRun", "", { $0.report.isDryRun })
        $0(
            "registers", "Whether a dry run found that the client would be registered first.",
            { $0.report.registers })
        $0("editsRecorded", "As in `ticds.commit/1`.", { $0.report.editsRecorded })
        $0("tidied", "As in `ticds.commit/1`.", { $0.report.tidied })
        $0("setsFetched", "", { $0.report.setsFetched })
        $0("setsApplied", "", { $0.report.setsApplied })
        $0(
            "setsAppliedAgain", "Sets that were applied again because a set that precedes them arrived late.",
            { $0.report.setsAppliedAgain })
        $0("changesApplied", "", { $0.report.changesApplied })
        $0(
            "duplicates", "Sets with the same contents as another, which count once.",
            { $0.report.duplicates },
            JSONFields {
                $0("client", "", \.client)
                $0("changeSet", "", \.identifier)
                $0("original", "", \.original)
            })
        $0(
            "badSets", "Sets that cannot be applied.", { $0.report.badSets },
            JSONFields {
                $0("client", "", \.client)
                $0("changeSet", "", \.identifier)
                $0("problem", "", \.problem)
            })
        $0("setsHeldBack", "Sets that wait because an earlier one is bad.", { $0.report.setsHeldBack })
        $0("strays", "Paths of entries among the sets that are not change sets.", { $0.report.strays })
        $0("unread", "What could not be read or is not on this machine yet.", { $0.report.problems })
        $0("conflicts", "", { $0.report.conflicts })
        $0("warnings", "", { $0.report.warnings })
        $0("sentChangeSet", "The identifier of the set that was sent.", { $0.report.sent?.identifier })
        $0("changesSent", "Local changes that were sent.", { $0.report.sent?.changes ?? 0 })
        $0("changesWaiting", "Local changes that are still waiting.", { $0.report.changesWaiting })
        $0(
            "wroteRecentSync",
            """
            Whether the run wrote the recent sync, which tells the other clients that this one is up to \
            date.
            """, { $0.report.wroteRecentSync })
        $0("transactions", "Transactions that are not closed.", { $0.report.transactions })
    }
}

extension SyncTransaction: JSONObject {
    public static let fields = JSONFields<SyncTransaction>(home: "ticds.syncRun/1") {
        $0("transaction", "", \.uuid)
        $0("state", "", as: .names(["notYetOpen", "open", "closed", "unableToClose"]), \.state.word)
        $0("problem", "", \.problem)
    }
}

extension SyncTransaction.State {
    /// The state in words, as the framework calls it.
    var word: String {
        switch self {
        case .notYetOpen: "notYetOpen"
        case .open: "open"
        case .closed: "closed"
        case .unableToClose: "unableToClose"
        }
    }
}
