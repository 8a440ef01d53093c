import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import TICDSCore
import TICDSSync

/// A case of the framework's own code, with its answer (Tests/Fixtures/README.md).
struct OracleCase: CustomStringConvertible {
    struct Object {
        var id: String
        var syncID: String?
        var entity: String
        var attributes: [ArchivedPair]
        var relationships: [String: [String]]
    }

    struct Warning: Hashable {
        var type: Int
        var entity: String?
        var relatedEntity: String?
        var value: String
    }

    let name: String
    let model: ManagedObjectModel
    let objects: [Object]
    let local: [SyncChange]
    let sets: [[SyncChange]]
    let isAnswered: Bool
    let expectedObjects: [String]
    let expectedWarnings: [Warning]
    let expectedRemaining: [String]
    let conflicts: [[String: Any]]
    let localEdits: [[String: Any]]

    var hasLocalEdits: Bool { !localEdits.isEmpty }

    var description: String { name }

    /// Files of cases: the fixtures, and those named in the environment.
    static var files: [FilePath] {
        get throws {
            let named = ProcessInfo.processInfo.environment["TICDS_ORACLE_CASES"] ?? ""
            return try ["scenarios.jsonl", "random.jsonl"].map(Fixtures.oracle.appending)
                + named.split(separator: ":").map { FilePath(String($0)) }
        }
    }

    static func all(in file: FilePath) throws -> [OracleCase] {
        let text = try String(contentsOfFile: file.string, encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try OracleCase(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:])
        }
    }

    init(_ json: [String: Any]) throws {
        name = json["name"] as? String ?? "?"
        let question = json["case"] as? [String: Any] ?? [:]
        let answer = json["answer"] as? [String: Any] ?? [:]
        model = Self.model(question["model"] as? [String: Any] ?? [:])
        objects = Self.list(question["objects"]).map(Self.object)
        local = Self.changes(question["localChanges"])
        localEdits = Self.list(question["localEdits"])
        let applied = Set(question["appliedSets"] as? [String] ?? [])
        sets = Self.list(question["remoteSets"]).filter { !applied.contains($0["id"] as? String ?? "") }
            .sorted {
                let (one, other) = (
                    ($0["date"] as? NSNumber)?.doubleValue ?? 0, ($1["date"] as? NSNumber)?.doubleValue ?? 0
                )
                return (one, $0["id"] as? String ?? "") < (other, $1["id"] as? String ?? "")
            }.map { Self.changes($0["changes"]) }
        isAnswered = (answer["ok"] as? NSNumber)?.boolValue ?? false
        expectedObjects = Self.list(answer["objects"]).map { object in
            let object = Self.object(object)
            let syncID = object.syncID.map { ArchivedValue.string($0) } ?? .none
            let attributes = object.attributes.map { ($0.key.stringValue ?? "", $0.value) }
            return Portrait.line(
                object.entity,
                attributes.filter { $0.0 != SyncID.attribute } + [(SyncID.attribute, syncID)],
                object.relationships.map { ($0.key, $0.value, false) })
        }.sorted()
        expectedWarnings = Self.list(answer["warnings"]).map {
            Warning(
                type: ($0["type"] as? NSNumber)?.intValue ?? 0, entity: $0["entity"] as? String,
                relatedEntity: $0["relatedEntity"] as? String, value: Self.text(Self.value($0["attributes"])))
        }
        conflicts = Self.list(answer["conflicts"])
        // The framework records each save; ticds records their result.
        let remaining = Self.changes(answer["remainingLocalChanges"])
        expectedRemaining =
            (localEdits.isEmpty ? remaining : remaining.reduce([]) { LocalEditRecorder.merged($0, [$1]) })
            .map(Self.text).sorted()
    }

    /// The reason for a deliberate difference of ticds; nil if the answers must be equal.
    var deliberateDifference: String? {
        let changes = sets.flatMap { $0 }
        if changes.contains(where: {
            $0.type == .insert && $0.changedAttributes[SyncID.attribute]?.stringValue == nil
        }) {
            return "an insertion without ticdsSyncID gets the one of the change"
        }
        if objects.contains(where: { $0.syncID == nil }),
            changes.contains(where: { $0.type == .toOne && $0.relatedSyncID == nil })
        {
            return "a to-one that is cleared is bound to no object that happens to have no sync ID"
        }
        if changes.contains(where: { $0.objectSyncID == nil }) {
            return "a change without sync ID is left out"
        }
        if conflicts.contains(where: { Self.value($0["local"]).isNil && Self.value($0["remote"]).isNil }) {
            return "nil and NSNull are no conflict"
        }
        return nil
    }

    static func text(_ change: SyncChange) -> String {
        let values = [change.changedAttributes, change.changedRelationships].map(text)
        return "\(change.type.name) \(change.objectSyncID ?? "") \(change.key ?? "") \(values)"
    }

    static func text(_ value: ArchivedValue) -> String {
        if case .dictionary(let pairs) = value {
            return pairs.map { "\($0.key.stringValue ?? ""):\(text($0.value))" }.sorted().joined(
                separator: ",")
        }
        return value.isNil ? "nil" : Portrait.text(value)
    }
}

