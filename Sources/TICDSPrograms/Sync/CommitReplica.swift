import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSSync

struct CommitReplica: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Records the edits of the store, which the next run sends.",
        discussion: """
            Compares the store with its state after the last commit or run. Needs no remote. A run records edits, \
            too; a commit fixes the time of the edits, and shows what a run would find.

            Examples:
              ticds-sync commit Notes --dry-run
              ticds-sync commit Notes
            """)

    @OptionGroup var replica: ReplicaOptions

    @Flag(name: .customLong("dry-run"), help: "Show what would be recorded, and change nothing.")
    var isDryRun = false

    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp(
            "Wait this long, such as 30s, for another command that is working on the replica, or is changing the remote.",
            valueName: "time"))
    var lockWait: DurationArgument?

    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let folder = try replica.folder
        let session = try ReplicaSession(folder, lockWait: lockWait?.seconds ?? 0)
        let report = try session.commit(isDryRun: isDryRun)
        if output.json {
            var json = output.document("ticds.commit/1")
            json.field("replica", folder.path)
            json.field("dryRun", isDryRun)
            json.field("editsRecorded", report.editsRecorded)
            json.field("tidied", report.tidied)
            json.field("changesWaiting", report.changesWaiting)
            json.transactions(report.transactions)
            try json.finish()
        } else {
            var text = output.text()
            let edits = Quantities.count(report.editsRecorded, "edit")
            let waiting = Quantities.count(report.changesWaiting, "change")
            text.line(
                report.editsRecorded == 0
                    ? "no edits; \(waiting) waiting"
                    : "\(isDryRun ? "would record" : "recorded") \(edits); \(waiting) waiting")
            for sentence in report.tidied { text.line("  repaired: \(sentence)") }
            try text.flush()
        }
        return .success
    }
}
