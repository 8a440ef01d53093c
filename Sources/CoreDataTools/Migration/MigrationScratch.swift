import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The notes of a migration in a scratch database, so that memory does not grow with the store.
final class MigrationScratch {
    private let folder: TemporaryFolder
    private let path: FilePath
    private let connection: SQLiteConnection
    private var numbers: [String: Int64] = [:]
    private var addExcluded: SQLiteStatement
    private var findExcluded: SQLiteStatement
    private var addMade: SQLiteStatement
    private var findMade: SQLiteStatement
    private var takeKey: SQLiteStatement
    private var addWaiting: SQLiteStatement
    private var addPair: SQLiteStatement
    private var findFirst: SQLiteStatement
    private var findSecond: SQLiteStatement
    private var addCount: SQLiteStatement
    private var takeValue: SQLiteStatement
    private var findValue: SQLiteStatement

    private static let tables = [
        "CREATE TABLE excluded (root INTEGER, key INTEGER, entity INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID",
        "CREATE TABLE made (mapping INTEGER, key INTEGER, new INTEGER, PRIMARY KEY (mapping, key)) WITHOUT ROWID",
        "CREATE TABLE waiting (mapping INTEGER, key INTEGER)",
        "CREATE TABLE taken (root INTEGER, key INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID",
        "CREATE TABLE pairs (pair INTEGER, first INTEGER, second INTEGER, PRIMARY KEY (pair, first, second)) WITHOUT ROWID",
        "CREATE INDEX pairs_second ON pairs (pair, second)",
        "CREATE TABLE counts (pair INTEGER, side INTEGER, key INTEGER, number INTEGER, PRIMARY KEY (pair, side, key)) WITHOUT ROWID",
        "CREATE TABLE combinations (list INTEGER, value TEXT, key INTEGER, PRIMARY KEY (list, value)) WITHOUT ROWID",
    ]

