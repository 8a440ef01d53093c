import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// `make-changes COUNT FILE` writes a change set of so many changes: out of ten, four inserts with eight attributes,
/// three attribute changes, one to-one, one to-many and one delete.
enum MakeChanges {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[1]) else {
            return print("usage: benchmark-tools make-changes COUNT FILE")
        }
        let changes = (0..<count).lazy.map(change)
        try NewFile.write(try ChangeSetWriter.bytes(of: changes), to: FilePath(arguments[2]))
    }

    private static func change(_ number: Int) -> SyncChange {
        let id = identifier(number)
        let time = 330_000_000 + Double(number) * 0.37
        func change(
            _ type: ChangeType, key: String? = nil, related: String? = nil, attributes: ArchivedValue = .none,
            relationships: ArchivedValue = .none
        ) -> SyncChange {
            SyncChange(
                type: type, entity: ["Note", "Book", "Tag"][number % 3], objectSyncID: id, key: key,
                relatedEntity: related, changedAttributes: attributes, changedRelationships: relationships,
                timestamp: time)
        }
        switch number % 10 {
        case 0...3: return change(.insert, attributes: attributes(number, id, time))
        case 4:
            return change(.attribute, key: "title", attributes: .string("Title of note \(number), changed"))
        case 5: return change(.attribute, key: "modified", attributes: .date(time))
        case 6: return change(.attribute, key: "weight", attributes: .real(Double(number) / 8))
        case 7:
            return change(
                .toOne, key: "book", related: "Book", relationships: .string(identifier(number / 2)))
        case 8:
            return change(
                .addToMany, key: "tags", related: "Tag", relationships: .string(identifier(number / 3)))
        default: return change(.delete)
        }
    }

    private static func attributes(_ number: Int, _ id: String, _ time: Double) -> ArchivedValue {
        .dictionary([
            "title": .string("Title of note \(number)"),
            "text": .string("Größe \(number): a few words of text"),
            "created": .date(time), "modified": .date(time + 1), "weight": .real(Double(number) / 7),
            "position": .integer(Int128(number)), "isDone": .boolean(number % 20 < 10),
            "ticdsSyncID": .string(id),
        ])
    }

    private static func identifier(_ number: Int) -> String {
        let bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * ($0 % 8)) ^ UInt64($0)) }
        return ArchivedUUID(bytes: bytes)?.description ?? "\(number)"
    }
}
