import Base
import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// Prints changes as they come: JSON Lines of schema "ticds.change/1", or text with a heading for each set.
struct ChangeLines: ~Copyable {
    private var out: LineOutput
    /// The descriptions of clients, by identifier.
    var clientNames: [String: String] = [:]
    /// The search, if text is one line for each change, for inserts with the values that match.
    var wanted: ChangeSearch?
    /// Whether these lines are kept until the end, and then printed by object.
    var isByObject = false
    private var groups: [(heading: String, lines: [TerminalText])] = []
    private var numbers: [String: Int] = [:]
    private var heading: (client: String?, changeSet: String)?

    init(_ context: CommandContext) { out = LineOutput(context) }

    /// Lines that stay in memory.
    init(collectingJSON isJSON: Bool, _ style: TextStyle) {
        out = LineOutput(collectingJSON: isJSON, style)
    }

    /// The lines that stay in memory.
    var collected: [UInt8] { out.collected }

    /// The number of bytes of text that stay in memory.
    var count: Int { out.text.count }

    /// Drops the text that stays in memory.
    mutating func clear() { out.text.cut(to: 0) }

    /// Adds the report of a problem to the lines that stay in memory.
    mutating func add(_ problem: FileProblem) {
        let report = ErrorReport(problem)
        if out.isJSON {
            out.json.output.append(raw: report.json)
            out.json.output.append(byte: 0x0A)
        } else {
            out.text.line("error: \(report.line)")
        }
    }

    mutating func add(_ record: ChangeRecord) throws(FileProblem) {
        if out.isJSON { Self.write(record, to: &out.json) } else { addText(record) }
    }

    /// Adds the changes of a set from its bytes, as far as that is possible; see `ChangeTranscript`. Returns the number
    /// of added changes; nil for all.
    mutating func add(_ bytes: SharedBytes, _ place: ChangePlace) -> Int? {
        guard out.isJSON, let transcript = ChangeTranscript(bytes, place, workers: out.workers) else {
            return 0
        }
        return transcript.write(to: &out.json)
    }

    mutating func finish(_ note: String? = nil) throws(FileProblem) {
        for (number, group) in groups.enumerated() {
            if number > 0 { out.text.line() }
            out.text.line(out.colour.paint(group.heading, .bold))
            for line in group.lines { out.text.line("    \(line)") }
        }
        try out.finish(note)
    }

    static let types = JSONType.names([
        "insert", "attribute", "toOne", "addToMany", "removeFromMany", "delete", "unknown",
    ])

    /// Written below: there may be millions.
    static let schema = JSONSchema<Void>(
        "ticds.change/1",
        "Printed by ticds-changes(1) `dump`, `log` and `search`: a line for each sync change.",
        rules: """
            "allOf": [
                { "if": { "properties": { "type": { "const": "insert" } } }, "then": { "required": ["attributes"] } },
                { "if": { "properties": { "type": { "const": "attribute" } } }, "then": { "required": ["key", "value"] } },
                {
                  "if": { "properties": { "type": { "enum": ["toOne", "addToMany", "removeFromMany"] } } },
                  "then": { "required": ["key", "relatedEntity", "relatedSyncID"] }
                },
                {
                  "if": { "properties": { "type": { "const": "unknown" } } },
                  "then": { "required": ["changeType", "key", "relatedEntity", "attributes", "relatedSyncID"] }
                }
              ]
            """
    ) {
        $0("document", "Identifier of the document; null for a file outside a remote.", as: .orNull(.text))
        $0("client", "The client that wrote the set; null for a file outside a remote.", as: .orNull(.text))
        $0("changeSet", "Identifier of the change set: the name of its file without `.syncchg`.", as: .text)
        $0(
            "sequence",
            """
            Place of the change in the order of application within its set, from 1. Changes that a filter leaves out are \
            counted.
            """, as: .number(from: 1))
        $0("type", "", as: types)
        $0("changeType", "Only in an unknown change: the number of its type.", as: .integer, isOptional: true)
        $0("entity", "Entity of the changed object.", as: .text)
        $0("objectSyncID", "The object. No client can find an object without a sync ID.", as: .orNull(.text))
        $0(
            "attributes",
            """
            In an insert: an object of the values by name, without those that are nil. In an unknown change: the value as \
            it is stored. Absent in other changes.
            """, as: .value, isOptional: true)
        $0(
            "key", "The attribute or relationship; absent in an insert and a delete.", as: .orNull(.text),
            isOptional: true)
        $0("value", "Only in a change of an attribute: the new value.", as: .value, isOptional: true)
        $0(
            "relatedEntity",
            """
            Only in a change of a relationship, and in an unknown one: the entity at the other end according to the model; \
            the object may be of a subentity.
            """, as: .orNull(.text), isOptional: true)
        $0(
            "relatedSyncID",
            """
            With `relatedEntity`: the related object; null in a `toOne` means that the relationship was cleared.
            """, as: .orNull(.text), isOptional: true)
        $0("timestamp", "The time of the change, by the clock of its author.", as: .orNull(.shared("date")))
    }

