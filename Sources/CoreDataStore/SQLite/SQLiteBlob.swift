import CSQLite
package import SystemCalls
package import SystemPackage

/// A blob in a row that is read or written in pieces (sqlite3_blob_open), so that it is never in memory as a whole.
package struct SQLiteBlob: ~Copyable {
    private let blob: OpaquePointer
    private let database: OpaquePointer
    /// The number of bytes, which writing does not change.
    package let count: Int
    private var offset = 0
    /// Whether all bytes were written.
    package var isComplete: Bool { offset == count }

    private static let pieceSize = 64 << 10

    /// Opens the blob in a column of the row with the number `row`.
    /// - Parameter schema: the name of the database, such as "main".
    package init(
        _ schema: String, table: String, column: String, row: Int64, isWritten: Bool,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        database = connection.database
        var opened: OpaquePointer?
        let code = sqlite3_blob_open(database, schema, table, column, row, isWritten ? 1 : 0, &opened)
        guard code == SQLITE_OK, let opened else { throw SQLiteError(database, code: code) }
        blob = opened
        count = Int(sqlite3_blob_bytes(opened))
    }

    deinit { sqlite3_blob_close(blob) }

    /// Whether blobs of a column can be written in pieces, after zeros: not if an index has the column, which SQLite
    /// writes as a whole only, and in which the zeros may not be unique.
    package static func canWrite(
        _ schema: String, table: String, column: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        var indexes = try connection.prepare(
            "SELECT 1 FROM pragma_index_list(?1, ?3) AS l, pragma_index_info(l.name, ?3) AS i "
                + "WHERE i.name = ?2 COLLATE NOCASE OR i.cid = -2 LIMIT 1")
        try indexes.bind(table, at: 1)
        try indexes.bind(column, at: 2)
        try indexes.bind(schema, at: 3)
        return try !indexes.step()
    }

    /// Writes bytes after those that were written before.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        guard bytes.count <= count - offset else { throw SQLiteError(database, code: SQLITE_TOOBIG) }
        var done = 0
        while let start = bytes.baseAddress, done < bytes.count {
            let size = min(bytes.count - done, Self.pieceSize)
            let code = sqlite3_blob_write(
                blob, start + done, Int32(clamping: size), Int32(clamping: offset + done))
            guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
            done += size
        }
        offset += bytes.count
    }

    /// Passes all bytes to `sink`, in pieces.
    package func forEachPiece(
        _ sink: (UnsafeRawBufferPointer) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var piece = [UInt8](repeating: 0, count: min(count, Self.pieceSize))
        var start = 0
        while start < count {
            let size = min(count - start, Self.pieceSize)
            let code = sqlite3_blob_read(blob, &piece, Int32(clamping: size), Int32(clamping: start))
            guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
            try piece.span.withUnsafeBytes { (bytes) throws(SQLiteError) in
                try sink(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
            }
            start += size
        }
    }

    /// Passes all bytes to `sink`, in pieces.
    /// - Parameter path: the database, for errors.
    package func write(
        in path: FilePath, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var problem: FileProblem?
        do throws(SQLiteError) {
            try forEachPiece { (piece) throws(SQLiteError) in
                do throws(FileProblem) {
                    try sink(piece)
                } catch {
                    problem = error
                    throw SQLiteError(database, code: SQLITE_ABORT)
                }
            }
        } catch {
            throw problem ?? error.problem(with: path)
        }
    }
}
