@testable import Base
import CoreDataStore
import CoreDataTools
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import KeyedArchive

/// Stores of apps, truncated at many places: every object that is completely before the cut is salvaged unchanged, and
/// no value is replaced by a different one.
@Suite(
    "Damaged binary stores of the samples",
    .enabled(if: Samples.available && Python.available, "needs the samples and Python"))
struct DamagedBinaryStoreTests {
    @Test(arguments: SampleStore.all) func cutOff(_ sample: SampleStore) throws {
        let whole = try sample.open()
        try cut(
            try FileBytes.read(whole.path).array, at: whole.path, whole,
            every: sample.count < 10 ? 1 : 53)
    }

    /// References of every width, and fields in either order.
    @Test(arguments: KeyedArchiveForm.all) func cutOffInAnyForm(_ form: KeyedArchiveForm) throws {
        let original = try SampleStore.all[0].open()
        let bytes = try form.rewritten(store: try FileBytes.read(original.path).array)
        let folder = try TemporaryFolder(prefix: "ticds-damaged")
        let path = folder.path.appending("store")
        try NewFile.write(bytes, to: path)
        let archive = try BinaryStoreArchive(SharedBytes(bytes), path: path)
        try cut(bytes, at: path, BinaryStore(archive, model: original.model), every: 17)
    }

    private func cut(_ bytes: [UInt8], at path: FilePath, _ whole: BinaryStore, every step: Int) throws {
        var objects: [Int64: StoredObject] = [:]
        try whole.forEachObject { objects[$0.primaryKey] = $0 }
        let ends = try ObjectExtents.ends(of: path)
        #expect(ends.objects.count == objects.count)
        var recovered = 0
        var problems: [String] = []
        for size in stride(from: 0, to: bytes.count, by: step) {
            let expected = ends.objects.filter { $0.value <= size && ends.list <= size }
            guard let store = try? DamagedBinaryStore(SharedBytes(Array(bytes[..<size])), path: path) else {
                if !expected.isEmpty { problems.append("\(size): nothing") }
                continue
            }
            if store.problems.isEmpty { problems.append("\(size): no problem") }
            var found: Set<Int64> = []
            var partial = 0
            try store.forEachObject(model: whole.model, onDamage: { problems.append("\(size): \($0)") }) {
                object in
                problems += difference(of: object, objects).map { "\(size): \($0)" }
                if object.isWhole, let key = object.primaryKey { found.insert(key) } else { partial += 1 }
            }
            let lost = Set(expected.keys).subtracting(found)
            if !lost.isEmpty { problems.append("\(size): lost \(lost)") }
            if let keys = store.lostKeys, keys.count + found.count + partial != objects.count {
                problems.append("\(size): \(keys.count) lost, \(found.count) whole, \(partial) in part")
            }
            recovered += found.count
        }
        #expect(problems.isEmpty, "\(problems.prefix(10))")
        #expect(recovered > 0)
    }

    private func difference(of object: RecoveredObject, _ whole: [Int64: StoredObject]) -> [String] {
        guard let key = object.primaryKey else { return object.isWhole ? ["whole without a key"] : [] }
        guard let original = whole[key] else { return ["made up \(key)"] }
        var problems: [String] = []
        if let entity = object.entity, entity != original.entity {
            problems.append("\(key): entity \(entity)")
        }
        for attribute in object.attributes where !object.attributes.isEmpty {
            guard object.entity != nil else { continue }
            let value = original.attributes.first { $0.name == attribute.name }?.value
            if value != attribute.value { problems.append("\(key).\(attribute.name): \(attribute.value)") }
        }
        for relationship in object.relationships where object.entity != nil {
            let target = original.relationships.first { $0.name == relationship.name }?.target
            if target != relationship.target { problems.append("\(key).\(relationship.name)") }
        }
        if object.isWhole,
            object.attributes != original.attributes || object.relationships != original.relationships
        {
            problems.append("\(key): whole, but not all")
        }
        if !object.isWhole, !object.isMissingMore, object.missing.isEmpty, object.entity != nil {
            problems.append("\(key): not whole, and nothing is missing")
        }
        return problems
    }

    /// A byte changed in the middle of an intact file: the objects that do not contain it are the same.
    @Test(arguments: SampleStore.all.prefix(2)) func damagedInTheMiddle(_ sample: SampleStore) throws {
        let whole = try sample.open()
        let bytes = try FileBytes.read(whole.path).array
        var objects: [Int64: StoredObject] = [:]
        try whole.forEachObject { objects[$0.primaryKey] = $0 }
        var random = RandomNumbers(77)
        var read = 0
        for _ in 0..<150 {
            var damaged = bytes
            let place = Int.random(in: 200..<bytes.count - 2000, using: &random)
            // The marker does not exist: the object cannot be read, or text or a number has a different value.
            damaged[place] = 0x70
            guard let store = try? DamagedBinaryStore(SharedBytes(damaged), path: whole.path) else {
                continue
            }
            var equal = 0
            try store.forEachObject(model: whole.model, onDamage: { _ in }) { object in
                if let key = object.primaryKey, objects[key]?.attributes == object.attributes { equal += 1 }
            }
            read += equal
        }
        #expect(read > 150 * sample.count * 3 / 4, "\(read)")
    }

