import Base
public import SystemCalls
public import SystemPackage

/// The file of an SQLite store, which can be opened any number of times without a change in its folder
/// (core-data-sqlite-store(5), 5).
///
/// A single file is opened in place. A store with a write-ahead log or a rollback journal is copied with it to a
/// private folder, since SQLite writes when it reads either.
public struct SQLiteStoreFile: Sendable {
    /// The path of the store from the caller.
    public let path: FilePath
    /// Whether the header demands a write-ahead log that does not exist, so that rows may be missing.
    public let isWriteAheadLogMissing: Bool
    /// Pages of the log or journal beside the store that are not used.
    package let shortfalls: [FileProblem]
    private let before: FileStatus
    private let copy: Copy?
    private let longestValue: Int

    private struct Copy: Sendable {
        let folder: TemporaryFolder
        let path: FilePath
    }

    /// Checks the store and the files beside it, and makes the private copy if one is necessary.
    public init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        before = try FileStatus.of(path)
        let header = try FileBytes.head(path, count: 100)
        try Self.check(header.array, path: path)
        let pending = try PendingFiles(of: path)
        isWriteAheadLogMissing = header.byte(at: 18) == 2 && pending.log == nil
        longestValue = Int(clamping: pending.size)
        shortfalls = pending.shortfalls
        if pending.isEmpty { try Self.checkSize(header.array, before.size, path: path) }
        let isTooLong = try Self.isTooLong(path)
        guard !pending.isEmpty || isTooLong else {
            copy = nil
            return
        }
        let copy = try Self.copy(path, pending)
        self.copy = copy
        try pending.checkUnchanged()
        try PendingFilesMatch(path, pending, header.array).check(copy: copy.path)
    }

    /// A store that the caller has open. The file is not opened again, since closing any descriptor releases all POSIX
    /// locks of the process on it (fcntl(2)).
    init(held path: FilePath) throws(FileProblem) {
        self.path = path
        before = try FileStatus.of(path)
        isWriteAheadLogMissing = false
        shortfalls = []
        longestValue = Int(clamping: before.size)
        copy = nil
    }

    /// Whether the header demands a write-ahead log.
    package static func hasLogHeader(_ path: FilePath) throws(FileProblem) -> Bool {
        try FileBytes.head(path, count: 20).byte(at: 18) == 2
    }

    /// The file that a connection opens, complete without a log: the store itself, or its private copy.
    /// - Throws: an error of SQLite while it moves the log or journal of the copy to its main file.
    func complete() throws(FileProblem) -> FilePath {
        guard let copy else { return path }
        try run { () throws(SQLiteError) in
            let connection = try connection()
            try connection.execute("SELECT count(*) FROM sqlite_master")
            _ = try connection.truncateLog()
        }
        return copy.path
    }

    /// Opens a new connection for reading.
    public func connect() throws(FileProblem) -> SQLiteConnection {
        try run { () throws(SQLiteError) in
            let connection = try connection()
            try connection.execute("PRAGMA cell_size_check = ON")
            try connection.execute("PRAGMA query_only = ON")
            return connection
        }
    }

    private func connection() throws(SQLiteError) -> SQLiteConnection {
        if copy == nil, UnnamedFile.isPath(path) {
            return try SQLiteConnection(unnamed: path, longestValue: longestValue)
        }
        return try SQLiteConnection(
            uri: SQLiteURI.uri(of: copy?.path ?? path, immutable: copy == nil),
            mode: copy == nil ? .readOnly : .readWrite,
            longestValue: longestValue)
    }

    /// An error of a connection as a problem of this file. If the file has changed, the problem is that change.
    public func problem(_ error: SQLiteError) -> FileProblem {
        do throws(FileProblem) {
            try checkUnchanged()
            return error.problem(with: path)
        } catch {
            return error
        }
    }

    /// Runs `body`. An error of SQLite becomes a problem of this file.
    package func run<Result: ~Copyable>(_ body: () throws(SQLiteError) -> Result) throws(FileProblem)
        -> Result
    {
        do throws(SQLiteError) { return try body() } catch { throw problem(error) }
    }

    /// Throws if the file has changed or was replaced.
    public func checkUnchanged() throws(FileProblem) {
        if copy == nil, try FileStatus.ifPresent(path) != before { throw .changing(path) }
    }

    /// Whether SQLite cannot open the file because its absolute path is too long.
    private static func isTooLong(_ path: FilePath) throws(FileProblem) -> Bool {
        try (path.resolved() ?? path).length > SQLiteError.longestPath
    }

    /// The first bytes of every database.
    package static let magic = Array("SQLite format 3\0".utf8)

    private static func check(_ header: [UInt8], path: FilePath) throws(FileProblem) {
        guard header.starts(with: magic) else {
            let found = header.isEmpty ? "an empty file" : header.prefix(16).hexadecimalText
            throw FileProblem(
                .damaged, path: path, offset: 0, "not an SQLite database", expected: "“SQLite format 3”",
                found: found)
        }
        guard header.count == 100 else {
            throw FileProblem(
                .damaged, path: path, offset: header.count, "the SQLite database is truncated",
                expected: "a header of 100 bytes", found: "\(header.count)")
        }
    }

    /// Checks that the last page is complete, which SQLite does not check.
    private static func checkSize(_ header: [UInt8], _ size: Int64, path: FilePath) throws(FileProblem) {
        func number(_ range: Range<Int>) -> Int64 { header[range].reduce(0) { $0 << 8 | Int64($1) } }
        let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
        // The page count is valid only if the program that wrote last updates it (file change counter).
        guard number(24..<28) == number(92..<96), size < number(28..<32) * pageSize else { return }
        throw FileProblem(
            .damaged, path: path, offset: Int(clamping: size), "the SQLite database is truncated",
            expected: "\(number(28..<32) * pageSize) bytes", found: "\(size)",
            advice: "Fetch the file again; the sqlite3 program may recover a part of it")
    }

    /// The file beside the store with the name of the store and `suffix`, unless it is empty.
    /// - Throws: every error that leaves this unknown, since a store without its log is in an older state.
    package static func beside(_ path: FilePath, _ suffix: String) throws(FileProblem) -> FilePath? {
        let name = FilePath(pathBytes: path.bytes + Array(suffix.utf8))
        if let name = name.lastComponent, name.bytes.count > FilePath.Component.longest { return nil }
        guard let status = try FileStatus.ifPresent(name), status.kind != .file || status.size > 0 else {
            return nil
        }
        return name
    }

    private static func copy(_ path: FilePath, _ pending: PendingFiles) throws(FileProblem) -> Copy {
        let folder = try TemporaryFolder(prefix: "ticds-store")
        let copy = folder.path.appending("store.sqlite")
        try SQLiteFileCopy.copy(path, to: copy)
        try pending.copy(beside: copy)
        return Copy(folder: folder, path: copy)
    }
}
