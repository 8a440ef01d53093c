import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

@Suite(.enabled(if: SQLiteShell.available)) struct StoreCheckTests {
    @Test func aSoundStoreHasNoFindings() throws {
        let store = try CheckedStore()
        let check = try store.check()
        #expect(check.findings == [] && check.unchecked == [] && check.hasSyncIDs)
        #expect(check.objects == CheckedStore.objects.count)
        let blind = try store.check(withModel: false)
        #expect(blind.findings == [] && blind.hasSyncIDs && blind.unchecked.count == 2)
    }

    /// A statement that damages the store, and the resulting findings with and without the model. Entities: Label 1,
    /// Shelf 2, Tag 3, Thing 4, Book 5, Disc 6.
    struct Damage: CustomTestStringConvertible, Sendable {
        var sql: String
        var found: [StoreFinding.Kind]
        var foundBlindly: [StoreFinding.Kind]?
        var testDescription: String { sql }
    }

    static let damages: [Damage] = [
        Damage(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Thing'", found: [.highestKey]),
        Damage(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Tag'", found: [.highestKey]),
        Damage(sql: "UPDATE ZTAG SET Z_OPT = 0 WHERE Z_PK = 1", found: [.versionCounter]),
        Damage(sql: "UPDATE ZTAG SET Z_OPT = NULL", found: [.versionCounter]),
        Damage(
            sql: "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2",
            found: [.unknownEntity, .wrongTarget]),
        Damage(
            sql: "UPDATE ZTHING SET Z_ENT = 4 WHERE Z_PK = 3", found: [.abstractEntity], foundBlindly: []),
        Damage(
            sql: "UPDATE ZTHING SET ZSHELF = 99 WHERE Z_PK = 1", found: [.danglingKey], foundBlindly: []),
        Damage(
            sql: "DELETE FROM ZTAG WHERE Z_PK = 2", found: [.orphanedJoinRow],
            foundBlindly: [.orphanedJoinRow]
        ),
        Damage(sql: "UPDATE ZTAG SET Z2LOOSE = 9 WHERE Z_PK = 1", found: [.danglingKey]),
        Damage(
            sql: "UPDATE ZLABEL SET Z4_THING = 6", found: [.wrongEntityColumn],
            foundBlindly: [.wrongEntityColumn]),
        // The other label is intact: if every row is NULL, this is only a note.
        Damage(
            sql: "INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTICDSSYNCID, ZTHING, Z4_THING) VALUES "
                + "(2, 1, 1, 'Label-2', 2, 5); UPDATE ZTHING SET ZLABEL = 2 WHERE Z_PK = 2; "
                + "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Label'; "
                + "UPDATE ZLABEL SET ZTHING = NULL, Z4_THING = NULL WHERE Z_PK = 1",
            found: [.oneSidedInverse], foundBlindly: []),
        Damage(
            sql: "UPDATE ZTHING SET Z_FOK_SHELF = NULL WHERE Z_PK = 1", found: [.missingPosition]),
        Damage(sql: "UPDATE ZTHING SET Z_FOK_SHELF = 5 WHERE Z_PK < 3", found: [.duplicatePosition]),
        Damage(sql: "UPDATE ZTHING SET Z_FOK_SHELF = 5 WHERE Z_PK = 3", found: [.strayPosition]),
        Damage(sql: "DELETE FROM Z_2FRIENDS WHERE REFLEXIVE = 1", found: [.oneSidedInverse]),
        Damage(sql: "UPDATE Z_3THINGS SET Z_FOK_3TAGS = 7", found: [.duplicatePosition]),
        Damage(
            sql: "DROP TABLE ZLABEL", found: [.missingColumn, .missingTable],
            foundBlindly: [.missingTable]),
        // Without a model, the keys of a join table show what it is, whatever its name.
        Damage(sql: "DROP TABLE Z_3THINGS", found: [.missingColumn], foundBlindly: []),
        Damage(
            sql: "ALTER TABLE Z_3THINGS RENAME TO Z_3OTHER", found: [.missingColumn, .unknownColumn],
            foundBlindly: []),
        Damage(
            sql: "ALTER TABLE Z_3THINGS RENAME COLUMN Z_FOK_3TAGS TO Z_FOK_3OTHER", found: [.missingColumn],
            foundBlindly: [.unknownColumn]),
        Damage(
            sql: "ALTER TABLE ZTHING RENAME COLUMN Z_FOK_SHELF TO Z_FOK_OTHER", found: [.missingColumn],
            foundBlindly: [.unknownColumn]),
        Damage(
            sql: "ALTER TABLE ZTHING RENAME COLUMN ZCOVER TO COVER", found: [.missingColumn, .unknownColumn],
            foundBlindly: [.unknownColumn]),
        Damage(
            sql: "UPDATE ZTHING SET Z_ENT = 6 WHERE Z_PK = 1",
            found: [.wrongEntityColumn, .unreadableObject],
            foundBlindly: [.wrongEntityColumn]),
        Damage(
            sql: "UPDATE ZTHING SET ZNAME = NULL WHERE Z_PK = 1", found: [.missingValue], foundBlindly: []),
        Damage(sql: "UPDATE ZTHING SET ZNAME = x'00' WHERE Z_PK = 1", found: [.unreadableObject]),
        Damage(sql: "UPDATE ZTAG SET ZTICDSSYNCID = '' WHERE Z_PK = 1", found: [.missingSyncID]),
        Damage(sql: "UPDATE ZTAG SET ZTICDSSYNCID = 'same'", found: [.duplicateSyncID]),
        Damage(
            sql: "UPDATE ZTHING SET ZTICDSSYNCID = 'same' WHERE Z_PK > 1", found: [.duplicateSyncID]),
        Damage(
            sql: "UPDATE ZTHING SET ZCOVER = CAST(x'02' || '0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55' || x'00' "
                + "AS BLOB) WHERE Z_PK = 1", found: [.missingExternalData], foundBlindly: []),
    ]

    @Test(arguments: damages) func damageIsFound(_ damage: Damage) throws {
        let store = try CheckedStore()
        #expect(try SQLiteShell.run(store.path, damage.sql) == "")
        let before = try ScratchFolder.listing(store.scratch.path)
        let found = try store.check().findings
        #expect(found.map(\.kind) == damage.found, "\(found)")
        #expect(found.allSatisfy { $0.count > 0 && !$0.detail.isEmpty && !$0.kind.title.isEmpty })
        let blind = try store.check(withModel: false).findings
        #expect(blind.map(\.kind) == damage.foundBlindly ?? damage.found, "\(blind)")
        #expect(try ScratchFolder.listing(store.scratch.path) == before)
    }

    /// Core Data apps themselves leave an inverse that is NULL in every row.
    @Test func anUnusedInverseIsTolerated() throws {
        let store = try CheckedStore()
        try SQLiteShell.run(store.path, "UPDATE ZLABEL SET ZTHING = NULL, Z4_THING = NULL")
        let check = try store.check()
        #expect(check.findings == [] && check.tolerated.map(\.kind) == [.oneSidedInverse], "\(check)")
    }

    /// Many rows give one finding, with the first keys.
    @Test func findingsAreFolded() throws {
        let store = try CheckedStore()
        try SQLiteShell.run(
            store.path, "UPDATE ZTHING SET ZSHELF = Z_PK + 50, Z_FOK_SHELF = 1 WHERE Z_ENT = 5")
        let found = try store.check().findings
        #expect(found.count == 1)
        #expect(found.first?.kind == .danglingKey && found.first?.count == 2)
        #expect(found.first?.entity == "Book" && found.first?.property == "shelf")
        #expect(found.first?.examples == [1, 2])
    }

    /// An unreadable file of external data leaves only its value unchecked.
    @Test func externalDataThatCannotBeRead() throws {
        let store = try CheckedStore()
        let name = "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"
        try SQLiteShell.run(
            store.path,
            "UPDATE ZTHING SET ZCOVER = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK < 3; "
                + "UPDATE ZTHING SET ZNAME = NULL WHERE Z_PK = 3")
        let folder = store.scratch.path.appending(".checked_SUPPORT")
        let file = folder.pushing(FilePath("_EXTERNAL_DATA/\(name)"))
        #expect(mkdir(folder.string, 0o700) == 0 && mkdir(file.removingLastComponent().string, 0o700) == 0)
        #expect(symlink("elsewhere", file.string) == 0)
        let check = try store.check()
        #expect(check.findings.map(\.kind) == [.missingValue], "\(check.findings)")
        #expect(check.unread.map(\.path) == [file] && check.unread.map(\.kind) == [.unreadable])
        #expect(check.objects == CheckedStore.objects.count)
        #expect(check.unchecked.count == 1 && check.unchecked[0].contains("of 2 objects"), "\(check)")
    }

    @Test func aDamagedDatabaseIsAFinding() throws {
        let store = try CheckedStore()
        var image = try ScratchFolder.bytes(of: store.path)
        let root = Int(
            try SQLiteShell.run(store.path, "SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'"))
        let start = (try #require(root) - 1) * 4096
        image.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0xAA, count: 4096))
        let broken = try store.scratch.file("broken.sqlite", image)
        let check = try StoreChecker.check(try SQLiteStore(broken, model: CheckedStore.model))
        #expect(check.findings.contains { $0.kind == .damagedDatabase })
    }

    /// Real stores are intact, except for deviations that their apps caused.
    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: SQLiteSample.all)
    func samplesAreSound(_ sample: SQLiteSample) throws {
        for withModel in [true, false] {
            let store = try sample.open(withModel: withModel)
            let check = try StoreChecker.check(store)
            #expect(check.findings == [], "\(withModel)")
            #expect(check.objects == (try store.objectCounts().reduce(0) { $0 + $1.count }))
            #expect(!check.hasSyncIDs)
        }
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: SampleStore.all)
    func binarySamplesAreSound(_ sample: SampleStore) throws {
        let check = try StoreChecker.check(try sample.open())
        #expect(check.findings == [])
        #expect(check.objects == (try sample.open().archive.count))
        #expect(!check.hasSyncIDs)
        #expect(try StoreChecker.check(try sample.open(withModel: false)).findings == [])
    }

    /// Links of a binary store to missing objects, to wrong entities, or without inverse.
    @Test func binaryStores() throws {
        func found(_ relationship: String, _ keys: [Int64], back: [Int64] = []) throws -> [StoreFinding.Kind]
        {
            let model = CheckedStore.model
            var writer = BinaryStoreWriter(
                metadata: StoreMetadata(.dictionary(["NSStoreType": .string("Binary")])))
            for key: Int64 in [1, 2] {
                let slots = model.slots(of: "Shelf").map { slot -> ArchivedValue in
                    slot.persistentAttribute == nil ? .null : .string("id \(key)")
                }
                let targets = key == 1 ? keys : back
                let name = key == 1 ? relationship : "friends"
                try writer.append(
                    entity: "Shelf", primaryKey: key, slots: slots,
                    related: [BinaryStoreWriter.Related(name: name, keys: targets, isToMany: true)])
            }
            let archive = try BinaryStoreArchive(SharedBytes(try writer.finish()), path: "binary")
            let store = BinaryStore(archive, model: model)
            return try StoreChecker.check(store).findings.map(\.kind)
        }
        #expect(try found("friends", [2], back: [1]) == [])
        #expect(try found("friends", [3]) == [.danglingKey])
        #expect(try found("friends", [2]) == [.oneSidedInverse])
        #expect(try found("books", [2]) == [.wrongTarget])
    }
}
