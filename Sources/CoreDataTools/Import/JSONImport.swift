import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// Reads a JSON document, or JSON lines, as an export writes it.
struct JSONImport {
    let schema: ImportSchema
    let findings: ImportFindings

    typealias Body = (ImportRecord) throws(FileProblem) -> Void

    /// Calls `body` with each object of a document.
    /// - Returns: the UUID of the exported store, if the document has one.
    func forEachRecord(in path: FilePath, _ body: Body) throws(FileProblem) -> ArchivedUUID? {
        let file = findings.add(file: path)
        let source = try ImportBytes(path)
        var stream = JSONStream(source)
        var uuid: ArchivedUUID?
        var seen: Set<String> = []
        try Self.object(&stream) { (stream, key) throws(FileProblem) in
            guard seen.insert(key).inserted else { throw stream.problem("“\(key.shortened(to: 40))” once") }
            switch key {
            case "entities":
                try Self.object(&stream) { (stream, name) throws(FileProblem) in
                    try read(&stream, name, file, &seen, body)
                }
            case "schema": try Self.check("ticds.export/1", stream.value(most: 1 << 20), stream)
            case "storeUUID":
                let text = try Self.text(stream.value(most: 1 << 20))
                uuid = text.flatMap { ArchivedUUID(text: $0) }
                if let text, uuid == nil {
                    findings.add(
                        file, "storeUUID", CellProblem("no UUID", found: "“\(text.shortened(to: 60))”"))
                }
            case "keys": try Self.skip(stream.value(most: 1 << 20), stream)
            default:
                _ = try stream.value()
                findings.add(
                    file, "line \(stream.line)",
                    CellProblem(
                        "a field that an export does not have", expected: "entities",
                        found: "“\(key.shortened(to: 60))”"))
            }
        }
        guard try stream.isAtEnd() else { throw stream.problem("the end of the file") }
        guard seen.contains("entities") else { throw stream.problem("the field entities") }
        try source.checkUnchanged()
        return uuid
    }

    /// Calls `body` with each object of JSON lines.
    func forEachRecord(inLinesOf path: FilePath, _ body: Body) throws(FileProblem) {
        let file = findings.add(file: path)
        let source = try ImportBytes(path)
        var stream = JSONStream(source)
        // ends: with the file
        while try !stream.isAtEnd() {
            let line = stream.line
            try read(try stream.value(), nil, file, line, body)
        }
        try source.checkUnchanged()
    }

    private static func object(
        _ stream: inout JSONStream, _ field: (inout JSONStream, String) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try stream.expect("{")
        if try stream.take("}") { return }
        // ends: with the file
        repeat { try field(&stream, try stream.key()) } while try stream.take(",")
        try stream.expect("}")
    }

    private static func text(_ json: [UInt8]) -> String? {
        var scanner = JSONScanner(json)
        return try? scanner.text()  // try?: null, or another value, is no text
    }

    /// Checks a value that has no meaning here.
    private static func skip(_ json: [UInt8], _ stream: borrowing JSONStream) throws(FileProblem) {
        var scanner = JSONScanner(json, deepest: JSONValueReader.deepest)
        do throws(JSONScanner.Problem) {
            try scanner.skip()
            try scanner.end()
        } catch {
            throw stream.problem(error.expected)
        }
    }

    private static func check(
        _ schema: String, _ json: [UInt8], _ stream: borrowing JSONStream
    ) throws(FileProblem) {
        guard text(json) == schema else { throw stream.problem("the schema \(schema)") }
    }

    /// Reads the objects of an entity.
    private func read(
        _ stream: inout JSONStream, _ name: String, _ file: Int, _ seen: inout Set<String>, _ body: Body
    ) throws(FileProblem) {
        guard seen.insert("entities.\(name)").inserted else {
            throw stream.problem("the entity “\(name.shortened(to: 60))” once")
        }
        let entity = schema.number(of: name)
        let line = stream.line
        var count = 0
        try stream.expect("[")
        if try !stream.take("]") {
            // ends: with the file
            repeat {
                let line = stream.line
                let value = try stream.value()
                count += 1
                if let entity { try read(value, entity, file, line, body) }
            } while try stream.take(",")
            try stream.expect("]")
        }
        guard entity == nil, count > 0 else { return }
        unknown(name, file, line)
    }

    private func unknown(_ name: String, _ file: Int, _ line: Int) {
        findings.add(
            file, "line \(line)",
            CellProblem("names no concrete entity of the model", found: "“\(name.shortened(to: 60))”"))
    }

    // MARK: - An object

