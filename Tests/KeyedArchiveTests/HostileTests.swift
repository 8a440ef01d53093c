import Base
import KeyedArchive
import Testing

/// A list of encoded objects; offsets and references have one byte.
private func list(_ objects: [[UInt8]], top: UInt8 = 0) -> SharedBytes {
    var file = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
        offsets.append(UInt8(file.count))
        file += object
    }
    let table = UInt8(file.count)
    file += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), top, table] { file += [0, 0, 0, 0, 0, 0, 0, number] }
    return SharedBytes(file)
}

/// A keyed archive with every kind of value, small enough to damage each byte.
private func sampleArchive() throws -> [UInt8] {
    try KeyedArchiveWriter.bytes(
        root: .array([
            .string("text"), .string("ü"), .date(1), .null, .none, .integer(-1),
            .dictionary(["k": .set([.real(2)])]),
            .uuid(.random()), .decimal(ArchivedDecimal(mantissa: 15, exponent: -1, isNegative: false)),
            .url("x"),
            .object(ArchivedObject(className: "C", fields: [ArchivedField("f", .data([1, 2, 3]))])),
        ]))
}

private func readAll(_ bytes: SharedBytes) throws(PropertyListError) -> ArchivedValue {
    let archive = try KeyedArchiveReader(bytes)
    return try archive.value(of: archive.root(), limits: KeyedArchiveLimits(visits: 100_000, bytes: 1 << 24))
}

@Test func everyTruncationIsAnError() throws {
    let sound = try sampleArchive()
    #expect(throws: Never.self) { try readAll(SharedBytes(sound)) }
    for count in 0..<sound.count {
        #expect(throws: PropertyListError.self) { try readAll(SharedBytes(Array(sound[..<count]))) }
    }
}

@Test func everyFlippedByteIsReadOrRefused() throws {
    let sound = try sampleArchive()
    var refused = 0
    for place in sound.indices {
        for mask: UInt8 in [0x01, 0x80, 0xFF] {
            var damaged = sound
            damaged[place] ^= mask
            do throws(PropertyListError) {
                _ = try readAll(SharedBytes(damaged))
            } catch {
                refused += 1
                #expect(error.offset >= 0 && error.offset <= sound.count)
            }
        }
    }
    #expect(refused > sound.count / 4)
}

@Test func aListInsideItselfIsRefused() {
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(list([[0xA1, 0]])).value() }
    #expect(throws: PropertyListError.self) {
        try BinaryPropertyList(list([[0xA1, 1], [0xD1, 2, 0], [0x51, 65]])).value()
    }
}

/// 31 objects, each an array of two references to the next: 2^30 nodes.
@Test func anExplodingListIsRefused() {
    var objects = (0..<30).map { [UInt8(0xA2), UInt8($0 + 1), UInt8($0 + 1)] }
    objects.append([0x09])
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(list(objects)).value() }
}

@Test func aWideExplodingListIsRefused() {
    var objects = (0..<20).map { level in [UInt8(0xAE)] + [UInt8](repeating: UInt8(level + 1), count: 14) }
    objects.append([0x4F, 0x10, 100] + [UInt8](repeating: 7, count: 100))
    #expect(throws: PropertyListError.self) {
        try BinaryPropertyList(list(objects.map { Array($0.prefix(6)) })).value()
    }
}

@Test func deepNestingIsRefused() {
    let objects = (0..<200).map { [UInt8(0xA1), UInt8($0 + 1)] }.map { $0 }
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects + [[0x09]] {
        offsets.append(file.count)
        file += object
    }
    let table = file.count
    for offset in offsets { file += [UInt8(offset >> 8), UInt8(offset & 255)] }
    file += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [offsets.count, 0, table] {
        file += [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)]
    }
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(SharedBytes(file)).value() }
}

@Test func countsBeyondTheFileAreRefused() {
    for object: [UInt8] in [
        [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x6F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255],
        [0xAF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF], [0xDF, 0x11, 0xFF, 0xFF], [0x5F, 0x51], [0x5F], [0x14, 0],
        [0x88], [0x15],
        [0x70], [0xE0], [0x0F], [0x22, 1], [0x33, 1], [0x63, 0xD8, 0], [0x51, 0x80],
    ] {
        #expect(throws: PropertyListError.self, "\(object)") {
            try BinaryPropertyList(list([object])).value()
        }
    }
}

@Test func loneSurrogatesKeepTheirCodeUnits() throws {
    let value = try BinaryPropertyList(list([[0x62, 0xD8, 0x3D, 0x00, 0x41]])).value()
    let units = ArchivedField("utf16BigEndian", .data([0xD8, 0x3D, 0x00, 0x41]), isInline: true)
    #expect(value == .object(ArchivedObject(className: "NSString", fields: [units])))
}

@Test func referencesAndTopOutsideTheTableAreRefused() {
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(list([[0xA1, 9]])).value() }
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(list([[0x09]], top: 1)) }
}

@Test(arguments: [
    [UInt8](), Array("bplist00".utf8), Array("not a property list, but long enough to be one".utf8),
])
func whatIsNoListIsRefused(_ bytes: [UInt8]) {
    #expect(throws: PropertyListError.self) { try BinaryPropertyList(SharedBytes(bytes)) }
}

@Test func aPlainListIsNoArchive() throws {
    let bytes = try BinaryPropertyListWriter.bytes(of: .dictionary(["$archiver": .string("NSKeyedArchiver")]))
    #expect(throws: PropertyListError.self) { try KeyedArchiveReader(SharedBytes(bytes)) }
}

@Test func aUIDBeyondTheObjectsIsRefused() throws {
    let bytes = try BinaryPropertyListWriter.bytes(
        of: .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$objects": .array([.string("$null")]),
            "$top": .dictionary(["root": .uid(7)]),
        ]))
    let archive = try KeyedArchiveReader(SharedBytes(bytes))
    #expect(throws: PropertyListError.self) { try archive.root() }
}
