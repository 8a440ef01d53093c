import CoreDataStore

/// A table of a database, from its CREATE statement, which is never run.
struct TableDefinition {
    var name: String
    /// The first page of its tree; 0 if it is unknown.
    var root: Int
    var columns: [SQLiteSchema.Column]
    /// The column that equals the number of the row, which a record contains as NULL.
    var keyColumn: Int?
    /// The columns that together distinguish the rows, as in a join table; nil for a table with other rows.
    private(set) var pairColumns: [Int]?
    /// The values that SQLite shows in the columns of a row that was written before they were added; `lost` for an
    /// expression.
    private(set) var defaults: [RecordValue] = []
    /// Whether the rows are in a different kind of tree, which is not read.
    var isWithoutRowid = false
    /// The column of entity numbers.
    private(set) var entityColumn: Int?
    /// Whether this is a table of objects.
    private(set) var isOfObjects = false
    /// The positions of the columns by their names.
    private(set) var places: [String: Int] = [:]

    /// Whether a value can be in a column, according to its declared type.
    func admits(_ value: RecordValue, _ column: Int) -> Bool {
        if value == .null || value == .lost { return true }
        if column == keyColumn { return false }
        let type = columns[column].declaredType
        switch value {
        case .integer: return !type.hasPrefix("VARCHAR") && type != "BLOB"
        case .real: return ["FLOAT", "TIMESTAMP", "DECIMAL", "REAL", "DOUBLE", "NUMERIC", ""].contains(type)
        case .text: return type.hasPrefix("VARCHAR") || type == "TEXT" || type == "DECIMAL" || type == ""
        case .blob: return type == "BLOB" || type == ""
        case .null, .lost: return true
        }
    }

    /// Whether SQLite and Core Data could have written the values: at most one for each column, none in place of the
    /// number of the row, and the number of an entity in a table of objects.
    func isRow(_ values: [RecordValue]) -> Bool {
        guard values.count <= columns.count else { return false }
        if let keyColumn, keyColumn < values.count, values[keyColumn] != .null { return false }
        guard isOfObjects else { return true }
        if values.count >= 3, case .integer = values[1] { return true } else { return false }
    }

    static let columnLimit = 2_000

    init(name: String, root: Int, columns: [SQLiteSchema.Column], keyColumn: Int?) {
        self.name = name
        self.root = root
        self.columns = columns
        self.keyColumn = keyColumn
        findColumns()
    }