    /// The complete objects make a new store with the same values.
    @Test func aNewStoreOfWhatIsLeft() throws {
        let whole = try SampleStore.all[1].open()
        let bytes = try FileBytes.read(whole.path).array
        var objects: [Int64: StoredObject] = [:]
        try whole.forEachObject { objects[$0.primaryKey] = $0 }
        let damaged = try DamagedBinaryStore(
            SharedBytes(Array(bytes[..<(bytes.count * 2 / 5)])), path: whole.path)
        var writer = RecoveredStoreWriter()
        try damaged.forEachObject(model: nil, onDamage: { _ in }) { writer.add($0) }
        #expect(writer.count > 5 && writer.count < objects.count && writer.droppedReferences == 0)
        let made = try writer.finish(damaged)
        #expect(writer.droppedReferences > 0)
        let store = BinaryStore(
            try BinaryStoreArchive(SharedBytes(made), path: "new"), model: whole.model)
        var count = 0
        try store.forEachObject { object in
            count += 1
            #expect(object.attributes == objects[object.primaryKey]?.attributes)
            for relationship in object.relationships {
                let old = objects[object.primaryKey]?.relationships.first { $0.name == relationship.name }
                switch (relationship.target, old?.target) {
                case (.toOne(let key), .toOne(let before)?): #expect(key == before || key == nil)
                case (.toMany(let keys), .toMany(let before)?): #expect(Set(keys).isSubset(of: before))
                default: Issue.record("\(relationship)")
                }
            }
        }
        #expect(count == writer.count)
    }
}

/// Lists without the trailer, by hand.
@Suite struct RebuiltPropertyListTests {
    private func archive() throws -> [UInt8] {
        try KeyedArchiveWriter.bytes(
            root: .array([.string("one"), .integer(2), .date(3), .data([1, 2, 3])]))
    }

    /// Without the last bytes of the trailer nothing is lost.
    @Test func onlyTheTrailerIsLost() throws {
        let bytes = try archive()
        for count in 1...33 {
            let left = try RecoveredArchive(SharedBytes(Array(bytes.dropLast(count))), isCutOff: true)
            #expect(left.isWhole && left.origin == .objects && left.contradiction == nil)
            let root = try left.reader.root()
            #expect(
                try left.reader.value(of: root)
                    == .array([.string("one"), .integer(2), .date(3), .data([1, 2, 3])]))
        }
    }

    /// The trailer of a keyed archive inside another one is not that of the outer one.
    @Test func theTrailerOfAnotherListDoesNotCount() throws {
        let inner = try archive()
        let bytes = try KeyedArchiveWriter.bytes(root: .array([.data(inner), .string("behind")]))
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: inner) })
        let left = try RecoveredArchive(
            SharedBytes(Array(bytes[..<(place + inner.count)])), isCutOff: true)
        #expect(left.origin == .objects && !left.isWhole)
        #expect(left.reader.everyObject.contains { (try? left.reader.value(of: $0)) == .data(inner) })
    }

    /// A text with a wrong length shifts all later numbers. The earlier references show it.
    @Test func aLengthThatIsWrongIsNoticed() throws {
        let bytes = try KeyedArchiveWriter.bytes(root: .array((0..<40).map { .string("text \($0)") }))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("text 20".utf8)) }) - 1
        var damaged = Array(bytes.dropLast(60))
        #expect(damaged[place] == 0x57)
        damaged[place] = 0x5E  // 14 bytes instead of 7
        let left = try RecoveredArchive(SharedBytes(damaged), isCutOff: true)
        for reference in left.reader.everyObject {
            guard case .string(let text)? = try? left.reader.value(of: reference), text.hasPrefix("text")
            else { continue }
            #expect((0..<40).contains { text == "text \($0)" } || left.contradiction != nil)
        }
    }

    /// Bytes that are not a keyed archive, or contain nothing of one, are refused with their offset.
    @Test(arguments: [
        [], Array("bplist00".utf8), Array("bplist00\u{54}".utf8), [UInt8](repeating: 0x41, count: 400),
    ])
    func nothingIsLeft(_ bytes: [UInt8]) {
        #expect(throws: PropertyListError.self) { try RecoveredArchive(SharedBytes(bytes), isCutOff: true) }
        #expect(throws: PropertyListError.self) { try RecoveredArchive(SharedBytes(bytes), isCutOff: false) }
    }

    /// Many nodes that share one list of many values take time in proportion to the file.
    @Test func sharedListsDoNotExplode() throws {
        var objects: [[UInt8]] = []
        func reference(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
        func list(_ members: [Int]) -> [UInt8] {
            [0xAF, 0x11] + reference(members.count) + members.flatMap(reference)
        }
        let count = 20_000
        objects.append([0x55] + Array("value".utf8))
        objects.append([0x5C] + Array("NSEntityName".utf8))
        objects.append([0x5F, 0x10, 17] + Array("NSAttributeValues".utf8))
        objects.append([0x5E] + Array("NSPrimaryKey64".utf8))
        objects.append([0x80, 0])
        objects.append([0x10, 1])
        objects.append(list([Int](repeating: 0, count: count)))
        let nodes = objects.count..<objects.count + count
        for _ in nodes { objects.append([0xD3] + [1, 2, 3, 0, 4, 5].flatMap(reference)) }
        objects.append(list([6] + nodes))
        objects.append([0x58] + Array("$objects".utf8))
        objects.append([0xD1] + reference(objects.count - 1) + reference(objects.count - 2))
        let map = Array("bplist00".utf8) + objects.flatMap { $0 }
        var header = Array("CoreData".utf8) + [0, 0, 0, 1, 8, 4, 8, 0]
        for number in [64 + map.count + 900, 400, 64, map.count + 900, 1, 0] {
            header += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        let store = try DamagedBinaryStore(SharedBytes(header + map), path: "hostile")
        #expect(store.nodes.count == count)
        var read = 0
        try store.forEachObject(model: nil, onDamage: { _ in }) { read += $0.attributes.count }
        #expect(read > 0 && read < 100_000_000, "\(read)")
    }
}
