import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

private let path: FilePath = "set.syncchg"

/// One change of each type, in the reverse of the order of application.
private let changes: [SyncChange] = [
    SyncChange(type: .delete, entity: "Note", objectSyncID: "n3", timestamp: 1),
    SyncChange(
        type: .removeFromMany, entity: "Note", objectSyncID: "n1", key: "tags", relatedEntity: "Tag",
        changedRelationships: .string("t2"), timestamp: 2),
    SyncChange(
        type: .addToMany, entity: "Note", objectSyncID: "n1", key: "tags", relatedEntity: "Tag",
        changedRelationships: .string("t1"), timestamp: 3),
    SyncChange(
        type: .toOne, entity: "Note", objectSyncID: "n1", key: "folder", relatedEntity: "Folder",
        changedRelationships: .null, timestamp: 4),
    SyncChange(
        type: .attribute, entity: "Note", objectSyncID: "n1", key: "title", changedAttributes: .null,
        timestamp: 6.5),
    SyncChange(
        type: .attribute, entity: "Note", objectSyncID: "n1", key: "title", changedAttributes: .string("Ü"),
        timestamp: 5),
    SyncChange(
        type: .insert, entity: "Note", objectSyncID: "n2",
        changedAttributes: .dictionary([
            "ticdsSyncID": .string("n2"), "stars": .integer(3), "when": .date(1.5),
        ]),
        timestamp: 7),
]

private func read(_ bytes: [UInt8]) throws -> [SyncChange] {
    var found: [SyncChange] = []
    try ChangeSetReader(SharedBytes(bytes), path: path).forEachChange { found.append($0) }
    return found
}

@Test func changesComeInOrderOfApplication() throws {
    let found = try read(try ChangeSetWriter.bytes(of: changes))
    #expect(
        found.map(\.type) == [.insert, .attribute, .attribute, .toOne, .addToMany, .removeFromMany, .delete])
    #expect(found.map(\.timestamp) == [7, 5, 6.5, 4, 3, 2, 1])
    #expect(Set(found.map(\.primaryKey)) == Set(1...7))
    let expected = changes.reversed().map { change in
        var change = change
        if change.changedAttributes == .none { change.changedAttributes = .null }
        if change.changedRelationships == .none { change.changedRelationships = .null }
        return change
    }
    for wanted in expected {
        #expect(
            found.contains { other in
                var other = other
                other.primaryKey = 0
                return other == wanted
            })
    }
}

@Test func anEmptyFileHasNoContent() throws {
    #expect(throws: FileProblem.self) { try read([]) }
}

@Test func theVersionHashesAreTheFrameworks() {
    func text(_ hash: [UInt8]?) -> String {
        (hash ?? []).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(
        text(FrameworkModels.syncChange.versionHash(of: "TICDSSyncChange"))
            == "dd9853bb9b2445ccd6f7bc3f59b6673ce55d7b6b11bca199c164acdcfeea88b2")
    #expect(
        text(FrameworkModels.syncChangeSet.versionHash(of: "TICDSSyncChangeSet"))
            == "4148f46c5d747348162e8f9cee9785e54bec8843d35a141bf1219de3d08d1e1b")
}

@Test func metadataCarryTheHash() throws {
    let bytes = SharedBytes(try ChangeSetWriter.bytes(of: changes))
    let archive = try BinaryStoreArchive(bytes, path: path)
    #expect(archive.metadata.all["NSStoreType"]?.stringValue == "Binary")
    #expect(archive.metadata.versionHashes == FrameworkModels.syncChange.versionHashes)
    #expect(archive.header?.primaryKeyGeneration == 7)
    let store = BinaryStore(archive, model: FrameworkModels.syncChange)
    #expect(try store.objectCounts().map { "\($0.entity) \($0.count)" } == ["TICDSSyncChange 7"])
}

/// Each slot in turn contains a forbidden value.
@Test(arguments: 0..<8)
func theGuardOfTheSlots(_ slot: Int) throws {
    var slots: [ArchivedValue] = [
        .integer(2), .string("x"), .null, .date(1), .string("Note"), .string("n1"), .null, .string("title"),
    ]
    slots[slot] = slot == 1 ? .none : .array([])
    var writer = BinaryStoreWriter(metadata: StoreMetadata(.dictionary([:])))
    try writer.append(entity: "TICDSSyncChange", primaryKey: 1, slots: slots)
    let bytes = try writer.finish()
    if slot == 1 {
        #expect(try read(bytes).first?.changedAttributes == .null, "any value is allowed here")
    } else {
        let problem = #expect(throws: FileProblem.self) { try read(bytes) }
        #expect(problem?.kind == .damaged)
        #expect(problem?.offset != nil)
    }
}