    /// Determines once the columns that every row needs.
    private mutating func findColumns() {
        entityColumn = columns.firstIndex { $0.name == "Z_ENT" }
        isOfObjects = columns.prefix(3).map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT"] && keyColumn == 0
        places = Dictionary(columns.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }

    /// Parses a statement `CREATE TABLE name (...)`. Nil for a virtual table, a table made from a query, or a statement
    /// that cannot be parsed.
    init?(name: String, root: Int, sql: String) {
        guard sql.utf8.count <= 1_000_000 else { return nil }
        var words = SQLWords(sql)
        guard words.next()?.isKeyword("CREATE") == true, words.next()?.isKeyword("TABLE") == true else {
            return nil
        }
        var isOpen = false
        while let word = words.next() {
            if word.text == "(", !word.isQuoted {
                isOpen = true
                break
            }
            if word.isKeyword("AS") { return nil }
        }
        guard isOpen else { return nil }
        self.init(name: name, root: root, columns: [], keyColumn: nil)
        var part: [SQLWords.Word] = []
        var depth = 0
        while let word = words.next() {
            if !word.isQuoted {
                if depth == 0, word.text == "," || word.text == ")" {
                    guard add(part), columns.count <= Self.columnLimit else { return nil }
                    part = []
                    if word.text == ")" { break }
                    continue
                }
                if word.text == "(" { depth += 1 }
                if word.text == ")" { depth -= 1 }
            }
            part.append(word)
        }
        while let word = words.next() {
            if word.isKeyword("WITHOUT") { isWithoutRowid = true }
        }
        guard !columns.isEmpty else { return nil }
        findColumns()
    }

    private static let ends = [
        "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
        "GENERATED", "AS",
    ]

    private mutating func add(_ part: [SQLWords.Word]) -> Bool {
        guard let first = part.first else { return false }
        if !first.isQuoted, ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains(first.upper) {
            let names = part.drop { $0.text != "(" }.dropFirst().prefix { $0.text != ")" }
                .filter { $0.text != "," || $0.isQuoted }
            guard let place = part.firstIndex(where: { $0.isKeyword("PRIMARY") }), place <= 2 else {
                return true
            }
            let found = names.compactMap { name in columns.firstIndex { $0.name.uppercased() == name.upper } }
            guard found.count == names.count, let first = found.first else { return true }
            if found.count > 1 {
                pairColumns = found
            } else if columns[first].declaredType == "INTEGER" {
                keyColumn = first
            }
            return true
        }
        let type = part.dropFirst().prefix { $0.isQuoted || !Self.ends.contains($0.upper) }
        var rest = part.dropFirst(1 + type.count)
        let declared = type.map(\.upper).joined(separator: " ").replacing(" ( ", with: "(")
            .replacing(" )", with: ")")
        if rest.contains(where: { $0.isKeyword("AS") }), !rest.contains(where: { $0.isKeyword("STORED") }) {
            return true
        }
        columns.append(SQLiteSchema.Column(name: first.text, declaredType: declared))
        defaults.append(Self.standard(rest, declared))
        while let word = rest.popFirst() {
            if word.isKeyword("PRIMARY"), rest.first?.isKeyword("KEY") == true, declared == "INTEGER",
                rest.dropFirst().first?.isKeyword("DESC") != true
            {
                keyColumn = columns.count - 1
            }
        }
        return true
    }
}

extension TableDefinition {
    /// The value of DEFAULT in the words after the type of a column, in the form that a column of that type stores.
    private static func standard(_ words: ArraySlice<SQLWords.Word>, _ type: String) -> RecordValue {
        guard let place = words.firstIndex(where: { $0.isKeyword("DEFAULT") }) else { return .null }
        let value = words[(place + 1)...].prefix {
            $0.isQuoted || !ends.contains($0.upper) || $0.upper == "NULL"
        }
        guard let first = value.first else { return .null }
        let text = first.isQuoted ? first.text : value.map(\.text).joined()
        let isText = type.contains("CHAR") || type.contains("TEXT")
        if !first.isQuoted {
            switch first.upper {
            case "NULL": return .null
            case "TRUE" where !isText: return .integer(1)
            case "FALSE" where !isText: return .integer(0)
            default: if Double(text) == nil { return .lost }
            }
        }
        if !isText, !type.contains("BLOB") {
            if let number = Int64(text) { return .integer(number) }
            if let number = Double(text) { return .real(number) }
        }
        return .text(Array(text.utf8))
    }
}

/// The words of a statement.
struct SQLWords {
    struct Word {
        var text: String
        var isQuoted: Bool
        var upper: String { text.uppercased() }
        func isKeyword(_ word: String) -> Bool { !isQuoted && upper == word }
    }

    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> Word? {
        skip()
        guard at < bytes.count else { return nil }
        let first = bytes[at]
        let closing: UInt8? =
            switch first {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): first
            case UInt8(ascii: "["): UInt8(ascii: "]")
            default: nil
            }
        if let closing { return quoted(closing) }
        let start = at
        at += 1
        if Self.isOfName(first) { while at < bytes.count, Self.isOfName(bytes[at]) { at += 1 } }
        return Word(text: String(decoding: bytes[start..<at], as: UTF8.self), isQuoted: false)
    }

    private mutating func quoted(_ closing: UInt8) -> Word {
        var text: [UInt8] = []
        at += 1
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == closing {
                guard at < bytes.count, bytes[at] == closing, closing != UInt8(ascii: "]") else { break }
                at += 1
            }
            text.append(byte)
        }
        return Word(text: String(decoding: text, as: UTF8.self), isQuoted: true)
    }

    private mutating func skip() {
        while at < bytes.count {
            if bytes[at] <= 32 {
                at += 1
            } else if bytes[at...].starts(with: "--".utf8) {
                while at < bytes.count, bytes[at] != 10 { at += 1 }
            } else if bytes[at...].starts(with: "/*".utf8) {
                at += 2
                while at < bytes.count, !bytes[at...].starts(with: "*/".utf8) { at += 1 }
                at = min(at + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
