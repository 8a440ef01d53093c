/// Reads XML from untrusted bytes, event by event: the subset that data models and property lists use.
///
/// It accepts UTF-8 only, and only the predefined and numeric entities. It refuses a document that declares entities,
/// and skips comments and processing instructions. Nesting and the number of attributes have limits.
public struct XMLReader: Sendable {
    /// A part of a document, in the order of the text.
    public enum Event: Hashable, Sendable {
        /// The start of an element, and its attributes with entities resolved.
        case start(String, attributes: [String: String])
        /// The end of an element, even of an empty one (`<a/>`).
        case end(String)
        /// Text between tags, with entities resolved.
        case text(String)
    }

    private var scanner: XMLScanner
    private let depthLimit: Int
    /// The offset of the last event in bytes from the start of the text.
    public private(set) var eventOffset = 0
    /// The names of the open elements.
    private var open: [String] = []
    /// The name of an empty element whose end is the next event.
    private var pendingEnd: String?
    private var hasRoot = false
    private var hasDocumentType = false

    private static let attributeLimit = 200

    /// A reader of `bytes` that accepts `depthLimit` levels of elements.
    public init(_ bytes: [UInt8], depthLimit: Int = 100) throws(XMLProblem) {
        scanner = XMLScanner(bytes: bytes)
        self.depthLimit = depthLimit
        _ = scanner.skip("\u{FEFF}")
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw scanner.problem("the text is UTF-16; only UTF-8 is read")
        }
        if ["<?xml ", "<?xml\t", "<?xml\n", "<?xml\r"].contains(where: { scanner.isNext($0) }) {
            _ = scanner.skip("<?xml")
            try scanner.skipDeclaration()
        }
    }

    /// The next event; nil at the end of a complete document.
    public mutating func next() throws(XMLProblem) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            open.removeLast()
            return .end(name)
        }
        while !scanner.isAtEnd {
            eventOffset = scanner.position
            if scanner.skip("<!--") {
                try scanner.skipComment()
            } else if scanner.skip("<![CDATA[") {
                return try text(scanner.textThrough("]]>", of: "a CDATA section"))
            } else if scanner.skip("<?") {
                try scanner.skipInstruction()
            } else if scanner.skip("<!DOCTYPE") {
                if hasRoot || hasDocumentType { throw scanner.problem("a document type after the start") }
                hasDocumentType = true
                try scanner.skipDocumentType()
            } else if scanner.skip("</") {
                return try end()
            } else if scanner.skip("<") {
                return try start()
            } else if let event = try characters() {
                return event
            }
        }
        if let name = open.last { throw scanner.problem("the text ends inside element “\(name)”") }
        if !hasRoot { throw scanner.problem("there is no element") }
        return nil
    }

    /// An error at the current position.
    public func problem(_ text: String) -> XMLProblem { scanner.problem(text) }

    private mutating func start() throws(XMLProblem) -> Event {
        if open.isEmpty && hasRoot { throw scanner.problem("a second element on top") }
        if open.count == depthLimit {
            throw scanner.problem("elements are nested more than \(depthLimit) deep")
        }
        let name = try scanner.name()
        var attributes: [String: String] = [:]
        // ends: with the element, or with the text
        while true {
            let spaced = scanner.skipSpace()
            if scanner.skip("/>") {
                pendingEnd = name
                break
            }
            if scanner.skip(">") { break }
            if !spaced { throw scanner.problem("a space or “>” is missing in element “\(name)”") }
            let (key, value) = try scanner.attribute()
            if attributes.updateValue(value, forKey: key) != nil {
                throw scanner.problem("element “\(name)” has two attributes “\(key)”")
            }
            if attributes.count > Self.attributeLimit {
                throw scanner.problem("an element has more than \(Self.attributeLimit) attributes")
            }
        }
        hasRoot = true
        open.append(name)
        return .start(name, attributes: attributes)
    }

    private mutating func end() throws(XMLProblem) -> Event {
        let name = try scanner.name()
        scanner.skipSpace()
        guard scanner.skip(">") else { throw scanner.problem("“>” is missing after “</\(name)”") }
        guard open.last == name else {
            throw scanner.problem(
                open.last.map { "“</\(name)>” where “</\($0)>” is expected" }
                    ?? "“</\(name)>” without its start")
        }
        open.removeLast()
        return .end(name)
    }

    private mutating func characters() throws(XMLProblem) -> Event? {
        if open.isEmpty {
            guard scanner.skipSpace() else { throw scanner.problem("text outside the element") }
            return nil
        }
        let start = scanner.position
        let characters = try scanner.characters(before: UInt8(ascii: "<"))
        if characters.utf8.contains(UInt8(ascii: "]")) { try scanner.refuseSectionEnd(since: start) }
        return .text(characters)
    }

    private func text(_ text: String) throws(XMLProblem) -> Event {
        if open.isEmpty { throw scanner.problem("text outside the element") }
        return .text(text)
    }
}
