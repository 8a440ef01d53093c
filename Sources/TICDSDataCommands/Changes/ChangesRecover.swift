import ArgumentParser
import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ChangesRecover: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Prints what is left of a truncated or damaged change set.",
        discussion: """
            Finds the changes in the file without its tables, and changes nothing. Each change comes with what is lost of \
            it. With --to the intact changes become a new change set.

            Examples:
              ticds-changes recover 0405432101.123456-E621E1F8.syncchg
              ticds-changes recover 0405432101.123456-E621E1F8.syncchg --to recovered.syncchg
              ticds-changes recover --json damaged.syncchg | jq -c 'select(.whole | not)'
            """)

    @Argument(help: "The change set file.", completion: .file())
    var file: String

    @Option(
        help: .value("file", "The new change set to write, of the changes that are whole."),
        completion: .file())
    var to: String?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try to.map { name in
            try AtomicOutput(try OutputTarget.path(name), isReplacing: false, offersForce: false)
        }
        var keyrings = FileKeyrings(password)
        let named = try ChangeSetFile(RemoteAddress(path: Environment.path(argument: file)), &keyrings)
        let path = named.path
        let bytes = try keyrings.read(named)
        let set = try DamagedChangeSet(bytes, path: path)
        for problem in set.store.problems { context.report(problem) }
        var summary = Summary(set)
        if let lost = set.store.lostKeys, !lost.isEmpty {
            context.report(
                FileProblem(
                    .damaged, path: path, offset: set.store.objects.end,
                    "of \(Quantities.count(lost.count, "change")) nothing is left",
                    expected: Quantities.count(lost.count +| set.store.nodes.count, "change"),
                    found: "\(set.store.nodes.count)"))
        }
        if summary.lost == nil, context.json { context.warn("nothing shows how many changes are lost") }
        guard let target else {
            var lines = RecoveredChangeLines(context)
            try set.forEachChange { change in
                summary.add(change)
                lines.add(change, named.place)
            }
            if !context.json { summary.show(to: &lines.out.text, context) }
            try lines.out.finish()
            return summary.status
        }
        var whole = ChangeSetDraft(like: set.store.metadata)
        try set.forEachChange { (change) throws(FileProblem) in
            summary.add(change)
            guard change.isWhole else { return }
            do throws(PropertyListError) {
                try whole.append(change.change)
            } catch {
                throw FileProblem(error, path: path)
            }
        }
        guard whole.count > 0 else {
            throw FileProblem(
                .damaged, path: path, "no change is whole, so that nothing was written",
                advice: summary.partial > 0 ? "Look at what is left of the changes without --to" : nil)
        }
        let made: BinaryStoreOutput
        do throws(PropertyListError) { made = try whole.output() } catch {
            throw FileProblem(error, path: path)
        }
        try NewFile.write(to: target.path) { (sink) throws(FileProblem) in try made.write(to: sink) }
        try target.finish()
        summary.target = target.target
        try context.print(summary, Self.schema) { summary.show(to: &$0, context) }
        return summary.status
    }

    /// The numbers of changes.
    struct Summary {
        let path: FilePath
        let size: (found: Int, expected: Int?)
        /// The number of lost changes; nil if it is unknown.
        let lost: Int?
        let problems: Int
        private(set) var whole = 0
        private(set) var partial = 0
        var target: FilePath?

        init(_ set: DamagedChangeSet) {
            path = set.store.path
            size = set.store.size
            lost = set.store.lostKeys?.count
            problems = set.store.problems.count
        }

        mutating func add(_ change: RecoveredChange) {
            whole += change.isWhole ? 1 : 0
            partial += change.isWhole ? 0 : 1
        }

        var status: ExitStatus { problems == 0 && partial == 0 && lost == 0 ? .success : .partial }

        func show(to text: inout OutputBuffer, _ context: CommandContext) {
            if context.quiet { return }
            let missing = lost.map { "\(Quantities.count($0)) lost" } ?? "nothing shows how many are lost"
            text.line(
                "\(Quantities.count(whole, "change")) whole, \(Quantities.count(partial)) in part, \(missing)"
            )
            if let target { text.line("written: \(target.escaped), with those that are whole") }
        }
    }

    static let schema = JSONSchema<Summary>(
        "ticds.changeRecovery/1", "Printed by ticds-changes(1) `recover` with `--to`."
    ) {
        $0("changeSet", "The file.", \.path)
        $0("target", "The change set that was written.", \.target)
        $0("size", "Bytes of the file.", \.size.found)
        $0("expectedSize", "Bytes by the header; null if that is damaged.", \.size.expected)
        $0("whole", "The number of changes of which nothing is lost.", \.whole)
        $0("partial", "The number of changes of which a part is lost.", \.partial)
        $0("lost", "The number of changes of which nothing is left; null if nothing shows it.", \.lost)
        $0("problems", "The number of things that could not be read, beside changes.", \.problems)
    }
}

