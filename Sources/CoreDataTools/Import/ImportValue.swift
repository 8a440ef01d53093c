import Base
import CoreDataStore
import KeyedArchive

/// The reason why a cell is no value of its attribute.
struct CellProblem: Error, Hashable {
    var problem: String
    var expected: String?
    var found: String?
    /// What to do; nil for the usual advice.
    var advice: String?

    init(_ problem: String, expected: String? = nil, found: String? = nil, advice: String? = nil) {
        self.advice = advice
        self.problem = problem
        self.expected = expected
        self.found = found
    }
}

/// Makes values of cells by the type of their attributes.
enum ImportValue {
    /// The value of a cell; `.none` for nil. `.absent` has no value, but a default.
    static func value(_ cell: ImportCell, _ attribute: AttributeDescription) throws(CellProblem)
        -> ArchivedValue
    {
        let value: ArchivedValue? =
            switch cell {
            case .absent, .null: ArchivedValue.none
            case .text(let text): try value(text: text, attribute)
            case .integer(let number): value(.integer(Int128(number)), attribute)
            case .real(let number): value(.real(number), attribute)
            case .data(let bytes): try value(data: bytes, attribute)
            case .json(let json): try value(json: json, attribute)
            }
        guard let value else { throw unfit(cell, attribute) }
        guard !value.isUnordered else {
            throw CellProblem("a value that an SQLite store cannot contain", found: "NaN")
        }
        return value
    }

    private static func unfit(_ cell: ImportCell, _ attribute: AttributeDescription) -> CellProblem {
        var expected = attribute.type.importForm
        if case .text(let text) = cell, attribute.type.isFractional, text.contains(","),
            ImportNumber.real(String(text.map { $0 == "," ? "." : $0 })) != nil
        {
            expected += " with a decimal point, not a comma"
        }
        if attribute.type == .transformable, !attribute.isArchived {
            expected = "the bytes of the app's transformer in base64"
        }
        return CellProblem("no value of this attribute", expected: expected, found: cell.shown)
    }

    /// A value of the text in a CSV field or a database.
    private static func value(
        text: String, _ attribute: AttributeDescription
    ) throws(CellProblem) -> ArchivedValue? {
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            guard digits.allSatisfy({ (48...57).contains($0) }), let number = Int128(text) else { return nil }
            return value(.integer(number), attribute)
        case .boolean:
            return switch text {
            case "true", "TRUE", "True", "1": .boolean(true)
            case "false", "FALSE", "False", "0": .boolean(false)
            default: nil
            }
        case .double, .float: return ImportNumber.real(text).flatMap { value(.real($0), attribute) }
        case .decimal: return decimal(text)
        case .string: return .string(text)
        case .uri: return .url(text)
        case .uuid: return ArchivedUUID(text: text).map { .uuid($0) }
        case .date: return ImportDate.seconds(text).map { .date($0) }
        case .binary: return Base64.bytes(Array(text.utf8)).map { .data($0) }
        case .transformable:
            if TransformableText.isJSON(text) { return try value(json: Array(text.utf8), attribute) }
            return Base64.bytes(Array(text.utf8)).map { .data($0) }
        case .undefined, .objectID, .composite: return nil
        }
    }

    /// A decimal number that NSDecimalNumber can have.
    private static func decimal(_ text: String) -> ArchivedValue? {
        guard let number = ArchivedDecimal(text: text), !number.isNaN, (-128...127).contains(number.exponent)
        else { return nil }
        return .decimal(number)
    }

    private static func value(
        data: [UInt8], _ attribute: AttributeDescription
    ) throws(CellProblem) -> ArchivedValue? {
        switch attribute.type {
        case .binary, .transformable: .data(data)
        default: nil
        }
    }

    private static func value(
        json: [UInt8], _ attribute: AttributeDescription
    ) throws(CellProblem) -> ArchivedValue? {
        let read: ArchivedValue
        do throws(JSONScanner.Problem) {
            read = try JSONValueReader.value(json)
        } catch {
            throw CellProblem(
                "no value in the form of ticds-json(5), character \(error.offset +| 1)",
                expected: error.expected, found: ImportCell.json(json).shown)
        }
        if read.isNil { return read }
        // Text that people wrote in place of {"$date": text}.
        if case .string(let text) = read, attribute.type != .string, attribute.type != .transformable,
            attribute.type != .binary
        {
            return try value(text: text, attribute)
        }
        if attribute.type == .decimal, read.doubleValue != nil {
            return decimal(String(decoding: json, as: UTF8.self))
        }
        return value(read, attribute)
    }

    /// A value, if it has the type of the attribute.
    private static func value(_ value: ArchivedValue, _ attribute: AttributeDescription) -> ArchivedValue? {
        switch (attribute.type, value) {
        case (.integer16, .integer(let number)): Int16(exactly: number).map { .integer(Int128($0)) }
        case (.integer32, .integer(let number)): Int32(exactly: number).map { .integer(Int128($0)) }
        case (.integer64, .integer(let number)): Int64(exactly: number).map { .integer(Int128($0)) }
        case (.boolean, .boolean): value
        case (.boolean, .integer(0)): .boolean(false)
        case (.boolean, .integer(1)): .boolean(true)
        case (.double, .real): value
        case (.float, .real(let number)): number.isFinite && !Float(number).isFinite ? nil : value
        case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
        case (.decimal, .decimal(let number)): decimal(number.description)
        case (.decimal, .integer(let number)): decimal(String(number))
        case (.decimal, .real(let number)): decimal("\(number)")
        case (.string, .string), (.uri, .url), (.uuid, .uuid), (.date, .date), (.binary, .data): value
        case (.transformable, .data): value
        case (.transformable, _): attribute.isArchived && KeyedArchiveWriter.canWrite(value) ? value : nil
        default: nil
        }
    }
}

extension ArchivedValue {
    /// Whether the value is NaN, which SQLite stores as NULL.
    fileprivate var isUnordered: Bool {
        switch self {
        case .real(let number), .date(let number): number.isNaN
        default: false
        }
    }
}

extension ImportCell {
    /// The cell for an error.
    var shown: String {
        switch self {
        case .absent, .null: "nothing"
        case .text(let text): "“\(text.shortened(to: 60))”"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .data(let bytes): counted(bytes.count, "byte")
        case .json(let bytes): String(decoding: bytes.prefix(240), as: UTF8.self).shortened(to: 60)
        }
    }
}

extension AttributeType {
    /// The form of a value in words, for errors.
    var importForm: String {
        switch self {
        case .integer16: "a whole number from -32768 to 32767"
        case .integer32: "a whole number from -2147483648 to 2147483647"
        case .integer64: "a whole number of at most 64 bits"
        case .boolean: "true or false"
        case .double, .float: "a number"
        case .decimal: "a decimal number of at most 38 digits"
        case .string: "text"
        case .uri: "a URL"
        case .uuid: "a UUID"
        case .date: ImportDate.form
        case .binary: "bytes, in text as base64"
        case .transformable: "a JSON value, or bytes in base64"
        case .undefined, .objectID, .composite: "nothing, since such attributes are not stored"
        }
    }

    fileprivate var isFractional: Bool { self == .double || self == .float || self == .decimal }
}
