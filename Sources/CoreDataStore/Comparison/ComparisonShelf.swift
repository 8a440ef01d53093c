import SystemCalls
import SystemPackage

/// Where the objects of the first store wait for those of the second: a scratch file.
final class ComparisonShelf {
    private let folder: TemporaryFolder
    private let path: FilePath
    private let connection: SQLiteConnection
    private var insert: SQLiteStatement
    private var find: SQLiteStatement
    private var mark: SQLiteStatement

    enum Answer {
        case none
        /// An earlier object of the second store had this identifier, too.
        case takenBefore
        case found(ComparedObject)
    }

    init() throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-compare")
        path = folder.path.appending("objects")
        let connection = try ScratchDatabase.open(
            path,
            [
                "CREATE TABLE objects (entity TEXT, key TEXT, pk INTEGER, content BLOB, taken INTEGER, "
                    + "PRIMARY KEY (entity, key)) WITHOUT ROWID"
            ])
        insert = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO objects VALUES (?1, ?2, ?3, ?4, 0)", connection, path)
        find = try ScratchDatabase.prepare(
            "SELECT pk, content, taken FROM objects WHERE entity = ?1 AND key = ?2", connection, path)
        mark = try ScratchDatabase.prepare(
            "UPDATE objects SET taken = 1 WHERE entity = ?1 AND key = ?2", connection, path)
        self.connection = connection
    }

    /// - Returns: false where an object of that identifier is there already.
    func put(_ object: ComparedObject) throws(FileProblem) -> Bool {
        do throws(SQLiteError) {
            try insert.bind(object.entity, at: 1)
            try insert.bind(object.key, at: 2)
            insert.bind(object.primaryKey, at: 3)
            try insert.bind(Self.bytes(object.properties), at: 4)
            try insert.run()
            return connection.changes == 1
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
    }

    func take(_ object: ComparedObject) throws(FileProblem) -> Answer {
        do throws(SQLiteError) {
            defer { find.reset() }
            try find.bind(object.entity, at: 1)
            try find.bind(object.key, at: 2)
            guard try find.step() else { return .none }
            guard find.integer(2) == 0 else { return .takenBefore }
            var found = object
            found.primaryKey = find.integer(0) ?? 0
            found.properties = Self.properties(find.blob(1) ?? [])
            try mark.bind(object.entity, at: 1)
            try mark.bind(object.key, at: 2)
            try mark.run()
            return .found(found)
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
    }

    /// What was not taken.
    func forEachLeft(_ body: (ComparedObject) throws(FileProblem) -> Void) throws(FileProblem) {
        var rows = try ScratchDatabase.prepare(
            "SELECT entity, key, pk, content FROM objects WHERE taken = 0 ORDER BY entity, key", connection,
            path)
        while true {
            let object: ComparedObject
            do throws(SQLiteError) {
                guard try rows.step() else { return }
                object = ComparedObject(
                    entity: rows.text(0) ?? "", key: rows.text(1) ?? "", primaryKey: rows.integer(2) ?? 0,
                    properties: Self.properties(rows.blob(3) ?? []))
            } catch {
                throw ScratchDatabase.problem(error, path)
            }
            try body(object)
        }
    }

    /// Texts one after the other, each ended by a zero, which no JSON and no name has.
    private static func bytes(_ properties: [ComparedObject.Property]) -> [UInt8] {
        properties.flatMap { Array($0.name.utf8) + [0] + Array($0.json.utf8) + [0] }
    }

    private static func properties(_ bytes: [UInt8]) -> [ComparedObject.Property] {
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return stride(from: 0, to: texts.count - 1, by: 2).map { position in
            ComparedObject.Property(
                name: String(decoding: texts[position], as: UTF8.self),
                json: String(decoding: texts[position + 1], as: UTF8.self))
        }
    }
}
