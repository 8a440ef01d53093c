import CSQLite
import Glibc
import KeyedArchive
import Synchronization

/// A prepared statement, which finalizes itself. Parameters count from 1, columns from 0.
public struct SQLiteStatement: ~Copyable {
    private let statement: OpaquePointer
    private let database: OpaquePointer

    init(_ statement: OpaquePointer, database: OpaquePointer) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    /// The storage class of a value.
    public enum Storage: Sendable, Hashable {
        /// NULL, or a value of one of SQLite's four types.
        case null, integer, real, text, blob
    }

    /// Moves to the next row; returns false after the last row.
    public mutating func step() throws(SQLiteError) -> Bool {
        errno = 0
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(database, code: code)
        }
    }

    /// Resets the statement and its parameters, so that it can run again.
    public mutating func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    /// Resets the statement, so that it can run again, and keeps its parameters.
    package mutating func rewind() { sqlite3_reset(statement) }

    /// Binds `keys` to the first parameters, runs a statement without rows, and resets it.
    public mutating func run(_ keys: Int64?...) throws(SQLiteError) {
        defer { reset() }
        for (position, key) in keys.enumerated() { bind(key, at: position + 1) }
        while try step() {}
    }

    /// The integers in the first column of the rows for one key; resets the statement.
    mutating func integers(of key: Int64) throws(SQLiteError) -> [Int64] {
        defer { reset() }
        bind(key, at: 1)
        var found: [Int64] = []
        while try step() { if let number = integer(0) { found.append(number) } }
        return found
    }

    /// The names of the columns, with U+FFFD for bytes that are not UTF-8.
    public var columnNames: [String] {
        (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
    }

    /// The storage class of the value; null if the column does not exist.
    public func storage(_ column: Int) -> Storage {
        switch sqlite3_column_type(statement, Int32(truncatingIfNeeded: column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The integer; nil for a value of a different class.
    public func integer(_ column: Int) -> Int64? {
        storage(column) == .integer ? sqlite3_column_int64(statement, Int32(clamping: column)) : nil
    }

    /// The real; nil for a value of a different class.
    public func real(_ column: Int) -> Double? {
        storage(column) == .real ? sqlite3_column_double(statement, Int32(clamping: column)) : nil
    }

    /// The value in the column of an attribute if it has the storage class of its type and needs no conversion
    /// (core-data-sqlite-store(5), 2.3); nil for any other value.
    func plainValue(_ column: Int, _ type: AttributeType, isPlain: Bool) -> ArchivedValue? {
        let place = Int32(truncatingIfNeeded: column)
        switch sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER:
            let number = sqlite3_column_int64(statement, place)
            switch type {
            case .integer64: return .integer(Int128(number))
            case .integer32: return Int32(exactly: number) == nil ? nil : .integer(Int128(number))
            case .integer16: return Int16(exactly: number) == nil ? nil : .integer(Int128(number))
            case .boolean: return number == 0 || number == 1 ? .boolean(number == 1) : nil
            case .date: return .date(Double(number))
            case .double, .float: return .real(Double(number))
            default: return nil
            }
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(statement, place)
            switch type {
            case .date: return .date(number)
            case .double, .float: return .real(number)
            default: return nil
            }
        case SQLITE_TEXT: return type == .string ? knownText(place).map { .string($0) } : nil
        case SQLITE_BLOB: return type == .binary && isPlain ? .data(withBytes(column) { Array($0) }) : nil
        default: return ArchivedValue.none
        }
    }

    /// The text; nil for a value of a different class or invalid UTF-8.
    public func text(_ column: Int) -> String? {
        storage(column) == .text ? knownText(Int32(clamping: column)) : nil
    }

    private func knownText(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return Self.text(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// The text of bytes; nil if they are not UTF-8. Decoding with replacement characters and comparing takes a tenth of
    /// the time of `String(validating:as:)`, which is generic.
    package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count > 0, let start = bytes.baseAddress else { return "" }
        var text = String(decoding: bytes, as: UTF8.self)
        let isSame = text.withUTF8 { units in
            units.count == bytes.count
                && units.baseAddress.map { memcmp($0, start, bytes.count) == 0 } == true
        }
        return isSame ? text : nil
    }

    /// The bytes of a blob; nil for a value of a different class.
    public func blob(_ column: Int) -> [UInt8]? {
        storage(column) == .blob ? withBytes(column) { Array($0) } : nil
    }

    /// Calls `body` with the bytes of a blob or text, which are valid until the next step.
    public func withBytes<Result, Failure>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = sqlite3_column_blob(statement, Int32(clamping: column))
        return try body(
            UnsafeRawBufferPointer(
                start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(clamping: column)))))
    }

    /// Binds an integer; nil binds NULL.
    public mutating func bind(_ value: Int64?, at parameter: Int) {
        if let value {
            sqlite3_bind_int64(statement, Int32(clamping: parameter), value)
        } else {
            sqlite3_bind_null(statement, Int32(clamping: parameter))
        }
    }

    /// Binds a floating-point number.
    public mutating func bind(_ value: Double, at parameter: Int) {
        sqlite3_bind_double(statement, Int32(clamping: parameter), value)
    }

    /// Binds a text, which SQLite copies.
    public mutating func bind(_ text: String, at parameter: Int) throws(SQLiteError) {
        try check(code(binding: text, at: parameter))
    }

    /// Binds bytes, which SQLite copies.
    public mutating func bind(_ blob: [UInt8], at parameter: Int) throws(SQLiteError) {
        try check(code(binding: blob, at: parameter))
    }

    /// Binds a text. Returns false if SQLite refuses it; `bind` throws the reason.
    mutating func binds(_ text: String, at parameter: Int) -> Bool {
        code(binding: text, at: parameter) == SQLITE_OK
    }

    /// Binds bytes. Returns false if SQLite refuses them; `bind` throws the reason.
    mutating func binds(_ blob: [UInt8], at parameter: Int) -> Bool {
        code(binding: blob, at: parameter) == SQLITE_OK
    }

    private func code(binding text: String, at parameter: Int) -> Int32 {
        guard !text.isEmpty else {
            return sqlite3_bind_text(statement, Int32(clamping: parameter), "", 0, nil)
        }
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                sqlite3_bind_text64(
                    statement, Int32(clamping: parameter), bytes.baseAddress, UInt64(bytes.count),
                    ticds_sqlite_transient(), UInt8(truncatingIfNeeded: SQLITE_UTF8))
            }
        }
    }

    private func code(binding blob: [UInt8], at parameter: Int) -> Int32 {
        guard !blob.isEmpty else {
            return sqlite3_bind_zeroblob(statement, Int32(clamping: parameter), 0)
        }
        return blob.withUnsafeBytes {
            sqlite3_bind_blob64(
                statement, Int32(clamping: parameter), $0.baseAddress, UInt64($0.count),
                ticds_sqlite_transient())
        }
    }

    /// Binds a blob of this number of zeros, into which `SQLiteBlob` writes later.
    mutating func bind(zeros count: Int, at parameter: Int) throws(SQLiteError) {
        try check(sqlite3_bind_zeroblob64(statement, Int32(clamping: parameter), UInt64(count)))
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
    }
}

/// Interrupts the statements of one connection after a number of instructions.
final class SQLiteInterruption: Sendable {
    /// The remaining instructions of SQLite's virtual machine in thousands; negative for no limit.
    private let budget = Atomic<Int>(-1)

    /// Limits the next statements together to this number of thousand instructions; nil removes the limit.
    func allow(thousands: Int?) { budget.store(thousands ?? -1, ordering: .relaxed) }

    /// Installs a progress handler that runs every thousand instructions.
    func watch(_ database: OpaquePointer) {
        sqlite3_progress_handler(
            database, 1000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteInterruption>.fromOpaque(context).takeUnretainedValue().mustStop
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private var mustStop: Bool {
        let left = budget.load(ordering: .relaxed)
        if left > 0 { budget.store(left - 1, ordering: .relaxed) }
        return left == 0
    }
}

extension SQLiteStatement {
    /// A reference to a statement, which an array can hold.
    package final class Holder {
        package var statement: SQLiteStatement

        package init(_ statement: consuming SQLiteStatement) { self.statement = statement }
    }
}
