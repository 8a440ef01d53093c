import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Counts objects by the rules of the format alone.
private let counter = """
    import plistlib, struct, sys, collections
    d = open(sys.argv[1], 'rb').read()
    mo, ml, po, pl = struct.unpack('>QQQQ', d[16:48])
    p = plistlib.loads(d[po:po + pl]); o = p['$objects']; U = lambda u: o[u.data]
    nodes = [U(n) for n in U(p['$top']['mapData'])['NS.objects']]
    c = collections.Counter(U(n['NSEntityName']) for n in nodes)
    print(' '.join('%s=%d' % x for x in sorted(c.items())), end='')
    """

@Suite("Binary stores of the samples", .enabled(if: Samples.available, "needs the samples"))
struct BinaryStoreSampleTests {
    /// Stores that Core Data wrote, each framework version in its form, take the fast path; so does every other form of
    /// them.
    @Test(arguments: SampleStore.all, KeyedArchiveForm.all)
    func theFastValidatorKnowsIt(_ sample: SampleStore, _ form: KeyedArchiveForm) throws {
        let path = Samples.path("binary-stores/\(sample.store).b_storedata")
        let original = try FileBytes.read(path).array
        for bytes in [original, try form.rewritten(store: original)] {
            func part(_ place: Int) throws -> SharedBytes {
                let numbers = [place, place + 8].map { bytes[$0..<$0 + 8].reduce(0) { $0 << 8 | Int($1) } }
                return try #require(SharedBytes(bytes).slice(numbers[0]..<numbers[0] + numbers[1]))
            }
            var metadata = try FastArchiveValidator(try part(16))
            #expect(try metadata.check(try metadata.top(.metadata)) == .dictionary)
            #expect(metadata.canonicalForm.isUsual)
            var objects = try FastArchiveValidator(try part(32))
            let nodes = try objects.pairs(of: try objects.top(.mapData)).values
            #expect(try nodes.count == BinaryStoreArchive(SharedBytes(original), path: path).count)
            for position in 0..<nodes.count {
                let node = objects.member(position, of: nodes)
                #expect(try objects.check(try objects.field(.attributeValues, of: node)) == .other)
            }
            #expect(objects.canonicalForm.isUsual)
        }
    }

    @Test(arguments: SampleStore.all)
    func theModelIsTheStores(_ sample: SampleStore) throws {
        let store = try sample.open()
        let model = try #require(store.model)
        #expect(!store.metadata.versionHashes.isEmpty)
        for (entity, hash) in store.metadata.versionHashes {
            #expect(model.versionHash(of: entity) == hash, "\(entity)")
        }
        #expect(Set(model.entities.map(\.name)) == Set(store.metadata.versionHashes.keys))
    }

