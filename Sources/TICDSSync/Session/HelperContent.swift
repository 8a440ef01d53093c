import Base
import CoreDataStore
import Cryptography
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The content of a helper file or a change set, which is written in pieces: it may be larger than the memory should be.
struct HelperContent {
    typealias Sink = (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    /// Passes all bytes to a sink.
    typealias Writer = (Sink) throws(FileProblem) -> Void

    /// The number of changes.
    let changes: Int
    /// The number of bytes.
    let size: Int
    let write: Writer

    /// Writes the content, and returns its SHA-256.
    func hashed(for path: FilePath, to sink: Sink) throws(FileProblem) -> [UInt8] {
        var digest = try SHA256(for: path)
        try write { (piece) throws(FileProblem) in
            digest.update(piece)
            try sink(piece)
        }
        return digest.finalize()
    }
}

extension HelperContent {
    /// The content of a new change set; nil for a set without changes.
    /// - Throws: `.refused` if it is larger than `limit`.
    init?(_ draft: inout ChangeSetDraft, path: FilePath, _ limit: SetLimit) throws(FileProblem) {
        if draft.count == 0 { return nil }
        do throws(PropertyListError) {
            let output = try draft.output()
            self.init(changes: draft.count, size: output.count) { (sink) throws(FileProblem) in
                try output.write(to: sink)
            }
        } catch {
            throw OutgoingChanges.cannotArchive(error, path)
        }
        try limit.check(size, path)
    }
}

/// The largest change set that a replica records. A larger one would be refused by every later run, and by the other
/// clients. It is not divided: a client that synchronises between two parts would apply links to objects that come with
/// the second, and lose them.
struct SetLimit: Sendable {
    var bytes: Int

    /// The limit for reading, less the room for encryption and for the metadata of the app.
    static let readable = SetLimit(bytes: ReadLimit.changeSet.bytes - 64 << 10)

    /// - Throws: `.refused` if a set of `size` bytes is larger.
    /// - Parameter isWhole: whether `size` is that of the whole set.
    func check(_ size: Int, isWhole: Bool = true, _ path: FilePath) throws(FileProblem) {
        guard size > bytes else { return }
        throw FileProblem(
            .refused, path: path, "the edits are too large for one change set, and were not recorded",
            expected: "at most \(bytes) bytes", found: "\(isWhole ? "" : "more than ")\(size) bytes",
            advice: "Undo a part of the edits, run ticds-sync, then make that part again")
    }
}

/// A file of changes that this replica wrote: as long as its bytes are the same, nobody needs to read the changes.
struct NotedContent: Equatable {
    /// The number of changes.
    var changes: Int
    /// The SHA-256 of the file.
    var digest: [UInt8]

    init(changes: Int, digest: [UInt8]) {
        self.changes = changes
        self.digest = digest
    }

    /// Reads a note; nil for any other bytes.
    init?(_ note: [UInt8]) {
        let parts = note.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, let changes = Int(String(decoding: parts[0], as: UTF8.self)), changes > 0,
            let digest = Base64.bytes(Array(parts[1])), digest.count == 32
        else { return nil }
        self.init(changes: changes, digest: digest)
    }

    var note: [UInt8] { Array("\(changes) \(Base64.text(digest))".utf8) }
}

extension ReplicaDatabase {
    /// Records the new content of a helper file; nil for a file to remove.
    /// - Parameter database: the file of the connection, for errors.
    func post(
        _ content: HelperContent?, to file: FilePath, _ connection: borrowing SQLiteConnection,
        database: FilePath
    ) throws(FileProblem) {
        let name = file.lastComponent?.string ?? ""
        guard let content else {
            return try SQLiteError.at(database) { () throws(SQLiteError) in
                try postRemoval(of: file, connection)
            }
        }
        var blob = try SQLiteError.at(database) { () throws(SQLiteError) in
            var row = try connection.prepare(
                "INSERT OR REPLACE INTO \(table("OUTBOX")) VALUES (?1, zeroblob(?2)) RETURNING rowid")
            try row.bind(name, at: 1)
            row.bind(Int64(content.size), at: 2)
            let number = try row.step() ? row.integer(0) : nil
            _ = try row.step()
            return try SQLiteBlob(
                schema, table: "TICDS_OUTBOX", column: "bytes", row: number ?? 0, isWritten: true, connection)
        }
        let digest = try content.hashed(for: file) { (piece) throws(FileProblem) in
            do throws(SQLiteError) { try blob.append(piece) } catch { throw error.problem(with: database) }
        }
        guard blob.isComplete else {
            throw FileProblem(
                .writeFailed, path: file, "internal error: a change set has another size than was computed",
                expected: "\(content.size) bytes", advice: "Report this with the edits")
        }
        _ = consume blob
        let noted = NotedContent(changes: content.changes, digest: digest)
        try SQLiteError.at(database) { () throws(SQLiteError) in
            try setNote(named: Self.contentNote(name), noted.note, connection)
        }
    }

    /// Records that a helper file is to be removed.
    func postRemoval(of file: FilePath, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        let name = file.lastComponent?.string ?? ""
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("OUTBOX")) VALUES (?1, NULL)")
        try row.bind(name, at: 1)
        try row.run()
        try setNote(named: Self.contentNote(name), nil, connection)
    }

    /// The new bytes of a helper file; nil for a file to remove.
    func posted(_ file: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> SQLiteBlob? {
        var row = try connection.prepare(
            "SELECT rowid FROM \(table("OUTBOX")) WHERE file = ?1 AND bytes IS NOT NULL")
        try row.bind(file, at: 1)
        guard try row.step(), let number = row.integer(0) else { return nil }
        return try SQLiteBlob(
            schema, table: "TICDS_OUTBOX", column: "bytes", row: number, isWritten: false, connection)
    }

    /// What this replica wrote to a helper file.
    func content(
        of file: FilePath, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> NotedContent? {
        try note(named: Self.contentNote(file.lastComponent?.string ?? ""), connection)
            .flatMap { NotedContent($0) }
    }

    private static func contentNote(_ name: String) -> String { "content of \(name)" }
}
