import CoreDataStore
import SystemCalls
import SystemPackage

/// The objects of the first store, in scratch files.
///
/// The file of objects is written in order. Identifiers come in any order; their index is therefore small enough to
/// stay in memory. It has a hash of each identifier and of its content, with the random seed of the process. Content is
/// read again only if the hashes differ.
final class SpilledIndex {
    private let folder: TemporaryFolder
    private let path: FilePath
    private let places: SQLiteConnection
    private let objects: SQLiteConnection
    private var keep: SQLiteStatement
    private var find: SQLiteStatement
    private var mark: SQLiteStatement
    private var write: SQLiteStatement
    private var read: SQLiteStatement
    private var count: Int64 = 0

    enum Answer {
        case none
        /// Another object of the second store had this identifier.
        case takenBefore
        case same
        case found(ComparedObject)
    }

    init() throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-compare")
        path = folder.path.appending("objects")
        let places = try ScratchDatabase.open(
            folder.path.appending("places"),
            [
                "CREATE TABLE places (hash INTEGER PRIMARY KEY, other INTEGER, content INTEGER, "
                    + "object INTEGER, taken INTEGER)"
            ], megabytes: 64)
        keep = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO places VALUES (?1, ?2, ?3, ?4, 0)", places, path)
        find = try ScratchDatabase.prepare(
            "SELECT other, content, object, taken FROM places WHERE hash = ?1", places, path)
        mark = try ScratchDatabase.prepare("UPDATE places SET taken = 1 WHERE hash = ?1", places, path)
        self.places = places
        let objects = try ScratchDatabase.open(
            path,
            [
                "CREATE TABLE objects (number INTEGER PRIMARY KEY, entity TEXT, key TEXT, pk INTEGER, "
                    + "content BLOB)"
            ], megabytes: 4)
        write = try ScratchDatabase.prepare(
            "INSERT INTO objects VALUES (?1, ?2, ?3, ?4, ?5)", objects, path)
        read = try ScratchDatabase.prepare(
            "SELECT entity, key, pk, content FROM objects WHERE number = ?1", objects, path)
        self.objects = objects
    }

    /// Adds an object; returns false if the index already has an object with this identifier.
    func put(_ object: ComparedObject) throws(FileProblem) -> Bool {
        let content = Self.bytes(object.properties)
        return try ScratchDatabase.run(path) { () throws(SQLiteError) in
            var hash = IdentifierHash(object)
            // ends: at a free place: there are fewer objects than hashes
            while true {
                try keep.run(hash.place, hash.other, Self.hash(content), count)
                if places.changes == 1 { break }
                if try place(hash.place)?.other == hash.other { return false }
                hash.advance()
            }
            write.bind(count, at: 1)
            try write.bind(object.entity, at: 2)
            try write.bind(object.key, at: 3)
            write.bind(object.primaryKey, at: 4)
            try write.bind(content, at: 5)
            try write.run()
            count += 1
            return true
        }
    }

    func take(_ object: ComparedObject) throws(FileProblem) -> Answer {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in
            var hash = IdentifierHash(object)
            while let place = try place(hash.place) {
                guard place.other == hash.other else {
                    hash.advance()
                    continue
                }
                if place.isTaken { return .takenBefore }
                try mark.run(hash.place)
                if place.content == Self.hash(Self.bytes(object.properties)) { return .same }
                return .found(try self.object(place.object))
            }
            return .none
        }
    }

    /// Calls `body` with the objects that were not taken, in the order in which they were added.
    func forEachRemaining(_ body: (ComparedObject) throws(FileProblem) -> Void) throws(FileProblem) {
        var left = try ScratchDatabase.prepare(
            "SELECT object FROM places WHERE taken = 0 ORDER BY object", places, path)
        // ends: after the last row
        while true {
            let object: ComparedObject
            do throws(SQLiteError) {
                guard try left.step() else { return }
                object = try self.object(left.integer(0) ?? 0)
            } catch {
                throw ScratchDatabase.problem(error, path)
            }
            try body(object)
        }
    }

    private func object(_ number: Int64) throws(SQLiteError) -> ComparedObject {
        read.bind(number, at: 1)
        defer { read.reset() }
        let isThere = try read.step()
        return ComparedObject(
            entity: isThere ? read.text(0) ?? "" : "", key: read.text(1) ?? "",
            primaryKey: read.integer(2) ?? 0, properties: Self.properties(read.blob(3) ?? []))
    }

    private typealias Place = (other: Int64, content: Int64, object: Int64, isTaken: Bool)

    private func place(_ hash: Int64) throws(SQLiteError) -> Place? {
        find.bind(hash, at: 1)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return (
            find.integer(0) ?? 0, find.integer(1) ?? 0, find.integer(2) ?? 0, isTaken: find.integer(3) != 0
        )
    }

    /// Encodes names and values, each with a zero byte at its end, since neither contains one.
    private static func bytes(_ properties: [ComparedObject.Property]) -> [UInt8] {
        var bytes: [UInt8] = []
        for property in properties {
            for text in [property.name, property.json] {
                bytes += text.utf8
                bytes.append(0)
            }
        }
        return bytes
    }

    private static func properties(_ bytes: [UInt8]) -> [ComparedObject.Property] {
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return stride(from: 0, to: texts.count - 1, by: 2).map { position in
            ComparedObject.Property(
                name: String(decoding: texts[position], as: UTF8.self),
                json: String(decoding: texts[position + 1], as: UTF8.self))
        }
    }

    private static func hash(_ bytes: [UInt8]) -> Int64 {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return Int64(hasher.finalize())
    }
}

/// Two hashes of the bytes of an identifier. It uses bytes, since `String` treats canonically equivalent texts as
/// equal.
private struct IdentifierHash {
    private(set) var place: Int64
    let other: Int64

    init(_ object: ComparedObject) {
        let bytes = Array(object.entity.utf8) + [0] + object.key.utf8
        var hashers = (Hasher(), Hasher())
        hashers.1.combine(UInt8(1))
        bytes.withUnsafeBytes {
            hashers.0.combine(bytes: $0)
            hashers.1.combine(bytes: $0)
        }
        place = Int64(hashers.0.finalize())
        other = Int64(hashers.1.finalize())
    }

    /// Moves to the next place, because another identifier uses this one.
    mutating func advance() { place &+= 1 }
}
