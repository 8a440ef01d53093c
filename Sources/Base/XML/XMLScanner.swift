/// A fault of an XML text.
public struct XMLProblem: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The offset in bytes from the start of the text.
    public var offset: Int
    /// The fault in words, without a full stop.
    public var problem: String
    /// The expected content, if the text is well-formed XML but the content is not valid.
    package var expected: String?

    package init(line: Int, offset: Int, problem: String, expected: String? = nil) {
        self.line = line
        self.offset = offset
        self.problem = problem.shortened(to: 200)
        self.expected = expected
    }
}

/// A position in an XML text, and functions that read the next token.
struct XMLScanner: Sendable {
    let bytes: [UInt8]
    private(set) var position = 0
    private var line = 1

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    func problem(_ text: String) -> XMLProblem {
        XMLProblem(line: line, offset: min(position, bytes.count), problem: text)
    }

    func isNext(_ expected: String) -> Bool { bytes[position...].starts(with: expected.utf8) }

    /// Refuses the end of a CDATA section, which text cannot contain, since `start`.
    mutating func refuseSectionEnd(since start: Int) throws(XMLProblem) {
        for index in start..<position where bytes[index..<position].starts(with: "]]>".utf8) {
            position = index
            throw problem("“]]>” without its start")
        }
    }

    /// Advances past `expected`, which has no line end, if it is next.
    mutating func skip(_ expected: String) -> Bool {
        guard isNext(expected) else { return false }
        position += expected.utf8.count
        return true
    }

