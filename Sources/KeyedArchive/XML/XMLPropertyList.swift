public import Base

/// Reads an XML property list in one pass.
///
/// `PropertyListDecoder` is no substitute: it returns `<real>1</real>` as an integer, loses the order of keys and
/// duplicate keys, accepts month 13, and gives no offset in errors. This reader keeps line ends as they are, as Core
/// Foundation does.
public struct XMLPropertyList {
    /// The maximum nesting of arrays and dictionaries.
    static let depthLimit = 128

    private var reader: XMLReader
    private var isBegun = false
    private var open: [Container] = []
    private var leaf: Leaf?
    private var root: ArchivedValue?

    /// The value of the list. An error gives the offset.
    public static func value(of bytes: SharedBytes) throws(PropertyListError) -> ArchivedValue {
        do throws(XMLProblem) {
            var list = XMLPropertyList(reader: try XMLReader(bytes.array, depthLimit: depthLimit + 2))
            return try list.value()
        } catch {
            throw PropertyListError(
                offset: error.offset, expected: error.expected ?? "well-formed XML", found: error.problem)
        }
    }

    private init(reader: XMLReader) { self.reader = reader }

    private mutating func value() throws(XMLProblem) -> ArchivedValue {
        while let event = try reader.next() {
            switch event {
            case .start(let name, _): try begin(name)
            case .text(let text): try take(text)
            case .end(let name): try end(name)
            }
        }
        guard let root else { throw unexpected("</plist>", "a value") }
        return root
    }

    private mutating func begin(_ name: String) throws(XMLProblem) {
        guard isBegun else {
            guard name == "plist" else { throw unexpected("<\(name)>", "<plist>") }
            return isBegun = true
        }
        if let leaf { throw unexpected("<\(name)>", "</\(leaf.name)>") }
        switch name {
        case "array", "dict":
            guard open.count < Self.depthLimit else {
                throw unexpected("one more", "at most \(Self.depthLimit) levels")
            }
            try expectPlace(name)
            open.append(Container(name: name))
        case "key":
            guard let last = open.last, last.isDictionary, last.key == nil else {
                throw unexpected("<key>", "a value")
            }
            leaf = Leaf(name: name, offset: reader.eventOffset)
        default:
            try expectPlace(name)
            leaf = Leaf(name: name, offset: reader.eventOffset)
        }
    }

    private mutating func take(_ text: String) throws(XMLProblem) {
        if leaf == nil {
            guard text.utf8.allSatisfy(isXMLSpace) else {
                throw unexpected("\"\(text.prefix(40))\"", "a tag")
            }
        } else {
            leaf?.text += text
        }
    }

    private mutating func end(_ name: String) throws(XMLProblem) {
        if let ended = leaf {
            leaf = nil
            guard name == "key" else { return place(try ended.scalar()) }
            open[open.count - 1].key = ended.text
        } else if let container = open.popLast() {
            guard container.key == nil else { throw unexpected("</\(name)>", "a value after a key") }
            place(container.value)
        }
    }

    /// Checks that a value may begin here: once at the top, in an array, or after a key.
    private func expectPlace(_ name: String) throws(XMLProblem) {
        guard let last = open.last else {
            guard root == nil else { throw unexpected("<\(name)>", "</plist>") }
            return
        }
        guard !last.isDictionary || last.key != nil else { throw unexpected("<\(name)>", "<key>") }
    }

    private mutating func place(_ value: ArchivedValue) {
        guard let last = open.indices.last else { return root = value }
        open[last].append(value)
    }

    private func unexpected(_ found: String, _ expected: String) -> XMLProblem {
        XMLProblem(line: 0, offset: reader.eventOffset, problem: found, expected: expected)
    }

    /// An array or a dictionary that is being read.
    private struct Container {
        let name: String
        /// The key that waits for its value.
        var key: String?
        private var elements: [ArchivedValue] = []
        private var pairs: [ArchivedPair] = []

        init(name: String) { self.name = name }

        var isDictionary: Bool { name == "dict" }
        var value: ArchivedValue { isDictionary ? .dictionary(pairs) : .array(elements) }

        mutating func append(_ value: ArchivedValue) {
            guard isDictionary else { return elements.append(value) }
            pairs.append(ArchivedPair(key: .string(key ?? ""), value: value))
            key = nil
        }
    }
}
