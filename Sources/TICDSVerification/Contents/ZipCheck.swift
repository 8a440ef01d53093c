import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the zip around a whole store.
struct ZipCheck {
    let checked: CheckedFile
    /// The zip, or a decrypted copy of it.
    let place: FilePath

    /// Checks the directory and the headers; `extract` reads the content.
    func findings() -> [Finding] {
        do throws(FileProblem) {
            let members = try ZipFile(RangeReader(place)).members()
            if let problem = try ZipStructure.problem(of: RangeReader(place)) { throw problem }
            return entries(members)
        } catch { return checked.findings(error, .zipDamaged) }
    }

    /// Extracts the only entry, and checks its size and its CRC-32.
    func extract(to target: FilePath) throws(FileProblem) {
        let zip = try ZipFile(RangeReader(place))
        guard let member = try zip.members().first(where: { $0.kind == .file }) else { return }
        try zip.extract(member, to: target)
    }

    private func entries(_ members: [ZipMember]) -> [Finding] {
        guard members.count == 1, let member = members.first, member.kind == .file else {
            return [checked.finding(.zipEntries, expected: "one file", found: "\(members.count) entries")]
        }
        let name = String(decoding: member.name, as: UTF8.self)
        guard isHarmless(member.name), !member.isEncrypted else {
            return [checked.finding(.zipEntries, subject: name, expected: "the name of a file", found: name)]
        }
        guard let document = checked.file.document, document.bytes != member.name else { return [] }
        return [checked.finding(.zipEntryName, subject: name, expected: document.text, found: name)]
    }

    private func isHarmless(_ name: [UInt8]) -> Bool {
        let separators: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0]
        return !name.isEmpty && !name.contains { separators.contains($0) } && name != Array("..".utf8)
            && name != Array(".".utf8)
    }
}

/// Compares the central directory of a zip with the local headers of its entries: every byte of the file must belong to a
/// structure, and both copies of a field must agree. The extraction checks the CRC-32 of each entry.
///
/// Fields that readers ignore are not checked: the version and the system that made the zip, the attributes of its
/// entries, extra fields and comments. Zip64 files, which the framework does not write, are not checked here.
struct ZipStructure {
    private let file: RangeReader
    private let size: Int

    /// The first fault; nil for an intact zip. Throws if the file cannot be read.
    static func problem(of file: RangeReader) throws(FileProblem) -> FileProblem? {
        let structure = ZipStructure(file: file, size: Int(clamping: try file.status().size))
        do throws(Fault) {
            try structure.check()
            return nil
        } catch {
            switch error {
            case .reading(let problem): throw problem
            case .structure(let offset, let expected):
                return FileProblem(
                    .damaged, path: file.path, offset: offset, "the zip is damaged", expected: expected)
            }
        }
    }

    private enum Fault: Error {
        case reading(FileProblem)
        case structure(Int, String)
    }

    private static let endSize = 22
    private static let entrySize = 46
    private static let headerSize = 30
    /// The framework never writes a larger directory, in bytes.
    private static let directoryLimit = 1 << 20

    private func check() throws(Fault) {
        let tail = max(0, size - Self.endSize - 65_535)
        let bytes = try read(tail..<size)
        let magic = Field.magic(0x0605_4B50)
        guard
            let start = (0..<max(0, bytes.bytes.count - Self.endSize + 1)).reversed().first(where: {
                bytes.bytes[$0...].starts(with: magic)
            })
        else { throw .structure(size, "the end of a directory") }
        let end = tail + start
        func number(_ offset: Int, _ count: Int) -> Int { bytes.number(start + offset, count) }
        let directory = number(16, 4)..<(number(16, 4) + number(12, 4))
        if number(16, 4) == 0xFFFF_FFFF || number(10, 2) == 0xFFFF { return }
        try require(
            end + Self.endSize + number(20, 2) == size, end + 20, "a comment up to the end of the file")
        try require(number(4, 4) == 0, end + 4, "a zip of one part")
        try require(number(8, 2) == number(10, 2), end + 8, "two equal numbers of entries")
        try require(directory.upperBound == end, end + 12, "a directory up to its end record")
        try require(directory.count <= Self.directoryLimit, end + 12, "a small directory")
        try checkEntries(try read(directory), at: directory.lowerBound, count: number(10, 2))
    }

