import KeyedArchive

/// Reads an XML property list in one pass from front to back.
///
/// `PropertyListDecoder` cannot take its place: it hands `<real>1</real>` out as an integer, gives pairs in no order
/// and without the doubles, accepts a thirteenth month, and says of no error where it is. Text is taken as it
/// stands, as Core Foundation does: line ends are not changed.
struct XMLPropertyListReader {
    /// Containers inside containers.
    static let depthLimit = 128

    private var scanner: XMLScanner
    private var open: [Container] = []
    private var root: ArchivedValue?

    init(_ bytes: SharedBytes) {
        scanner = XMLScanner(bytes.array)
    }

    /// The one value of the list.
    mutating func value() throws(PropertyListError) -> ArchivedValue {
        let top = try scanner.tag()
        guard top.isOpening, top.name == "plist" else { throw top.failure("<plist>") }
        while true {
            let tag = try scanner.tag()
            if !tag.isClosing {
                try begin(tag)
            } else if let container = open.popLast() {
                guard tag.name == container.name, container.key == nil else {
                    throw container.unfinished(tag)
                }
                try place(container.value, tag)
            } else {
                guard tag.name == "plist", let root else { throw tag.failure("a value") }
                try scanner.end()
                return root
            }
        }
    }

    private mutating func begin(_ tag: XMLScanner.Tag) throws(PropertyListError) {
        switch tag.name {
        case "array", "dict":
            let container = Container(name: tag.name)
            guard tag.isOpening else { return try place(container.value, tag) }
            guard open.count < Self.depthLimit else { throw tag.failure("at most \(Self.depthLimit) levels") }
            try expectPlace(tag)
            open.append(container)
        case "key":
            guard let last = open.last, last.isDictionary, last.key == nil else {
                throw tag.failure("a value")
            }
            open[open.count - 1].key = try scanner.text(of: tag)
        default:
            try expectPlace(tag)
            try place(try scanner.scalar(of: tag), tag)
        }
    }

    /// A value may stand alone at the top, in an array, or after a key.
    private func expectPlace(_ tag: XMLScanner.Tag) throws(PropertyListError) {
        guard let last = open.last else {
            guard root == nil else { throw tag.failure("</plist>") }
            return
        }
        guard !last.isDictionary || last.key != nil else { throw tag.failure("<key>") }
    }

    private mutating func place(_ value: ArchivedValue, _ tag: XMLScanner.Tag) throws(PropertyListError) {
        try expectPlace(tag)
        guard let last = open.indices.last else { return root = value }
        open[last].append(value)
    }

    /// An array or a dictionary that is being read.
    private struct Container {
        let name: String
        /// The key whose value comes next.
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

        func unfinished(_ tag: XMLScanner.Tag) -> PropertyListError {
            tag.failure(key == nil ? "</\(name)>" : "a value after a key")
        }
    }
}
