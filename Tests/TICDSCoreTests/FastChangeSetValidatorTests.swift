import Base
import CoreDataStore
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

private let decimal = ArchivedDecimal(mantissa: 250, exponent: -2, isNegative: false)

/// Changes of all types, with values of all usual kinds.
private let changes: [SyncChange] = [
    SyncChange(
        type: .insert, entity: "Recipe", objectSyncID: "r1",
        changedAttributes: .dictionary([
            "ticdsSyncID": .string("r1"), "title": .string("Crème brûlée"), "price": .decimal(decimal),
            "photo": .data([1, 2, 3]), "when": .date(1.5), "site": .url("http://example.com -- a"),
            "order": .orderedSet([.string("a"), .integer(2)]), "stars": .integer(3), "share": .real(0.5),
            "isDone": .boolean(true), "nothing": .null, "tags": .array([.string("sweet"), .string("🍮")]),
            "words": .set([.string("one")]),
        ]), timestamp: 1),
    SyncChange(
        type: .attribute, entity: "Recipe", objectSyncID: "r1", key: "title",
        changedAttributes: .string("Flan"), timestamp: 2),
    SyncChange(
        type: .toOne, entity: "Recipe", objectSyncID: "r1", key: "author", relatedEntity: "Person",
        changedRelationships: .null, timestamp: 3),
    SyncChange(
        type: .addToMany, entity: "Recipe", objectSyncID: "r1", key: "ingredients",
        relatedEntity: "Ingredient", changedRelationships: .string("i1"), timestamp: 4),
    SyncChange(type: .delete, entity: "Recipe", objectSyncID: "r2", timestamp: 5),
]

/// The result for the changes of a set, in no order, and for its model.
private struct Told: Equatable {
    var outlines: [ChangeOutline: Int] = [:]
    var isOfFramework = false
    var problems = 0
}

private let entity = FrameworkModels.syncChangeEntity
private let hash = FrameworkModels.syncChange.versionHashes[entity] ?? []

/// The result of the validator; nil for an unfamiliar set.
private func validated(_ bytes: [UInt8]) -> Told? {
    do throws(UnfamiliarArchive) {
        var told = Told()
        var validator = try FastChangeSetValidator(SharedBytes(bytes))
        for position in 0..<validator.count {
            told.outlines[try validator.outline(at: position), default: 0] += 1
        }
        told.isOfFramework = validator.versionHash == hash
        return told
    } catch {
        return nil
    }
}

/// The result of the reader; nil for a set that cannot be opened.
private func read(_ bytes: [UInt8]) throws -> Told? {
    guard let reader = try? ChangeSetReader(SharedBytes(bytes), path: "set.syncchg") else { return nil }
    var told = Told()
    try reader.forEachOutline(
        onDamage: { _ in told.problems += 1 }, { told.outlines[$0, default: 0] += 1 })
    told.isOfFramework = reader.versionHash(of: entity) == hash
    return told
}

@Test(arguments: KeyedArchiveForm.all)
func aValidatorTellsWhatAReaderTells(_ form: KeyedArchiveForm) throws {
    for count in 0...changes.count {
        let bytes = try form.rewritten(store: ChangeSetWriter.bytes(of: Array(changes.prefix(count))))
        let told = try #require(validated(bytes))
        #expect(told == (try read(bytes)))
        #expect(told.isOfFramework && told.outlines.values.reduce(0, +) == count)
        let forms = BinaryStoreArchive.canonicalForms(of: SharedBytes(bytes))
        #expect(forms.map(\.isUsual) == [true, true])
    }
}

/// The reader makes the same changes in every form.
@Test(arguments: KeyedArchiveForm.all)
func aFormDoesNotChangeTheChanges(_ form: KeyedArchiveForm) throws {
    func all(_ bytes: [UInt8]) throws -> [SyncChange] {
        var found: [SyncChange] = []
        try ChangeSetReader(SharedBytes(bytes), path: "set.syncchg").forEachChange { found.append($0) }
        return found
    }
    let bytes = try ChangeSetWriter.bytes(of: changes)
    let rewritten = try all(form.rewritten(store: bytes))
    #expect(rewritten == (try all(bytes)))
}

