import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// Reads CSV record by record, as exports, spreadsheets and other programs write it: fields with or without quotation
/// marks, lines that end with CR LF, LF or CR, and a byte order mark.
struct CSVReader: ~Copyable {
    /// A field of the record.
    struct Field {
        fileprivate var bytes: Range<Int>
        /// Whether it was between quotation marks.
        var isQuoted: Bool
    }

    /// The largest number of fields of a record, and of bytes.
    static let mostFields = 10_000
    static let mostBytes = 512 << 20

    private let source: ImportBytes
    private let separator: UInt8
    private var bytes: [UInt8] = []
    private(set) var fields: [Field] = []
    /// The number of the line in which the record begins, from 1.
    private(set) var line = 0
    private var nextLine = 1
    /// The fault of the record; its fields are then incomplete.
    private(set) var fault: CellProblem?

    init(_ source: ImportBytes, separator: UInt8) {
        self.source = source
        self.separator = separator
    }

    /// The separator that the line `sep=;` names, with which some spreadsheets begin; nil without such a line.
    static func namedSeparator(_ start: ArraySlice<UInt8>) -> UInt8? {
        let line = Array(start.prefix(6))
        guard line.count >= 5, line.starts(with: "sep=".utf8), line.count == 5 || [10, 13].contains(line[5])
        else { return nil }
        return line[4]
    }

    /// Whether a text that begins so is not UTF-8, but UTF-16.
    static func isUTF16(_ start: ArraySlice<UInt8>) -> Bool {
        start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    }

    /// The text of a field; nil if it is not UTF-8.
    func text(_ field: Field) -> String? {
        bytes[field.bytes].withUnsafeBufferPointer { SQLiteStatement.text($0) }
    }

    func isEmpty(_ field: Field) -> Bool { field.bytes.isEmpty }

    /// Whether all fields are empty, as those of a row that a spreadsheet left over.
    var isBlank: Bool { fault == nil && fields.allSatisfy { $0.bytes.isEmpty && !$0.isQuoted } }

    /// Reads the next record; returns false at the end of the file.
    mutating func next() throws(FileProblem) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        fault = nil
        line = nextLine
        guard try source.peek() != nil else { return false }
        // ends: with the record or the file
        while try readField() {}
        return true
    }

    /// Reads a field; returns whether another one follows.
    private mutating func readField() throws(FileProblem) -> Bool {
        let start = bytes.count
        var isQuoted = false
        if try source.peek() == Self.mark {
            isQuoted = true
            source.skip()
            try readQuoted()
        } else {
            try readPlain()
        }
        if fields.count >= Self.mostFields {
            note("has too many fields", expected: "at most \(Self.mostFields)")
        } else {
            fields.append(Field(bytes: start..<bytes.count, isQuoted: isQuoted))
        }
        guard let byte = try source.peek() else { return false }
        source.skip()
        if byte == separator { return true }
        if byte == 13, try source.peek() == 10 { source.skip() }
        nextLine += 1
        return false
    }

    /// Reads up to the end of a field without quotation marks.
    private mutating func readPlain() throws(FileProblem) {
        while let byte = try source.peek() {
            if byte == separator || byte == 13 || byte == 10 { return }
            if byte == Self.mark {
                note(
                    "contains a quotation mark in a field that does not begin with one",
                    expected: "the whole field between quotation marks, and each mark in it twice")
            }
            add(byte)
        }
    }

    /// Reads up to the end of a field after its first quotation mark.
    private mutating func readQuoted() throws(FileProblem) {
        // ends: with the file
        while let byte = try source.peek() {
            source.skip()
            guard byte == Self.mark else {
                if byte == 10 { nextLine += 1 }
                if byte == 13, try source.peek() != 10 { nextLine += 1 }
                append(byte)
                continue
            }
            guard let next = try source.peek() else { return }
            if next == Self.mark {
                source.skip()
                append(next)
            } else {
                if next != separator, next != 13, next != 10 {
                    note(
                        "has text after the quotation mark that ends a field",
                        expected: "a separator, or each quotation mark in the field twice")
                    try readPlain()
                }
                return
            }
        }
        note("begins a field that does not end", expected: "a quotation mark after it")
    }

    private mutating func add(_ byte: UInt8) {
        source.skip()
        append(byte)
    }

    private mutating func append(_ byte: UInt8) {
        guard bytes.count < Self.mostBytes else {
            return note("is larger than any object", expected: "at most \(Self.mostBytes) bytes")
        }
        bytes.append(byte)
    }

    private mutating func note(_ problem: String, expected: String) {
        if fault == nil { fault = CellProblem(problem, expected: expected) }
    }

    private static let mark = UInt8(ascii: "\"")
}
