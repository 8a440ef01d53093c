package import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
package import TICDSSync

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
        let question = ConflictQuestion(open, remote.keyring, isDryRun: options.isDryRun, open.context.style)
        return try open.session.run(options, remote) { conflict throws(FileProblem) in
            try question.ask(conflict)
        }
    }

    /// The exit status of a command with this result.
    func status(_ report: RunReport) -> ExitStatus {
        if !report.badSets.isEmpty || !report.goneSets.isEmpty || !report.unknownSets.isEmpty {
            return .findings
        }
        if report.transactions.contains(where: { $0.state == .unableToClose }) { return .findings }
        return report.problems.isEmpty ? .success : .partial
    }

    func print(_ report: RunReport, _ context: CommandContext) throws(FileProblem) {
        for problem in report.problems { context.report(problem) }
        if context.json {
            try context.print((self, report), Self.schema)
        } else {
            var text = context.text()
            add(report, to: &text, context)
            try text.flush()
        }
    }
}

/// The result as text.
extension SyncResult {
    func add(_ report: RunReport, to text: inout OutputBuffer, _ context: CommandContext) {
        let done = summary(report)
        let head = options.isDryRun && !done.isEmpty ? "would have " : ""
        text.line(head + (done.isEmpty ? "nothing to do" : done.joined(separator: "; ")))
        for sentence in report.tidied { text.line("  repaired: \(sentence)") }
        addRemoved(report, to: &text)
        for copy in report.duplicates {
            text.line("  \(copy.identifier) has the contents of \(copy.original), and was not applied again")
        }
        for stray in report.strays { text.line("  not a change set: \(stray)") }
        for set in report.badSets { add(set, to: &text, context) }
        SetWarnings(open.session.folder, open.session.configuration)
            .add(report.goneSets, report.unknownSets, to: &text) { open.name(of: $0, remote.keyring) }
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
        if report.removedWithOwner > 0 {
            done.append("deleted \(Quantities.count(report.removedWithOwner, "object")) with their owners")
        }
        if let sent = report.sent { done.append("sent \(Quantities.count(sent.changes, "change"))") }
        if report.changesWaiting > 0 {
            let changes = Quantities.count(report.changesWaiting, "change")
            let isSent = options.isDryRun && options.direction != .pull
            done.append(isSent ? "sent \(changes)" : "\(changes) not sent")
        }
        return done
    }

    /// The number of removed objects that the text names; the log contains all that a run recorded.
    private static let namedObjects = 20

    private func addRemoved(_ report: RunReport, to text: inout OutputBuffer) {
        let removed = report.events.filter { $0.name == SyncNotice.Kind.removedWithOwner.rawValue }
        for event in removed.prefix(Self.namedObjects) {
            let owner = [event.relatedEntity, event.remote.stringValue].compactMap { $0 }.joined(
                separator: " ")
            text.line(
                "  deleted with its owner \(owner): \(event.entity ?? "?") \(event.syncID ?? "without sync ID")"
            )
        }
        let others = report.removedWithOwner - min(removed.count, Self.namedObjects)
        if others > 0 { text.line("  and \(Quantities.count(others, "other object"))") }
    }

    private func add(_ set: BadSet, to text: inout OutputBuffer, _ context: CommandContext) {
        let client = open.name(of: set.client, remote.keyring)
        let word = context.colour().paint("bad change set", .bad)
        text.line("  \(word) \(set.identifier) of \(client): \(set.problem)")
    }
}

/// The result as JSON, schema `ticds.syncRun/1`.
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
            "removedWithOwner",
            "Objects that were deleted because their owner was (ticds-protocol(7), 2.8).",
            { $0.report.removedWithOwner })
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
        $0(
            "goneSets",
            "Sets that are in the replica, and neither in the remote nor in every whole store, or that cannot be read.",
            { $0.report.goneSets }, GoneSet.fields)
        $0(
            "unknownSets", "Identifiers of sets in the folder of this client that this replica did not send.",
            { $0.report.unknownSets })
        $0(
            "setsHeldBack",
            "Sets that wait because an earlier one is bad, or because a later one cannot be applied again.",
            { $0.report.setsHeldBack })
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

extension GoneSet {
    static let fields = JSONFields<GoneSet> {
        $0("client", "", \.client)
        $0("changeSet", "", \.identifier)
        $0("problem", "Why it cannot be read, if it exists.", \.problem)
    }
}

/// The warnings about sets that are gone, and sets that this replica did not send.
struct SetWarnings {
    private let folder: ReplicaFolder
    private let configuration: ReplicaConfiguration

    init(_ folder: ReplicaFolder, _ configuration: ReplicaConfiguration) {
        self.folder = folder
        self.configuration = configuration
    }

    func add(
        _ gone: [GoneSet], _ unknown: [String], to text: inout OutputBuffer, name: (String) -> String
    ) {
        for set in gone {
            let problem = set.problem.map { "cannot be read: \($0)" } ?? "is gone from the remote"
            let author = set.client == configuration.client ? "sent from here" : "of \(name(set.client))"
            text.line("  change set \(set.identifier), \(author), \(problem)")
        }
        let replica = ShellWord.quoted(folder.path)
        if !gone.isEmpty {
            text.line(
                "  Somebody removed these sets, or restored an older state of the remote. The replica still has their changes; "
                    + "clients that have not applied them will not get them.")
            text.line("  Restore the files from a back-up of the remote. If there is none, choose one state:")
            text.line("    that of this replica: ticds-sync reseed \(replica)")
            text.line("    that of the remote:   ticds-sync clone, into a new folder")
        }
        for identifier in unknown {
            text.line(
                "  unknown change set \(identifier) in the folder of this client: it was not sent from here")
        }
        if !unknown.isEmpty {
            text.line(
                "  The replica is a copy, or was restored from an older state, or another replica has the same client identifier. "
                    + "It lacks the changes of these sets, and never applies sets of its own client.")
            text.line(
                "  Create a new replica with ticds-sync clone. Edits that were not sent from this one are in \(replica)."
            )
        }
    }
}

extension SyncTransaction: JSONObject {
    package static let fields = JSONFields<SyncTransaction>(home: "ticds.syncRun/1") {
        $0("transaction", "", \.uuid)
        $0("state", "", as: .names(["notYetOpen", "open", "closed", "unableToClose"]), \.state.word)
        $0("problem", "", \.problem)
    }
}

extension SyncTransaction.State {
    /// The state in the framework's words.
    var word: String {
        switch self {
        case .notYetOpen: "notYetOpen"
        case .open: "open"
        case .closed: "closed"
        case .unableToClose: "unableToClose"
        }
    }
}
