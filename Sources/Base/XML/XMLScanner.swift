/// A fault of an XML text.
public struct XMLProblem: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The offset in bytes from the start of the text.
    public var offset: Int
    /// The fault in words, without a full stop.
    public var problem: String
    /// What should be there, if the text is well-formed XML but the content is not valid.
    package var expected: String?

    package init(line: Int, offset: Int, problem: String, expected: String? = nil) {
        self.line = line
        self.offset = offset
        self.problem = problem
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

    /// Advances past `expected` if it is next.
    mutating func skip(_ expected: String) -> Bool {
        guard bytes[position...].starts(with: expected.utf8) else { return false }
        advance(to: position + expected.utf8.count)
        return true
    }

    /// Advances past white space; false if there is none.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let end = bytes[position...].firstIndex { !isXMLSpace($0) } ?? bytes.count
        defer { advance(to: end) }
        return end > position
    }

    mutating func skipThrough(_ mark: StaticString, of what: String) throws(XMLProblem) {
        advance(to: try find(mark, what) + mark.utf8CodeUnitCount)
    }

    mutating func textThrough(_ mark: StaticString, of what: String) throws(XMLProblem) -> String {
        let end = try find(mark, what)
        let text = try string(position..<end)
        advance(to: end + mark.utf8CodeUnitCount)
        return text
    }

    /// Reads the name of an element or attribute.
    mutating func name() throws(XMLProblem) -> String {
        let end = bytes[position...].firstIndex { !Self.isNameByte($0) } ?? bytes.count
        guard end > position else { throw problem("a name is missing") }
        let name = try string(position..<end)
        advance(to: end)
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
        advance(to: position + 1)
        let value = try characters(before: quote)
        guard !isAtEnd else { throw problem("the text ends inside the value of attribute “\(name)”") }
        advance(to: position + 1)
        return (name, value)
    }

    /// Reads text up to `mark` or the end and resolves entities.
    mutating func characters(before mark: UInt8) throws(XMLProblem) -> String {
        var text = ""
        while !isAtEnd, bytes[position] != mark {
            let end = bytes[position...].firstIndex { $0 == mark || $0 == UInt8(ascii: "&") } ?? bytes.count
            text += try string(position..<end)
            advance(to: end)
            if !isAtEnd, bytes[position] == UInt8(ascii: "&") { text.unicodeScalars.append(try entity()) }
        }
        return text
    }

    /// Advances past a document type without declarations of its own.
    mutating func skipDocumentType() throws(XMLProblem) {
        let end = bytes[position...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
        guard let end else { throw problem("the text ends inside a document type") }
        guard bytes[end] == UInt8(ascii: ">") else {
            throw problem("the document type declares entities or elements of its own, which is not read")
        }
        advance(to: end + 1)
    }

    /// Resolves `&name;` or `&#number;`.
    private mutating func entity() throws(XMLProblem) -> Unicode.Scalar {
        let room = bytes[position...].prefix(12)
        guard let end = room.firstIndex(of: UInt8(ascii: ";")) else { throw problem("“&” without its “;”") }
        let name = try string(position + 1..<end)
        guard let scalar = Self.entity(named: name) else {
            throw problem("the entity “&\(name);” is not known")
        }
        advance(to: end + 1)
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
            let number: UInt32? =
                if name.hasPrefix("#x") {
                    UInt32(name.dropFirst(2), radix: 16)
                } else if name.hasPrefix("#") {
                    UInt32(name.dropFirst())  // bounded: nil for a text that is no such number
                } else {
                    nil
                }
            return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
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

    private mutating func advance(to end: Int) {
        line += bytes[position..<end].count { $0 == UInt8(ascii: "\n") }
        position = end
    }

    /// Accepts more than XML does: every byte that cannot end a name.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"<>/=\"'&;".utf8.contains(byte)
    }
}

/// Whether a byte is one of the four white-space characters of XML.
@inlinable
package func isXMLSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
