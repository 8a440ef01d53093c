public import KeyedArchive
public import SystemCalls
package import SystemPackage

/// The values of a row, of a statement or of a record that was read without SQLite.
package protocol RowValues: ~Copyable {
    /// The storage class of a value.
    func storage(_ column: Int) -> SQLiteStatement.Storage
    /// The value; nil for one of another class.
    func integer(_ column: Int) -> Int64?
    func real(_ column: Int) -> Double?
    /// Nil also for invalid text.
    func text(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]?
}

extension SQLiteStatement: RowValues {}

/// Decodes the columns of a row into attribute values (core-data-sqlite-store(5), 2.3 and 2.4).
package struct RowDecoder {
    let path: FilePath
    let external: ExternalStorage

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
            expected: "\(attribute.type)", found: storage == .text ? "text" : "\(storage)")
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
        case .transformable: row.blob(column).map { Self.unarchived($0) }
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

    /// The object in a keyed archive. Other data, from a transformer of the application, stays data.
    package static func unarchived(_ bytes: [UInt8]) -> ArchivedValue {
        guard bytes.starts(with: Array("bplist00".utf8)) else { return .data(bytes) }
        do {
            let reader = try KeyedArchiveReader(SharedBytes(bytes))
            return try reader.value(of: reader.root())
        } catch {
            return .data(bytes)
        }
    }

    package func raw<Row: RowValues & ~Copyable>(_ row: borrowing Row, _ column: Int) -> ArchivedValue? {
        switch row.storage(column) {
        case .null: ArchivedValue.none
        case .integer: row.integer(column).map { .integer(Int128($0)) }
        case .real: row.real(column).map { .real($0) }
        case .text: row.text(column).map { .string($0) }
        case .blob: row.blob(column).map { .data($0) }
        }
    }
}

extension ArchivedDecimal {
    /// The same number without trailing zeros in its fraction.
    fileprivate var reduced: ArchivedDecimal {
        var copy = self
        while copy.exponent < 0, copy.mantissa.isMultiple(of: 10) {
            copy.mantissa /= 10
            copy.exponent += 1
        }
        return copy
    }
}

/// The files of values that are not beside a copy of a store, because they could not be read at the original place.
public struct ExternalDataGaps: Sendable {
    /// Why a file could not be read, by its name.
    public var files: [String: FileProblem] = [:]
    /// Why folders or lists of such files could not be read.
    public var folders: [FileProblem] = []

    /// No gaps.
    public init() {}

    /// Everything that could not be read, the folders first.
    public var problems: [FileProblem] { folders + files.sorted { $0.key < $1.key }.map(\.value) }

    /// Why the file with this name may exist, although it is not beside the copy.
    func problem(of name: String) -> FileProblem? { files[name] ?? folders.first }
}

/// External binary data: values in files beside the store (core-data-sqlite-store(5), 2.4).
package struct ExternalStorage: Sendable {
    let store: FilePath
    package var gaps = ExternalDataGaps()

    package init(store: FilePath) { self.store = store }

    /// Decodes a column of an attribute with external storage. Nil if the bytes have neither form. A file that does not
    /// exist becomes `.missing(externalFile:)`.
    func value(_ column: [UInt8]) throws(FileProblem) -> ArchivedValue? {
        switch column.first {
        case 1: return .data(Array(column.dropFirst()))
        case 2:
            guard let uuid = Self.file(column) else { return nil }
            do throws(FileProblem) {
                return .data(try bytes(uuid).array)
            } catch {
                guard error.kind == .missing else { throw error }
                if let problem = gaps.problem(of: uuid.description) { throw problem }
                return .missing(externalFile: uuid.description)
            }
        default: return nil
        }
    }

    /// The name of the file that a column refers to; nil for any other value.
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
        let folder = store.parent.pushing(support).appending("_EXTERNAL_DATA")
        return try FileStatus.ifPresent(folder.appending(uuid.description)) != nil
    }

    private var support: FilePath { FilePath(".\(store.stem ?? "")_SUPPORT") }

    /// Whether a path is in the folder of external data, or one of the gaps.
    package func holds(_ path: FilePath) -> Bool {
        path.starts(with: store.parent.pushing(support)) || gaps.problems.contains { $0.path == path }
    }
}

extension ArchivedValue {
    /// A class name that no class of an app has.
    private static let missingFileClass = "$externalData"

    /// The value of an attribute whose file of external data does not exist, with the name of the file.
    public static func missing(externalFile name: String) -> ArchivedValue {
        .object(
            ArchivedObject(
                className: missingFileClass, ancestors: [], fields: [ArchivedField("uuid", .string(name))]))
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
                        "SELECT \(column) FROM \(SQLiteName.quoted(layout.table)) WHERE Z_ENT = ?1 "
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
