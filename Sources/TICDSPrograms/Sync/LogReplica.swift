import ArgumentParser
import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSCore
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
    private let isJSON: Bool
    private let colour: Colour
    private var json: JSONWriter
    private var text: OutputBuffer

    init(_ output: OutputOptions) {
        isJSON = output.json
        colour = output.colour()
        json = output.lines()
        text = output.longText()
    }

    mutating func add(_ event: SyncEvent) {
        switch (isJSON, event.kind) {
        case (true, .conflict): addConflict(event)
        case (true, .warning): addWarning(event)
        case (false, _): addText(event)
        }
    }

    mutating func finish() throws(FileProblem) {
        if isJSON { try json.flush() } else { try text.flush() }
    }

    private mutating func addConflict(_ event: SyncEvent) {
        json.begin("ticds.conflict/1")
        addPlace(event)
        json.field("localValue", event.local)
        json.field("remoteValue", event.remote)
        json.field("resolution", event.resolution)
        json.end()
    }

    private mutating func addWarning(_ event: SyncEvent) {
        json.begin("ticds.warning/1")
        addPlace(event)
        json.field("warning", event.warningNumber)
        json.field("kind", event.name)
        json.field("relatedEntity", event.relatedEntity)
        json.field("value", event.remote)
        json.field("reason", event.reason)
        json.end()
    }

    private mutating func addPlace(_ event: SyncEvent) {
        json.field("number", event.number)
        json.field("time", FileTime(secondsSince2001: event.time))
        json.field("client", event.client)
        json.field("changeSet", event.changeSet)
        json.field("entity", event.entity)
        json.field("objectSyncID", event.syncID)
        json.field("key", event.key)
    }

    private mutating func addText(_ event: SyncEvent) {
        let time = FileTime(secondsSince2001: event.time)?.localSeconds ?? ""
        let object = [event.entity, event.syncID, event.key].compactMap { $0 }.joined(separator: " ")
        let word = event.kind == .conflict ? colour.paint("conflict", .doubtful) : warningWord(event)
        text.line("\(time)  \(word)  \(object)")
        if event.kind == .conflict {
            text.line("    here: \(ValueText.line(event.local))")
            text.line("    elsewhere: \(ValueText.line(event.remote))")
            if let resolution = event.resolution { text.line("    counted: \(resolution)") }
        } else {
            if event.remote != .none { text.line("    value: \(ValueText.line(event.remote))") }
            if let reason = event.reason { text.line("    \(reason)") }
        }
        if let set = event.changeSet, !set.isEmpty {
            text.line(
                "    change set \(set) of \(event.client ?? "?")")
        }
    }

    private func warningWord(_ event: SyncEvent) -> ScreenText {
        "warning \(event.warningNumber.map { "\($0) " } ?? "")\(event.name ?? "")"
    }
}
