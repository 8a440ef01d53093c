import CoreDataStore
import FoundationEssentials
public import SystemCalls
import SystemPackage

/// The record of all operations on one remote: plan, state and what each action made. It is an SQLite database, which
/// survives a crash, and which the `sqlite3` program can read.
public struct Journal: ~Copyable {
    let connection: SQLiteConnection
    package let state: RemoteState

    private init(
        _ state: RemoteState, mode: SQLiteConnection.Mode, waiting: Bool = true
    ) throws(FileProblem) {
        self.state = state
        connection = try Self.connection(state, mode, waiting)
    }

    private static func connection(
        _ state: RemoteState, _ mode: SQLiteConnection.Mode, _ waiting: Bool
    ) throws(FileProblem) -> SQLiteConnection {
        try SQLiteError.at(state.journal) { () throws(SQLiteError) in
            let uri = SQLiteURI.uri(of: state.journal, immutable: false)
            let connection = try SQLiteConnection(uri: uri, mode: mode)
            try connection.execute("PRAGMA busy_timeout = \(waiting ? 5000 : 0)")
            return connection
        }
    }

    /// Opens the journal of a remote for reading; nil if ticds has never changed the remote.
    /// - Parameter waiting: whether to wait for a program that is writing to it, for up to five seconds, and to roll
    ///   back a transaction that a crash has interrupted.
    public static func read(_ state: RemoteState, waiting: Bool = true) throws(FileProblem) -> Journal? {
        guard try FileStatus.ifPresent(state.journal) != nil else { return nil }
        // A transaction that a crash interrupted is rolled back first, which needs a connection that may write.
        var isCutOff = false
        if waiting { isCutOff = try JournalReserve.isCutOff(state.journal) }
        let journal = try Journal(state, mode: isCutOff ? .readWrite : .readOnly, waiting: waiting)
        guard try journal.checkVersion() else { return nil }
        return journal
    }

    /// Opens the journal of a remote for writing, and makes it if it is missing.
    static func open(_ state: RemoteState) throws(FileProblem) -> Journal {
        try state.make()
        let journal = try Journal(state, mode: .create)
        try journal.perform { (database) throws(SQLiteError) in
            try database.execute("PRAGMA synchronous = FULL")
            // The rollback journal stays, with its space.
            try database.execute("PRAGMA journal_mode = PERSIST")
        }
        if try !journal.checkVersion() {
            try journal.transaction { (database) throws(SQLiteError) in
                for statement in JournalSchema.statements { try database.execute(statement) }
            }
        }
        return journal
    }

    /// False for an empty database.
    private func checkVersion() throws(FileProblem) -> Bool {
        let version = try perform { (database) throws(SQLiteError) in
            var statement = try database.prepare("PRAGMA user_version")
            return try statement.step() ? statement.integer(0) ?? 0 : 0
        }
        guard version <= JournalSchema.version else {
            throw FileProblem(
                .unsupported, path: state.journal, "written by a newer version of ticds",
                expected: "at most version \(JournalSchema.version)", found: "\(version)",
                advice: "Use that version of ticds")
        }
        return version > 0
    }

    /// Runs SQL; an SQLite error becomes an error of the journal file.
    func perform<Result>(
        _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        try SQLiteError.at(state.journal) { () throws(SQLiteError) in try body(connection) }
    }

    /// Runs SQL in one transaction, which is on disk when this returns.
    func transaction<Result>(
        _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        try perform { (database) throws(SQLiteError) in
            try database.execute("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                let result = try body(database)
                try database.execute("COMMIT")
                return result
            } catch {
                try? database.execute("ROLLBACK")  // try?: closing rolls back, too; the first error counts
                throw error
            }
        }
    }
}

enum JournalSchema {
    static let version: Int64 = 1

    static let statements = [
        """
        CREATE TABLE operations (
            number INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, command TEXT NOT NULL,
            summary TEXT NOT NULL, notes TEXT NOT NULL, started TEXT NOT NULL, finished TEXT,
            process INTEGER NOT NULL, host TEXT NOT NULL, user TEXT NOT NULL, staging BLOB NOT NULL,
            trash_is_near INTEGER NOT NULL, keeps_trash INTEGER NOT NULL, undoes INTEGER, problem TEXT,
            conditions TEXT NOT NULL)
        """,
        """
        CREATE TABLE actions (
            operation INTEGER NOT NULL, number INTEGER NOT NULL, action TEXT NOT NULL, made TEXT,
            in_trash INTEGER NOT NULL, trash_files INTEGER NOT NULL, trash_bytes INTEGER NOT NULL,
            PRIMARY KEY (operation, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE folder_times (
            operation INTEGER NOT NULL, path BLOB NOT NULL, modified TEXT NOT NULL,
            PRIMARY KEY (operation, path)) WITHOUT ROWID
        """,
        "PRAGMA user_version = 1",
    ]
}

/// Values of a plan as JSON in one column.
enum JournalCoding {
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // try?: names, times and numbers of a plan always have a text
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
        // try?: nil is damage to the caller
        text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
