import Base
import SystemCalls
import TestSupport
import Testing

@testable import TICDSCore

/// Names whose digits are stored two in a byte are the names that were added, in the same order.
@Suite struct PackedNamesTests {
    private static func digits(_ count: Int, _ random: inout RandomNumbers) -> [UInt8] {
        (0..<count).map { _ in Array("0123456789ABCDEF".utf8)[Int.random(in: 0..<16, using: &random)] }
    }

    /// Names of change sets, names that almost are, and any bytes.
    private static func name(_ random: inout RandomNumbers) -> [UInt8] {
        var name = digits(10, &random) + Array(".".utf8) + digits(6, &random)
        for count in [8, 4, 4, 4, 12, Int.random(in: 1...6, using: &random), 16] {
            name += Array("-".utf8) + digits(count, &random)
        }
        name += Array(".syncchg".utf8)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: name[Int.random(in: name.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 1: name.removeLast(Int.random(in: 0...name.count, using: &random))
        case 2:
            name = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        case 3: name = digits(Int.random(in: 1...300, using: &random), &random)
        default: break
        }
        return name
    }

    @Test func packedNamesGiveTheirBytesAndOrder() throws {
        var random = RandomNumbers()
        let names = (0..<1_000).map { _ in Self.name(&random) }
        var packed = PackedNames(unpackedBytes: 5_000)
        let places = try names.map { name in try #require(name.withUnsafeBytes { packed.append($0) }) }
        for (name, place) in zip(names, places) {
            #expect(packed.withName(place) { Array($0) } == name)
        }
        for (one, first) in zip(names, places) {
            let other = Int.random(in: names.indices, using: &random)
            let isBefore = one.lexicographicallyPrecedes(names[other])
            #expect(packed.precedes(first, places[other]) == isBefore)
        }
    }

    @Test func namesInSeveralPagesGiveTheirBytes() throws {
        var random = RandomNumbers(2)
        let names = (0..<40).map { _ in
            (0..<Int.random(in: 60_000...65_535, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        }
        var packed = PackedNames()
        let places = try names.map { name in try #require(name.withUnsafeBytes { packed.append($0) }) }
        for (name, place) in zip(names, places) {
            #expect(packed.withName(place) { Array($0) } == name)
        }
    }

    @Test func listingHasItsEntriesInTheOrderOfNames() {
        var random = RandomNumbers(1)
        let names = Set((0..<1_000).map { _ in RemoteName(Self.name(&random)) })
        let entries = names.enumerated().map { number, name in
            FolderEntry(
                name: name, kind: .file, size: Int64(number), modified: FileTime(seconds: Int64(-number)))
        }
        let listing = FolderListing(entries)
        #expect(Array(listing) == entries.sorted { $0.name < $1.name })
        for entry in entries { #expect(listing[entry.name] == entry) }
        let short = listing.filtered { $0.count < 60 }
        #expect(Array(short) == listing.filter { $0.name.bytes.count < 60 })
        var joined = FolderListing(entries.prefix(10))
        let fits = joined.append(FolderListing(entries.dropFirst(10)))
        joined.sort()
        #expect(fits && Array(joined) == Array(listing))
    }
}
