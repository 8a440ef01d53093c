import ArgumentParser
import Base
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

struct FleetMergeCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Puts the results of runs into an SQLite file.",
        discussion: """
            Of each remote the newest result counts; results that are there already change nothing. The file is replaced in \
            one step, so that others can read it meanwhile.

            Examples:
              ticds-fleet merge verify status --to fleet.sqlite
              ticds-fleet merge /srv/runs/2026-11 --to fleet.sqlite --quiet
            """)

    @Argument(help: .value("run", "The folders of runs, or their names."), completion: .directory)
    var runs: [String]
    @Option(
        help: .value("file", "The database, which is made if it does not exist."),
        completion: .file(extensions: ["sqlite"]))
    var to: String
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try OutputTarget.path(to)
        let folders = try runs.map { try FleetRun.folder(named: $0) }
        let merge = try Interruption.catching { () throws -> FleetMerge in
            var bar = Progress("merging", context)
            return try FleetMerge.run(folders, to: target) { done in
                bar.update(ProgressState(Int64(done), of: nil, .remotes))
                return !Interruption.isWanted
            }
        }
        for problem in merge.problems { context.report(problem) }
        if merge.unread > merge.problems.count {
            context.warn("\(Quantities.count(merge.unread)) results could not be read; these are the first")
        }
        try context.print((merge, target), Self.schema) { text in
            if context.quiet { return }
            text.line(
                "\(target): \(Quantities.count(merge.envelopes, "result")), \(Quantities.count(merge.new)) new"
            )
        }
        return merge.problems.isEmpty ? .success : .partial
    }

    static let schema = JSONSchema<(merge: FleetMerge, path: FilePath)>(
        "ticds.fleetMerge/1", "Printed by ticds-fleet(1) `merge`."
    ) {
        $0("database", "The file.", { $0.path })
        $0("results", "Results that were read.", { $0.merge.envelopes })
        $0("new", "Of these, the results that the database did not have.", { $0.merge.new })
        $0("unread", "Files that are no results, or could not be read.", { $0.merge.problems })
    }
}