@Test func aDamagedChangeDoesNotHideTheOthers() throws {
    var writer = BinaryStoreWriter(metadata: StoreMetadata(.dictionary([:])))
    let sound: [ArchivedValue] = [
        .integer(2), .null, .null, .date(1), .string("Note"), .string("n1"), .null, .string("title"),
    ]
    try writer.append(entity: "TICDSSyncChange", primaryKey: 1, slots: sound)
    try writer.append(entity: "TICDSSyncChange", primaryKey: 2, slots: Array(sound.dropLast()))
    try writer.append(entity: "Stranger", primaryKey: 3, slots: sound)
    try writer.append(entity: "TICDSSyncChange", primaryKey: 4, slots: sound)
    var keys: [Int64] = []
    var problems: [FileProblem] = []
    let reader = try ChangeSetReader(SharedBytes(try writer.finish()), path: path)
    try reader.forEachChange(onDamage: { problems.append($0) }, { keys.append($0.primaryKey) })
    #expect(keys == [1, 4])
    #expect(problems.count == 2)
}

@Test func everyTruncationOfASetIsRefused() throws {
    let bytes = try ChangeSetWriter.bytes(of: changes)
    for count in 1..<bytes.count {
        #expect(throws: FileProblem.self) { try read(Array(bytes[..<count])) }
    }
}

/// The content of a set, change by change and damage by damage.
private enum Shown: Equatable {
    case change(ChangeOutline)
    case problem(FileProblem)
}

private func outline(_ change: SyncChange) -> ChangeOutline {
    ChangeOutline(
        type: change.type, entity: change.entity, hasSyncID: change.objectSyncID != nil,
        hasKey: change.key != nil, hasRelatedEntity: change.relatedEntity != nil,
        hasAttributes: change.changedAttributes.pairs != nil, hasRelatedSyncID: change.relatedSyncID != nil,
        primaryKey: change.primaryKey)
}

@Test func outlinesTellWhatChangesTell() throws {
    let sound = try ChangeSetWriter.bytes(of: changes)
    for place in sound.indices {
        for mask: UInt8 in [0x00, 0x01, 0x80, 0xFF] {
            var bytes = sound
            bytes[place] ^= mask
            guard let reader = try? ChangeSetReader(SharedBytes(bytes), path: path) else { continue }
            var whole: [Shown] = []
            var outlines: [Shown] = []
            try reader.forEachChange(
                onDamage: { whole.append(.problem($0)) }, { whole.append(.change(outline($0))) })
            try reader.forEachOutline(
                onDamage: { outlines.append(.problem($0)) }, { outlines.append(.change($0)) })
            #expect(outlines == whole, "byte \(place) with \(mask)")
            let entity = "TICDSSyncChange"
            #expect(reader.versionHash(of: entity) == reader.metadata.versionHashes[entity])
        }
    }
}

/// Python resolves the keyed archive by the rules of the format alone.
@Test(.enabled(if: Python.available))
func pythonReadsWhatIsWritten() throws {
    let bytes = try ChangeSetWriter.bytes(of: changes)
    let folder = try #require(Python.run("import tempfile; print(tempfile.mkdtemp(prefix='ticds-'), end='')"))
    let file = FilePath(String(decoding: folder, as: UTF8.self)).appending("set.syncchg")
    let descriptor = try FileDescriptor.open(file, .writeOnly, options: .create, permissions: .ownerReadWrite)
    try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
    let script = """
        import plistlib, struct, sys, shutil, os
        d = open(sys.argv[1], 'rb').read()
        magic, one, version, mo, ml, po, pl, keys, unused = struct.unpack('>8sIIQQQQQQ', d[:64])
        assert magic == b'CoreData' and one == 1 and version == 0x08040800 and unused == 0 and keys == 7
        assert po == 64 and mo == 64 + pl and mo + ml == len(d)
        p = plistlib.loads(d[po:po + pl]); o = p['$objects']
        U = lambda u: o[u.data]
        m = U(p['$top']['mapData'])
        rows = []
        for k, n in zip(m['NS.keys'], m['NS.objects']):
            n = U(n); assert U(k) == n['NSPrimaryKey64'] and U(n['NSEntityName']) == 'TICDSSyncChange'
            assert U(n['$class'])['$classes'] == ['NSDictionaryMapNode', 'NSStoreMapNode', 'NSObject']
            s = [U(x) for x in U(n['NSAttributeValues'])['NS.objects']]
            assert all(x != '$null' for x in s)
            rows.append('%d/%s/%s' % (s[0], s[4], s[5]))
        print(' '.join(rows), end='')
        shutil.rmtree(os.path.dirname(sys.argv[1]))
        """
    let answer = try #require(Python.run(script, [file.string]))
    #expect(
        String(decoding: answer, as: UTF8.self)
            == "10/Note/n3 5/Note/n1 4/Note/n1 3/Note/n1 2/Note/n1 2/Note/n1 1/Note/n2")
}
