import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// Prints changes as they come: JSON Lines of schema "ticds.change/1", or text with a heading for each set.
struct ChangeLines: ~Copyable {
    private let isJSON: Bool
    private let colour: Colour
    /// What people call a client, by identifier.
    var clientNames: [String: String] = [:]
    private var json: JSONWriter
    private var text: OutputBuffer
    private var heading: (client: String?, changeSet: String)?

    init(_ output: OutputOptions) {
        isJSON = output.json
        colour = output.colour()
        json = output.lines()
        text = output.longText()
    }

    mutating func add(_ record: ChangeRecord) throws(FileProblem) {
        if isJSON { addJSON(record) } else { addText(record) }
    }

    mutating func finish() throws(FileProblem) {
        if isJSON { try json.flush() } else { try text.flush() }
    }

    private mutating func addJSON(_ record: ChangeRecord) {
        let change = record.change
        json.begin("ticds.change/1")
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

    private mutating func addText(_ record: ChangeRecord) {
        if heading?.changeSet != record.changeSet || heading?.client != record.client {
            if heading != nil { text.line() }
            heading = (record.client, record.changeSet)
            let place = [record.document, record.client.map { clientNames[$0] ?? $0 }, record.changeSet]
                .compactMap { $0 }
            text.line(colour.paint(place.joined(separator: " / "), .bold))
        }
        let change = record.change
        let time =
            change.timestamp.flatMap { FileTime(secondsSince2001: $0) }?.localSeconds ?? "no time stamp"
        let entity = change.entity.isEmpty ? "(no entity)" : change.entity
        let object = "\(entity) \(change.objectSyncID ?? "(no sync ID)")"
        text.line("\(record.sequence)\t\(time)  \(verb(change.type)) \(object)\(details(change))")
        guard change.type == .insert else { return }
        for pair in change.changedAttributes.pairs ?? [] {
            text.line(
                "\t\t\(pair.key.stringValue ?? "?") = \(ValueText.line(pair.value))")
        }
    }

    private func verb(_ type: ChangeType) -> ScreenText {
        switch type {
        case .insert: "insert"
        case .delete: "delete"
        case .unknown(let number): colour.paint("type \(number)?", .doubtful)
        case .attribute: "set"
        case .toOne: "relate"
        case .addToMany: "add"
        case .removeFromMany: "remove"
        }
    }

    private func details(_ change: SyncChange) -> String {
        let key = change.key ?? ""
        switch change.type {
        case .attribute: return ": \(key) = \(ValueText.line(change.changedAttributes))"
        case .toOne, .addToMany, .removeFromMany:
            let related = change.relatedSyncID.map { "\(change.relatedEntity ?? "?") \($0)" } ?? "nothing"
            return ": \(key) → \(related)"
        case .insert, .delete: return ""
        case .unknown: return key.isEmpty ? "" : ": \(key)"
        }
    }
}
