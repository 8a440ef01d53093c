import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// `ReplicaState.sqlite`, opened alone: the document as the other clients know it, and the tables of
/// ``ReplicaDatabase``.
struct ReplicaState: ~Copyable {
    private let path: FilePath
    private let connection: SQLiteConnection
    let notes = ReplicaDatabase.alone

    init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        connection = try Self.open(path)
    }

    private static func open(_ path: FilePath) throws(FileProblem) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite)
            try connection.execute("PRAGMA busy_timeout = 5000")
            try connection.execute("PRAGMA synchronous = FULL")
            return connection
        } catch { throw error.problem(with: path) }
    }

    /// Creates the file as a copy of the document in the folder, which contains all sets of `register`.
    static func create(in folder: ReplicaFolder, _ register: [RegisteredChangeSet]) throws(FileProblem) {
        try StoreCopy.copy(folder.store, to: folder.state)
        let state = try ReplicaState(folder.state)
        try state.change { (connection) throws(SQLiteError) in
            try state.notes.create(connection)
            try state.notes.add(
                register.compactMap { set in
                    set.identifier.map {
                        NotedSet(
                            identifier: $0, client: set.clientIdentifier, creationDate: set.creationDate,
                            applied: set.localDateOfApplication, isRegistered: true)
                    }
                }, connection)
        }
    }

    func read<Result>(
        _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        do throws(SQLiteError) { return try body(connection) } catch { throw error.problem(with: path) }
    }

    /// Runs `body` in one transaction, which is on disk when this returns.
    func change(_ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Void) throws(FileProblem) {
        try transaction { (connection) throws(FileProblem) in
            do throws(SQLiteError) { try body(connection) } catch { throw error.problem(with: path) }
        }
    }

    /// Runs `body`, which may do more than SQLite, in one transaction, which is on disk when this returns.
    func transaction(
        _ body: (borrowing SQLiteConnection) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try execute("BEGIN IMMEDIATE")
        do throws(FileProblem) {
            try body(connection)
        } catch {
            try? connection.execute("ROLLBACK")  // try?: closing rolls back, too; the first error counts
            throw error
        }
        try execute("COMMIT")
    }

    private func execute(_ sql: String) throws(FileProblem) {
        do throws(SQLiteError) { try connection.execute(sql) } catch { throw error.problem(with: path) }
    }

    /// Passes the new content of a helper file to `write`; nil for a file to remove.
    func deliver(
        _ file: String, to write: (HelperContent.Writer?) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let path = path
        let blob = try SQLiteError.at(path) { () throws(SQLiteError) in try notes.posted(file, connection) }
        guard let blob else { return try write(nil) }
        try write { (sink) throws(FileProblem) in try blob.write(in: path, to: sink) }
    }
}
