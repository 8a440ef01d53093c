import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// Reads a folder of CSV files, one for each entity, as an export writes it.
struct CSVImport {
    let schema: ImportSchema
    let findings: ImportFindings
    /// Whether the export put an apostrophe before text that spreadsheets would take for a formula.
    let isForSpreadsheets: Bool
    /// Whether an empty field of a mandatory String is empty text, since spreadsheets write both alike.
    let hasEmptyTexts: Bool

    /// Calls `body` with each object.
    func forEachRecord(
        in folder: FilePath, _ body: (ImportRecord) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var entities: [String: Int] = [:]
        var names = ExportFileNames()
        for (number, entity) in schema.entities.enumerated() {
            let name = names.next(entity.name)
            guard name.lowercased() == ExportFileNames.only(entity.name).lowercased() else {
                throw FileProblem(
                    .unsupported, path: folder, "the names of two entities differ only in their case",
                    found: entity.name, advice: "Import JSON or a database")
            }
            entities[name] = number
        }
        let found = try DirectoryReader.names(in: OwnedDescriptor.folder(folder))
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var missing = entities
        for name in found {
            guard entities[name.string] != nil else {
                refuse(name, in: folder, entities)
                continue
            }
            missing[name.string] = nil
        }
        for (name, number) in missing.sorted(by: { $0.value < $1.value }) {
            findings.remark("there is no file \(name): no object of \(schema.entities[number].name)")
        }
        for (name, number) in entities.sorted(by: { $0.value < $1.value }) where missing[name] == nil {
            try read(folder.appending(name), number, body)
        }
    }

    /// Names a file of no entity. Other programs leave hidden files and files of their own in a folder.
    private func refuse(_ name: FilePath, in folder: FilePath, _ entities: [String: Int]) {
        let text = name.string
        guard text.lowercased().hasSuffix(".csv"), !text.hasPrefix(".") else {
            return findings.remark("\(name.escaped) is no CSV file, and is not read")
        }
        let other = entities.keys.first { $0.lowercased() == text.lowercased() }
        findings.add(
            findings.add(file: folder.pushing(name)), nil,
            CellProblem(
                "belongs to no entity of the model", expected: other.map { "the name \($0)" },
                found: escapedText(text)),
            advice: "Give the file the name of its entity, or move it elsewhere", isFatal: true)
    }

    // MARK: - A file

    /// The columns of a file.
    private struct Columns {
        enum Column {
            case key
            case property(ImportSchema.Property)
            case unknown
            case unnamed
        }
        var all: [Column]
        var names: [String]
        var hasKey: Bool
    }

    private func read(
        _ path: FilePath, _ entity: Int, _ body: (ImportRecord) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let file = findings.add(file: path)
        let start = try ImportBytes(path).start
        if CSVReader.isUTF16(start) {
            return findings.add(
                file, nil, CellProblem("is UTF-16", expected: "UTF-8"),
                advice: "Save it as CSV in UTF-8", isFatal: true)
        }
        let named = CSVReader.namedSeparator(start)
        let separator: UInt8
        if let named { separator = named } else { separator = try self.separator(path, entity) }
        let source = try ImportBytes(path)
        var reader = CSVReader(source, separator: separator)
        if named != nil { _ = try reader.next() }
        guard try reader.next() else {
            return findings.add(
                file, nil, CellProblem("is empty", expected: "a line with the names of columns"),
                advice: "Restore the first line of the export, or remove the file", isFatal: true)
        }
        if separator != UInt8(ascii: ",") {
            let name = separator == 9 ? "tabs" : "“\(Character(Unicode.Scalar(separator)))”"
            findings.remark("\(path.lastComponent?.string ?? "") separates fields by \(name)")
        }
        guard let columns = columns(&reader, entity, file) else { return }
        // ends: with the file
        while try reader.next() {
            if reader.isBlank { continue }
            if let record = record(reader, columns, entity, file) { try body(record) }
        }
        try source.checkUnchanged()
    }

    /// The separator with which the first line has most names of the model: a comma, a semicolon or a tab.
    private func separator(_ path: FilePath, _ entity: Int) throws(FileProblem) -> UInt8 {
        var best: (count: Int, separator: UInt8) = (0, UInt8(ascii: ","))
        for candidate in ",;\t".utf8 {
            var reader = CSVReader(try ImportBytes(path), separator: candidate)
            guard try reader.next() else { continue }
            var count = 0
            for field in reader.fields {
                if let name = reader.text(field), isKnown(name, entity) { count += 1 }
            }
            if count > best.count { best = (count, candidate) }
        }
        return best.separator
    }

    private func isKnown(_ name: String, _ entity: Int) -> Bool {
        keyName(entity) == name || schema.entities[entity].properties[name] != nil
    }

    private func keyName(_ entity: Int) -> String {
        schema.entities[entity].properties[PlainTables.key] == nil ? PlainTables.key : "_" + PlainTables.key
    }

