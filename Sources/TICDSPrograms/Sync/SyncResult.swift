import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// Runs a synchronisation, and tells what came of it.
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

    /// How a command ends that did this.
    func status(_ report: RunReport) -> ExitStatus {
        if !report.badSets.isEmpty { return .findings }
        if report.transactions.contains(where: { $0.state == .unableToClose }) { return .findings }
        return report.problems.isEmpty ? .success : .partial
    }

    func print(_ report: RunReport, _ output: OutputOptions) throws(FileProblem) {
        for problem in report.problems { output.report(problem) }
        if output.json {
            var json = output.document()
            add(report, to: &json)
            json.endLine()
            try json.flush()
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
            text.line(
                "  \(copy.identifier) has the contents of \(copy.original), and was not applied again"
            )
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
    func add(_ report: RunReport, to json: inout JSONWriter) {
        json.begin("ticds.syncRun/1")
        json.field("replica", open.folder.path)
        json.field("remote", open.storage.root)
        json.field("document", open.configuration.document)
        json.field("client", open.configuration.client)
        json.field("direction", options.direction.rawValue)
        json.field("dryRun", report.isDryRun)
        json.field("registers", report.registers)
        json.field("editsRecorded", report.editsRecorded)
        json.field("tidied", report.tidied)
        json.field("setsFetched", report.setsFetched)
        json.field("setsApplied", report.setsApplied)
        json.field("setsAppliedAgain", report.setsAppliedAgain)
        json.field("changesApplied", report.changesApplied)
        json.objects("duplicates", report.duplicates) { json, copy in
            json.field("client", copy.client)
            json.field("changeSet", copy.identifier)
            json.field("original", copy.original)
        }
        json.objects("badSets", report.badSets) { json, set in
            json.field("client", set.client)
            json.field("changeSet", set.identifier)
            json.field("problem", set.problem)
        }
        json.field("setsHeldBack", report.setsHeldBack)
        json.field("strays", report.strays)
        json.array("unread", report.problems) { $0.value($1) }
        json.field("conflicts", report.conflicts)
        json.field("warnings", report.warnings)
        json.field("sentChangeSet", report.sent?.identifier)
        json.field("changesSent", report.sent?.changes ?? 0)
        json.field("changesWaiting", report.changesWaiting)
        json.field("wroteRecentSync", report.wroteRecentSync)
        json.transactions(report.transactions)
        json.endObject()
    }
}

extension JSONWriter {
    /// The transactions that are not closed.
    mutating func transactions(_ transactions: [SyncTransaction]) {
        objects("transactions", transactions) { json, transaction in
            json.field("transaction", transaction.uuid)
            json.field("state", transaction.state.word)
            json.field("problem", transaction.problem)
        }
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