    /// Reads an object; `entity` is nil in a line, which names it.
    private func read(
        _ json: [UInt8], _ entity: Int?, _ file: Int, _ line: Int, _ body: Body
    ) throws(FileProblem) {
        let fields: Fields
        do throws(JSONScanner.Problem) {
            fields = try Fields(json)
        } catch {
            return findings.add(
                file, "line \(line)",
                CellProblem(
                    "damaged JSON, character \(error.offset +| 1) of an object", expected: error.expected))
        }
        let known = entity ?? fields.entity.flatMap { schema.number(of: $0) }
        guard let number = known else { return unknown(fields.entity ?? "", file, line) }
        let place = { [schema] (name: String?) in
            "line \(line), \(schema.entities[number].name)\(fields.key.map { " \($0)" } ?? "")"
                + (name.map { ", \($0.shortened(to: 60))" } ?? "")
        }
        let before = findings.count
        if let schema = fields.schema, entity != nil || schema != "ticds.exportedObject/1" {
            findings.add(
                file, place(nil),
                CellProblem(
                    "has another schema", expected: "ticds.exportedObject/1",
                    found: "“\(schema.shortened(to: 60))”"))
        }
        for name in fields.unknown {
            findings.add(
                file, place(nil),
                CellProblem("has a field that an export does not have", found: "“\(name.shortened(to: 60))”"))
        }
        var record = ImportRecord(number, of: schema, file: file, line: line)
        record.key = fields.key
        let properties = schema.entities[number].properties
        for (name, value) in fields.attributes {
            guard case .attribute(let position)? = properties[name] else {
                add(unknown: name, "attribute", number, file, place(nil))
                continue
            }
            record.cells[position] = value == Array("null".utf8) ? .null : .json(value)
        }
        for (name, value) in fields.relationships {
            guard case .link(let position)? = properties[name] else {
                add(unknown: name, "relationship", number, file, place(nil))
                continue
            }
            let isToMany = schema.links[schema.entities[number].links[position]].isToMany
            do throws(JSONScanner.Problem) {
                record.targets[position] = .names(try Self.names(value, isToMany: isToMany))
            } catch {
                findings.add(
                    file, place(name),
                    CellProblem(
                        isToMany ? "no list of objects" : "no object",
                        expected: isToMany
                            ? "an array of numbers and texts" : "null, a primary key or a sync ID in text",
                        found: ImportCell.json(value).shown))
            }
        }
        record.isBad = findings.count > before
        try body(record)
    }

    private func add(unknown name: String, _ kind: String, _ entity: Int, _ file: Int, _ place: String) {
        findings.add(
            file, place,
            CellProblem(
                "\(schema.entities[entity].name) has no \(kind) of this name",
                found: "“\(name.shortened(to: 60))”"))
    }

    private static func names(
        _ json: [UInt8], isToMany: Bool
    ) throws(JSONScanner.Problem) -> [(name: ImportRecord.Name, place: Int64?)] {
        var scanner = JSONScanner(json)
        var names: [(name: ImportRecord.Name, place: Int64?)] = []
        func add(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            let isText = scanner.peek() == UInt8(ascii: "\"")
            let place = Int64(names.count + 1)
            names.append((try isText ? .id(scanner.text()) : .key(key(&scanner)), isToMany ? place : nil))
        }
        if isToMany {
            try scanner.array { (scanner) throws(JSONScanner.Problem) in try add(&scanner) }
        } else if !scanner.null() {
            try add(&scanner)
        }
        try scanner.end()
        return names
    }

    /// A primary key: a number, or one beyond 53 bits as `{"$int": text}`.
    static func key(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) -> Int64 {
        guard try scanner.isAtObject() else { return try scanner.integer() }
        guard case .integer(let number) = try JSONValueReader.value(&scanner),
            let key = Int64(exactly: number)
        else { throw scanner.problem("a primary key") }
        return key
    }
}

/// The fields of an object.
private struct Fields {
    var schema: String?
    var entity: String?
    var key: Int64?
    var attributes: [(name: String, value: [UInt8])] = []
    var relationships: [(name: String, value: [UInt8])] = []
    var unknown: [String] = []

    init(_ json: [UInt8]) throws(JSONScanner.Problem) {
        var scanner = JSONScanner(json, deepest: JSONValueReader.deepest)
        var seen: Set<String> = []
        try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
            guard seen.insert(name).inserted else {
                throw scanner.problem("“\(name.shortened(to: 40))” once")
            }
            switch name {
            case "schema": schema = try scanner.text()
            case "entity": entity = try scanner.text()
            case "primaryKey": if !scanner.null() { key = try JSONImport.key(&scanner) }
            case "attributes": attributes = try Self.values(&scanner)
            case "relationships": relationships = try Self.values(&scanner)
            default:
                try scanner.skip()
                unknown.append(name)
            }
        }
        try scanner.end()
    }

    private static func values(
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> [(name: String, value: [UInt8])] {
        var values: [(name: String, value: [UInt8])] = []
        var seen: Set<String> = []
        try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
            guard seen.insert(name).inserted else {
                throw scanner.problem("“\(name.shortened(to: 40))” once")
            }
            values.append((name, try scanner.rawValue()))
        }
        return values
    }
}
