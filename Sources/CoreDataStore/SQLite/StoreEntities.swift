import SystemCalls
import SystemPackage

/// A row of `Z_PRIMARYKEY` (core-data-sqlite-store(5), 1.2).
struct StoreEntity: Sendable, Hashable {
    var number: Int
    var name: String
    /// The number of the superentity; 0 for a root entity.
    var superentity: Int
    /// The number of the root entity, whose table contains the rows.
    var root: Int
}

/// The entities of an open store, without those of persistent history.
struct StoreEntities: Sendable {
    /// The entities in the order of their numbers.
    let all: [StoreEntity]
    private let byName: [String: StoreEntity]
    private let byNumber: [Int: StoreEntity]
    /// By the number of the root entity.
    private let families: [Int: [StoreEntity]]
    private let superentities: Set<Int>

    /// The first number of the entities of persistent history.
    static let firstHistoryNumber = 16_000

    subscript(name: String) -> StoreEntity? { byName[name] }
    subscript(number: Int) -> StoreEntity? { byNumber[number] }

    /// The entities in the table of the root entity `root`, in the order of their numbers.
    func family(of root: Int) -> [StoreEntity] { families[root] ?? [] }

    func hasSubentities(_ entity: StoreEntity) -> Bool { superentities.contains(entity.number) }

    /// The table of the entity's root entity.
    func tableName(of entity: StoreEntity) -> String {
        "Z" + (byNumber[entity.root]?.name ?? entity.name).uppercased()
    }

    /// Makes the entities from numbered rows. `problem` makes an error from a contradiction.
    init(_ rows: [NumberedEntity], problem: (String) -> FileProblem) throws(FileProblem) {
        var above: [Int: Int] = [:]
        for row in rows {
            guard above.updateValue(row.superentityNumber, forKey: row.number) == nil else {
                throw problem("two entities have the number \(row.number)")
            }
        }
        var all: [StoreEntity] = []
        for row in rows.sorted(by: { $0.number < $1.number }) {
            var root = row.number
            var steps = 0
            while let next = above[root], next != 0 {
                root = next
                steps += 1
                guard steps <= ManagedObjectModel.depthLimit else {
                    throw problem("the superentities of “\(row.name)” do not end")
                }
            }
            guard above[root] != nil else {
                throw problem("the superentity \(root) of “\(row.name)” does not exist")
            }
            all.append(
                StoreEntity(
                    number: row.number, name: row.name, superentity: row.superentityNumber, root: root))
        }
        self.all = all
        byNumber = Dictionary(all.map { ($0.number, $0) }) { first, _ in first }
        byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        families = Dictionary(grouping: all, by: \.root)
        superentities = Set(all.map(\.superentity))
        guard byName.count == all.count else { throw problem("two entities have the same name") }
    }

    /// Reads `Z_PRIMARYKEY`.
    init(_ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile) throws(FileProblem) {
        func problem(_ found: String) -> FileProblem {
            FileProblem(.damaged, path: file.path, "the table Z_PRIMARYKEY contradicts itself", found: found)
        }
        var rows: [NumberedEntity] = []
        try file.run { () throws(SQLiteError) in
            var statement = try connection.prepare(
                "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY LIMIT 10001")
            while try statement.step() {
                let number = Int(clamping: statement.integer(0) ?? -1)
                if number >= Self.firstHistoryNumber { continue }
                let name = statement.text(1) ?? ""
                let above = statement.storage(2) == .null ? 0 : statement.integer(2) ?? -1
                rows.append(
                    NumberedEntity(
                        number: name.isEmpty ? -1 : number, name: name,
                        superentityNumber: Int(clamping: above)))
            }
        }
        guard rows.count <= 10_000 else { throw problem("more than 10,000 entities") }
        guard rows.allSatisfy({ $0.number > 0 && $0.superentityNumber >= 0 }) else {
            throw problem("a row without a number, a name or a superentity")
        }
        guard rows.allSatisfy({ $0.name.utf8.count <= 1000 }) else {
            throw problem("the name of an entity has more than 1000 bytes")
        }
        try self.init(rows, problem: problem)
    }
}
