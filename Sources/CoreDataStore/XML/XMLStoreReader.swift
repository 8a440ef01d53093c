import Base
import KeyedArchive
import SystemCalls
import SystemPackage

/// An object element of an XML store, as it is in the file (core-data-xml-store(5), 3).
struct XMLStoreObject: Sendable {
    struct Attribute: Sendable {
        var name: String
        var type: String
        var value: ArchivedValue
    }

    struct Relationship: Sendable {
        var name: String
        /// The smallest and the largest number of objects, as in the file: `0/1`.
        var counts: String
        var destination: String
        var targets: [String]

        /// To-one exactly when the largest number is 1.
        var isToMany: Bool {
            let parts = counts.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count != 2 || parts[1] != "1"
        }
    }

    /// The entity, in upper case.
    var type: String
    /// The identifier; nil if the element has none.
    var id: String?
    var offset: Int
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
}

/// Reads an XML store in one pass (core-data-xml-store(5)). It never opens the document type, and refuses a document
/// that declares entities or uses an undeclared one. Carriage returns stay as they are in the file.
struct XMLStoreReader {
    private(set) var objects: [XMLStoreObject] = []
    private(set) var metadata: ArchivedValue = .none
    private(set) var uuid: String?
    /// `nextObjectID`, which despite its name is the last assigned number.
    private(set) var lastNumber: Int64?
    /// The first problems of the file and its objects; `problemCount` counts all.
    private(set) var problems: [FileProblem] = []
    private(set) var problemCount = 0
    /// The reason why the file was not read to its end.
    private(set) var damage: FileProblem?
    /// Notes about values by kind: the number, and the first value.
    private(set) var remarks: [Remark: (count: Int, first: String)] = [:]

    /// A fact that is not a fault, but that readers should know.
    enum Remark: String, CaseIterable {
        case escape, emptyValue, unknownType
    }

    let path: FilePath
    private let bytes: [UInt8]
    private var reader: XMLReader
    private var hasInfo = false

    /// The largest depth; the deepest real file has seven levels, in the property list of the metadata.
    private static let depthLimit = 32
    private static let problemLimit = 1_000
    /// The largest number of properties of an object; real stores have at most some thousand.
    private static let propertyLimit = 10_000

