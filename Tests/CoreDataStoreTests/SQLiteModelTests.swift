import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A model with everything that an SQLite store can contain, written and read.
struct SQLiteModelTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Thing", isAbstract: true,
            attributes: [AttributeDescription(name: "ticdsSyncID", type: .string, isIndexed: true)],
            relationships: [
                RelationshipDescription(name: "owner", destination: "Person", inverse: "things"),
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "things", maxCount: 0),
            ]),
        EntityDescription(
            name: "Book", superentity: "Thing",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "price", type: .decimal),
                AttributeDescription(name: "read", type: .boolean, defaultValue: .boolean(true)),
            ],
            relationships: [RelationshipDescription(name: "cover", destination: "Cover", inverse: "book")]),
        EntityDescription(
            name: "Record", superentity: "Thing",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "gain", type: .float),
                AttributeDescription(name: "uid", type: .uuid),
                AttributeDescription(name: "site", type: .uri),
                AttributeDescription(name: "sound", type: .binary, allowsExternalStorage: true),
                AttributeDescription(name: "mood", type: .transformable),
                AttributeDescription(name: "made", type: .date),
                AttributeDescription(name: "count", type: .integer16),
            ]),
        EntityDescription(
            name: "Cover",
            relationships: [RelationshipDescription(name: "book", destination: "Book", inverse: "cover")]),
        EntityDescription(
            name: "Tag",
            relationships: [
                RelationshipDescription(
                    name: "things", destination: "Thing", inverse: "tags", maxCount: 0, isOrdered: true)
            ]),
        EntityDescription(
            name: "Person",
            relationships: [
                RelationshipDescription(
                    name: "things", destination: "Thing", inverse: "owner", maxCount: 0, isOrdered: true),
                RelationshipDescription(
                    name: "friends", destination: "Person", inverse: "friends", maxCount: 0),
                RelationshipDescription(name: "favourite", destination: "Thing"),
                RelationshipDescription(name: "covers", destination: "Cover", maxCount: 0),
            ]),
    ])

    private static let price = ArchivedDecimal(mantissa: 125, exponent: -1, isNegative: false)

    static let objects: [StoredObject] = [
        object("Cover", 1, [], [("book", .toOne(1))]), object("Cover", 2, [], [("book", .toOne(nil))]),
        object(
            "Person", 1, [],
            [
                ("covers", .toMany([1, 2])), ("favourite", .toOne(2)), ("friends", .toMany([1, 2])),
                ("things", .toMany([2, 1])),
            ]),
        object(
            "Person", 2, [],
            [
                ("covers", .toMany([])), ("favourite", .toOne(nil)), ("friends", .toMany([1])),
                ("things", .toMany([])),
            ]),
        object("Tag", 1, [], [("things", .toMany([2, 1]))]),
        object(
            "Book", 1,
            [
                ("ticdsSyncID", .string("A")), ("price", .decimal(price)),
                ("read", .boolean(false)), ("text", .string("")),
            ], [("owner", .toOne(1)), ("tags", .toMany([1])), ("cover", .toOne(1))]),
        object(
            "Record", 2,
            [
                ("ticdsSyncID", .none), ("count", .integer(-7)), ("gain", .real(0.5)), ("made", .date(1.25)),
                ("mood", .array([.string("calm"), .integer(1)])), ("site", .url("https://example.org/ä")),
                ("sound", .data([1, 2, 0])), ("text", .string("später")),
                ("uid", .uuid(.random())),
            ], [("owner", .toOne(1)), ("tags", .toMany([1]))]),
    ]

    private static func object(
        _ entity: String, _ key: Int64, _ attributes: [(String, ArchivedValue)],
        _ relationships: [(String, StoredRelationship.Target)]
    ) -> StoredObject {
        StoredObject(
            entity: entity, primaryKey: key,
            attributes: attributes.map { StoredAttribute(name: $0.0, value: $0.1) },
            relationships: relationships.map { StoredRelationship(name: $0.0, target: $0.1) })
    }

    private func write(_ objects: [StoredObject], _ scratch: ScratchFolder) throws -> FilePath {
        let path = scratch.path.appending("all kinds? 100%#ä.sqlite")
        var writer = try SQLiteStoreWriter(creating: path, model: Self.model)
        for object in objects { try writer.insert(object) }
        try writer.finish()
        return path
    }

    private func read(_ path: FilePath) throws -> [StoredObject] {
        var found: [StoredObject] = []
        try SQLiteStore(path, model: Self.model).forEachObject { found.append($0) }
        return found
    }

    @Test func everyKindReadsAsItWasWritten() throws {
        let scratch = try ScratchFolder()
        let path = try write(Self.objects, scratch)
        for (found, expected) in zip(try read(path), Self.objects) { #expect(found == expected) }
        #expect(try read(path).count == Self.objects.count)
    }

    @Test func missingSidesAndDefaultsAreFilledIn() throws {
        let scratch = try ScratchFolder()
        var objects = Self.objects
        objects[0].relationships = []
        objects[2].relationships.removeAll { $0.name == "things" }
        objects[3].relationships = []
        objects[4].relationships = []
        objects[5].attributes.removeAll { $0.name == "read" }
        let found = try read(try write(objects.reversed(), scratch))
        var expected = Self.objects
        expected[2].relationships[3].target = .toMany([1, 2])
        expected[4].relationships[0].target = .toMany([1, 2])
        expected[5].attributes[2].value = .boolean(true)
        for (one, other) in zip(found, expected) { #expect(one == other) }
    }

    @Test(.enabled(if: SQLiteShell.available)) func columnsFollowTheRules() throws {
        let scratch = try ScratchFolder()
        let path = try write(Self.objects, scratch)
        #expect(try SQLiteShell.run(path, "PRAGMA integrity_check") == "ok")
        let things = try SQLiteShell.run(path, "SELECT sql FROM sqlite_master WHERE name = 'ZTHING'")
        #expect(
            things == """
                CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, \
                ZREAD INTEGER, ZCOVER INTEGER, ZCOUNT INTEGER, Z_FOK_OWNER INTEGER, ZGAIN FLOAT, ZMADE TIMESTAMP, \
                ZPRICE DECIMAL, ZTICDSSYNCID VARCHAR, ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZSITE VARCHAR, ZUID BLOB, \
                ZMOOD BLOB, ZSOUND BLOB )
                """)
        let orders = try SQLiteShell.run(path, "SELECT Z_PK, Z_FOK_OWNER, ZTEXT, ZTEXT1 FROM ZTHING")
        #expect(orders == "1|3072||\n2|2048||später")
        #expect(
            try SQLiteShell.run(path, "SELECT ZFAVOURITE, Z4_FAVOURITE FROM ZPERSON WHERE Z_PK = 1") == "2|6")
        #expect(try SQLiteShell.run(path, "SELECT Z2COVERS FROM ZCOVER") == "1\n1")
        #expect(try SQLiteShell.run(path, "SELECT Z_2FRIENDS, REFLEXIVE FROM Z_2FRIENDS") == "1|1\n1|2\n2|1")
    }

    @Test func whatCannotBeIsRefused() throws {
        let scratch = try ScratchFolder()
        var writer = try SQLiteStoreWriter(creating: scratch.path.appending("a.sqlite"), model: Self.model)
        func refusal(_ body: () throws -> Void) -> FileProblem.Kind? {
            do { try body() } catch { return (error as? FileProblem)?.kind }
            return nil
        }
        #expect(refusal { try writer.insert(Self.object("Thing", 1, [], [])) } == .refused)
        #expect(refusal { try writer.insert(Self.object("Tag", 0, [], [])) } == .refused)
        #expect(refusal { try writer.insert(Self.object("Tag", 1, [("x", .none)], [])) } == .refused)
        #expect(
            refusal { try writer.insert(Self.object("Record", 1, [("count", .integer(40_000))], [])) }
                == .refused)
        #expect(
            refusal { try writer.insert(Self.object("Record", 1, [("text", .integer(1))], [])) } == .refused)
        #expect(refusal { try writer.insert(Self.object("Tag", 1, [], [("things", .toOne(1))])) } == .refused)
        try writer.insert(Self.object("Person", 9, [], [("covers", .toMany([77]))]))
        #expect(writer.nextPrimaryKey(of: "Person") == 10)
        #expect(refusal { try writer.insert(Self.object("Person", 9, [], [])) } == .refused)
        do {
            try writer.finish()
            Issue.record("a relationship to an object that is not there was written")
        } catch { #expect(error.kind == .refused) }
        #expect(throws: FileProblem.self) {
            try SQLiteStoreWriter(creating: scratch.path.appending("a.sqlite"), model: Self.model).finish()
        }
    }

    @Test func externalDataAreFoundBesideTheStore() throws {
        let scratch = try ScratchFolder()
        let path = try write(Self.objects, scratch)
        let uuid = "0B5C1A52-6B7C-4B52-8A0E-0123456789AB"
        try #require(SQLiteShell.available)
        try SQLiteShell.run(
            path, "UPDATE ZTHING SET ZSOUND = CAST(x'02' || '\(uuid)' || x'00' AS BLOB) WHERE Z_PK = 2")
        func sound() throws -> ArchivedValue? {
            try read(path).first { $0.entity == "Record" }?.attributes.first { $0.name == "sound" }?.value
        }
        #expect(try sound() == .missing(externalFile: uuid))
        #expect(try sound()?.missingExternalFile == uuid)
        #expect(try SQLiteStore(path, model: Self.model).externalFileNames() == [uuid])
        let folder = scratch.path.appending(".all kinds? 100%#ä_SUPPORT").appending("_EXTERNAL_DATA")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        try Data([9, 8]).write(to: URL(fileURLWithPath: folder.appending(uuid).string))
        #expect(try sound() == .data([9, 8]))
    }
}
