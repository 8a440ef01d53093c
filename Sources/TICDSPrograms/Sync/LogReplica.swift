import ArgumentParser
import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSSync

struct LogReplica: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Lists the conflicts and warnings of all runs.",
        discussion: """
            Shows each conflict with both values and how it was decided, each warning with the contents of the \
            framework's warning. With --json each is one line with the schema ticds.conflict/1 or ticds.warning/1.

            Examples:
              ticds-sync log Notes
              ticds-sync log Notes --conflicts --since 2026-11-01
              ticds-sync log Notes --json | jq 'select(.resolution == "remote")'
            """)

    @OptionGroup var replica: ReplicaOptions

    @Flag(name: .customLong("conflicts"), help: "Only conflicts.")
    var hasOnlyConflicts = false

    @Flag(name: .customLong("warnings"), help: "Only warnings.")
    var hasOnlyWarnings = false

    @Option(help: ArgumentHelp("Only what happened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if hasOnlyConflicts, hasOnlyWarnings {
            throw ValidationError("--conflicts and --warnings contradict each other.")
        }
    }

    func execute() throws -> ExitStatus {
        let session = try ReplicaSession(try replica.folder, lockWait: 5)
        var lines = EventLines(output)
        try session.forEachEvent(since: since?.secondsSince2001) { event in
            if event.kind == .conflict ? !hasOnlyWarnings : !hasOnlyConflicts { lines.add(event) }
        }
        try lines.finish()
        return .success
    }
}

/// Prints conflicts and warnings as they come.
struct EventLines: ~Copyable {
    private var out: LineOutput

    init(_ output: OutputOptions) { out = LineOutput(output) }

    mutating func add(_ event: SyncEvent) {
        switch (out.isJSON, event.kind) {
        case (true, .conflict): addConflict(event)
        case (true, .warning): addWarning(event)
        case (false, _): addText(event)
        }
    }

    mutating func finish() throws(FileProblem) { try out.finish() }

    private mutating func addConflict(_ event: SyncEvent) {
        out.json.begin("ticds.conflict/1")
        addPlace(event)
        out.json.field("localValue", event.local)
        out.json.field("remoteValue", event.remote)
        out.json.field("resolution", event.resolution)
        out.json.end()
    }

    private mutating func addWarning(_ event: SyncEvent) {
        out.json.begin("ticds.warning/1")
        addPlace(event)
        out.json.field("warning", event.warningNumber)
        out.json.field("kind", event.name)
        out.json.field("relatedEntity", event.relatedEntity)
        out.json.field("value", event.remote)
        out.json.field("reason", event.reason)
        out.json.end()
    }

    private mutating func addPlace(_ event: SyncEvent) {
        out.json.field("number", event.number)
        out.json.field("time", FileTime(secondsSince2001: event.time))
        out.json.field("client", event.client)
        out.json.field("changeSet", event.changeSet)
        out.json.field("entity", event.entity)
        out.json.field("objectSyncID", event.syncID)
        out.json.field("key", event.key)
    }

    private mutating func addText(_ event: SyncEvent) {
        let time = FileTime(secondsSince2001: event.time)?.localSeconds ?? ""
        let object = [event.entity, event.syncID, event.key].compactMap { $0 }.joined(separator: " ")
        let word = event.kind == .conflict ? out.colour.paint("conflict", .doubtful) : warningWord(event)
        out.text.line("\(time)  \(word)  \(object)")
        if event.kind == .conflict {
            out.text.line("    here: \(ValueText.line(event.local))")
            out.text.line("    elsewhere: \(ValueText.line(event.remote))")
            if let resolution = event.resolution { out.text.line("    counted: \(resolution)") }
        } else {
            if event.remote != .none { out.text.line("    value: \(ValueText.line(event.remote))") }
            if let reason = event.reason { out.text.line("    \(reason)") }
        }
        if let set = event.changeSet, !set.isEmpty {
            out.text.line(
                "    change set \(set) of \(event.client ?? "?")")
        }
    }

    private func warningWord(_ event: SyncEvent) -> ScreenText {
        "warning \(event.warningNumber.map { "\($0) " } ?? "")\(event.name ?? "")"
    }
}
