import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// Prints changes as events that Timesketch imports: JSON Lines of the schema "ticds.event/1".
struct TimesketchLines: ~Copyable {
    private var json: JSONWriter
    /// The descriptions of clients, by identifier.
    var clientNames: [String: String] = [:]
    /// The number of changes without any time, which cannot be events.
    private(set) var omitted = 0

    private let style: TextStyle

    init(_ context: CommandContext) {
        json = context.lines()
        style = context.style
    }

    mutating func add(_ record: ChangeRecord) {
        guard let event = Event(record, clientNames, style) else {
            omitted += 1
            return
        }
        json.document(event, Self.schema)
    }

    mutating func finish() throws(FileProblem) { try json.flush() }

    /// A change with its time.
    struct Event {
        let record: ChangeRecord
        /// The style of its values.
        let style: TextStyle
        let device: String?
        let time: FileTime
        /// Whether the time is that of the change itself, by the clock of its author.
        let isOwnTime: Bool

        /// An event; nil without a time between the years 1 and 9999.
        init?(_ record: ChangeRecord, _ names: [String: String], _ style: TextStyle) {
            func usable(_ time: FileTime?) -> FileTime? { time.flatMap { $0.hasFourDigitYear ? $0 : nil } }
            let own = usable(record.change.timestamp.flatMap { FileTime(secondsSince2001: $0) })
            let sent = usable(ChangeSetIdentifier.nominalTime(RemoteName(record.changeSet)))
            guard let time = own ?? sent else { return nil }
            self.record = record
            self.style = style
            self.time = time
            isOwnTime = own != nil
            device = record.client.flatMap { names[$0] }
        }

        /// The time in ISO 8601 with microseconds and the offset from UTC.
        var datetime: String {
            let micros = String(time.nanoseconds / 1_000)
            let fraction = String(repeating: "0", count: 6 - micros.count) + micros
            return FileTime(seconds: time.seconds).iso.prefix { $0 != "." } + "." + fraction + "+00:00"
        }

        var description: String { isOwnTime ? "Change Made" : "Change Set Sent" }
    }

    static let schema = JSONSchema<Event>(
        "ticds.event/1",
        """
        Printed by ticds-changes(1) `dump` with `--timesketch`: a line for each sync change. The first three keys are those \
        of Timesketch and of the JSON lines of plaso, whose names have underscores.
        """
    ) {
        $0("message", "The change as `dump` prints it.", { ChangeText.sentence($0.record.change, $0.style) })
        $0(
            "datetime", "The time of the change: ISO 8601 with microseconds and the offset from UTC.",
            as: .text, \.datetime)
        $0(
            "timestamp_desc",
            """
            `Change Made` by the clock of its author; or `Change Set Sent`, from the name of its set, if the change has no \
            time.
            """, \.description)
        $0("data_type", "", as: .names(["ticds:change"]), { _ in "ticds:change" })
        $0("device", "The description of the client; null if it is not known.", \.device)
        $0("document", "As in `ticds.change/1`.", { $0.record.document })
        $0("client", "As in `ticds.change/1`.", { $0.record.client })
        $0("change_set", "Identifier of the change set.", { $0.record.changeSet })
        $0("sequence", "As in `ticds.change/1`.", as: .number(from: 1), { $0.record.sequence })
        $0("change_type", "", as: ChangeLines.types, { $0.record.change.type.name })
        $0("entity", "Entity of the changed object.", { $0.record.change.entity })
        $0("object", "The sync ID of the object.", { $0.record.change.objectSyncID })
        $0(
            "attribute", "The attribute or relationship; null for an insert and a delete.",
            { $0.record.change.key })
        $0(
            "value", "The new value of an attribute as text, shortened; null in other changes.",
            { event in
                event.record.change.type == .attribute
                    ? event.style.line(of: event.record.change.changedAttributes) : nil
            })
        $0("related_entity", "In a change of a relationship.", { $0.record.change.relatedEntity })
        $0("related_object", "The sync ID of the related object.", { $0.record.change.relatedSyncID })
    }
}

/// A change in words.
enum ChangeText {
    static func sentence(_ change: SyncChange, _ style: TextStyle) -> String {
        "\(verb(change.type)) \(object(change))\(details(change, style))"
    }

    static func object(_ change: SyncChange) -> String {
        "\(change.entity.isEmpty ? "(no entity)" : change.entity) \(change.objectSyncID ?? "(no sync ID)")"
    }

    static func verb(_ type: ChangeType) -> String {
        switch type {
        case .insert: "insert"
        case .delete: "delete"
        case .unknown(let number): "type \(number)?"
        case .attribute: "set"
        case .toOne: "relate"
        case .addToMany: "add"
        case .removeFromMany: "remove"
        }
    }

    static func details(_ change: SyncChange, _ style: TextStyle) -> String {
        let key = change.key ?? ""
        switch change.type {
        case .attribute: return ": \(key) = \(style.line(of: change.changedAttributes))"
        case .toOne, .addToMany, .removeFromMany:
            let related = change.relatedSyncID.map { "\(change.relatedEntity ?? "?") \($0)" } ?? "nothing"
            return ": \(key) → \(related)"
        case .insert, .delete: return ""
        case .unknown: return key.isEmpty ? "" : ": \(key)"
        }
    }
}