    /// Advances past white space; returns false if there is none.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, isXMLSpace(bytes[position]) {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        return position > start
    }

    /// Advances past a comment whose start was read.
    mutating func skipComment() throws(XMLProblem) {
        _ = try textThrough("--", of: "a comment")
        guard skip(">") else { throw problem("“--” inside a comment") }
    }

    /// Advances past a processing instruction whose `<?` was read.
    mutating func skipInstruction() throws(XMLProblem) {
        let name = try name()
        guard name.lowercased() != "xml" else { throw problem("an XML declaration after the start") }
        guard isNext("?>") || skipSpace() else {
            throw problem("a space is missing in a processing instruction")
        }
        _ = try textThrough("?>", of: "a processing instruction")
    }

    /// Advances past an XML declaration whose `<?xml` was read.
    mutating func skipDeclaration() throws(XMLProblem) {
        var expected = ["version", "encoding", "standalone"][...]
        // ends: with the declaration, or with the text
        while true {
            let spaced = skipSpace()
            if expected.count < 3, skip("?>") { return }
            let (name, value) = try attribute()
            guard spaced, let index = expected.firstIndex(of: name), index == 0 || expected.count < 3 else {
                throw problem("“\(name)” in the XML declaration")
            }
            expected = expected[(index + 1)...]
            let isValid =
                switch name {
                case "version":
                    !value.isEmpty
                        && value.allSatisfy {
                            $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0))
                        }
                case "encoding": ["utf-8", "utf8", "us-ascii"].contains(value.lowercased())
                default: value == "yes" || value == "no"
                }
            guard isValid else {
                throw problem("the \(name) “\(value.prefix(40))” in the XML declaration is not read")
            }
        }
    }

    mutating func textThrough(_ mark: StaticString, of what: String) throws(XMLProblem) -> String {
        let end = try find(mark, what)
        let text = try string(position..<end)
        try advance(to: end + mark.utf8CodeUnitCount)
        return text
    }

    /// Reads the name of an element or attribute.
    mutating func name() throws(XMLProblem) -> String {
        let end = bytes[position...].firstIndex { !Self.isNameByte($0) } ?? bytes.count
        guard end > position else { throw problem("a name is missing") }
        let name = try string(position..<end)
        guard Self.startsName(bytes[position]), name.unicodeScalars.allSatisfy(Self.isInName) else {
            throw problem("“\(name.prefix(40))” is not a name")
        }
        try advance(to: end)
        return name
    }

    /// Reads `name="value"` and resolves entities.
    mutating func attribute() throws(XMLProblem) -> (String, String) {
        let name = try name()
        skipSpace()
        guard skip("=") else { throw problem("“=” is missing after attribute “\(name)”") }
        skipSpace()
        guard !isAtEnd, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
            throw problem("the value of attribute “\(name)” has no quotation mark")
        }
        let quote = bytes[position]
        position += 1
        let start = position
        let value = try characters(before: quote)
        guard !isAtEnd else { throw problem("the text ends inside the value of attribute “\(name)”") }
        if let sign = bytes[start..<position].firstIndex(of: UInt8(ascii: "<")) {
            position = sign
            throw problem("“<” in the value of attribute “\(name)”")
        }
        position += 1
        return (name, value)
    }

    /// Reads text up to `mark` or the end and resolves entities.
    mutating func characters(before mark: UInt8) throws(XMLProblem) -> String {
        var text = ""
        while !isAtEnd, bytes[position] != mark {
            let end = bytes[position...].firstIndex { $0 == mark || $0 == UInt8(ascii: "&") } ?? bytes.count
            text += try string(position..<end)
            try advance(to: end)
            if !isAtEnd, bytes[position] == UInt8(ascii: "&") { text.unicodeScalars.append(try entity()) }
        }
        return text
    }

    /// Advances past a document type without declarations of its own, whose `<!DOCTYPE` was read.
    mutating func skipDocumentType() throws(XMLProblem) {
        guard skipSpace() else { throw problem("a space is missing in the document type") }
        _ = try name()
        var spaced = skipSpace()
        let isPublic = skip("PUBLIC")
        if isPublic || skip("SYSTEM") {
            for index in 0..<(isPublic ? 2 : 1) {
                spaced = skipSpace() && spaced
                let isDouble = skip("\"")
                guard spaced, isDouble || skip("'") else {
                    throw problem("a name in quotation marks is missing in the document type")
                }
                let text = try textThrough(isDouble ? "\"" : "'", of: "a document type")
                guard !isPublic || index > 0 || text.utf8.allSatisfy(Self.isInPublicName) else {
                    throw problem("“\(text)” is not a public name")
                }
            }
            skipSpace()
        }
        if skip("[") {
            throw problem("the document type declares entities or elements of its own, which is not read")
        }
        guard skip(">") else { throw problem("“>” is missing after the document type") }
    }

    /// Resolves `&name;` or `&#number;`.
    private mutating func entity() throws(XMLProblem) -> Unicode.Scalar {
        let room = bytes[position...].prefix(12)
        guard let end = room.firstIndex(of: UInt8(ascii: ";")) else { throw problem("“&” without its “;”") }
        let name = try string(position + 1..<end)
        guard let scalar = Self.entity(named: name) else {
            throw problem("the entity “&\(name);” is not known")
        }
        try advance(to: end + 1)
        return scalar
    }

    private static func entity(named name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard !name.contains("+") else { return nil }
            let number: UInt32? =
                if name.hasPrefix("#x") {
                    UInt32(name.dropFirst(2), radix: 16)
                } else if name.hasPrefix("#") {
                    UInt32(name.dropFirst())  // bounded: nil for a text that is no such number
                } else {
                    nil
                }
            return number.flatMap { Unicode.Scalar($0) }.flatMap { isCharacter($0) ? $0 : nil }
        }
    }

    private func find(_ mark: StaticString, _ what: String) throws(XMLProblem) -> Int {
        let wanted = mark.withUTF8Buffer { Array($0) }
        var candidate = position
        while let first = bytes[candidate...].firstIndex(of: wanted[0]) {
            if bytes[first...].starts(with: wanted) { return first }
            candidate = first + 1
        }
        throw problem("the text ends inside \(what)")
    }

    private func string(_ range: Range<Int>) throws(XMLProblem) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw problem("the text is not UTF-8")
        }
        return text
    }

    /// Advances to `end`, counts lines, and refuses characters that XML forbids.
    private mutating func advance(to end: Int) throws(XMLProblem) {
        let (lines, forbidden) = bytes.withUnsafeBufferPointer { bytes in
            var lines = 0
            for index in position..<end {
                let byte = bytes[index]
                if byte >= 0x20, byte != 0xEF { continue }
                if byte == UInt8(ascii: "\n") {
                    lines += 1
                } else if byte == 0xEF {
                    // U+FFFE and U+FFFF
                    guard end - index > 2, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE else {
                        continue
                    }
                    return (lines, index as Int?)
                } else if !isXMLSpace(byte) {
                    return (lines, index)
                }
            }
            return (lines, nil)
        }
        line += lines
        position = forbidden ?? end
        if let forbidden {
            let character = bytes[forbidden] == 0xEF ? "U+FFFE or U+FFFF" : "of the code \(bytes[forbidden])"
            throw problem("a character that XML forbids, \(character)")
        }
    }

    /// Whether a character is valid in XML 1.0.
    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": true
        default: scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        }
    }

    /// Whether a byte may be part of a name. Accepts more than a name can contain: every byte that cannot end it.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"<>/=\"'&;?".utf8.contains(byte)
    }

    private static func isInPublicName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: " \r\n0123456789-'()+,./:=?;!*#@$_%".utf8.contains(byte)
        }
    }

    private static func startsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || !"-.0123456789".utf8.contains(byte)
    }

    /// Whether a name can contain a character; beyond ASCII, this accepts more than XML does.
    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ":", "-", ".": true
        default: scalar.value >= 0xB7 && scalar.value != 0xD7 && scalar.value != 0xF7
        }
    }
}

/// Whether a byte is one of the four white-space characters of XML.
@inlinable
package func isXMLSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
