package import SystemCalls
import SystemPackage

/// A row of `Z_PRIMARYKEY` (core-data-sqlite-store(5), 1.2).
package struct StoreEntity: Sendable, Hashable {
    package var number: Int
    /// The name in the model; without a model, the name in the row.
    package var name: String
    /// The name in the row, which a migration does not always change with the model.
    var storedName: String
    /// The number of the superentity; 0 for a root entity.
    package var superentity: Int
    /// The number of the root entity, whose table contains the rows.
    package var root: Int
}

/// The entities of an open store, without those of persistent history.
package struct StoreEntities: Sendable {
    /// The entities in the order of their numbers.
    package let all: [StoreEntity]
    private let byName: [String: StoreEntity]
    private let byNumber: [Int: StoreEntity]
    /// The entities, by the number of the root entity.
    private let families: [Int: [StoreEntity]]
    private let superentities: Set<Int>
    /// The tables by the number of the root entity.
    private let tables: [Int: String]

    /// The first number of the entities of persistent history.
    package static let firstHistoryNumber = 16_000

    package subscript(name: String) -> StoreEntity? { byName[name] }
    package subscript(number: Int) -> StoreEntity? { byNumber[number] }

    /// The entities in the table of the root entity `root`, in the order of their numbers.
    package func family(of root: Int) -> [StoreEntity] { families[root] ?? [] }

    func hasSubentities(_ entity: StoreEntity) -> Bool { superentities.contains(entity.number) }

    /// The table of the entity's root entity.
    package func tableName(of entity: StoreEntity) -> String {
        tables[entity.root] ?? "Z" + (byNumber[entity.root] ?? entity).storedName.uppercased()
    }

    /// Makes the entities from numbered rows. `problem` makes an error from a contradiction.
    package init(_ rows: [NumberedEntity], problem: (String) -> FileProblem) throws(FileProblem) {
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
                    number: row.number, name: row.name, storedName: row.name,
                    superentity: row.superentityNumber, root: root))
        }
        self.init(all)
        guard byName.count == all.count else { throw problem("two entities have the same name") }
    }

    private init(_ all: [StoreEntity], tables: [Int: String] = [:]) {
        self.all = all
        self.tables = tables
        byNumber = Dictionary(all.map { ($0.number, $0) }) { first, _ in first }
        byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        families = Dictionary(grouping: all, by: \.root)
        superentities = Set(all.map(\.superentity))
    }

    /// These entities with the names of `model` in place of former names.
    ///
    /// A row whose name the model does not have belongs to the entity whose renaming identifier is that name. Otherwise
    /// it belongs to the only entity without a row, if there is exactly one such row and one such entity below the same
    /// superentity, and the store was saved with that entity: every entity has a row (core-data-sqlite-store(5), 1.2).
    package func named(by model: ManagedObjectModel, _ hashes: [String: [UInt8]], _ schema: SQLiteSchema)
        -> StoreEntities
    {
        var renamed = Dictionary(all.map { ($0.number, $0) }) { first, _ in first }
        let below = Dictionary(grouping: all, by: \.superentity)
        let free = Dictionary(grouping: model.entities.filter { byName[$0.name] == nil }, by: \.superentity)
        var waiting = [0]
        while let above = waiting.popLast() {
            var rows = (below[above] ?? []).filter { model[$0.name] == nil }
            waiting += (below[above] ?? []).map(\.number)
            if rows.isEmpty { continue }
            var left = free[above == 0 ? nil : renamed[above]?.name] ?? []
            for row in rows {
                let matches = left.filter { $0.renamingIdentifier == row.storedName }
                guard matches.count == 1 else { continue }
                renamed[row.number]?.name = matches[0].name
                rows.removeAll { $0.number == row.number }
                left.removeAll { $0.name == matches[0].name }
            }
            if rows.count == 1, left.count == 1, hashes[rows[0].storedName] == nil,
                let hash = hashes[left[0].name], model.versionHash(of: left[0].name) ?? hash == hash
            {
                renamed[rows[0].number]?.name = left[0].name
            }
        }
        var tables: [Int: String] = [:]
        for entity in renamed.values where entity.superentity == 0 {
            let name = "Z" + entity.name.uppercased()
            if schema.tables[tableName(of: entity)] == nil, schema.tables[name] != nil {
                tables[entity.number] = name
            }
        }
        return StoreEntities(all.compactMap { renamed[$0.number] }, tables: tables)
    }

    /// The entities whose rows have a former name.
    var renamed: [StoreEntity] { all.filter { $0.name != $0.storedName } }

    /// Reads `Z_PRIMARYKEY`.
    init(_ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile) throws(FileProblem) {
        func problem(_ found: String) -> FileProblem {
            FileProblem(
                .damaged, path: file.path, "the table Z_PRIMARYKEY has two rows that exclude each other",
                found: found)
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