/// The sizes of real sets: above a mebibyte, with many values, deep, and with references of four bytes.
@Test func largeSetsAreFamiliar() throws {
    func insert(_ number: Int, _ value: ArchivedValue) -> SyncChange {
        SyncChange(
            type: .insert, entity: "Recipe", objectSyncID: "r\(number)",
            changedAttributes: .dictionary(["ticdsSyncID": .string("r\(number)"), "value": value]),
            timestamp: 1)
    }
    let photo = ArchivedValue.data([UInt8](repeating: 1, count: 3 << 20))
    var deep = ArchivedValue.array([])
    for _ in 0..<100 { deep = .array([deep]) }
    let sets: [[SyncChange]] = [
        [insert(0, photo)], [insert(0, deep)],
        (0..<1000).map { insert($0, .data([UInt8](repeating: UInt8($0 % 251), count: 2000 + $0))) },
        (0..<2000).map { insert($0, .decimal(decimal)) },
    ]
    for changes in sets {
        let sound = try ChangeSetWriter.bytes(of: changes)
        for form in [KeyedArchiveForm(), KeyedArchiveForm.all[KeyedArchiveForm.all.count - 2]] {
            let bytes = try form.rewritten(store: sound)
            let told = try #require(validated(bytes))
            #expect(told == (try read(bytes)))
        }
    }
}

/// Known metadata give the same result as read metadata, also if a byte of them differs.
@Test func knownMetadataTellWhatIsRead() throws {
    let known = KnownMetadata()
    let first = try ChangeSetWriter.bytes(of: changes)
    _ = try FastChangeSetValidator(SharedBytes(first), known: known)
    let sound = try ChangeSetWriter.bytes(of: changes)
    let start = sound[16..<24].reduce(0) { $0 << 8 | Int($1) }
    var refused = 0
    for place in start..<sound.count {
        for mask: UInt8 in [0, 0x01, 0x20, 0x80, 0xFF] {
            var bytes = sound
            bytes[place] ^= mask
            func answer(_ known: KnownMetadata?) -> [AnyHashable]? {
                do throws(UnfamiliarArchive) {
                    let validator = try FastChangeSetValidator(SharedBytes(bytes), known: known)
                    return [validator.isInUsualForm, validator.versionHash]
                } catch {
                    return nil
                }
            }
            let read = answer(nil)
            if read == nil { refused += 1 }
            #expect(answer(known) == read, "byte \(place) with \(mask)")
        }
    }
    #expect(refused > 100)
}

/// Bytes replaced by others in the file, or by small numbers; a part over another part; a truncated end.
private func damaged(_ sound: [UInt8], _ numbers: inout RandomNumbers) -> [UInt8] {
    var bytes = sound
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &numbers))
    case 1, 2:
        let count = Int.random(in: 1...40, using: &numbers)
        let from = Int.random(in: 0...bytes.count - count, using: &numbers)
        let to = Int.random(in: 0...bytes.count - count, using: &numbers)
        bytes.replaceSubrange(to..<to + count, with: sound[from..<from + count])
    default:
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 1: bytes[place] = sound.randomElement(using: &numbers) ?? 0
            default: bytes[place] = UInt8.random(in: 0...140, using: &numbers)
            }
        }
    }
    return bytes
}

/// A reader gives the same results as the validator of a damaged set; a set with a problem is unfamiliar.
@Test func aValidatorNeverTakesDamageForSound() throws {
    let set = try ChangeSetWriter.bytes(of: changes)
    let forms = try KeyedArchiveForm.all.map { try $0.rewritten(store: set) }
    var numbers = RandomNumbers()
    var familiar = 0
    for turn in 0..<20_000 {
        let bytes = damaged(forms[turn % forms.count], &numbers)
        guard let told = validated(bytes) else { continue }
        familiar += 1
        #expect(told == (try read(bytes)), "turn \(turn)")
    }
    #expect(familiar > 1000)
}

/// Every byte in turn, by all of its bits and by small numbers.
@Test func aValidatorNeverTakesADamagedByteForSound() throws {
    let set = try ChangeSetWriter.bytes(of: [changes[1]])
    let sound = try KeyedArchiveForm.all[KeyedArchiveForm.all.count - 4].rewritten(store: set)
    for place in sound.indices {
        for value in Set((0..<8).map { sound[place] ^ 1 << UInt8($0) } + Array(0...9)) {
            var bytes = sound
            bytes[place] = value
            guard let told = validated(bytes) else { continue }
            #expect(told == (try read(bytes)), "byte \(place) is \(value)")
        }
    }
}
