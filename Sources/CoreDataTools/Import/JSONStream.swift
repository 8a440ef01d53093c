import Base
import SystemCalls
import SystemPackage

/// Reads a JSON document from its beginning on, and gives the values inside as bytes, one at a time.
struct JSONStream: ~Copyable {
    private let source: ImportBytes
    /// The number of the line, from 1.
    private(set) var line = 1

    /// The largest number of bytes of a value.
    static let mostBytes = 512 << 20

    init(_ source: ImportBytes) { self.source = source }

    /// An error at the current place.
    func problem(_ expected: String) -> FileProblem {
        FileProblem(
            .damaged, path: source.path, offset: source.offset, "line \(line): damaged JSON",
            expected: expected, advice: "Correct it; python3 -m json.tool checks JSON")
    }

    /// Moves past this character, which must come next.
    mutating func expect(_ character: Unicode.Scalar) throws(FileProblem) {
        guard try take(character) else { throw problem("“\(character)”") }
    }

    /// Moves past this character if it comes next.
    mutating func take(_ character: Unicode.Scalar) throws(FileProblem) -> Bool {
        guard try next() == UInt8(ascii: character) else { return false }
        source.skip()
        return true
    }

    /// Whether only white space is left.
    mutating func isAtEnd() throws(FileProblem) -> Bool { try next() == nil }

    /// The name of a field, and the colon after it.
    mutating func key() throws(FileProblem) -> String {
        guard try next() == Self.mark else { throw problem("a name") }
        let bytes = try value(most: 1 << 20)
        var scanner = JSONScanner(bytes)
        do throws(JSONScanner.Problem) {
            let key = try scanner.text()
            try expectColon()
            return key
        } catch {
            throw problem(error.expected)
        }
    }

    private mutating func expectColon() throws(JSONScanner.Problem) {
        do throws(FileProblem) {
            try expect(":")
        } catch {
            throw JSONScanner.Problem(offset: 0, expected: error.expected ?? "“:”")
        }
    }

    /// The bytes of the next value. Only brackets and strings are checked.
    mutating func value(most: Int = mostBytes) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var depth = 0
        guard try next() != nil else { throw problem("a value") }
        // ends: with the value or the file
        while let byte = try source.peek() {
            switch byte {
            case Self.mark:
                try readString(&bytes, most)
                if depth == 0 { return bytes }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= JSONValueReader.deepest else {
                    throw problem("at most \(JSONValueReader.deepest) levels")
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return try nonempty(bytes) }
                depth -= 1
                try append(byte, &bytes, most)
                if depth == 0 { return bytes }
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return try nonempty(bytes) }
            default: break
            }
            try append(byte, &bytes, most)
        }
        guard depth == 0 else { throw problem("the end of an object or array") }
        return try nonempty(bytes)
    }

    private func nonempty(_ bytes: [UInt8]) throws(FileProblem) -> [UInt8] {
        guard !bytes.isEmpty else { throw problem("a value") }
        return bytes
    }

    private mutating func readString(_ bytes: inout [UInt8], _ most: Int) throws(FileProblem) {
        try append(Self.mark, &bytes, most)
        // ends: with the string or the file
        while let byte = try source.peek() {
            try append(byte, &bytes, most)
            if byte == Self.mark { return }
            if byte == UInt8(ascii: "\\"), let escaped = try source.peek() {
                try append(escaped, &bytes, most)
            }
        }
        throw problem("the end of a string")
    }

    private mutating func append(_ byte: UInt8, _ bytes: inout [UInt8], _ most: Int) throws(FileProblem) {
        guard bytes.count < most else { throw problem("a value of at most \(most) bytes") }
        if byte == 10 { line += 1 }
        bytes.append(byte)
        source.skip()
    }

    private static let mark = UInt8(ascii: "\"")

    /// The next byte that is not white space; nil at the end of the file.
    private mutating func next() throws(FileProblem) -> UInt8? {
        // ends: with the file
        while let byte = try source.peek() {
            switch byte {
            case 0x0A: line += 1
            case 0x20, 0x09, 0x0D: break
            default: return byte
            }
            source.skip()
        }
        return nil
    }
}
