import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A random history of a document with every kind of property, written by several clients. The same seed makes the
/// same history.
struct RandomHistory {
    struct Set {
        var client: String
        var identifier: String
        /// The time in seconds since 2001.
        var modified: Double
        var changes: [SyncChange]
    }

    let sets: [Set]
    private var state: UInt64

    /// The sets in the order of application.
    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var sets: [Set] = []
        var made = self.state
        let count = Int(Self.next(&made) % 6) + 2
        for number in 0..<count {
            let client = "client-\(Self.next(&made) % 3)"
            var changes: [SyncChange] = []
            for position in 0..<Int(Self.next(&made) % 18) {
                changes.append(Self.change(&made, Double(position / 2)))
            }
            sets.append(
                Set(
                    client: client, identifier: "set-\(Self.next(&made) % 100_000)-\(number)",
                    modified: 400_000_000 + Double(Self.next(&made) % 5), changes: changes))
        }
        self.sets = sets.sorted { ($0.modified, $0.identifier) < ($1.modified, $1.identifier) }
        state = made
    }

    private static func next(_ state: inout UInt64) -> UInt64 {
        SeededNumbers.next(&state)
    }

    private static func pick<Value>(_ values: [Value], _ state: inout UInt64) -> Value {
        values[Int(next(&state) % UInt64(values.count))]
    }

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Thing", isAbstract: true,
            attributes: [
                AttributeDescription(name: "ticdsSyncID", type: .string),
                AttributeDescription(name: "title", type: .string),
            ],
            relationships: [
                RelationshipDescription(name: "folder", destination: "Folder", inverse: "things"),
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "things", maxCount: 0),
            ]),
        EntityDescription(
            name: "Note", superentity: "Thing",
            attributes: [
                AttributeDescription(name: "count", type: .integer32, defaultValue: .integer(7)),
                AttributeDescription(name: "size", type: .double),
                AttributeDescription(name: "when", type: .date),
            ],
            relationships: [
                RelationshipDescription(name: "author", destination: "Thing"),
                RelationshipDescription(
                    name: "cover", destination: "Picture", inverse: "note", deleteRule: .cascade),
            ]),
        EntityDescription(
            name: "Memo", superentity: "Note",
            attributes: [
                AttributeDescription(name: "flag", type: .boolean),
                AttributeDescription(name: "list", type: .transformable),
            ]),
        EntityDescription(
            name: "Task", superentity: "Thing",
            attributes: [
                AttributeDescription(name: "count", type: .integer64),
                AttributeDescription(name: "price", type: .decimal),
            ],
            relationships: [
                RelationshipDescription(name: "author", destination: "Task", deleteRule: .noAction)
            ]),
        EntityDescription(
            name: "Folder",
            attributes: [
                AttributeDescription(name: "name", type: .string, defaultValue: .string("new")),
                AttributeDescription(name: "ticdsSyncID", type: .string),
            ],
            relationships: [
                RelationshipDescription(
                    name: "children", destination: "Folder", inverse: "parent", maxCount: 0, isOrdered: true,
                    deleteRule: .cascade),
                RelationshipDescription(name: "parent", destination: "Folder", inverse: "children"),
                RelationshipDescription(
                    name: "things", destination: "Thing", inverse: "folder", maxCount: 0, isOrdered: true),
            ]),
        EntityDescription(
            name: "Tag",
            attributes: [
                AttributeDescription(name: "name", type: .string),
                AttributeDescription(name: "ticdsSyncID", type: .string),
            ],
            relationships: [
                RelationshipDescription(name: "like", destination: "Tag", inverse: "like", maxCount: 0),
                RelationshipDescription(
                    name: "things", destination: "Thing", inverse: "tags", maxCount: 0, isOrdered: true,
                    deleteRule: .deny),
            ]),
        EntityDescription(
            name: "Picture",
            attributes: [
                AttributeDescription(name: "bytes", type: .binary),
                AttributeDescription(name: "large", type: .binary, allowsExternalStorage: true),
                AttributeDescription(name: "ticdsSyncID", type: .string),
            ],
            relationships: [RelationshipDescription(name: "note", destination: "Note", inverse: "cover")]),
    ])

    private static func change(_ state: inout UInt64, _ time: Double) -> SyncChange {
        let entity = pick(["Note", "Memo", "Task", "Folder", "Tag", "Picture"], &state)
        let named = ["Note", "Memo"].contains(entity) ? pick([entity, "Note"], &state) : entity
        let id = syncID(entity, &state)
        let kind = pick([1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 10], &state)
        let relationships = model.relationships(of: entity).filter { $0.isToMany == (kind > 3) }
        if kind == 1 || kind == 10 || (kind > 2 && relationships.isEmpty) {
            let attributes = model.attributes(of: entity).filter {
                $0.name != "ticdsSyncID" && next(&state) % 2 == 0
            }
            var pairs = [ArchivedPair(key: .string("ticdsSyncID"), value: .string(id))]
            for attribute in attributes {
                pairs.append(ArchivedPair(key: .string(attribute.name), value: value(attribute, &state)))
            }
            if kind == 10 {
                return SyncChange(type: .delete, entity: named, objectSyncID: id, timestamp: time)
            }
            return SyncChange(
                type: .insert, entity: entity, objectSyncID: id, changedAttributes: .dictionary(pairs),
                timestamp: time)
        }
        guard kind > 2 else {
            let attribute = pick(model.attributes(of: entity).filter { $0.name != "ticdsSyncID" }, &state)
            return SyncChange(
                type: .attribute, entity: named, objectSyncID: id, key: attribute.name,
                changedAttributes: pick(
                    [.null, .none, value(attribute, &state), value(attribute, &state)], &state),
                timestamp: time)
        }
        let relationship = pick(relationships, &state)
        let targets = model.entities.filter {
            !$0.isAbstract && model.isEntity($0.name, kindOf: relationship.destination)
        }
        let related = pick(targets, &state).name
        let target: ArchivedValue =
            kind == 3 && next(&state) % 5 == 0 ? .none : .string(syncID(related, &state))
        return SyncChange(
            type: ChangeType(number: kind), entity: named, objectSyncID: id, key: relationship.name,
            relatedEntity: relationship.destination, changedRelationships: target, timestamp: time)
    }

    private static func syncID(_ entity: String, _ state: inout UInt64) -> String {
        "\(entity.prefix(1))\(next(&state) % 4)"
    }

    private static func value(_ attribute: AttributeDescription, _ state: inout UInt64) -> ArchivedValue {
        let number = Int(next(&state) % 200)
        return switch attribute.type {
        case .integer32, .integer64: .integer(Int128(number - 100))
        case .boolean: .boolean(number % 2 == 0)
        case .double: .real(Double(number) / 4)
        case .date: .date(Double(number) * 1000.5)
        case .decimal: ArchivedDecimal(text: "\(number).25").map { .decimal($0) } ?? .none
        case .binary: .data([UInt8](repeating: UInt8(number), count: number % 5 + number / 190 * 3000))
        case .transformable: .array([.string("é\(number)"), .integer(Int128(number))])
        default: .string(["", "a", "é", "Zoë \(number)", "'; DROP TABLE ZNOTE; --"][number % 5])
        }
    }
}

extension RandomHistory {
    /// Writes the sets as a remote with one document.
    func write(to root: FilePath) throws {
        try FileManager.default.createDirectory(
            atPath: root.appending("ClientDevices").string, withIntermediateDirectories: true)
        for set in sets {
            let folder = root.appending("Documents/Doc/SyncChanges").appending(set.client)
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            try NewFile.write(
                ChangeSetWriter.bytes(of: set.changes), to: folder.appending(set.identifier + ".syncchg"),
                modified: FileTime(secondsSince2001: set.modified))
        }
    }
}