    /// - Throws: `.unsupported` for any other document, `.damaged` if nothing can be read.
    init(_ bytes: [UInt8], path: FilePath) throws(FileProblem) {
        self.bytes = bytes
        self.path = path
        try Self.checkEncoding(bytes, path)
        let top: String?
        do throws(XMLProblem) {
            reader = try XMLReader(bytes, depthLimit: Self.depthLimit)
            if case .start(let name, _)? = try reader.next() { top = name } else { top = nil }
        } catch {
            var problem = FileProblem(error, path: path)
            if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
                problem.kind = .unsupported
            }
            throw problem
        }
        guard top == "database" else {
            throw FileProblem(
                .unsupported, path: path, "is XML, but not a store of Core Data",
                expected: "the element “database” on top", found: top.map { "the element “\($0)”" } ?? "none",
                advice: top == "model" ? "It is a data model: ticds-model show reads it" : nil)
        }
        do throws(XMLProblem) {
            try readDatabase()
        } catch {
            // For a truncated file, the part that was read is intact.
            var problem = FileProblem(error, path: path)
            problem.problem = "\(problem.problem); the objects from there on are missing"
            guard hasInfo else { throw problem }
            damage = problem
            note(problem)
        }
    }

    /// Refuses a declared encoding other than UTF-8: its bytes could be misread.
    private static func checkEncoding(_ bytes: [UInt8], _ path: FilePath) throws(FileProblem) {
        let head = String(decoding: bytes.prefix(256), as: UTF8.self)
        guard let end = head.firstRange(of: "?>"), let mark = head.firstRange(of: "encoding"),
            mark.lowerBound < end.lowerBound
        else { return }
        let rest = head[mark.upperBound..<end.lowerBound].drop { " \t\r\n=".contains($0) }
        let name = rest.dropFirst().prefix { $0 != "\"" && $0 != "'" }.uppercased()
        guard !["UTF-8", "UTF8", "US-ASCII"].contains(name) else { return }
        throw FileProblem(
            .unsupported, path: path, offset: 0, "the XML has an encoding that is not read",
            expected: "UTF-8",
            found: String(name.prefix(40)), advice: "Convert it with iconv")
    }

    mutating func note(_ problem: FileProblem) {
        var problem = problem
        problem.problem = problem.problem.shortened(to: 400)
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    private mutating func note(_ text: String, at offset: Int, found: String? = nil) {
        note(FileProblem(.damaged, path: path, offset: offset, text, found: found))
    }

    private mutating func remark(_ remark: Remark, _ first: @autoclosure () -> String) {
        if let known = remarks[remark] {
            remarks[remark] = (known.count + 1, known.first)
        } else {
            remarks[remark] = (1, first().shortened(to: 100))
        }
    }

    private mutating func readDatabase() throws(XMLProblem) {
        try forEachChild { (store, name, attributes) throws(XMLProblem) in
            let offset = store.reader.eventOffset
            switch name {
            case "databaseInfo":
                if store.hasInfo { store.note("the store has a second databaseInfo", at: offset) }
                if !store.objects.isEmpty { store.note("databaseInfo stands behind objects", at: offset) }
                try store.readInfo()
            case "metadata": try store.readMetadata()
            case "object": try store.readObject(attributes, offset)
            default: try store.skip(name)
            }
        }
        while try reader.next() != nil {}
        if !hasInfo { note("the store has no databaseInfo", at: 0) }
    }

    private mutating func readInfo() throws(XMLProblem) {
        hasInfo = true
        try forEachChild { (store, name, _) throws(XMLProblem) in
            let offset = store.reader.eventOffset
            switch name {
            case "UUID": store.uuid = XMLStoreValue.trimmed(try store.text(in: name))
            case "nextObjectID":
                let text = XMLStoreValue.trimmed(try store.text(in: name))
                store.lastNumber = XMLStoreValue.integer(text)
                if store.lastNumber == nil {
                    store.note("nextObjectID is no number", at: offset, found: String(text.prefix(40)))
                }
            case "metadata": try store.readMetadata()
            case "version": _ = try store.text(in: name)
            default: try store.skip(name)
            }
        }
    }

    /// Notes an attribute of an element that a store does not have, which is left out.
    private mutating func check(
        _ attributes: [String: String], of element: String, _ known: [String], at offset: Int
    ) {
        for name in attributes.keys.sorted() where !known.contains(name) {
            note(
                "an attribute of the element \(element) that a store does not have, and that is left out",
                at: offset, found: name.shortened(to: 40))
        }
    }

    /// Reads the property list of the metadata, as elements or, from some writers, as escaped text.
    private mutating func readMetadata() throws(XMLProblem) {
        let offset = reader.eventOffset
        var range: Range<Int>?
        var text = ""
        var depth = 1
        var start = 0
        while depth > 0, let event = try reader.next() {
            switch event {
            case .start:
                if depth == 1 { start = reader.eventOffset }
                depth += 1
            case .end:
                depth -= 1
                if depth == 1 { range = range ?? start..<endOfTag() }
            case .text(let more): if depth == 1 { text += more }
            }
        }
        let list: [UInt8]
        if let range {
            list = Array(bytes[range])
        } else if XMLStoreValue.trimmed(text).isEmpty {
            // The stores of Mac OS X 10.4 have none.
            return
        } else {
            list = Array(text.utf8)
        }
        do throws(PropertyListError) {
            metadata = try XMLPropertyList.value(of: SharedBytes(list))
        } catch {
            note(
                FileProblem(
                    .damaged, path: path, offset: offset +| (range == nil ? 0 : error.offset),
                    "the metadata are no property list", expected: error.expected, found: error.found))
        }
    }

    /// The offset after the last end tag.
    private func endOfTag() -> Int {
        let end = bytes[reader.eventOffset...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
        return end + 1
    }

    private mutating func readObject(_ attributes: [String: String], _ offset: Int) throws(XMLProblem) {
        var object = XMLStoreObject(type: attributes["type"] ?? "", id: attributes["id"], offset: offset)
        check(attributes, of: "object", ["type", "id"], at: offset)
        if object.id == nil { note("an object has no id", at: offset) }
        if object.type.isEmpty { note("an object has no type", at: offset, found: object.id) }
        try forEachChild { (store, name, attributes) throws(XMLProblem) in
            let offset = store.reader.eventOffset
            guard object.attributes.count + object.relationships.count < Self.propertyLimit else {
                throw store.reader.problem("an object has more than \(Self.propertyLimit) properties")
            }
            switch name {
            case "attribute": try store.readAttribute(attributes, offset, &object)
            case "relationship":
                let text = try store.text(in: name)
                if !XMLStoreValue.trimmed(text).isEmpty {
                    store.note("a relationship of object \(object.id ?? "") contains text", at: offset)
                }
                store.add(attributes, offset, &object)
            default: try store.skip(name)
            }
        }
        objects.append(object)
    }

    private mutating func readAttribute(
        _ attributes: [String: String], _ offset: Int, _ object: inout XMLStoreObject
    ) throws(XMLProblem) {
        check(attributes, of: "attribute", ["name", "type"], at: offset)
        let (name, type) = (attributes["name"] ?? "", attributes["type"] ?? "")
        let text = try text(in: "attribute")
        let place = "\(object.type).\(name) of \(object.id ?? "")"
        var value = ArchivedValue.string(text)
        if let (found, isDoubtful) = XMLStoreValue.value(text, type: type) {
            value = found
            if isDoubtful {
                let isEmpty = found == .none
                let isKnown = ["string", "uri"].contains(type)
                remark(isEmpty ? .emptyValue : isKnown ? .escape : .unknownType, place)
            }
        } else {
            note(
                "the value of \(place) is not of type \(type), and is shown as text", at: offset,
                found: String(text.prefix(40)))
        }
        if let index = object.attributes.firstIndex(where: { $0.name == name }) {
            note("the attribute \(place) occurs twice; the last one counts", at: offset)
            object.attributes.remove(at: index)
        }
        object.attributes.append(XMLStoreObject.Attribute(name: name, type: type, value: value))
    }

    private mutating func add(
        _ attributes: [String: String], _ offset: Int, _ object: inout XMLStoreObject
    ) {
        check(attributes, of: "relationship", ["name", "type", "destination", "idrefs"], at: offset)
        let name = attributes["name"] ?? ""
        let targets = (attributes["idrefs"] ?? "").utf8.split(whereSeparator: XMLStoreValue.isSpace)
            .map { String(decoding: Array($0), as: UTF8.self) }
        let counts = (attributes["type"] ?? "").split(separator: "/", omittingEmptySubsequences: false)
        if counts.count != 2 || !counts.allSatisfy({ XMLStoreValue.integer(String($0)) != nil }) {
            note(
                "the relationship \(object.type).\(name) of \(object.id ?? "") has no type", at: offset,
                found: attributes["type"]?.shortened(to: 40))
        }
        if let index = object.relationships.firstIndex(where: { $0.name == name }) {
            note(
                "the relationship \(object.type).\(name) of \(object.id ?? "") occurs twice; the last one counts",
                at: offset)
            object.relationships.remove(at: index)
        }
        object.relationships.append(
            XMLStoreObject.Relationship(
                name: name, counts: attributes["type"] ?? "",
                destination: attributes["destination"] ?? "", targets: targets))
    }

    /// Reads an unknown element to its end.
    private mutating func skip(_ name: String) throws(XMLProblem) {
        note(
            name == "object"
                ? "an object stands inside another, and is left out"
                : "an element that a store does not have, and that is left out",
            at: reader.eventOffset, found: name.shortened(to: 40))
        _ = try text(in: name)
    }

    /// All text of the current element, whose end it reads. An element inside it is a problem.
    private mutating func text(in name: String) throws(XMLProblem) -> String {
        var text = ""
        var depth = 1
        while depth > 0, let event = try reader.next() {
            switch event {
            case .start(let inner, _):
                if depth == 1 {
                    note("the element \(name) contains an element \(inner)", at: reader.eventOffset)
                }
                depth += 1
            case .end: depth -= 1
            case .text(let more): if depth == 1 { text += more }
            }
        }
        return text
    }

    /// Calls `body` at the start of each child of the current element; `body` must read the child to its end.
    private mutating func forEachChild(
        _ body: (inout XMLStoreReader, String, [String: String]) throws(XMLProblem) -> Void
    ) throws(XMLProblem) {
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes): try body(&self, name, attributes)
            case .end: return
            case .text(let text):
                if !text.utf8.allSatisfy(XMLStoreValue.isSpace) {
                    note("text between elements", at: reader.eventOffset, found: String(text.prefix(40)))
                }
            }
        }
    }
}