    /// Writes one line of the schema.
    static func write(_ record: ChangeRecord, to json: inout JSONWriter) {
        let change = record.change
        json.begin(schema.name)
        json.field("document", record.document)
        json.field("client", record.client)
        json.field("changeSet", record.changeSet)
        json.field("sequence", record.sequence)
        json.field("type", change.type.name)
        if case .unknown(let number) = change.type { json.field("changeType", number) }
        json.field("entity", change.entity)
        json.field("objectSyncID", change.objectSyncID)
        switch change.type {
        case .insert: json.field("attributes", change.changedAttributes)
        case .attribute:
            json.field("key", change.key)
            json.field("value", change.changedAttributes)
        case .toOne, .addToMany, .removeFromMany:
            json.field("key", change.key)
            json.field("relatedEntity", change.relatedEntity)
            json.field("relatedSyncID", change.relatedSyncID)
        case .delete: break
        case .unknown:
            json.field("key", change.key)
            json.field("relatedEntity", change.relatedEntity)
            json.field("attributes", change.changedAttributes)
            json.field("relatedSyncID", change.relatedSyncID)
        }
        json.key("timestamp")
        json.value(change.timestamp.map { ArchivedValue.date($0) } ?? .none)
        json.end()
    }

    /// The columns of the time: the lines after the first of a change stand right of it.
    private static let hanging = 21

    private mutating func addText(_ record: ChangeRecord) {
        if let wanted { return addLine(record, wanted) }
        if heading?.changeSet != record.changeSet || heading?.client != record.client {
            if heading != nil { out.text.line() }
            heading = (record.client, record.changeSet)
            addHeading(of: record)
        }
        addBody(of: record)
    }

    /// Adds the heading of the set of a change.
    mutating func addHeading(of record: ChangeRecord) {
        let place = [record.document, record.client.map { clientNames[$0] ?? $0 }, record.changeSet]
            .compactMap { $0 }
        out.text.line(out.colour.paint(place.joined(separator: " / "), .bold))
    }

    /// Adds the lines of a change below the heading of its set.
    mutating func addBody(of record: ChangeRecord) {
        let change = record.change
        out.text.line(
            "\(record.sequence)\t\(time(of: change))  \(verb(change.type)) \(ChangeText.object(change))\(ChangeText.details(change, out.style))",
            hanging: Self.hanging)
        guard change.type == .insert else { return }
        for pair in change.changedAttributes.pairs ?? [] {
            out.text.line("\t\t\(pair.key.stringValue ?? "?") = \(out.style.line(of: pair.value))")
        }
    }

    private mutating func addLine(_ record: ChangeRecord, _ wanted: ChangeSearch) {
        let change = record.change
        let author = record.client.map { clientNames[$0] ?? $0 } ?? "?"
        var details = ChangeText.details(change, out.style)
        if change.type == .insert {
            let values = wanted.matches(in: change).compactMap { match in
                match.key.map { "\($0) = \(out.style.line(of: match.value))" }
            }
            if !values.isEmpty { details = ": " + values.joined(separator: ", ") }
        }
        let syncID = change.objectSyncID ?? "(no sync ID)"
        let object = "\(change.entity) \(Self.beginning(of: syncID))"
        let start = "\(time(of: change))  \(author)  "
        guard isByObject else {
            if let document = record.document, heading?.changeSet != document {
                if heading != nil { out.text.line() }
                heading = (nil, document)
                out.text.line(out.colour.paint("Document \(document)", .bold))
            }
            return out.text.line("\(start)\(verb(change.type)) \(object)\(details)", hanging: Self.hanging)
        }
        let key = "\(record.document ?? "") \(syncID)"
        let number = numbers[key] ?? groups.count
        if number == groups.count {
            numbers[key] = number
            groups.append((record.document.map { "\(object) in \($0)" } ?? object, []))
        }
        groups[number].lines.append("\(start)\(verb(change.type))\(details)")
    }

    /// A part of a sync ID that is enough to name the object.
    static func beginning(of syncID: String) -> String {
        guard syncID.count > 36, let end = syncID.firstIndex(of: "-") else { return syncID }
        return String(syncID[..<end])
    }

    private func time(of change: SyncChange) -> String {
        change.timestamp.flatMap { FileTime(secondsSince2001: $0) }.map { out.style.second($0) }
            ?? "no timestamp"
    }

    private func verb(_ type: ChangeType) -> TerminalText {
        guard case .unknown = type else { return "\(ChangeText.verb(type))" }
        return out.colour.paint(ChangeText.verb(type), .doubtful)
    }
}
