import ArgumentParser
import Base
import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSSync

struct SyncLog: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Lists the conflicts and warnings of all runs.",
        discussion: """
            Shows each conflict with both values and how it was decided, each warning with the contents of the \
            framework's warning. With --json each is one line with the schema ticds.conflict/1 or ticds.warning/1.

            Examples:
              ticds-sync log Notes
              ticds-sync log Notes --conflicts --since 2026-11-01
              ticds-sync log Notes --client "Anna's iPad"
              ticds-sync log Notes --json | jq 'select(.resolution == "remote")'
            """)

    @OptionGroup var replica: ReplicaOptions

    @Flag(help: "Only conflicts.")
    var conflicts = false

    @Flag(help: "Only warnings.")
    var warnings = false

    @Option(help: .value("name", "Only changes of objects of this entity."))
    var entity: String?

    @OptionGroup var clients: ClientOptions
    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var limit: LimitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if conflicts, warnings { throw ValidationError("--conflicts and --warnings contradict each other.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let folder = try replica.folder
        let session = try ReplicaSession(folder, lockWait: 5)
        let authors = try clients.isNarrowed ? authors(session, folder) : nil
        var lines = EventLines(context)
        var count = limit.counter
        let span = try span.range(context.style)
        try session.forEachEvent { event in
            guard span.contains(event.time), event.kind == .conflict ? !warnings : !conflicts,
                entity == nil || event.entity == entity,
                authors.map({ $0.contains(RemoteName(event.client ?? "")) }) ?? true,
                count.admits(isUnknown: span.isUnknown(event.time))
            else { return }
            lines.add(event)
        }
        try lines.finish(count.note())
        return .success
    }
}

extension SyncLog {
    /// The clients that the options name: authors of changes in the log, and clients of the remote.
    private func authors(
        _ session: ReplicaSession, _ folder: ReplicaFolder
    ) throws(FileProblem) -> Set<RemoteName>? {
        var names: Set<RemoteName> = []
        try session.forEachEvent { event in
            if let client = event.client, !client.isEmpty { names.insert(RemoteName(client)) }
        }
        // try?: the log is here without the remote; identifiers stand in for names
        let storage = try? OpenReplica.storage(of: session.configuration, folder)
        // try?: as above
        let devices = (try? storage?.list([RemoteLayout.clientDevices]))?.listing ?? FolderListing()
        names.formUnion(devices.filter { $0.kind == .folder }.map(\.name))
        let descriptions = storage.map { ClientNames(readableIn: $0) }
        let items = names.sorted().map { NamedItem($0, descriptions?.description(of: $0)) }
        return try clients.chosen(of: .all(items), in: folder.path)
    }
}

/// Prints conflicts and warnings as they come.
struct EventLines: ~Copyable {
    private var out: LineOutput

    init(_ context: CommandContext) { out = LineOutput(context) }

    mutating func add(_ event: SyncEvent) {
        switch (out.isJSON, event.kind) {
        case (true, .conflict): out.json.document(event, Self.conflict)
        case (true, .warning): out.json.document(event, Self.warning)
        case (false, _): addText(event)
        }
    }

    mutating func finish(_ note: String? = nil) throws(FileProblem) { try out.finish(note) }

    private static let place = JSONFields<SyncEvent>(home: "ticds.conflict/1") {
        $0("number", "In the order of time.", as: .number(from: 1), \.number)
        $0("time", "The time of the run.", as: FileTime.json, { FileTime(secondsSince2001: $0.time) })
        $0("client", "The client whose change it is about.", \.client)
        $0("changeSet", "The set that contains the change.", \.changeSet)
        $0("entity", "", \.entity)
        $0("objectSyncID", "", \.syncID)
        $0("key", "The attribute.", \.key)
    }
    static let conflict = JSONSchema<SyncEvent>("ticds.conflict/1", "A line of ticds-sync(1) `log`.") {
        $0.include(place, \.self)
        $0("localValue", "The new value here.", \.local)
        $0("remoteValue", "The new value on the other client.", \.remote)
        $0(
            "resolution", "Which value counted.", as: .orNull(.names(["remote", "local", "undecided"])),
            \.resolution)
    }
    static let warning = JSONSchema<SyncEvent>("ticds.warning/1", "A line of ticds-sync(1) `log`.") {
        $0.include(place, \.self)
        $0("warning", "The number of the framework's warning, 1 to 8.", as: .warningNumber, \.warningNumber)
        $0("kind", "As in `ticds.replay/1`.", as: .words(SyncNotice.Kind.self), \.name)
        $0("relatedEntity", "", \.relatedEntity)
        $0("value", "The contents of the framework's warning.", \.remote)
        $0("reason", "", \.reason)
    }

    private mutating func addText(_ event: SyncEvent) {
        let time =
            FileTime(secondsSince2001: event.time).map { out.style.second($0) }
            ?? "no time"
        let object = [event.entity, event.syncID, event.key].compactMap { $0 }.joined(separator: " ")
        let word = event.kind == .conflict ? out.colour.paint("conflict", .doubtful) : warningWord(event)
        out.text.line("\(time)  \(word)  \(object)")
        if event.kind == .conflict {
            out.text.line("    here: \(out.style.line(of: event.local))")
            out.text.line("    elsewhere: \(out.style.line(of: event.remote))")
            if let resolution = event.resolution { out.text.line("    counted: \(resolution)") }
        } else {
            if event.remote != .none { out.text.line("    value: \(out.style.line(of: event.remote))") }
            if let reason = event.reason { out.text.line("    \(reason)") }
        }
        if let set = event.changeSet, !set.isEmpty {
            out.text.line("    change set \(set) of \(event.client ?? "?")")
        }
    }

    private func warningWord(_ event: SyncEvent) -> TerminalText {
        "warning \(event.warningNumber.map { "\($0) " } ?? "")\(event.name ?? "")"
    }
}