    private func checkEntries(_ directory: Field, at start: Int, count: Int) throws(Fault) {
        var offset = 0
        var expected = 0
        for _ in 0..<count {
            try require(offset + Self.entrySize <= directory.bytes.count, start + offset, "an entry")
            let lengths = [28, 30, 32].map { directory.number(offset + $0, 2) }
            let end = offset + Self.entrySize + lengths.reduce(0, +)
            try require(end <= directory.bytes.count, start + offset, "an entry inside the directory")
            let entry = Field(bytes: Array(directory.bytes[offset..<end]))
            try require(entry.bytes.starts(with: Field.magic(0x0201_4B50)), start + offset, "an entry")
            try require(entry.number(34, 2) == 0, start + offset + 34, "an entry of the first part")
            try require(entry.number(42, 4) == expected, start + offset + 42, "the header at \(expected)")
            expected = try checkHeader(of: entry, at: expected)
            offset = end
        }
        try require(offset == directory.bytes.count, start + offset, "the end of the directory")
        try require(expected == start, expected, "the directory right after the last entry")
    }

    /// Compares the local header of an entry with the directory; returns the end of the entry.
    private func checkHeader(of entry: Field, at start: Int) throws(Fault) -> Int {
        try require(start + Self.headerSize <= size, start, "the header of an entry")
        let header = try read(start..<start + Self.headerSize)
        try require(header.bytes.starts(with: Field.magic(0x0403_4B50)), start, "the header of an entry")
        let isDescribedLater = header.number(6, 2) & 8 != 0
        for (offset, count) in [(4, 2), (6, 2), (8, 2), (10, 4), (26, 2)] {
            try same(header, entry, offset, count, at: start)
        }
        for offset in [14, 18, 22] where !isDescribedLater || header.number(offset, 4) != 0 {
            try same(header, entry, offset, 4, at: start)
        }
        let nameLength = header.number(26, 2)
        let name = start + Self.headerSize
        let content = name + nameLength + header.number(28, 2)
        let end = content + entry.number(20, 4)
        try require(end <= size, start + 18, "an entry inside the file")
        let own = try read(name..<name + nameLength).bytes
        let listed = Array(entry.bytes[Self.entrySize..<Self.entrySize + nameLength])
        try require(own == listed, name, "the name in the directory")
        return isDescribedLater ? try checkDescriptor(of: entry, at: end) : end
    }

    /// Checks the data descriptor after an entry (CRC-32 and sizes), with or without its signature; returns its end.
    private func checkDescriptor(of entry: Field, at start: Int) throws(Fault) -> Int {
        try require(start + 12 <= size, start, "a checksum behind the entry")
        let expected = Array(entry.bytes[16..<28])
        if try read(start..<start + 12).bytes == expected { return start + 12 }
        try require(start + 16 <= size, start, "a checksum behind the entry")
        let bytes = try read(start..<start + 16).bytes
        try require(bytes == Field.magic(0x0807_4B50) + expected, start, "the checksum in the directory")
        return start + 16
    }

    /// Requires that a field is equal in both headers; in the directory, an additional field of two bytes precedes it.
    private func same(
        _ header: Field, _ entry: Field, _ offset: Int, _ count: Int, at start: Int
    ) throws(Fault) {
        try require(
            header.number(offset, count) == entry.number(offset + 2, count), start + offset,
            "\(entry.number(offset + 2, count)), as in the directory")
    }

    private func require(_ isRight: Bool, _ offset: Int, _ expected: String) throws(Fault) {
        guard isRight else { throw .structure(offset, expected) }
    }

    private func read(_ range: Range<Int>) throws(Fault) -> Field {
        do throws(FileProblem) {
            return Field(bytes: try file.read(range).array)
        } catch {
            throw .reading(error)
        }
    }

    /// A part of the zip that contains little-endian numbers.
    private struct Field {
        let bytes: [UInt8]

        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        static func magic(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
}