    @Test(arguments: SampleStore.all)
    func everyObjectFitsTheModel(_ sample: SampleStore) throws {
        let store = try sample.open()
        let model = try #require(store.model)
        var objects: [Int64: StoredObject] = [:]
        try store.forEachObject { objects[$0.primaryKey] = $0 }
        #expect(objects.count == store.archive.count)
        for object in objects.values {
            #expect(
                object.attributes.map(\.name)
                    == model.attributes(of: object.entity).filter { !$0.isTransient }.map(\.name))
            for relationship in model.relationships(of: object.entity) where !relationship.isTransient {
                let target = object.relationships.first { $0.name == relationship.name }?.target
                for key in target?.keys ?? [] {
                    let other = try #require(objects[key], "\(relationship.name) of \(object.primaryKey)")
                    #expect(model.isEntity(other.entity, kindOf: relationship.destination))
                    guard let inverse = relationship.inverse else { continue }
                    let back = other.relationships.first { $0.name == inverse }?.target.keys ?? []
                    #expect(back.contains(object.primaryKey), "both sides of an inverse pair are stored")
                }
            }
        }
    }

    @Test(.enabled(if: Python.available), arguments: SampleStore.all)
    func countsAreThoseOfPython(_ sample: SampleStore) throws {
        let answer = try #require(Python.run(counter, [try sample.open().path.string]))
        let counts = try sample.open().objectCounts().map { "\($0.entity)=\($0.count)" }.joined(
            separator: " ")
        #expect(counts == String(decoding: answer, as: UTF8.self))
    }

    @Test(arguments: SampleStore.all)
    func withoutAModelSlotsHaveNumbers(_ sample: SampleStore) throws {
        let store = try sample.open(withModel: false)
        var named: [StoredObject] = []
        try sample.open().forEachObject { named.append($0) }
        var count = 0
        try store.forEachObject { object in
            let values = object.attributes.map(\.value)
            #expect(object.attributes.first?.name == "slot0")
            #expect(named[count].attributes.count <= values.count)
            count += 1
        }
        #expect(count == named.count)
        #expect(store.notes.map(\.code) == ["noModel"])
        #expect(store.model == nil)
    }

    /// A store that is read, written and read again is the same.
    @Test(arguments: SampleStore.all)
    func aRewrittenStoreIsTheSame(_ sample: SampleStore) throws {
        let store = try sample.open()
        let model = try #require(store.model)
        var writer = BinaryStoreWriter(metadata: store.metadata)
        var objects: [StoredObject] = []
        try store.forEachObject { objects.append($0) }
        for object in objects {
            let slots = model.slots(of: object.entity).map { slot in
                object.attributes.first { $0.name == slot.persistentAttribute?.name }?.value ?? .null
            }
            let related = object.relationships.map { relationship in
                if case .toMany(let keys) = relationship.target {
                    BinaryStoreWriter.Related(name: relationship.name, keys: keys, isToMany: true)
                } else {
                    BinaryStoreWriter.Related(
                        name: relationship.name, keys: relationship.target.keys, isToMany: false)
                }
            }
            try writer.append(
                entity: object.entity, primaryKey: object.primaryKey, slots: slots, related: related)
        }
        let generation = try #require(store.archive.header?.primaryKeyGeneration)
        let bytes = try writer.finish(primaryKeyGeneration: generation)
        let again = BinaryStore(
            try BinaryStoreArchive(SharedBytes(bytes), path: "again"), model: model)
        var reread: [StoredObject] = []
        try again.forEachObject { reread.append($0) }
        #expect(reread == objects)
        #expect(again.metadata == store.metadata)
        #expect(again.archive.header?.primaryKeyGeneration == generation)
    }

    @Test func aForeignModelIsNoticed() throws {
        let path = Samples.path("binary-stores/daymap-1.5.1.b_storedata")
        let archive = try BinaryStoreArchive(try FileBytes.read(path), path: path)
        let model = try ModelFile.load(Samples.path("binary-stores/models/DayMap-7.elements"))
        let store = BinaryStore(archive, model: model)
        #expect(throws: FileProblem.self) { try store.forEachObject { _ in } }
    }

    /// The smallest sample, truncated at each byte and with each byte inverted, is read or refused with an offset.
    @Test func everyTruncationAndFlip() throws {
        let sample = SampleStore.all[0]
        let bytes = try FileBytes.read(try sample.open().path).array
        let model = try sample.open().model
        func readAll(_ damaged: [UInt8]) throws(FileProblem) {
            let archive = try BinaryStoreArchive(SharedBytes(damaged), path: "damaged")
            try BinaryStore(archive, model: model).forEachObject { _ in }
        }
        for count in 1..<bytes.count {
            #expect(throws: FileProblem.self) { try readAll(Array(bytes[..<count])) }
        }
        var refused = 0
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0xFF
            do throws(FileProblem) {
                try readAll(damaged)
            } catch {
                refused += 1
                #expect(error.path == "damaged")
            }
        }
        #expect(refused > bytes.count / 4)
    }
}

@Test(arguments: [1, 8, 63])
func aShortFileIsNoStore(_ count: Int) {
    let bytes = SharedBytes(
        Array("CoreData".utf8.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - 8)))
    #expect(throws: FileProblem.self) { try BinaryStoreArchive(bytes, path: "short") }
}

@Test(arguments: [
    (0, "magic"), (8, "version"), (12, "version"), (16, "metadata"), (24, "metadata"), (32, "objects"),
    (40, "objects"),
])
func everyFieldOfTheHeaderIsChecked(_ place: Int, _ word: String) throws {
    var writer = BinaryStoreWriter(metadata: StoreMetadata(.dictionary([:])))
    var bytes = try writer.finish()
    bytes[place] = 0xFF
    let problem = #expect(throws: FileProblem.self) {
        try BinaryStoreArchive(SharedBytes(bytes), path: "header")
    }
    #expect(
        problem?.offset == (place < 16 ? place : place & ~15), "each archive has its offset, then its length")
    #expect(problem?.expected?.contains(word) == true)
}

extension StoredRelationship.Target {
    /// The primary keys of either kind of relationship.
    var keys: [Int64] {
        switch self {
        case .toOne(let key): key.map { [$0] } ?? []
        case .toMany(let keys): keys
        }
    }
}
