import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// Links and large values of new SQLite stores, whatever the order of the objects.
@Suite struct NewStoreLinkTests {
    private typealias Written = (objects: [StoredObject], result: NewStoreResult)

    private func write(_ objects: [StoredObject]) throws -> Written {
        let scratch = try ScratchFolder()
        let (_, found, result) = try NewStoreTests.written(.sqlite, objects, in: scratch)
        return (found, result)
    }

    private static func author(_ key: Int64, _ notes: [Int64] = []) -> StoredObject {
        NewStoreTests.object("Author", key, [:], ["notes": .toMany(notes)])
    }

    private static func note(_ key: Int64, _ author: Int64? = nil) -> StoredObject {
        NewStoreTests.object("Note", key, [:], ["author": .toOne(author)])
    }

    private func target(_ written: Written, _ entity: String, _ key: Int64, _ name: String)
        -> StoredRelationship.Target?
    {
        written.objects.first { $0.entity == entity && $0.primaryKey == key }?
            .relationships.first { $0.name == name }?.target
    }

    /// All orders of some objects.
    private static func orders(_ objects: [StoredObject]) -> [[StoredObject]] {
        guard objects.count > 1 else { return [objects] }
        return objects.indices.flatMap { index in
            var rest = objects
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test(arguments: [1, 1 << 31, 1 << 61] as [Int64])
    func orderOfLinksIsTheSameForEveryOrderOfObjects(_ key: Int64) throws {
        let objects = [
            Self.author(1, [key + 2, key, key + 1]), Self.note(key), Self.note(key + 1, 1),
            Self.note(key + 2),
        ]
        for order in Self.orders(objects) {
            let written = try write(order)
            #expect(target(written, "Author", 1, "notes") == .toMany([key + 2, key, key + 1]))
            #expect(target(written, "Note", key, "author") == .toOne(1))
            #expect(written.result.dangling.isEmpty && written.result.contradictions.isEmpty)
        }
    }

    @Test func rowKeepsItsOwnerForEveryOrderOfObjects() throws {
        let objects = [Self.author(1, [5]), Self.author(2), Self.note(5, 2), Self.note(6, 1)]
        for order in Self.orders(objects) {
            let written = try write(order)
            #expect(target(written, "Note", 5, "author") == .toOne(2))
            #expect(target(written, "Author", 1, "notes") == .toMany([6]))
            #expect(target(written, "Author", 2, "notes") == .toMany([5]))
            #expect(written.result.contradictions == ["Author.notes": 1])
        }
    }

    @Test func firstOfTwoOwnersCounts() throws {
        let note = Self.note(5)
        for order in [0, 1, 2] {
            var objects = [Self.author(1, [5]), Self.author(2, [5])]
            objects.insert(note, at: order)
            let written = try write(objects)
            #expect(target(written, "Note", 5, "author") == .toOne(1))
            #expect(written.result.contradictions == ["Author.notes": 1])
        }
    }

    @Test(arguments: [9, 1 << 40, .max] as [Int64])
    func linksToAbsentObjectsAreDropped(_ key: Int64) throws {
        let objects = [Self.author(1, [key, 5]), Self.note(5), Self.note(6, key)]
        for order in Self.orders(objects) {
            let written = try write(order)
            #expect(written.result.dangling == ["Author.notes": 1, "Note.author": 1])
            #expect(target(written, "Author", 1, "notes") == .toMany([5]))
            #expect(target(written, "Note", 6, "author") == .toOne(nil))
        }
    }

    @Test func ownerTakesTheLinkOfAnAbsentOne() throws {
        for order in Self.orders([Self.author(1, [5]), Self.note(5, 9), Self.note(6)]) {
            let written = try write(order)
            #expect(target(written, "Note", 5, "author") == .toOne(1))
            #expect(written.result.dangling == ["Note.author": 1] && written.result.contradictions.isEmpty)
        }
    }

    // MARK: Large values

    @Test func valueAboveTheThresholdHasAFile() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path.appending("Large.sqlite")
        let sizes = [ExternalDataWriter.smallestSize, ExternalDataWriter.smallestSize - 1]
        var new = try NewStore(
            creating: path, kind: .sqlite, model: NewStoreTests.model, metadata: NewStoreMetadata())
        for (key, size) in sizes.enumerated() {
            let value = ArchivedValue.data([UInt8](repeating: UInt8(key), count: size))
            try new.insert(
                NewStoreTests.object("Note", Int64(key + 1), ["large": value, "abinary": value]))
        }
        _ = try new.finish()
        let store = try SQLiteStore(path, model: NewStoreTests.model)
        let name = try #require(try store.externalFileNames().first)
        #expect(try store.externalFileNames().count == 1)
        let file = scratch.path.appending(".Large_SUPPORT").appending("_EXTERNAL_DATA").appending(name)
        #expect(try FileStatus.of(file).size == Int64(sizes[0]))
        var found: [Int] = []
        try store.forEachObject { object in
            found += object.attributes.compactMap { $0.name == "large" ? $0.value.dataValue?.count : nil }
        }
        #expect(found == sizes)
    }

    @Test func fileOfARefusedObjectIsRemoved() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path.appending("Large.sqlite")
        var new = try NewStore(
            creating: path, kind: .sqlite, model: NewStoreTests.model, metadata: NewStoreMetadata())
        let value = ArchivedValue.data([UInt8](repeating: 1, count: 200_000))
        try new.insert(NewStoreTests.object("Note", 1, ["large": value]))
        var isRefused = false
        do throws(FileProblem) {
            try new.insert(NewStoreTests.object("Note", 1, ["large": value]))
        } catch {
            isRefused = error.isRefusal
        }
        #expect(isRefused)
        _ = try new.finish()
        let folder = scratch.path.appending(".Large_SUPPORT").appending("_EXTERNAL_DATA")
        #expect(try DirectoryReader.names(in: OwnedDescriptor.folder(folder)).count == 1)
    }
}

/// Sets of keys.
@Suite struct KeySetTests {
    @Test func setKnowsKeysForWhichThereIsRoom() {
        var room = 1 << 10
        var set = KeySet()
        for key in [1, 63, 64, 2000] as [Int64] { set.add(key, &room) }
        #expect([1, 63, 64, 2000].allSatisfy { set.contains($0) } && set.isWhole)
        #expect(!set.contains(2) && !set.contains(0) && !set.contains(-1) && !set.contains(.max))
        for key in [0, -5, .min, .max, 1 << 20] as [Int64] {
            var copy = set
            copy.add(key, &room)
            #expect(!copy.isWhole && !copy.contains(key))
        }
        #expect(room >= 0)
    }

    @Test func keysAreKnownInASetThatHasThemAll() {
        var room = 1 << 20
        var (some, all) = (KeySet(), KeySet())
        for key in [3, 700] as [Int64] { some.add(key, &room) }
        #expect(!some.isKnown(in: all))
        for key in [700, 3, 9] as [Int64] { all.add(key, &room) }
        #expect(some.isKnown(in: all) && !all.isKnown(in: some) && KeySet().isKnown(in: some))
        some.add(-1, &room)
        #expect(!some.isKnown(in: all))
    }
}
