import ArgumentParser
import Base
import SystemCalls
import TICDSCommandLine
import TICDSSync

struct SyncCommit: SuiteCommand {
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

    @Flag(name: .dryRun, help: "Show what would be recorded, and change nothing.")
    var isDryRun = false

    @Option(
        name: .customLong("lock-wait"),
        help: .value(
            "duration",
            "Wait this long, such as 30s, for another command that is working on the replica, or is "
                + "changing the remote."))
    var lockWait: DurationArgument?

    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<(folder: ReplicaFolder, isDryRun: Bool, report: RunReport)>(
        "ticds.commit/1", "Printed by ticds-sync(1) `commit`."
    ) {
        $0("replica", "", { $0.folder.path })
        $0("dryRun", "", { $0.isDryRun })
        $0(
            "editsRecorded", "Edits that were found now, counted as sync changes.",
            { $0.report.editsRecorded })
        $0("tidied", "Sentences about repairs in the store before that.", { $0.report.tidied })
        $0("changesWaiting", "Changes that the next run sends.", { $0.report.changesWaiting })
        $0("transactions", "Transactions that are not closed.", { $0.report.transactions })
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let folder = try replica.folder
        let session = try ReplicaSession(folder, lockWait: lockWait?.seconds ?? 0)
        let report = try session.commit(isDryRun: isDryRun)
        try context.print((folder, isDryRun, report), Self.schema, at: isDryRun ? nil : .success) { text in
            let edits = Quantities.count(report.editsRecorded, "edit")
            let waiting = Quantities.count(report.changesWaiting, "change")
            text.line(
                report.editsRecorded == 0
                    ? "no edits; \(waiting) waiting"
                    : "\(isDryRun ? "would record" : "recorded") \(edits); \(waiting) waiting")
            for sentence in report.tidied { text.line("  repaired: \(sentence)") }
        }
        return .success
    }
}
