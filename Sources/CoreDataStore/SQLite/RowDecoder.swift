import Base
public import KeyedArchive
public import SystemCalls
package import SystemPackage

/// The values of a row, from a statement or from a record that was read without SQLite.
package protocol RowValues: ~Copyable {
    /// The storage class of a value.
    func storage(_ column: Int) -> SQLiteStatement.Storage
    /// The integer; nil for a value of a different class.
    func integer(_ column: Int) -> Int64?
    func real(_ column: Int) -> Double?
    /// The text; nil also for invalid text.
    func text(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]?
    /// The bytes of a text, also of an invalid text.
    func textBytes(_ column: Int) -> [UInt8]?
}

extension SQLiteStatement: RowValues {
    /// The bytes of a text; nil for a value of a different class.
    package func textBytes(_ column: Int) -> [UInt8]? {
        storage(column) == .text ? withBytes(column) { Array($0) } : nil
    }
}

/// The column of an attribute, for values that need no conversion.
struct PlainColumn {
    var name: String
    var type: AttributeType
    /// Whether the bytes of a value are the content of the column.
    var isPlain: Bool

    /// The value in a row; nil for a value that `RowDecoder` must convert or refuse.
    func value(_ row: borrowing SQLiteStatement, _ column: Int) -> ArchivedValue? {
        row.plainValue(column, type, isPlain: isPlain)
    }
}

/// Decodes the columns of a row into attribute values (core-data-sqlite-store(5), 2.3 and 2.4).
package struct RowDecoder {
    let path: FilePath
    let external: ExternalStorage
    /// Whether the value of a transformable attribute is the data of its transformer.
    var keepsTransformedData = false

    package init(path: FilePath, external: ExternalStorage) {
        self.path = path
        self.external = external
    }

    /// The value of `column`. Throws `.damaged`, with the key of the row, for a value of the wrong type.
    package func value<Row: RowValues & ~Copyable>(
        _ row: borrowing Row, _ column: Int, _ attribute: EntityLayout.Attribute, primaryKey: Int64
    ) throws(FileProblem) -> ArchivedValue {
        let storage = row.storage(column)
        if storage == .null { return .none }
        if let value = try decoded(row, column, attribute, storage) { return value }
        throw FileProblem(
            .damaged, path: path,
            "the column \(attribute.column) of row \(primaryKey) contains another kind of value",
            expected: "\(attribute.type)",
            found: storage != .text
                ? "\(storage)" : attribute.type == .string ? "text that is not UTF-8" : "text")
    }

    private func decoded<Row: RowValues & ~Copyable>(
        _ row: borrowing Row, _ column: Int, _ attribute: EntityLayout.Attribute,
        _ storage: SQLiteStatement.Storage
    ) throws(FileProblem) -> ArchivedValue? {
        switch attribute.type {
        case .integer16: row.integer(column).flatMap { Int16(exactly: $0) }.map { .integer(Int128($0)) }
        case .integer32: row.integer(column).flatMap { Int32(exactly: $0) }.map { .integer(Int128($0)) }
        case .integer64: row.integer(column).map { .integer(Int128($0)) }
        case .boolean:
            row.integer(column).map { $0 == 0 || $0 == 1 ? .boolean($0 == 1) : .integer(Int128($0)) }
        case .date: number(row, column).map { .date($0) }
        case .double, .float: number(row, column).map { .real($0) }
        case .decimal: decimal(row, column).map { .decimal($0) }
        case .string: row.text(column).map { .string($0) }
        case .uri: row.text(column).map { .url($0) }
        case .uuid: row.blob(column).flatMap { ArchivedUUID(bytes: $0) }.map { .uuid($0) }
        case .binary where attribute.allowsExternalStorage && storage == .blob:
            try external.value(row.blob(column) ?? [])
        case .binary: row.blob(column).map { .data($0) }
        case .transformable:
            row.blob(column).map { keepsTransformedData ? .transformed($0) : Self.unarchived($0) }
        case .undefined, .objectID, .composite: raw(row, column)
        }
    }

    /// The number in a column. Numeric affinity stores a number without fraction as an integer.
    private func number<Row: RowValues & ~Copyable>(_ row: borrowing Row, _ column: Int) -> Double? {
        row.real(column) ?? row.integer(column).map { Double($0) }
    }

    private func decimal<Row: RowValues & ~Copyable>(
        _ row: borrowing Row, _ column: Int
    ) -> ArchivedDecimal? {
        if let whole = row.integer(column) {
            return ArchivedDecimal(mantissa: UInt128(whole.magnitude), exponent: 0, isNegative: whole < 0)
        }
        return (row.real(column).map { "\($0)" } ?? row.text(column)).flatMap { ArchivedDecimal(text: $0) }?
            .reduced
    }

    /// The object in a keyed archive. Other data, from a transformer of the app, stays data.
    package static func unarchived(_ bytes: [UInt8]) -> ArchivedValue {
        object(in: bytes) ?? .data(bytes)
    }

    /// The object in a keyed archive; nil for other data.
    static func object(in bytes: [UInt8]) -> ArchivedValue? {
        guard bytes.starts(with: Array("bplist00".utf8)) else { return nil }
        do {
            let reader = try KeyedArchiveReader(SharedBytes(bytes))
            return try reader.value(of: reader.root())
        } catch {
            return nil
        }
    }

    package func raw<Row: RowValues & ~Copyable>(_ row: borrowing Row, _ column: Int) -> ArchivedValue? {
        switch row.storage(column) {
        case .null: ArchivedValue.none
        case .integer: row.integer(column).map { .integer(Int128($0)) }
        case .real: row.real(column).map { .real($0) }
        case .text: row.text(column).map { .string($0) } ?? row.textBytes(column).map { .data($0) }
        case .blob: row.blob(column).map { .data($0) }
        }
    }

    /// The stored form of a value that `value` cannot decode. A file of external data counts as unread.
    package func stored<Row: RowValues & ~Copyable>(
        _ row: borrowing Row, _ column: Int, _ attribute: EntityLayout.Attribute
    ) -> ArchivedValue {
        if attribute.allowsExternalStorage, let uuid = row.blob(column).flatMap(ExternalStorage.file) {
            return .missing(externalFile: uuid.description, .unread)
        }
        return raw(row, column) ?? .none
    }
}