/// Prints the surviving parts of changes: JSON Lines of schema "ticds.recoveredChange/1", or text.
struct RecoveredChangeLines: ~Copyable {
    var out: LineOutput

    init(_ context: CommandContext) { out = LineOutput(context) }

    static let schema = JSONSchema<Void>(
        "ticds.recoveredChange/1",
        "Printed by ticds-changes(1) `recover`: a line for each change that is left."
    ) {
        $0("changeSet", "Identifier of the change set: the name of its file without `.syncchg`.", as: .text)
        $0("whole", "Whether nothing of the change is lost.", as: .boolean)
        $0(
            "missing",
            """
            The fields that are lost, by their names here. Of `attributes` some can be left; for a change of an attribute \
            it means its value.
            """, as: .array(.words(RecoveredChange.Part.self)))
        $0(
            "missingAttributes", "Attributes of an insert whose values are lost, as far as they are known.",
            as: .array(.text))
        $0("offset", "Where the change is in the file.", as: .shared("integer"))
        $0("type", "Null if it is lost.", as: .orNull(ChangeLines.types))
        $0("changeType", "The number of the type.", as: .orNull(.integer))
        $0("entity", "Entity of the changed object.", as: .orNull(.text))
        $0("objectSyncID", "The object.", as: .orNull(.text))
        $0("key", "The attribute or relationship.", as: .orNull(.text))
        $0("relatedEntity", "The entity at the other end of a relationship.", as: .orNull(.text))
        $0(
            "attributes", "What is left of the attributes of an insert, or the value of an attribute.",
            as: .value)
        $0("relatedSyncID", "The related object.", as: .orNull(.text))
        $0("timestamp", "The time of the change, by the clock of its author.", as: .orNull(.shared("date")))
    }

    mutating func add(_ recovered: RecoveredChange, _ place: ChangePlace) {
        if out.isJSON { Self.write(recovered, place, &out.json) } else { addText(recovered) }
    }

    private static func write(_ recovered: RecoveredChange, _ place: ChangePlace, _ json: inout JSONWriter) {
        let change = recovered.change
        json.begin(schema.name)
        json.field("changeSet", place.changeSet)
        json.field("whole", recovered.isWhole)
        json.array("missing", RecoveredChange.Part.allCases.filter { !recovered.has($0) }) {
            $0.value($1.rawValue)
        }
        json.array("missingAttributes", recovered.missingAttributes) { $0.value($1) }
        json.field("offset", recovered.offset)
        json.field("type", recovered.has(.type) ? change.type.name : nil)
        json.field("changeType", recovered.has(.type) ? change.type.number : nil)
        json.field("entity", recovered.has(.entity) ? change.entity : nil)
        json.field("objectSyncID", change.objectSyncID)
        json.field("key", change.key)
        json.field("relatedEntity", change.relatedEntity)
        json.field("attributes", change.changedAttributes)
        json.field("relatedSyncID", change.relatedSyncID)
        json.key("timestamp")
        json.value(change.timestamp.map { ArchivedValue.date($0) } ?? .none)
        json.end()
    }

    private mutating func addText(_ recovered: RecoveredChange) {
        let change = recovered.change
        let time =
            change.timestamp.flatMap { FileTime(secondsSince2001: $0) }.map { out.style.second($0) }
            ?? "no timestamp"
        let verb = recovered.has(.type) ? ChangeText.verb(change.type) : "change of a type that is lost:"
        let lost = RecoveredChange.Part.allCases.filter { !recovered.has($0) }.map { part in
            part == .attributes && !recovered.missingAttributes.isEmpty
                ? "attributes \(recovered.missingAttributes.joined(separator: ", "))" : part.rawValue
        }
        out.text.line(
            "\(time)  \(verb) \(ChangeText.object(change))\(ChangeText.details(change, out.style))"
                + (lost.isEmpty ? "" : "  lost: \(lost.joined(separator: ", "))"))
        guard change.type == .insert, recovered.has(.type) else { return }
        for pair in change.changedAttributes.pairs ?? [] {
            out.text.line("\t\t\(pair.key.stringValue ?? "?") = \(out.style.line(of: pair.value))")
        }
    }
}

extension RecoveredChange {
    /// Whether a part survives.
    fileprivate func has(_ part: Part) -> Bool { !missing.contains(part) }
}
