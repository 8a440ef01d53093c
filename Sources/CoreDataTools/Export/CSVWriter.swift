import Base
public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes the objects of one entity as CSV (RFC 4180): a header, one line for each object, CR LF at the end of lines,
/// and quotation marks around fields that need them.
///
/// Nil is an empty field; an empty text is a pair of quotation marks. Dates are ISO 8601 in UTC, data is base64,
/// Booleans are `true` and `false`; other values are JSON. A to-one relationship is the name of its target, a to-many
/// relationship a JSON array of names.
public struct CSVWriter: ~Copyable {
    private let entity: ExportedEntity
    private let targets: TargetNames
    private let isForSpreadsheets: Bool
    private let json: (ArchivedValue) -> String
    private let file: FileDescriptor
    private let path: FilePath
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 16

    /// - Parameters:
    ///   - file: a file or pipe that is open for writing; it stays open.
    ///   - path: the name of the file in errors.
    ///   - isForSpreadsheets: whether to put an apostrophe before text that a spreadsheet would read as a formula.
    ///   - json: converts values without a CSV form to text.
    public init(
        _ entity: ExportedEntity, to file: FileDescriptor, at path: FilePath, targets: TargetNames,
        isForSpreadsheets: Bool = false, json: @escaping (ArchivedValue) -> String
    ) {
        self.entity = entity
        self.targets = targets
        self.isForSpreadsheets = isForSpreadsheets
        self.json = json
        self.file = file
        self.path = path
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        add([names.contains("primaryKey") ? "_primaryKey" : "primaryKey"] + names)
    }

    /// Writes the line of an object.
    public mutating func add(_ object: StoredObject) throws(FileProblem) {
        var fields: [String?] = ["\(object.primaryKey)"]
        for attribute in entity.attributes {
            let value = object.value(attribute.name)
            fields.append(text(ExportValue(value, of: attribute.type, asText: true, json: json)))
        }
        for relationship in entity.relationships {
            switch object.target(relationship.name) {
            case .toOne(let key):
                fields.append(try key.map { key throws(FileProblem) in try name(key, relationship) })
            case .toMany(let keys):
                var names: [ArchivedValue] = []
                for key in keys {
                    let name = try targets.name(key, relationship)
                    if targets.areSyncIDs {
                        names.append(.string(name.text(besideSyncIDs: true)))
                    } else {
                        names.append(.integer(Int128(key)))
                    }
                }
                fields.append(json(.array(names)))
            }
        }
        add(fields)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes the rest of the buffer.
    public consuming func finish() throws(FileProblem) { try flush() }

    private func name(_ key: Int64, _ relationship: ExportedEntity.Relationship) throws(FileProblem) -> String
    {
        try targets.name(key, relationship).text(besideSyncIDs: targets.areSyncIDs)
    }

    private func text(_ value: ExportValue) -> String? {
        switch value {
        case .null: nil
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .data(let bytes): Base64.text(bytes)
        }
    }

    private mutating func add(_ fields: [String?]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { buffer.append(UInt8(ascii: ",")) }
            if let field { add(isForSpreadsheets ? CSVCell.withoutFormula(field) : field) }
        }
        buffer += [13, 10]
    }

    private mutating func add(_ field: String) {
        var field = field
        field.withUTF8 { bytes in
            guard bytes.isEmpty || bytes.contains(where: Self.needsMarks) else {
                buffer += bytes
                return
            }
            buffer.append(Self.mark)
            for byte in bytes {
                if byte == Self.mark { buffer.append(Self.mark) }
                buffer.append(byte)
            }
            buffer.append(Self.mark)
        }
    }

    private static let mark = UInt8(ascii: "\"")

    private static func needsMarks(_ byte: UInt8) -> Bool {
        byte == mark || byte == UInt8(ascii: ",") || byte == 13 || byte == 10
    }

    private mutating func flush() throws(FileProblem) {
        do {
            try file.writeAll(buffer)
        } catch {
            throw FileProblem.writing(error, path: path)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Protects cells from spreadsheets.
enum CSVCell {
    /// Text with an apostrophe before it if a spreadsheet would read it as a formula. Numbers stay numbers. Text that has
    /// such apostrophes already gets a further one, so that ``withFormula(_:)`` gives the text again.
    static func withoutFormula(_ text: String) -> String {
        isProtected(text) && !isNumber(text) ? "'" + text : text
    }

    /// The text to which ``withoutFormula(_:)`` added an apostrophe.
    static func withFormula(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "'"), isProtected(text) else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// Whether the beginning of a formula comes after any number of apostrophes.
    private static func isProtected(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map { beginnings.contains($0) } ?? false
    }

    /// Some spreadsheets accept full-width signs, and ignore leading white space.
    private static let beginnings = Set("=+-@\t\r\n \u{A0}\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)

    private static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }
}

extension StoredObject {
    /// The value of an attribute; `.none` if the object lacks it.
    public func value(_ name: String) -> ArchivedValue {
        attributes.first { $0.name == name }?.value ?? .none
    }

    /// The targets of a relationship; none if the object lacks it.
    public func target(_ name: String) -> StoredRelationship.Target {
        relationships.first { $0.name == name }?.target ?? .toMany([])
    }
}
