import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ChangesDump: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints every change, of files or of a remote, in order of application.",
        discussion: """
            Within a set changes are applied by type, then by timestamp; sets by modification time. With --json each \
            change is one line, schema "ticds.change/1" of ticds-json(5).

            Examples:
              ticds-changes dump SyncChanges/*/*.syncchg
              ticds-changes dump ~/Dropbox/com.example.app --document Notebook --type delete
              ticds-changes dump ~/Dropbox/com.example.app --timesketch > timeline.jsonl
              ticds-changes dump --json set.syncchg | jq -r '[.type, .entity, .objectSyncID] | @tsv'
            """)

    @Argument(
        help: "Change set files, or one remote. Default: the environment variable TICDS_REMOTE.",
        completion: .file())
    var targets: [String] = []
    @Flag(
        help: """
            Print each change as a line of JSON that Timesketch imports, schema "ticds.event/1"; --json is then about errors.
            """)
    var timesketch = false

    @OptionGroup var selection: ChangeSelection
    @OptionGroup var limit: LimitOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let places = try RemoteOptions.addresses(named: targets)
        if timesketch { return try printEvents(places, context) }
        var lines = ChangeLines(context)
        var count = limit.counter
        let span = try selection.filterOptions.span.range(context.style)
        let status = try selection.forEachRecord(
            of: places, context, named: { lines.clientNames = $0 },
            taking: { limit.limit == nil ? lines.add($0, $1) : 0 }, isDone: { count.isExceeded },
            { record throws(FileProblem) in
                if count.admits(isUnknown: span.isUnknown(record.change.timestamp)) { try lines.add(record) }
            })
        try lines.finish(count.note(countsAll: false))
        return status
    }

    private func printEvents(_ places: [RemoteAddress], _ context: CommandContext) throws -> ExitStatus {
        var lines = TimesketchLines(context)
        var count = limit.counter
        let status = try selection.forEachRecord(
            of: places, context, named: { lines.clientNames = $0 }, isDone: { count.isExceeded },
            { record throws(FileProblem) in
                if count.admits() { lines.add(record) }
            })
        try lines.finish()
        guard lines.omitted > 0 else { return status }
        let omitted = Quantities.count(lines.omitted, "change")
        context.warn("\(omitted) without a time in the years 1 to 9999 left out of the timeline")
        return status == .success ? .partial : status
    }
}