extension ArchivedDecimal {
    /// Copy without trailing zeros in its fraction.
    var reduced: ArchivedDecimal {
        var copy = self
        while copy.exponent < 0, copy.mantissa.isMultiple(of: 10) {
            copy.mantissa /= 10
            copy.exponent += 1
        }
        return copy
    }

    /// Whether two decimals are the same number, perhaps with different trailing zeros.
    func isSameNumber(as other: ArchivedDecimal) -> Bool {
        func shortest(_ number: ArchivedDecimal) -> ArchivedDecimal {
            var copy = number
            while copy.mantissa != 0, copy.mantissa.isMultiple(of: 10) {
                copy.mantissa /= 10
                copy.exponent += 1
            }
            if copy.mantissa == 0 { copy.exponent = 0 }
            return copy
        }
        return shortest(self) == shortest(other)
    }
}

/// The files of values that are not beside a copy of a store, because they could not be read at the original path.
public struct ExternalDataGaps: Sendable {
    /// The reasons why files could not be read, by name.
    public var files: [String: FileProblem] = [:]
    /// The reasons why folders or lists of such files could not be read.
    public var folders: [FileProblem] = []

    /// No gaps.
    public init() {}

    /// All errors, the folders first.
    public var problems: [FileProblem] { folders + files.sorted { $0.key < $1.key }.map(\.value) }

    /// The reason why the file with this name may exist, although it is not beside the copy.
    func problem(of name: String) -> FileProblem? { files[name] ?? folders.first }
}

