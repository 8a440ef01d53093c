import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// `make-replay COUNT FOLDER` writes a remote of one document with so many changes in sets of 50,000, and its model:
/// out of ten changes six insertions with eight attributes, one attribute, two to-ones and one to-many.
enum MakeReplay {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[1]) else {
            return print("usage: benchmark-tools make-replay COUNT FOLDER")
        }
        let folder = FilePath(arguments[2])
        var sets = folder.appending("remote")
        try NewFile.makeFolder(folder)
        try NewFile.makeFolder(sets)
        try NewFile.makeFolder(sets.appending("ClientDevices"))
        for name in ["Documents", "Library", "SyncChanges", "Client"] {
            sets.append(name)
            try NewFile.makeFolder(sets)
        }
        for (number, start) in stride(from: 0, to: count, by: 50_000).enumerated() {
            let changes = (start..<min(count, start + 50_000)).lazy.map(change)
            let path = sets.appending("0400000000.\(100_000 + number)-set.syncchg")
            try NewFile.write(
                ChangeSetWriter.bytes(of: changes), to: path,
                modified: FileTime(secondsSince2001: 400_000_000 + Double(number)))
        }
        try NewFile.write(Array(model.utf8), to: folder.appending("contents"))
    }

    private static func change(_ number: Int) -> SyncChange {
        let ten = number / 10 * 10
        let time = 330_000_000 + Double(number) * 0.37
        func change(
            _ type: ChangeType, of object: Int, key: String? = nil, related: String? = nil,
            to target: Int = 0,
            attributes: ArchivedValue = .none
        ) -> SyncChange {
            SyncChange(
                type: type, entity: entity(object), objectSyncID: identifier(object), key: key,
                relatedEntity: related, changedAttributes: attributes,
                changedRelationships: related == nil ? .none : .string(identifier(target)), timestamp: time)
        }
        switch number % 10 {
        case 0...5: return change(.insert, of: number, attributes: attributes(number, time))
        case 6:
            return change(
                .attribute, of: ten + 5, key: "title", attributes: .string("Changed title \(number)"))
        case 7, 8:
            return change(.toOne, of: number - 5, key: "book", related: "Book", to: number / 30 * 30)
        default: return change(.addToMany, of: ten + 4, key: "tags", related: "Tag", to: number / 30 * 30 + 1)
        }
    }

    private static func entity(_ number: Int) -> String {
        switch number % 30 {
        case 0: "Book"
        case 1: "Tag"
        default: "Note"
        }
    }

    private static func attributes(_ number: Int, _ time: Double) -> ArchivedValue {
        .dictionary([
            "title": .string("Title of note \(number)"),
            "text": .string("Größe \(number): a few words of text"),
            "created": .date(time), "modified": .date(time + 1), "weight": .real(Double(number) / 7),
            "position": .integer(Int128(number)), "isDone": .boolean(number % 20 < 10),
            "ticdsSyncID": .string(identifier(number)),
        ])
    }

    private static func identifier(_ number: Int) -> String {
        let bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * ($0 % 8)) ^ UInt64($0)) }
        return ArchivedUUID(bytes: bytes)?.description ?? "\(number)"
    }

    private static let model: String = {
        let attributes = [
            "title\" attributeType=\"String", "text\" attributeType=\"String",
            "created\" attributeType=\"Date",
            "modified\" attributeType=\"Date", "weight\" attributeType=\"Double",
            "position\" attributeType=\"Integer 64", "isDone\" attributeType=\"Boolean",
            "ticdsSyncID\" attributeType=\"String",
        ].map { "<attribute name=\"\($0)\" optional=\"YES\"/>" }.joined()
        func relationship(_ name: String, _ destination: String, _ inverse: String, toMany: Bool) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" \(toMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                + "deletionRule=\"Nullify\" destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\"/>"
        }
        let entities = [
            (
                "Note",
                [
                    relationship("book", "Book", "notes", toMany: false),
                    relationship("tags", "Tag", "notes", toMany: true),
                ]
            ),
            ("Book", [relationship("notes", "Note", "book", toMany: true)]),
            ("Tag", [relationship("notes", "Note", "tags", toMany: true)]),
        ].map { "<entity name=\"\($0.0)\">\(attributes)\($0.1.joined())</entity>" }.joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model>\(entities)</model>"
    }()
}