    init() throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-migration")
        let path = folder.path.appending("notes")
        let connection = try ScratchDatabase.open(path, Self.tables)
        self.path = path
        addExcluded = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO excluded VALUES (?1, ?2, ?3)", connection, path)
        findExcluded = try ScratchDatabase.prepare(
            "SELECT entity FROM excluded WHERE root = ?1 AND key = ?2", connection, path)
        addMade = try ScratchDatabase.prepare(
            "INSERT OR REPLACE INTO made VALUES (?1, ?2, ?3)", connection, path)
        findMade = try ScratchDatabase.prepare(
            "SELECT new FROM made WHERE mapping = ?1 AND key = ?2", connection, path)
        takeKey = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO taken VALUES (?1, ?2)", connection, path)
        addWaiting = try ScratchDatabase.prepare(
            "INSERT INTO waiting VALUES (?1, ?2)", connection, path)
        addPair = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO pairs VALUES (?1, ?2, ?3)", connection, path)
        findFirst = try ScratchDatabase.prepare(
            "SELECT first FROM pairs WHERE pair = ?1 AND second = ?2 AND first <> ?3", connection, path)
        findSecond = try ScratchDatabase.prepare(
            "SELECT second FROM pairs WHERE pair = ?1 AND first = ?2 AND second <> ?3", connection, path)
        addCount = try ScratchDatabase.prepare(
            "INSERT INTO counts VALUES (?1, ?2, ?3, 1) ON CONFLICT DO UPDATE SET number = number + 1 "
                + "RETURNING number", connection, path)
        takeValue = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO combinations VALUES (?1, ?2, ?3)", connection, path)
        findValue = try ScratchDatabase.prepare(
            "SELECT key FROM combinations WHERE list = ?1 AND value = ?2", connection, path)
        self.connection = connection
    }

    private func number(_ name: String) -> Int64 {
        if let number = numbers[name] { return number }
        let number = Int64(numbers.count)
        numbers[name] = number
        return number
    }

    /// Runs a statement, and says whether it changed a row.
    private func run(
        _ statement: inout SQLiteStatement, _ first: Int64, _ second: Int64, _ third: Int64? = nil
    ) throws(FileProblem) -> Bool {
        do throws(SQLiteError) {
            if let third { try statement.run(first, second, third) } else { try statement.run(first, second) }
            return connection.changes > 0
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
    }

    /// The first column of the first row.
    private func find(
        _ statement: inout SQLiteStatement, _ first: Int64, _ second: Int64, _ third: Int64? = nil
    ) throws(FileProblem) -> Int64? {
        defer { statement.reset() }
        statement.bind(first, at: 1)
        statement.bind(second, at: 2)
        if let third { statement.bind(third, at: 3) }
        do throws(SQLiteError) {
            return try statement.step() ? statement.integer(0) : nil
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
    }

    // MARK: Keys

    /// Notes an object to which some relationships must not lead.
    func exclude(_ key: Int64, _ root: String, _ entity: String) throws(FileProblem) {
        _ = try run(&addExcluded, number(root), key, number(entity))
    }

    /// Whether the object with this key is of one of the entities, among those noted.
    func isExcluded(_ key: Int64, _ root: String, _ entities: Set<String>) throws(FileProblem) -> Bool {
        guard let found = try find(&findExcluded, number(root), key) else { return false }
        return entities.contains { numbers[$0] == found }
    }

    /// Takes a key in a hierarchy of the new model. Returns false if another object has it.
    func take(_ key: Int64, _ root: String) throws(FileProblem) -> Bool {
        try run(&takeKey, number(root), key)
    }

    /// Notes an old object whose key another object has taken.
    func wait(_ key: Int64, mapping: Int) throws(FileProblem) {
        _ = try run(&addWaiting, Int64(mapping), key)
    }

    /// Gives the objects that wait keys above `highest`. Returns false if there are not enough.
    func assignKeys(above highest: Int64) throws(FileProblem) -> Bool {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in
            var rows = try connection.prepare("SELECT coalesce(max(rowid), 0) FROM waiting")
            guard try rows.step(), let count = rows.integer(0) else { return true }
            guard highest <= .max - count else { return false }  // bounded: a count is not negative
            try connection.execute(
                "INSERT OR REPLACE INTO made SELECT mapping, key, rowid + \(highest) FROM waiting")
            return true
        }
    }

    /// Notes the key of the object that a mapping makes of an old one.
    func note(_ new: Int64, of key: Int64, mapping: Int) throws(FileProblem) {
        _ = try run(&addMade, Int64(mapping), key, new)
    }

    /// The key of the object that a mapping made of an old one.
    func made(of key: Int64, mapping: Int) throws(FileProblem) -> Int64? {
        try find(&findMade, Int64(mapping), key)
    }

    // MARK: Checks

    /// A contradiction between links.
    enum Conflict {
        /// The owner leads to another object as well, or is led to by it.
        case owner(other: Int64)
        /// Another object leads to the target as well, or is led to by it.
        case target(other: Int64)
        /// The owner, or the target, has more links than its relationship can have.
        case owners(most: Int)
        case targets(most: Int)
    }

    /// Notes a link. Returns a contradiction to the links noted before.
    func link(_ owner: Int64, to target: Int64, _ plan: PairPlan) throws(FileProblem) -> Conflict? {
        let (first, second) = plan.isFirst ? (owner, target) : (target, owner)
        if let conflict = try add(first, second, plan) { return conflict }
        return plan.isReflexive ? try add(second, first, plan) : nil
    }

    private func add(_ first: Int64, _ second: Int64, _ plan: PairPlan) throws(FileProblem) -> Conflict? {
        guard try run(&addPair, plan.number, first, second) else { return nil }
        if let most = plan.mostSeconds, try count(plan.number, 0, first) > Int64(most) {
            let other = most == 1 ? try find(&findSecond, plan.number, first, second) : nil
            guard plan.isFirst else { return other.map { .target(other: $0) } ?? .targets(most: most) }
            return other.map { .owner(other: $0) } ?? .owners(most: most)
        }
        if let most = plan.mostFirsts, try count(plan.number, 1, second) > Int64(most) {
            let other = most == 1 ? try find(&findFirst, plan.number, second, first) : nil
            guard plan.isFirst else { return other.map { .owner(other: $0) } ?? .owners(most: most) }
            return other.map { .target(other: $0) } ?? .targets(most: most)
        }
        return nil
    }

    /// Counts a link of an object on one side, and returns their number.
    private func count(_ pair: Int64, _ side: Int64, _ key: Int64) throws(FileProblem) -> Int64 {
        defer { addCount.reset() }
        addCount.bind(pair, at: 1)
        addCount.bind(side, at: 2)
        addCount.bind(key, at: 3)
        return try ScratchDatabase.run(path) { () throws(SQLiteError) in
            try addCount.step() ? addCount.integer(0) ?? 0 : 0
        }
    }

    /// Notes a combination of values that must be unique. Returns the key of an object that has it already.
    func take(_ values: String, _ list: UniquePlan, _ key: Int64) throws(FileProblem) -> Int64? {
        do throws(SQLiteError) {
            defer { takeValue.reset() }
            takeValue.bind(list.number, at: 1)
            try takeValue.bind(values, at: 2)
            takeValue.bind(key, at: 3)
            _ = try takeValue.step()
            if connection.changes > 0 { return nil }
            defer { findValue.reset() }
            findValue.bind(list.number, at: 1)
            try findValue.bind(values, at: 2)
            return try findValue.step() ? findValue.integer(0) : nil
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
    }
}
