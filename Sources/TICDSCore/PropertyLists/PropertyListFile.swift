public import Base
import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Property lists as files: XML or binary, told apart by the bytes.
public enum PropertyListFile {
    /// Lists above this size in bytes are refused: the framework's own have a few hundred.
    public static let sizeLimit = ReadLimit.propertyList.bytes

    /// The value in a list. Integers, reals, booleans, dates and data keep their types; pairs keep their order.
    /// - Parameters:
    ///   - bytes: the plain bytes of the file.
    ///   - path: the file, for errors.
    /// - Throws: `.damaged` with the offset, or `.limit`.
    public static func value(of bytes: SharedBytes, path: FilePath) throws(FileProblem) -> ArchivedValue {
        guard bytes.count <= sizeLimit else {
            throw FileProblem(
                .limit, path: path, "too large for a property list", expected: "at most \(sizeLimit) bytes",
                found: "\(bytes.count)")
        }
        guard bytes.count > 0 else {
            throw FileProblem(.damaged, path: path, offset: 0, "the property list is empty")
        }
        do throws(PropertyListError) {
            return try PropertyList.value(of: bytes)
        } catch {
            throw FileProblem(error, path: path)
        }
    }
}

/// A dictionary of the framework in a property list: strings under known keys, user info, and any other pairs
/// (ticds-remote-format(5), 1.4).
struct InfoDictionary: Sendable, Hashable {
    private(set) var pairs: [ArchivedPair]

    init() { pairs = [] }

    init(_ value: ArchivedValue, path: FilePath) throws(FileProblem) {
        guard let pairs = value.pairs else {
            throw FileProblem(
                .damaged, path: path, "not the property list of this file", expected: "a dictionary",
                found: "a list with something else on top")
        }
        self.pairs = pairs
    }

    /// The text under a key; nil if there is none.
    func string(_ key: String) -> String? { ArchivedValue.dictionary(pairs)[key]?.stringValue }

    func value(_ key: String) -> ArchivedValue? { ArchivedValue.dictionary(pairs)[key] }

    /// Adds a pair; nil is left out, as the framework does.
    mutating func append(_ key: String, _ value: ArchivedValue?) {
        guard let value else { return }
        pairs.append(ArchivedPair(key: .string(key), value: value))
    }

    mutating func append(_ others: [ArchivedPair]) { pairs += others }

    func pairs(without keys: [String]) -> [ArchivedPair] {
        pairs.filter { pair in !keys.contains { $0 == pair.key.stringValue } }
    }

    func xml(path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            return try XMLPropertyListWriter.bytes(of: .dictionary(pairs))
        } catch {
            throw FileProblem(
                .writeFailed, path: path, "cannot be written as a property list", expected: error.expected,
                found: error.found)
        }
    }
}

/// The contents of the small files that clients write and never read (ticds-remote-format(5), 1.4; ticds-protocol(7),
/// 3.4).
public enum SmallFiles {
    /// A `.recentsync` file, always unencrypted. Readers look at its modification time only.
    /// - Parameter date: seconds since 2001-01-01 00:00:00 UTC.
    public static func recentSync(date: Double, path: FilePath) throws(FileProblem) -> [UInt8] {
        var info = InfoDictionary()
        info.append(syncDateKey, .date(date))
        return try info.xml(path: path)
    }

    /// The key of the date in a `.recentsync` file.
    package static let syncDateKey = "kTICDSLastSyncDate"

    /// Whether the property list of a `.recentsync` file has the date.
    package static func hasSyncDate(_ list: ArchivedValue) -> Bool {
        if case .date? = list[syncDateKey] { true } else { false }
    }

    /// The file whose name is the integrity key, always unencrypted: a keyed archive of a dictionary.
    public static func integrityKey(originalDevice: String, path: FilePath) throws(FileProblem) -> [UInt8] {
        try archive(.dictionary([DocumentInfo.originalDeviceIdentifierKey: .string(originalDevice)]), path)
    }

    /// The plain text of `test.ticdsync`: a keyed archive of a string, the application identifier and a UUID.
    public static func encryptionTest(
        application: String, unique: String, path: FilePath
    ) throws(FileProblem) -> [UInt8] {
        try archive(.string(application + unique), path)
    }

    private static func archive(_ root: ArchivedValue, _ path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            return try KeyedArchiveWriter.bytes(root: root)
        } catch {
            throw FileProblem(.writeFailed, path: path, "cannot be archived", found: error.found)
        }
    }
}
