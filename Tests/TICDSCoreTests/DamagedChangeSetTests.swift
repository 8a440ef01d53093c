import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

/// Change sets that the framework wrote, and those of the package, truncated at many places.
@Suite(.enabled(if: Python.available, "needs Python")) struct DamagedChangeSetTests {
    @Test func setsOfTheFramework() throws {
        var count = 0
        for case let name as String in FileManager.default.enumerator(atPath: try Fixtures.remotes.string)
            ?? .init()
        where name.hasSuffix(".syncchg") {
            let path = try Fixtures.remotes.pushing(FilePath(name))
            let bytes = try FileBytes.read(path).array
            guard bytes.starts(with: Array("CoreData".utf8)),
                try ChangeSetReader(SharedBytes(bytes), path: path).count > 0
            else { continue }
            try cut(bytes, at: path, every: 29)
            count += 1
        }
        #expect(count > 20)
    }

    /// Truncated at every byte. The package writes objects in the order of the framework.
    @Test func aSetOfThePackage() throws {
        let folder = try TemporaryFolder(prefix: "ticds-damaged")
        let path = folder.path.appending("set.syncchg")
        let values: ArchivedValue = .dictionary([
            "ticdsSyncID": .string("n2"), "stars": .integer(3), "when": .date(1.5), "big": .data([1, 2, 3]),
        ])
        let changes = (0..<6).flatMap { number in
            [
                SyncChange(
                    type: .insert, entity: "Note", objectSyncID: "n\(number)", changedAttributes: values,
                    timestamp: Double(number)),
                SyncChange(
                    type: .toOne, entity: "Note", objectSyncID: "n\(number)", key: "folder",
                    relatedEntity: "Folder", changedRelationships: .string("f\(number)"), timestamp: 9),
                SyncChange(
                    type: .attribute, entity: "Note", objectSyncID: "n\(number)", key: "title",
                    changedAttributes: .string("Ü \(number)"), timestamp: 10),
            ]
        }
        try NewFile.write(try ChangeSetWriter.bytes(of: changes), to: path)
        try cut(try FileBytes.read(path).array, at: path, every: 1)
    }

    /// A dictionary that contains itself, which a reader shows and no writer can write: the change is incomplete, so
    /// that every complete change can be written again.
    @Test(arguments: [false, true]) func aValueThatContainsItselfIsLost(isCut: Bool) throws {
        let folder = try TemporaryFolder(prefix: "ticds-damaged")
        let path = folder.path.appending("set.syncchg")
        let changes = (0..<3).map { number in
            SyncChange(
                type: .insert, entity: "Note", objectSyncID: "n\(number)",
                changedAttributes: .dictionary(["name": .string("\(number)"), "stars": .integer(7)]),
                timestamp: Double(number))
        }
        try NewFile.write(try ChangeSetWriter.bytes(of: changes), to: path)
        let script = """
            import plistlib, sys
            data = open(sys.argv[1], 'rb').read()
            end = int.from_bytes(data[16:24], 'big')
            archive = plistlib.loads(data[64:end])
            objects = archive['$objects']
            number = next(n for n, o in enumerate(objects) if isinstance(o, dict) and len(o.get('NS.keys', [])) == 2)
            objects[number]['NS.objects'][0] = plistlib.UID(number)
            made = plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)
            header = data[:16] + (64 + len(made)).to_bytes(8, 'big') + data[24:40] + len(made).to_bytes(8, 'big')
            sys.stdout.buffer.write(header + data[48:64] + made + data[end:])
            """
        let made = try #require(Python.run(script, [path.string]))
        let set = try DamagedChangeSet(SharedBytes(isCut ? made.dropLast(20) : made), path: path)
        let left = try self.changes(set)
        #expect(left.map(\.isWhole) == [false, true, true])
        #expect(left[0].missing == [.attributes] && left[0].missingAttributes == ["name"])
        #expect(left[0].change.changedAttributes == .dictionary(["stars": .integer(7)]))
        #expect(set.changesIfOnlyCutOff() == nil)
        let whole = left.filter(\.isWhole).map(\.change)
        #expect(try !ChangeSetWriter.bytes(of: whole).isEmpty)
    }

    private func cut(_ bytes: [UInt8], at path: FilePath, every step: Int) throws {
        var whole: [Int64: SyncChange] = [:]
        var order: [Int64] = []
        try ChangeSetReader(SharedBytes(bytes), path: path).forEachChange { change in
            whole[change.primaryKey] = change
            order.append(change.primaryKey)
        }
        let ends = try ObjectExtents.ends(of: path)
        var problems: [String] = []
        var recovered = 0
        for size in Array(stride(from: 0, to: bytes.count, by: step)) + [bytes.count] {
            let expected = ends.objects.filter { $0.value <= size && ends.list <= size }
            guard let set = try? DamagedChangeSet(SharedBytes(Array(bytes[..<size])), path: path) else {
                if !expected.isEmpty { problems.append("\(size): nothing") }
                continue
            }
            var found: [Int64] = []
            for left in try changes(set) {
                let key = left.change.primaryKey
                guard let original = whole[key] else {
                    // The key of its object can be lost, which a change does not need.
                    let isKnown = whole.values.contains { self.difference(of: left, $0).isEmpty }
                    if key != 0 || !isKnown { problems.append("\(size): made up \(key)") }
                    continue
                }
                if left.isWhole {
                    found.append(key)
                    if left.change != original { problems.append("\(size): \(left.change)") }
                }
                problems += difference(of: left, original).map { "\(size): \(key) \($0)" }
            }
            let lost = Set(expected.keys).subtracting(found)
            if !lost.isEmpty { problems.append("\(size): lost \(lost)") }
            if size == bytes.count, found != order || !set.store.problems.isEmpty {
                problems.append("whole: \(found), \(set.store.problems)")
            }
            recovered += found.count
        }
        #expect(problems.isEmpty, "\(path.string): \(problems.prefix(10))")
        #expect(recovered > 0)
    }

    private func changes(_ set: DamagedChangeSet) throws -> [RecoveredChange] {
        var all: [RecoveredChange] = []
        try set.forEachChange { all.append($0) }
        return all
    }

    private func difference(of left: RecoveredChange, _ original: SyncChange) -> [String] {
        let change = left.change
        var wrong: [String] = []
        func check(_ part: RecoveredChange.Part, _ isEqual: Bool) {
            if !left.missing.contains(part) && !isEqual { wrong.append(part.rawValue) }
        }
        check(.type, change.type == original.type)
        check(.entity, change.entity == original.entity)
        check(.objectSyncID, change.objectSyncID == original.objectSyncID)
        check(.key, change.key == original.key)
        check(.relatedEntity, change.relatedEntity == original.relatedEntity)
        check(.relatedSyncID, change.relatedSyncID == original.relatedSyncID)
        check(.attributes, change.changedAttributes == original.changedAttributes)
        check(.timestamp, change.timestamp == original.timestamp)
        // Attributes of an insert are salvaged one by one.
        for pair in change.changedAttributes.pairs ?? [] {
            let value = original.changedAttributes.pairs?.first { $0.key == pair.key }?.value
            if value != pair.value { wrong.append("\(pair.key)") }
        }
        return wrong
    }

    /// Part of an insert: the attributes before the cut are salvaged, the others are named.
    @Test func attributesOfAnInsertComeBackOneByOne() throws {
        let values: ArchivedValue = .dictionary([
            "a": .string("first"), "b": .string("second"), "c": .string("third, and a long one"),
        ])
        let change = SyncChange(
            type: .insert, entity: "Note", objectSyncID: "n1", changedAttributes: values, timestamp: 5)
        let bytes = try ChangeSetWriter.bytes(of: [change])
        var names: Set<[String]> = []
        for size in 64..<bytes.count {
            guard let set = try? DamagedChangeSet(SharedBytes(Array(bytes[..<size])), path: "set.syncchg"),
                let left = try changes(set).first
            else { continue }
            names.insert(left.missingAttributes)
            #expect(left.missingAttributes.isEmpty || left.missing.contains(.attributes))
        }
        #expect(names.contains([]))
    }

    /// Stores of a different kind are refused with the command that reads them.
    @Test func otherFilesAreRefused() throws {
        #expect(throws: FileProblem.self) {
            try DamagedChangeSet(SharedBytes(Array("SQLite format 3\0".utf8) + [1]), path: "set.syncchg")
        }
        #expect(throws: FileProblem.self) {
            try DamagedChangeSet(SharedBytes([UInt8](repeating: 7, count: 500)), path: "set.syncchg")
        }
    }
}
