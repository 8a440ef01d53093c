import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// Prints changes as they come: JSON Lines of schema "ticds.change/1", or text with a heading for each set.
struct ChangeLines: ~Copyable {
    private var out: LineOutput
    /// What people call a client, by identifier.
    var clientNames: [String: String] = [:]
    private var heading: (client: String?, changeSet: String)?

    init(_ output: OutputOptions) { out = LineOutput(output) }

    mutating func add(_ record: ChangeRecord) throws(FileProblem) {
        if out.isJSON { addJSON(record) } else { addText(record) }
    }

    mutating func finish() throws(FileProblem) { try out.finish() }

    private mutating func addJSON(_ record: ChangeRecord) {
        let change = record.change
        out.json.begin("ticds.change/1")
        out.json.field("document", record.document)
        out.json.field("client", record.client)
        out.json.field("changeSet", record.changeSet)
        out.json.field("sequence", record.sequence)
        out.json.field("type", change.type.name)
        if case .unknown(let number) = change.type { out.json.field("changeType", number) }
        out.json.field("entity", change.entity)
        out.json.field("objectSyncID", change.objectSyncID)
        switch change.type {
        case .insert: out.json.field("attributes", change.changedAttributes)
        case .attribute:
            out.json.field("key", change.key)
            out.json.field("value", change.changedAttributes)
        case .toOne, .addToMany, .removeFromMany:
            out.json.field("key", change.key)
            out.json.field("relatedEntity", change.relatedEntity)
            out.json.field("relatedSyncID", change.relatedSyncID)
        case .delete: break
        case .unknown:
            out.json.field("key", change.key)
            out.json.field("relatedEntity", change.relatedEntity)
            out.json.field("attributes", change.changedAttributes)
            out.json.field("relatedSyncID", change.relatedSyncID)
        }
        out.json.key("timestamp")
        out.json.value(change.timestamp.map { ArchivedValue.date($0) } ?? .none)
        out.json.end()
    }

    private mutating func addText(_ record: ChangeRecord) {
        if heading?.changeSet != record.changeSet || heading?.client != record.client {
            if heading != nil { out.text.line() }
            heading = (record.client, record.changeSet)
            let place = [record.document, record.client.map { clientNames[$0] ?? $0 }, record.changeSet]
                .compactMap { $0 }
            out.text.line(out.colour.paint(place.joined(separator: " / "), .bold))
        }
        let change = record.change
        let time =
            change.timestamp.flatMap { FileTime(secondsSince2001: $0) }?.localSeconds ?? "no time stamp"
        let entity = change.entity.isEmpty ? "(no entity)" : change.entity
        let object = "\(entity) \(change.objectSyncID ?? "(no sync ID)")"
        out.text.line("\(record.sequence)\t\(time)  \(verb(change.type)) \(object)\(details(change))")
        guard change.type == .insert else { return }
        for pair in change.changedAttributes.pairs ?? [] {
            out.text.line(
                "\t\t\(pair.key.stringValue ?? "?") = \(ValueText.line(pair.value))")
        }
    }

    private func verb(_ type: ChangeType) -> ScreenText {
        switch type {
        case .insert: "insert"
        case .delete: "delete"
        case .unknown(let number): out.colour.paint("type \(number)?", .doubtful)
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