/// External binary data: values in files beside the store (core-data-sqlite-store(5), 2.4).
package struct ExternalStorage: Sendable {
    let store: FilePath
    package var gaps = ExternalDataGaps()

    package init(store: FilePath) { self.store = store }

    /// Decodes a column of an attribute with external storage. Nil if the bytes have neither form. A file that does not
    /// exist becomes `.missing(externalFile:)`, and so does an empty file, since Core Data keeps small values in the
    /// row.
    func value(_ column: consuming [UInt8]) throws(FileProblem) -> ArchivedValue? {
        switch column.first {
        case 1:
            // In place, since it may be large.
            column.removeFirst()
            return .data(column)
        case 2:
            guard let uuid = Self.file(column) else { return nil }
            do throws(FileProblem) {
                let bytes = try bytes(uuid)
                return bytes.count == 0
                    ? .missing(externalFile: uuid.description, .empty) : .data(bytes.array)
            } catch {
                guard error.kind == .missing else { throw error }
                if let problem = gaps.problem(of: uuid.description) { throw problem }
                return .missing(externalFile: uuid.description, .absent)
            }
        default: return nil
        }
    }

    /// The name of the file to which a column refers; nil for any other value.
    static func file(_ column: [UInt8]) -> ArchivedUUID? {
        guard column.count == 38, column[0] == 2, column[37] == 0 else { return nil }
        return ArchivedUUID(text: String(decoding: column[1..<37], as: UTF8.self))
    }

    /// The content of `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`; no part of the path may be a link.
    private func bytes(_ uuid: ArchivedUUID) throws(FileProblem) -> SharedBytes {
        let data = try OwnedDescriptor.folder(store.parent).folder(support).folder("_EXTERNAL_DATA")
        return try data.file(FilePath(uuid.description)).bytes(limit: .externalData)
    }

    /// Whether the file of a value exists. A folder that does not exist has no files.
    package func exists(_ uuid: ArchivedUUID) throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(folder.appending(uuid.description)) != nil
    }

    /// The folder of the files.
    package var folder: FilePath { store.parent.pushing(support).appending("_EXTERNAL_DATA") }

    private var support: FilePath { FilePath(".\(store.stem ?? "")_SUPPORT") }

    /// The files beside the store to which it does not refer, sorted by name.
    package func strayFiles(_ references: Set<String>) throws(FileProblem) -> [String] {
        guard try FileStatus.ifPresent(folder)?.kind == .folder else { return [] }
        return try DirectoryReader.entries(of: try OwnedDescriptor.folder(folder)).compactMap { entry in
            let name = String(decoding: entry.name, as: UTF8.self)
            return ArchivedUUID(text: name) == nil || references.contains(name.uppercased()) ? nil : name
        }.sorted()
    }

    /// The place where the files are expected, and a folder whose name differs only in case; for people.
    package func place() throws(FileProblem) -> String {
        let wanted = support.string
        let expected = "\(wanted)/_EXTERNAL_DATA"
        guard try FileStatus.ifPresent(store.parent.pushing(support)) == nil else { return expected }
        let others = try DirectoryReader.entries(of: try OwnedDescriptor.folder(store.parent)).map {
            String(decoding: $0.name, as: UTF8.self)
        }
        guard let other = others.first(where: { $0.lowercased() == wanted.lowercased() }) else {
            return expected
        }
        return "\(expected); the folder \(other) differs only in the case of letters: rename it"
    }

    /// Whether a path is in the folder of external data, or one of the gaps.
    package func holds(_ path: FilePath) -> Bool {
        path.starts(with: store.parent.pushing(support)) || gaps.problems.contains { $0.path == path }
    }
}

extension ArchivedValue {
    /// A class name that no class of an app has.
    private static let missingFileClass = "$externalData"

    /// The reason why a value in a file of external data is missing.
    public enum ExternalFileState: String, Sendable {
        /// The file does not exist.
        case absent
        /// The file is empty.
        case empty
        /// The file cannot be read.
        case unread
    }

    /// The value of an attribute whose file of external data does not exist, is empty or cannot be read, with the name of
    /// the file.
    public static func missing(
        externalFile name: String, _ state: ExternalFileState = .absent
    ) -> ArchivedValue {
        .object(
            ArchivedObject(
                className: missingFileClass, ancestors: [],
                fields: [
                    ArchivedField("uuid", .string(name)), ArchivedField("state", .string(state.rawValue)),
                ]))
    }

    /// The reason why the value is missing; nil for any other value.
    public var externalFileState: ExternalFileState? {
        guard case .object(let object) = self, object.className == Self.missingFileClass else { return nil }
        return object["state"]?.stringValue.flatMap(ExternalFileState.init) ?? .absent
    }

    /// The name of the file of external data that does not exist; nil for any other value.
    public var missingExternalFile: String? {
        guard case .object(let object) = self, object.className == Self.missingFileClass else { return nil }
        return object["uuid"]?.stringValue
    }
}

extension SQLiteStore {
    /// The names of the files of external data that the store refers to, in the attributes that can refer to one;
    /// without a model, in all columns of bytes.
    public func externalFileNames() throws(FileProblem) -> Set<String> {
        let connection = try file.connect()
        var names: Set<String> = []
        for layout in layouts where tableNames.contains(layout.table) {
            for attribute in layout.attributes
            where attribute.allowsExternalStorage || model == nil && attribute.type == .transformable {
                let column = SQLiteName.quoted(attribute.column)
                try file.run { () throws(SQLiteError) in
                    var rows = try connection.prepare(
                        "SELECT \(column) FROM \(SQLiteName.quoted(layout.table)) NOT INDEXED WHERE Z_ENT = ?1 "
                            + "AND typeof(\(column)) = 'blob' AND length(\(column)) = 38")
                    rows.bind(Int64(layout.entity.number), at: 1)
                    while try rows.step() {
                        if let name = rows.blob(0).flatMap(ExternalStorage.file) {
                            names.insert(name.description)
                        }
                    }
                }
            }
        }
        try file.checkUnchanged()
        return names
    }
}
