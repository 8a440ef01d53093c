public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes the objects of one entity as CSV (RFC 4180): a header, a line an object, lines that end with CR and LF, fields
/// in quotation marks where they have to be.
///
/// Nil is an empty field, empty text a pair of quotation marks. Dates are ISO 8601 in UTC, data base 64, Booleans
/// `true` and `false`; what has no text of its own is JSON. A to-one relationship holds the name of its target, a
/// to-many one a JSON array of them.
public struct CSVWriter: ~Copyable {
    private let entity: ExportedEntity
    private let targets: TargetNames
    private let isForSpreadsheets: Bool
    private let json: (ArchivedValue) -> String
    private var file: WrittenFile
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 16

    /// - Parameters:
    ///   - name: the file to make in `folder`.
    ///   - isForSpreadsheets: whether text that a spreadsheet would take for a formula gets an apostrophe in front.
    ///   - json: text for values that have no form of their own.
    public init(
        _ entity: ExportedEntity, to name: FilePath, in folder: borrowing OwnedDescriptor,
        targets: TargetNames,
        isForSpreadsheets: Bool = false, json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        self.entity = entity
        self.targets = targets
        self.isForSpreadsheets = isForSpreadsheets
        self.json = json
        file = try WrittenFile(name, in: folder)
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        add([names.contains("primaryKey") ? "_primaryKey" : "primaryKey"] + names)
    }

    /// Writes the line of an object.
    public mutating func add(_ object: StoredObject) throws(FileProblem) {
        var fields: [String?] = ["\(object.primaryKey)"]
        for attribute in entity.attributes {
            let value = object.value(attribute.name)
            fields.append(text(ExportValue(value, json: json)))
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

    /// Writes what is left and forces it to disk.
    public consuming func finish() throws(FileProblem) {
        try flush()
        try file.finish(modified: nil)
    }

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
        case .data(let bytes): ExportValue.text(of: bytes)
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
        let mark = UInt8(ascii: "\"")
        let special: Set<UInt8> = [mark, UInt8(ascii: ","), 13, 10]
        guard field.isEmpty || field.utf8.contains(where: special.contains) else {
            buffer += Array(field.utf8)
            return
        }
        buffer.append(mark)
        for byte in field.utf8 {
            if byte == mark { buffer.append(mark) }
            buffer.append(byte)
        }
        buffer.append(mark)
    }

    private mutating func flush() throws(FileProblem) {
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        try bytes.span.withUnsafeBytes { (bytes) throws(FileProblem) in try file.append(bytes) }
    }
}

/// Cells as spreadsheets take them.
enum CSVCell {
    /// Text with an apostrophe in front where a spreadsheet would take it for a formula; numbers stay numbers.
    static func withoutFormula(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, beginnings.contains(first), !isNumber(text) else {
            return text
        }
        return "'" + text
    }

    /// The signs of East Asian width count for some spreadsheets, and white space does not.
    private static let beginnings = Set("=+-@\t\r\n \u{A0}\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)

    private static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }
}

extension StoredObject {
    /// The value of an attribute, `.none` where the object has none of that name.
    public func value(_ name: String) -> ArchivedValue {
        attributes.first { $0.name == name }?.value ?? .none
    }

    /// What a relationship leads to.
    public func target(_ name: String) -> StoredRelationship.Target {
        relationships.first { $0.name == name }?.target ?? .toMany([])
    }
}