extension OracleCase {
    private static func list(_ json: Any?) -> [[String: Any]] { json as? [[String: Any]] ?? [] }

    private static func model(_ json: [String: Any]) -> ManagedObjectModel {
        let types: [String: AttributeType] = [
            "int16": .integer16, "int32": .integer32, "int64": .integer64, "date": .date, "binary": .binary,
            "bool": .boolean, "boolean": .boolean, "double": .double, "float": .float, "decimal": .decimal,
            "transformable": .transformable, "data": .binary,
        ]
        let rules: [String: DeleteRule] = ["cascade": .cascade, "deny": .deny, "noaction": .noAction]
        return ManagedObjectModel(
            entities: list(json["entities"]).map { entity in
                EntityDescription(
                    name: entity["name"] as? String ?? "", superentity: entity["parent"] as? String,
                    attributes: list(entity["attributes"]).map {
                        AttributeDescription(
                            name: $0["name"] as? String ?? "",
                            type: types[$0["type"] as? String ?? ""] ?? .string,
                            defaultValue: $0["default"].map(value))
                    },
                    relationships: list(entity["relationships"]).map {
                        RelationshipDescription(
                            name: $0["name"] as? String ?? "",
                            destination: $0["destination"] as? String ?? "",
                            inverse: $0["inverse"] as? String,
                            maxCount: ($0["toMany"] as? NSNumber)?.boolValue == true ? 0 : 1,
                            deleteRule: rules[($0["deleteRule"] as? String ?? "").lowercased()] ?? .nullify)
                    })
            })
    }

    private static func object(_ json: [String: Any]) -> Object {
        let syncID = json["syncID"] as? String
        var relationships: [String: [String]] = [:]
        for (name, target) in json["relationships"] as? [String: Any] ?? [:] {
            relationships[name] = target as? [String] ?? (target as? String).map { [$0] } ?? []
        }
        return Object(
            id: json["id"] as? String ?? syncID ?? "", syncID: syncID,
            entity: json["entity"] as? String ?? "",
            attributes: pairs(json["attributes"]), relationships: relationships)
    }

    private static func pairs(_ json: Any?) -> [ArchivedPair] {
        (json as? [String: Any] ?? [:]).map { ArchivedPair(key: .string($0.key), value: value($0.value)) }
    }

    private static func changes(_ json: Any?) -> [SyncChange] {
        let numbers = ["insert": 1, "attribute": 2, "toOne": 3, "add": 4, "remove": 5, "delete": 10]
        let changes = list(json).enumerated().map { position, change in
            let number =
                (change["changeType"] as? NSNumber)?.intValue
                ?? numbers[change["changeType"] as? String ?? ""]
            return SyncChange(
                type: ChangeType(number: number ?? 0), entity: change["objectEntityName"] as? String ?? "",
                objectSyncID: change["objectSyncID"] as? String, key: change["relevantKey"] as? String,
                relatedEntity: change["relatedObjectEntityName"] as? String,
                changedAttributes: value(change["changedAttributes"]),
                changedRelationships: value(change["changedRelationships"]), timestamp: Double(position))
        }
        return changes.sorted {
            ($0.type.number, $0.timestamp ?? 0) < ($1.type.number, $1.timestamp ?? 0)
        }
    }

    static func value(_ json: Any?) -> ArchivedValue {
        switch json {
        case let text as String: return .string(text)
        case let number as NSNumber:
            if CFNumberIsBoolean(number) { return .boolean(number.boolValue) }
            return Int(exactly: number.doubleValue).map { .integer(Int128($0)) } ?? .real(number.doubleValue)
        case let members as [Any]: return .array(members.map(value))
        case let dictionary as [String: Any]: return tagged(dictionary) ?? .dictionary(pairs(dictionary))
        default: return .none
        }
    }

    private static func CFNumberIsBoolean(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
    }

    private static func tagged(_ json: [String: Any]) -> ArchivedValue? {
        if json["$null"] != nil { return .null }
        if let text = json["$data"] as? String { return .data([UInt8](Data(base64Encoded: text) ?? Data())) }
        if let text = json["$decimal"] as? String { return ArchivedDecimal(text: text).map { .decimal($0) } }
        if let number = json["$int"] as? NSNumber { return .integer(Int128(number.int64Value)) }
        if let number = json["$real"] as? NSNumber { return .real(number.doubleValue) }
        guard let date = json["$date"] else { return nil }
        // The library under the framework converts 0 to 2 seconds.
        if let number = date as? NSNumber { return .date(number.doubleValue == 0 ? 2 : number.doubleValue) }
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let parts = (date as? String ?? "").split(separator: ".")
        guard let whole = parts.first, let start = formatter.date(from: whole + ".000Z") else { return nil }
        let fraction = parts.count > 1 ? Double("0." + parts[1].dropLast()) ?? 0 : 0
        return .date(start.timeIntervalSinceReferenceDate + fraction)
    }
}
