import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The number of changes in which a search of all values finds the text; nil if the set is damaged.
private func found(_ search: ChangeSearch, in bytes: [UInt8]) -> Int? {
    var count = 0
    do throws(FileProblem) {
        try ChangeSetReader(SharedBytes(bytes), path: "set.syncchg").forEachChange(
            orShortfall: { problem throws(FileProblem) in throw problem },
            { if !search.matches(in: $0).isEmpty { count += 1 } })
    } catch {
        return nil
    }
    return count
}

private func insert(_ values: [ArchivedPair]) -> SyncChange {
    SyncChange(
        type: .insert, entity: "Recipe", objectSyncID: "r1",
        changedAttributes: .dictionary(
            [ArchivedPair(key: .string("ticdsSyncID"), value: .string("r1"))] + values),
        timestamp: 1)
}

private func insert(_ value: ArchivedValue) -> SyncChange {
    insert([ArchivedPair(key: .string("title"), value: value)])
}

private let ascii: [SyncChange] = [
    insert(.string("Apple Pie")), insert(.data([1, 2, 0xFF, 0xFE])), insert(.data(Array("k (KELVIN)".utf8))),
    insert(.array([.string("sweet"), .integer(25), .real(0.5)])), insert(.date(1.5)),
    SyncChange(
        type: .attribute, entity: "Recipe", objectSyncID: "r1", key: "title",
        changedAttributes: .string("Flan"), timestamp: 2),
    SyncChange(
        type: .toOne, entity: "Recipe", objectSyncID: "r1", key: "author", relatedEntity: "Person",
        changedRelationships: .string("anna"), timestamp: 3),
    SyncChange(type: .delete, entity: "Recipe", objectSyncID: "r2", timestamp: 5),
]

/// Sets whose values have text that is not in their bytes.
private let others: [SyncChange] =
    [
        insert(.string("Crème brûlée")), insert(.string("\u{212A}elvin")), insert(.data(Array("Crème".utf8))),
        insert(.decimal(ArchivedDecimal(mantissa: 250, exponent: -2, isNegative: true))),
        insert(.url("http://example.com -- a")), insert(.integer(-12)), insert(.real(.infinity)),
        insert(.boolean(true)),
    ] + [ArchivedUUID(bytes: Array(0..<16))].compactMap { $0.map { insert(.uuid($0)) } }

private let texts = [
    "apple pie", "Apple Pie", "pie", "creme", "crème", "brulee", "kelvin", "2.5", "-2", "0001", "05-0", "inf",
    "nan",
    "true", "example.com -- a", "com -- ", "flan", "title", "author", "person", "anna", "r1", "recipe",
    "sweet", "25",
    "0.5", "nothing like it", "a\nb", "é", "NSURL", "e", "K", ";",
]

@Test(arguments: KeyedArchiveForm.all)
func missingTextIsInNoChange(_ form: KeyedArchiveForm) throws {
    let known = KnownMetadata()
    for changes in [ascii] + others.map({ [$0] }) {
        let bytes = try form.rewritten(store: ChangeSetWriter.bytes(of: changes))
        for text in texts {
            for isExact in [false, true] {
                let search = ChangeSearch(text, isExact: isExact)
                guard search.isMissing(in: SharedBytes(bytes), known: known) else { continue }
                #expect(found(search, in: bytes) == 0, "\(text) in \(changes)")
            }
        }
    }
    let bytes = try form.rewritten(store: ChangeSetWriter.bytes(of: ascii))
    #expect(ChangeSearch("nothing like it").isMissing(in: SharedBytes(bytes), known: known))
    #expect(ChangeSearch("apple pie", isExact: true).isMissing(in: SharedBytes(bytes), known: known))
    #expect(!ChangeSearch("apple pie").isMissing(in: SharedBytes(bytes), known: known))
}

/// A set whose damage a reader reports is read.
@Test func damagedSetsAreNotMissingText() throws {
    let sound = try ChangeSetWriter.bytes(of: ascii)
    let search = ChangeSearch("nothing like it")
    var refused = 0
    for place in sound.indices {
        for mask: UInt8 in [0x01, 0x10, 0x20, 0x80, 0xFF] {
            var bytes = sound
            bytes[place] ^= mask
            if search.isMissing(in: SharedBytes(bytes), known: KnownMetadata()) {
                #expect(found(search, in: bytes) == 0, "at \(place)")
            } else {
                refused += 1
            }
        }
    }
    #expect(refused > sound.count)
}
