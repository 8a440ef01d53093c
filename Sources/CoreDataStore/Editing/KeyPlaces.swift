import SystemCalls

/// A relationship stored as a foreign key, to-one or to-many without inverse, as its entity declares it.
struct KeyPlace {
    /// The name of the declaring entity.
    let entity: String
    let name: String
    let column: KeyColumn
    /// The column of the inverse, if that is to-one.
    let back: KeyColumn?
    /// The entities whose rows have the column.
    let owners: Set<Int>
    /// The table that the keys refer to.
    let targets: RootTable
    let targetEntities: Set<Int>
    /// Whether the relationship is to-many: then the row of the target has the key.
    let isToMany: Bool

    static func all(_ store: WritableStore) throws(FileProblem) -> [KeyPlace] {
        var places: [KeyPlace] = []
        for entity in store.model.entities {
            guard let stored = store.entities[entity.name], let root = store.entities[stored.root] else {
                continue
            }
            let own = store.layout.descendants(of: stored)
            let concrete = store.concreteEntities(below: root).first { own.contains($0.number) }
            guard let concrete else { continue }
            let writable = try store.writable(concrete.name)
            for description in entity.relationships {
                guard let position = writable.relationshipPositions[description.name] else { continue }
                let relationship = writable.relationships[position]
                switch relationship.storage {
                case .toOne(let column, let back):
                    places.append(
                        KeyPlace(
                            entity: entity.name, name: description.name, column: column, back: back,
                            owners: own, targets: relationship.targets,
                            targetEntities: relationship.targetEntities, isToMany: false))
                case .keysOfTargets(let column) where description.inverse == nil:
                    places.append(
                        KeyPlace(
                            entity: entity.name, name: description.name, column: column, back: nil,
                            owners: relationship.targetEntities, targets: writable.table,
                            targetEntities: own, isToMany: true))
                case .keysOfTargets, .join: continue
                }
            }
        }
        return places
    }

    /// The values of the store and of the base in one row.
    struct Cell {
        var key: Int64?
        var entity: Int64?
        var place: Int64?
        var oldKey: Int64?
        var oldPlace: Int64?
    }

    /// A statement that reads cells; its parameter is the primary key.
    func reader(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> SQLiteStatement {
        let name = SQLiteName.quoted(column.names.table)
        func value(_ alias: String, _ column: String?) -> String {
            column.map { "\(alias).\(SQLiteName.quoted($0))" } ?? "NULL"
        }
        let wanted = [
            value("m", column.names.column), value("m", column.names.entityColumn),
            value("m", column.names.orderColumn), value("b", column.names.column),
            value("b", column.names.orderColumn),
        ].joined(separator: ", ")
        return try connection.prepare(
            "SELECT \(wanted) FROM main.\(name) AS m LEFT JOIN base.\(name) AS b ON b.Z_PK = m.Z_PK "
                + "WHERE m.Z_PK = ?1")
    }

    /// The cell of a row. A key that is not an integer becomes an invalid one.
    static func cell(_ row: Int64, _ reader: inout SQLiteStatement) throws(SQLiteError) -> Cell? {
        defer { reader.reset() }
        reader.bind(row, at: 1)
        guard try reader.step() else { return nil }
        let key = reader.storage(0) == .null ? nil : reader.integer(0) ?? .min
        return Cell(
            key: key, entity: reader.integer(1), place: reader.integer(2), oldKey: reader.integer(3),
            oldPlace: reader.integer(4))
    }
}
