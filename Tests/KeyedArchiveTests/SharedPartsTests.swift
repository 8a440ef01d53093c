import Base
import KeyedArchive
import Testing

/// A list of encoded objects; offsets have four bytes, references two.
private func list(_ objects: [[UInt8]], top: Int) -> SharedBytes {
    var file = Array("bplist00".utf8)
    func bytes(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var offsets: [UInt8] = []
    for object in objects {
        offsets += bytes(file.count, 4)
        file += object
    }
    let table = file.count
    file += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [objects.count, top, table] { file += bytes(number, 8) }
    return SharedBytes(file)
}

private func text(_ text: String) -> [UInt8] {
    [0x5F, 0x11, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
}

private func run(_ marker: UInt8, _ references: [Int], count: Int) -> [UInt8] {
    [marker | 15, 0x11, UInt8(count >> 8), UInt8(count & 255)]
        + references.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
}

/// An archive whose `$objects` are `count` objects from index `first`, with UID 1 as root.
private func archive(_ objects: [[UInt8]], count: Int) -> SharedBytes {
    let frame = [
        text("$archiver"), text("NSKeyedArchiver"), text("$objects"), text("$top"), text("root"), [0x80, 1],
        run(0xD0, [4, 5], count: 1), run(0xA0, (9..<9 + count).map { $0 }, count: count),
        run(0xD0, [0, 2, 3, 1, 7, 6], count: 3),
    ]
    return list(frame + objects, top: 8)
}

private func isRefused(_ bytes: SharedBytes) throws -> Bool {
    let archive = try KeyedArchiveReader(bytes)
    do throws(PropertyListError) {
        _ = try archive.value(of: archive.root())
        return false
    } catch {
        return true
    }
}

/// A small file with many objects that share one long name; each object gets a copy.
@Test func longNamesThatManyShareAreRefused() throws {
    let name = 9 + 4, plain = 9 + 5
    let fields = 8000
    let bytes = archive(
        [
            text("$null"),
            run(
                0xD0,
                [name - 1] + Array(repeating: name, count: fields) + [plain + 1]
                    + Array(repeating: plain, count: fields), count: fields + 1),
            run(0xD0, [plain + 2, plain + 3], count: 1), text("$class"),
            text(String(repeating: "x", count: 60_000)),
            [0x09], [0x80, 2], text("$classname"), text("C"),
        ], count: 3)
    #expect(try isRefused(bytes))
}

/// Thousands of references to one dictionary with thousands of fields; each reference searches it for `$class`.
@Test func objectsOfManyFieldsAreCounted() throws {
    let many = 30_000
    let shared = archive(
        [
            text("$null"), run(0xA0, Array(repeating: 9 + 3, count: many), count: many),
            run(0xD0, Array(repeating: 9 + 4, count: 2 * many), count: many), [0x80, 2], [0x09],
        ], count: 3)
    #expect(try isRefused(shared))
}

/// Nil members cost as much as others.
@Test func nilsAreCounted() throws {
    let many = 30_000
    let bytes = archive(
        [
            text("$null"), run(0xA0, Array(repeating: 9 + 3, count: many), count: many),
            run(0xA0, Array(repeating: 9 + 4, count: many), count: many), [0x80, 2], [0x80, 0],
        ], count: 3)
    #expect(try isRefused(bytes))
}