    /// The columns that the header names; nil if the file cannot be imported.
    private func columns(_ reader: inout CSVReader, _ number: Int, _ file: Int) -> Columns? {
        let entity = schema.entities[number]
        let place = "line \(reader.line)"
        var columns = Columns(all: [], names: [], hasKey: false)
        var seen: Set<String> = []
        var isUsable = true
        func fail(_ problem: CellProblem, _ advice: String) {
            findings.add(file, place, problem, advice: advice, isFatal: true)
            isUsable = false
        }
        if let fault = reader.fault { fail(fault, "Correct the first line") }
        for field in reader.fields {
            let name = reader.text(field).map { isForSpreadsheets ? CSVCell.withFormula($0) : $0 }
            guard let name else {
                fail(CellProblem("a name is not UTF-8"), "Save the file as CSV in UTF-8")
                continue
            }
            columns.names.append(name)
            if name.isEmpty {
                columns.all.append(.unnamed)
            } else if !seen.insert(name).inserted {
                fail(
                    CellProblem("names a column twice", found: "“\(name.shortened(to: 60))”"),
                    "Remove one of them")
            } else if name == keyName(number) {
                columns.hasKey = true
                columns.all.append(.key)
            } else if let property = entity.properties[name] {
                columns.all.append(.property(property))
            } else {
                columns.all.append(.unknown)
                let close = entity.properties.keys.first { $0.lowercased() == name.lowercased() }
                findings.add(
                    file, place,
                    CellProblem(
                        "names a column that \(entity.name) does not have", expected: close.map { "“\($0)”" },
                        found: "“\(name.shortened(to: 60))”"),
                    advice: "Correct the name, or remove the column; --skip-unreadable leaves it out")
            }
        }
        if columns.all.contains(where: { if case .property = $0 { true } else { false } }) || columns.hasKey {
            if !columns.hasKey {
                findings.remark(
                    "\(entity.name) has no column \(keyName(number)): all its objects get new keys")
            }
        } else {
            fail(
                CellProblem(
                    "names no column of \(entity.name)", expected: "\(keyName(number)) and the properties"),
                "Restore the first line of the export")
        }
        return isUsable ? columns : nil
    }

    private func record(
        _ reader: borrowing CSVReader, _ columns: Columns, _ number: Int, _ file: Int
    ) -> ImportRecord? {
        let place = "line \(reader.line)"
        if let fault = reader.fault {
            findings.add(file, place, fault)
            return nil
        }
        let fields = reader.fields
        let extra = fields.dropFirst(columns.all.count)
        guard fields.count >= columns.all.count, extra.allSatisfy({ reader.isEmpty($0) }) else {
            findings.add(
                file, place,
                CellProblem(
                    "has \(fields.count > columns.all.count ? "more" : "fewer") fields than the first line",
                    expected: "\(columns.all.count)", found: "\(fields.count)"))
            return nil
        }
        var record = ImportRecord(number, of: schema, file: file, line: reader.line)
        for (position, column) in columns.all.enumerated() {
            let field = fields[position]
            do throws(CellProblem) {
                guard var text = reader.text(field) else {
                    throw CellProblem("is not UTF-8; save the file as CSV in UTF-8")
                }
                if isForSpreadsheets { text = CSVCell.withFormula(text) }
                switch column {
                case .unknown: break
                case .unnamed:
                    guard text.isEmpty else { throw CellProblem("is in a column without a name") }
                case .key:
                    guard !text.isEmpty else { continue }
                    guard let key = Int64(text) else {
                        throw CellProblem(
                            "no primary key", expected: "a whole number, or nothing for a new object",
                            found: ImportCell.text(text).shown)
                    }
                    record.key = key
                case .property(.attribute(let attribute)):
                    record.cells[attribute] = cell(text, field, schema.entities[number].attributes[attribute])
                case .property(.link(let link)):
                    let description = schema.links[schema.entities[number].links[link]]
                    record.targets[link] = .names(
                        try description.isToMany ? Self.names(text) : Self.name(text))
                }
            } catch {
                findings.add(file, "\(place), \(columns.names[position])", error)
                record.isBad = true
            }
        }
        return record
    }

    private func cell(
        _ text: String, _ field: CSVReader.Field, _ attribute: AttributeDescription
    ) -> ImportCell {
        guard text.isEmpty else { return .text(text) }
        let canBeEmpty = [AttributeType.string, .uri, .binary, .transformable].contains(attribute.type)
        if field.isQuoted, canBeEmpty { return .text("") }
        return hasEmptyTexts && attribute.type == .string && !attribute.isOptional ? .text("") : .null
    }

    static func name(_ text: String) -> [(name: ImportRecord.Name, place: Int64?)] {
        text.isEmpty ? [] : [(.text(text), nil)]
    }

    /// The targets in a JSON array of primary keys or sync IDs.
    static func names(_ text: String) throws(CellProblem) -> [(name: ImportRecord.Name, place: Int64?)] {
        if text.isEmpty { return [] }
        var names: [(name: ImportRecord.Name, place: Int64?)] = []
        do throws(JSONScanner.Problem) {
            var scanner = JSONScanner(Array(text.utf8))
            try scanner.array { (scanner) throws(JSONScanner.Problem) in
                let place = Int64(names.count + 1)
                let isText = scanner.peek() == UInt8(ascii: "\"")
                let name = try isText ? scanner.text() : String(JSONImport.key(&scanner))
                names.append((.text(name), place))
            }
            try scanner.end()
        } catch {
            throw CellProblem(
                "no list of objects", expected: "an array such as [1, 2] or [\"A\", \"B\"]",
                found: ImportCell.text(text).shown)
        }
        return names
    }
}

extension ExportFileNames {
    /// The name of the file of an entity if no other entity has the same.
    static func only(_ entity: String) -> String {
        var names = ExportFileNames()
        return names.next(entity)
    }
}
