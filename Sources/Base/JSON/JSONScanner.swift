import Glibc

/// Reads JSON from its beginning to its end, one value at a time.
package struct JSONScanner {
    /// A fault, and its position.
    package struct Problem: Error {
        package var offset: Int
        package var expected: String

        package init(offset: Int, expected: String) {
            self.offset = offset
            self.expected = expected
        }
    }

    private let bytes: [UInt8]
    package private(set) var offset = 0
    private var depth = 0
    private let deepest: Int
    /// The largest number of elements of an array, each of which may take much more memory than its text.
    package static let mostElements = 16_000_000

    /// - Parameters:
    ///   - deepest: the largest number of nested objects and arrays.
    ///   - depth: the number of objects and arrays that began in a text before `bytes`.
    package init(_ bytes: [UInt8], deepest: Int = 32, depth: Int = 0) {
        self.bytes = bytes
        self.deepest = deepest
        self.depth = depth
    }

    /// Whether only white space is left.
    package var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return offset == bytes.count
        }
    }

    /// Reads an object; `field` must read or skip the value of each key.
    package mutating func object(_ field: (inout JSONScanner, String) throws(Problem) -> Void) throws(Problem)
    {
        try enter("{")
        defer { depth -= 1 }
        if take("}") { return }
        // ends: with the text
        repeat {
            let key = try text()
            try expect(":")
            try field(&self, key)
        } while take(",")
        try expect("}")
    }

    /// Reads the fields that follow in an object, whose first fields are in an earlier text.
    package mutating func restOfObject(
        _ field: (inout JSONScanner, String) throws(Problem) -> Void
    ) throws(Problem) {
        while take(",") {
            let key = try text()
            try expect(":")
            try field(&self, key)
        }
        try expect("}")
        depth -= 1
    }

    /// Begins an array of which a later text has the rest.
    package mutating func beginArray() throws(Problem) { try enter("[") }

    /// Goes to the next element of an array that began in an earlier text; returns false after the last one.
    package mutating func nextElement(isFirst: Bool) throws(Problem) -> Bool {
        if isFirst ? !take("]") : take(",") { return true }
        if !isFirst { try expect("]") }
        depth -= 1
        return false
    }

    package mutating func array(_ element: (inout JSONScanner) throws(Problem) -> Void) throws(Problem) {
        try enter("[")
        defer { depth -= 1 }
        if take("]") { return }
        var count = 0
        // ends: with the text
        repeat {
            count += 1
            guard count <= Self.mostElements else { throw problem("at most \(Self.mostElements) elements") }
            try element(&self)
        } while take(",")
        try expect("]")
    }

    /// The UTF-8 of a string.
    package mutating func string() throws(Problem) -> [UInt8] {
        let (start, end, isPlain) = try extent()
        return isPlain ? Array(bytes[start..<end]) : try unescaped(start, end)
    }

    package mutating func text() throws(Problem) -> String {
        let (start, end, isPlain) = try extent()
        return String(decoding: isPlain ? bytes[start..<end] : try unescaped(start, end)[...], as: UTF8.self)
    }

    /// Skips a string; returns the beginning and end of its text, and whether the text is plain. A text that is not
    /// plain must be decoded by ``unescaped(_:_:)``, which may still find it invalid.
    private mutating func extent() throws(Problem) -> (start: Int, end: Int, isPlain: Bool) {
        try expect("\"")
        let start = offset
        let length = bytes.withUnsafeBufferPointer { Self.plainLength($0[start...]) }
        if let length {
            offset = start + length + 1
            return (start, start + length, true)
        }
        // The bits that show a byte that is not ASCII, and whether there are escapes.
        var seen: UInt8 = 0
        var hasEscapes = false
        let end = bytes.withUnsafeBufferPointer { all -> Int in
            var place = start
            while place < all.count {
                let byte = all[place]
                if byte == UInt8(ascii: "\"") || byte < 0x20 { break }
                seen |= byte
                place += 1
                if byte == UInt8(ascii: "\\") {
                    hasEscapes = true
                    place += 1
                }
            }
            return min(place, all.count)
        }
        offset = end
        guard end < bytes.count else { throw problem("the end of a string") }
        guard bytes[end] == UInt8(ascii: "\"") else { throw problem("an escaped control character") }
        offset = end + 1
        return (start, end, !hasEscapes && seen < 0x80)
    }

    /// The length of the string that begins here, if it is ASCII without escapes. It checks many bytes at once, not
    /// byte by byte.
    private static func plainLength(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let rest = UnsafeBufferPointer(rebasing: rest)
        guard let first = rest.baseAddress, let end = memchr(first, 0x22, rest.count) else { return nil }
        let length = UnsafeRawPointer(end) - UnsafeRawPointer(first)
        var others: UInt8 = 0
        for byte in rest[..<length] {
            others |= (byte &- 0x20 >= 0x60 ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
        }
        return others == 0 ? length : nil
    }

    /// The text of a string with escapes or characters that are not ASCII.
    private mutating func unescaped(_ start: Int, _ end: Int) throws(Problem) -> [UInt8] {
        var text: [UInt8] = []
        var copied = start
        offset = start
        while offset < end {
            guard bytes[offset] == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            text += bytes[copied..<offset]
            offset += 1
            text += try escape()
            copied = offset
        }
        text += bytes[copied..<end]
        offset = end + 1
        guard String(validating: text, as: UTF8.self) != nil else { throw problem("UTF-8") }
        return text
    }

    package mutating func integer() throws(Problem) -> Int64 {
        skipSpace()
        let start = offset
        try skipInteger()
        guard let number = Int64(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw problem("an integer")
        }
        return number
    }

    /// The first byte of the next value; nil at the end.
    package mutating func peek() -> UInt8? {
        skipSpace()
        return offset < bytes.count ? bytes[offset] : nil
    }

    /// The characters of a number, for a caller that needs it exactly.
    package mutating func numberText() throws(Problem) -> String {
        skipSpace()
        let start = offset
        _ = try number()
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The bytes of a value, which is skipped.
    package mutating func rawValue() throws(Problem) -> [UInt8] {
        skipSpace()
        let start = offset
        try skip()
        return Array(bytes[start..<offset])
    }

    /// Whether the next value is an object.
    package mutating func isAtObject() throws(Problem) -> Bool {
        skipSpace()
        guard offset < bytes.count else { throw problem("a value") }
        return bytes[offset] == UInt8(ascii: "{")
    }

    /// A number with or without a fraction.
    package mutating func number() throws(Problem) -> Double {
        skipSpace()
        let start = offset
        try skipNumber()
        guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), number.isFinite
        else {
            throw problem("a number")
        }
        return number
    }

    package mutating func boolean() throws(Problem) -> Bool {
        if takeWord("true") { return true }
        guard takeWord("false") else { throw problem("true or false") }
        return false
    }

    /// Reads a null if there is one; returns whether there was.
    package mutating func null() -> Bool { takeWord("null") }

    /// Reads any value, and ignores it.
    package mutating func skip() throws(Problem) {
        skipSpace()
        switch offset < bytes.count ? bytes[offset] : 0 {
        case UInt8(ascii: "{"): try skipObject()
        case UInt8(ascii: "["): try array { (scanner) throws(Problem) in try scanner.skip() }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
        case UInt8(ascii: "n"): guard null() else { throw problem("null") }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        default: throw problem("a value")
        }
    }

    /// Moves past a number. JSON has no plus sign before it, no further zeros, and digits on both sides of the point.
    private mutating func skipNumber() throws(Problem) {
        try skipInteger()
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try skipDigits("a digit after the point")
        }
        guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
        offset += 1
        if offset < bytes.count, "+-".utf8.contains(bytes[offset]) { offset += 1 }
        try skipDigits("a digit of the exponent")
    }

    private mutating func skipInteger() throws(Problem) {
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let start = offset
        try skipDigits("a number")
        guard offset > start + 1, bytes[start] == UInt8(ascii: "0") else { return }
        offset = start
        throw problem("a number without zeros before it")
    }

    private mutating func skipDigits(_ expected: String) throws(Problem) {
        let start = offset
        while offset < bytes.count, isDigit(bytes[offset]) { offset += 1 }
        guard offset > start else { throw problem(expected) }
    }

    private mutating func skipObject() throws(Problem) {
        try enter("{")
        defer { depth -= 1 }
        if take("}") { return }
        // ends: with the text
        repeat {
            try skipString()
            try expect(":")
            try skip()
        } while take(",")
        try expect("}")
    }

    private mutating func skipString() throws(Problem) {
        let (start, end, isPlain) = try extent()
        if !isPlain { _ = try unescaped(start, end) }
    }

    /// Requires that only white space is left.
    package mutating func end() throws(Problem) {
        skipSpace()
        guard offset == bytes.count else { throw problem("the end") }
    }

    package func problem(_ expected: String) -> Problem { Problem(offset: offset, expected: expected) }

    private mutating func enter(_ bracket: Unicode.Scalar) throws(Problem) {
        try expect(bracket)
        depth += 1
        guard depth <= deepest else { throw problem("at most \(deepest) levels") }
    }

    private mutating func escape() throws(Problem) -> [UInt8] {
        guard offset < bytes.count else { throw problem("an escape") }
        defer { offset += 1 }
        switch bytes[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[offset]]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            var units = [first]
            if (0xD800..<0xDC00).contains(first), offset + 2 < bytes.count,
                bytes[offset + 1] == UInt8(ascii: "\\"), bytes[offset + 2] == UInt8(ascii: "u")
            {
                offset += 2
                units.append(try codeUnit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw problem("a character") }
            return Array(text.utf8)
        default: throw problem("an escape")
        }
    }

    /// Reads the four digits after the `u` at `offset`; `offset` is then at the last digit.
    private mutating func codeUnit() throws(Problem) -> UInt16 {
        guard offset + 4 < bytes.count,
            // The initialiser admits a sign.
            isDigit(bytes[offset + 1]) || bytes[offset + 1] >= UInt8(ascii: "A"),
            let unit = UInt16(String(decoding: bytes[offset + 1...offset + 4], as: UTF8.self), radix: 16)
        else { throw problem("four digits") }
        offset += 4
        return unit
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Problem) {
        guard take(character) else { throw problem("\"\(character)\"") }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        skipSpace()
        guard bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
