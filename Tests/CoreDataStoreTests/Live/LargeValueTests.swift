import KeyedArchive
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// Bytes that are written and compared in pieces: in a plain column, with a byte in front, and in a column with an index.
@Suite(.enabled(if: SQLiteShell.available))
struct LargeValueTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note", isAbstract: false, superentity: nil,
            attributes: [
                AttributeDescription(name: "ticdsSyncID", type: .string),
                AttributeDescription(name: "data", type: .binary),
                AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true),
                AttributeDescription(name: "indexed", type: .binary, isIndexed: true),
                AttributeDescription(
                    name: "app", type: .transformable, valueTransformerName: "AppTransformer"),
            ], relationships: [])
    ])
    private static let names = ["data", "photo", "indexed", "app"]

    private static let pattern = (0..<4_000_000).map {
        UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
    }

    private static func bytes(_ size: Int, _ salt: UInt8) -> ArchivedValue {
        .data(Array(pattern[Int(salt)..<Int(salt) + size]))
    }

    private func values(_ file: FilePath) throws -> [String: ArchivedValue] {
        var found: [String: ArchivedValue] = [:]
        try SQLiteStore(file, model: Self.model).forEachObject { object in
            for attribute in object.attributes { found[attribute.name] = attribute.value }
        }
        return found
    }

    /// Sizes below, at and above the one from which bytes are written in pieces.
    @Test(arguments: [1000, (1 << 20) - 1, 1 << 20, 3_000_001])
    func writtenValuesAreRead(_ size: Int) throws {
        var object = StoreObjectID(entity: 0, primaryKey: 0)
        let pair = try LivePair(Self.model) { store in
            let pairs = Self.names.map { ArchivedPair(key: .string($0), value: Self.bytes(size, 1)) }
            object = try store.insert(
                "Note", attributes: [ArchivedPair(key: .string("ticdsSyncID"), value: .string("N"))] + pairs
            ) { name, problem in Issue.record("\(name): \(problem)") }
        }
        let inserted = try values(pair.store)
        for name in Self.names { #expect(inserted[name] == Self.bytes(size, 1), "\(name)") }
        let store = try pair.open()
        for name in Self.names { try store.set(name, of: object, to: Self.bytes(size + 1, 2)) }
        try store.updateBase()
        try store.finish()
        for file in [pair.store, pair.base] {
            let changed = try values(file)
            for name in Self.names { #expect(changed[name] == Self.bytes(size + 1, 2), "\(name) of \(file)") }
            #expect(try SQLiteShell.run(file, "PRAGMA integrity_check") == "ok")
        }
    }

    /// Values of random sizes near the one from which they are written in pieces, and near the ends of pieces.
    @Test func randomSizesAreReadAgain() throws {
        var numbers = RandomNumbers(5)
        let sizes = (0..<16).map { number in
            let border =
                number % 2 == 0 ? 1 << 20 : (1 << 20) + (64 << 10) * Int.random(in: 0..<4, using: &numbers)
            return border + Int.random(in: -2...2, using: &numbers)
        }
        var objects: [StoreObjectID] = []
        let pair = try LivePair(Self.model) { store in
            for (number, size) in sizes.enumerated() {
                objects.append(
                    try store.insert(
                        "Note",
                        attributes: [
                            ArchivedPair(key: .string("ticdsSyncID"), value: .string("\(number)")),
                            ArchivedPair(key: .string("data"), value: Self.bytes(size, UInt8(number))),
                            ArchivedPair(
                                key: .string("photo"), value: Self.bytes(sizes[sizes.count - 1 - number], 9)),
                        ]
                    ) { name, problem in Issue.record("\(name): \(problem)") })
            }
        }
        func expect(_ file: FilePath, salt: UInt8) throws {
            var seen = 0
            try SQLiteStore(file, model: Self.model).forEachObject { object in
                guard
                    let number = object.attributes.first(where: { $0.name == "ticdsSyncID" })?.value
                        .stringValue.flatMap({ Int($0) })
                else {
                    Issue.record("an object without identifier")
                    return
                }
                seen += 1
                let data = object.attributes.first { $0.name == "data" }?.value
                let photo = object.attributes.first { $0.name == "photo" }?.value
                #expect(data == Self.bytes(sizes[number], UInt8(number) + salt))
                #expect(photo == Self.bytes(sizes[sizes.count - 1 - number], 9))
            }
            #expect(seen == sizes.count)
        }
        try expect(pair.store, salt: 0)
        // Other bytes of the same size.
        let store = try pair.open()
        for (number, object) in objects.enumerated() {
            try store.set("data", of: object, to: Self.bytes(sizes[number], UInt8(number) + 64))
        }
        try store.updateBase()
        try store.finish()
        for file in [pair.store, pair.base] { try expect(file, salt: 64) }
    }

    /// In an index without equal values, rows of zeros of the same size would be equal.
    @Test func largeValuesOfOneSizeAreUnique() throws {
        let pair = try LivePair(Self.model) { _ in }
        for file in [pair.store, pair.base] {
            let printed = try SQLiteShell.run(file, "CREATE UNIQUE INDEX ZONLY ON ZNOTE (ZDATA, ZAPP)")
            #expect(printed.isEmpty)
        }
        let store = try pair.open()
        for salt in [1, 2] as [UInt8] {
            let pairs = ["data", "app"].map {
                ArchivedPair(key: .string($0), value: Self.bytes(2 << 20, salt))
            }
            _ = try store.insert("Note", attributes: pairs) { name, problem in
                Issue.record("\(name): \(problem)")
            }
        }
        try store.updateBase()
        try store.finish()
        for file in [pair.store, pair.base] {
            #expect(
                try SQLiteShell.run(file, "SELECT count(DISTINCT ZDATA) FROM ZNOTE; PRAGMA integrity_check")
                    == "2\nok")
        }
    }

    /// A value that the attribute gets twice in one insertion, first a large one.
    @Test func lastValueOfAnInsertionWins() throws {
        let pair = try LivePair(Self.model) { store in
            _ = try store.insert(
                "Note",
                attributes: [
                    ArchivedPair(key: .string("data"), value: Self.bytes(2 << 20, 1)),
                    ArchivedPair(key: .string("data"), value: .data([1, 2])),
                ]
            ) { name, problem in Issue.record("\(name): \(problem)") }
        }
        #expect(try values(pair.store)["data"] == .data([1, 2]))
    }

    /// A value of a wrong type after a large one is refused, and changes nothing.
    @Test func refusedValueKeepsTheLargeOne() throws {
        var refused: [String] = []
        let pair = try LivePair(Self.model) { store in
            _ = try store.insert(
                "Note",
                attributes: [
                    ArchivedPair(key: .string("data"), value: Self.bytes(2 << 20, 1)),
                    ArchivedPair(key: .string("data"), value: .string("text")),
                ]
            ) { name, _ in refused.append(name) }
        }
        #expect(refused == ["data"])
        #expect(try values(pair.store)["data"] == Self.bytes(2 << 20, 1))
    }

    /// Edits by another program: another size, the same size with one different byte, NULL, and no change.
    @Test func editedValuesAreFound() throws {
        let pair = try LivePair(Self.model) { store in
            let pairs = ["data", "indexed"].map {
                ArchivedPair(key: .string($0), value: Self.bytes(2 << 20, 1))
            }
            _ = try store.insert("Note", attributes: pairs) { _, _ in }
        }
        for statement in [
            "UPDATE ZNOTE SET ZDATA = randomblob(3000000)",
            "UPDATE ZNOTE SET ZDATA = CAST(substr(ZDATA, 1, 2999999) || x'00' AS BLOB)",
            "UPDATE ZNOTE SET ZINDEXED = randomblob(2500000)",
            "UPDATE ZNOTE SET ZPHOTO = randomblob(1500000)",
            "UPDATE ZNOTE SET ZDATA = NULL", "UPDATE ZNOTE SET ZDATA = 'text'",
        ] {
            let before = try pair.sql("SELECT hex(ZDATA), hex(ZINDEXED), hex(ZPHOTO) FROM ZNOTE")
            let printed = try pair.sql(statement)
            #expect(printed.isEmpty)
            let isSame = try pair.sql("SELECT hex(ZDATA), hex(ZINDEXED), hex(ZPHOTO) FROM ZNOTE") == before
            let store = try pair.open()
            if statement.hasSuffix("'text'") {
                #expect(throws: (any Error).self) { try store.edits { _ in } }
                try store.rollBack()
                continue
            }
            let edits = try store.edits { _ in }
            #expect(edits.count == (isSame ? 0 : 1), "\(statement)")
            #expect(edits.allSatisfy { $0.attributes.count == 1 }, "\(statement)")
            try store.updateBase()
            #expect(try store.edits { _ in } == [])
            try store.finish()
            #expect(try pair.dump(pair.store) == pair.dump(pair.base))
        }
    }
}
