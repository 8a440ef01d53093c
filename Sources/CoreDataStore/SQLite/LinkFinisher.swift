import SystemCalls
import SystemPackage

extension NewStoreSchema {
    /// The join table of a relationship, from its side.
    func joinSide(of key: PropertyKey) -> JoinSide? {
        for join in joins {
            if join.pair.first == key { return join.first }
            if join.pair.second == key { return join.second }
        }
        return nil
    }

    /// A to-many relationship with keys in the rows of its targets.
    struct Link {
        var key: PropertyKey
        /// The columns of the rows.
        var side: JoinSide
        /// The entity that declares the columns.
        var rows: String
        /// The to-one inverse.
        var inverse: String?
    }

    /// To-many relationships with keys in the rows of their targets: those with a to-one inverse or without inverse.
    var links: [Link] {
        names.model.entities.flatMap { entity in
            entity.relationships.filter { $0.isToMany && !$0.isTransient }.compactMap { relationship in
                let own = PropertyKey(entity: entity.name, name: relationship.name)
                let inverse = names.model.inverse(of: relationship)
                guard inverse?.relationship.isToMany != true else { return nil }
                let column = inverse.map { PropertyKey(entity: $0.entity, name: $0.relationship.name) } ?? own
                let rows = inverse?.entity ?? relationship.destination
                return side(column, rowsOf: rows).map {
                    Link(key: own, side: $0, rows: rows, inverse: inverse?.relationship.name)
                }
            }
        }
    }

    private func side(_ column: PropertyKey, rowsOf entity: String) -> JoinSide? {
        guard let name = names.columns[column], let rows = names.entities[entity] else { return nil }
        return JoinSide(
            table: names.entities.tableName(of: rows), owner: name, target: "Z_PK",
            order: names.orderColumns[column])
    }

    /// To-one relationships with their columns, their tables and the tables of their destinations.
    var toOnes:
        [(key: PropertyKey, relationship: RelationshipDescription, column: String, table: String, to: String)]
    {
        names.model.entities.flatMap { entity in
            entity.relationships.filter { !$0.isToMany && !$0.isTransient }.compactMap { relationship in
                let key = PropertyKey(entity: entity.name, name: relationship.name)
                guard let column = names.columns[key], let own = names.entities[entity.name],
                    let destination = names.entities[relationship.destination]
                else { return nil }
                return (
                    key, relationship, column, names.entities.tableName(of: own),
                    names.entities.tableName(of: destination)
                )
            }
        }
    }
}

/// Completes the relationships of a new store after the last object; each may have been set on one side only.
struct LinkFinisher {
    let schema: NewStoreSchema
    let path: FilePath

    func finish(
        _ connection: borrowing SQLiteConnection, _ notes: borrowing LinkNotes
    ) throws(FileProblem) {
        let links = schema.links
        if notes.hasPending {
            for (number, link) in links.enumerated() { try writePending(number, link, connection) }
        }
        try SQLiteError.at(path) { () throws(SQLiteError) in
            for part in schema.parts where part.isIndex { try connection.execute(part.statement) }
            try completeOneToOnes(connection)
            for join in schema.joins where join.pair.isReflexive {
                let table = SQLiteName.quoted(join.first.table)
                let (owner, target) = (
                    SQLiteName.quoted(join.first.owner), SQLiteName.quoted(join.first.target)
                )
                try connection.execute(
                    "INSERT OR IGNORE INTO \(table) (\(owner), \(target)) SELECT \(target), \(owner) FROM \(table)"
                )
            }
            for (number, link) in links.enumerated() where notes.lacksPlaces[number] {
                try fillPlaces(link.side, connection)
            }
            for join in schema.joins {
                try fillPlaces(join.first, connection)
                if !join.pair.isReflexive { try fillPlaces(join.second, connection) }
            }
            try fillEntityColumns(connection)
        }
    }

    /// Writes the owners that were set on the to-many side to the rows of the targets.
    private func writePending(
        _ number: Int, _ link: NewStoreSchema.Link, _ connection: borrowing SQLiteConnection
    ) throws(FileProblem) {
        let (table, owner) = (SQLiteName.quoted(link.side.table), SQLiteName.quoted(link.side.owner))
        let place = link.side.order.map { ", \(SQLiteName.quoted($0)) = ?3" } ?? ""
        do throws(SQLiteError) {
            var waiting = try connection.prepare(
                "SELECT owner, target, place FROM temp.pending WHERE link = \(number) ORDER BY rowid")
            var update = try connection.prepare(
                "UPDATE \(table) SET \(owner) = ?1\(place) "
                    + "WHERE Z_PK = ?2 AND (\(owner) IS NULL OR \(owner) = ?1)")
            while try waiting.step() {
                update.bind(waiting.integer(0), at: 1)
                update.bind(waiting.integer(1), at: 2)
                if !place.isEmpty { update.bind(waiting.integer(2), at: 3) }
                try update.run()
                guard connection.changes == 1 else {
                    let keys = "\(waiting.integer(0) ?? 0) to \(waiting.integer(1) ?? 0)"
                    throw SQLiteError(code: 20, message: keys)
                }
            }
        } catch {
            guard error.code == 20 else { throw error.problem(with: path) }
            throw FileProblem(
                .refused, path: path,
                "\(link.key.entity).\(link.key.name) leads to an object that does not exist or has another owner",
                found: "from \(error.message)", advice: "Check the source with ticds-store check")
        }
    }

    private func completeOneToOnes(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        let toOnes = schema.toOnes
        for one in toOnes {
            guard let inverse = schema.names.model.inverse(of: one.relationship),
                let other = toOnes.first(where: {
                    $0.key == PropertyKey(entity: inverse.entity, name: inverse.relationship.name)
                })
            else { continue }
            let (table, column) = (SQLiteName.quoted(other.table), SQLiteName.quoted(other.column))
            let (from, key) = (SQLiteName.quoted(one.table), SQLiteName.quoted(one.column))
            try connection.execute(
                "UPDATE \(table) SET \(column) = (SELECT o.Z_PK FROM \(from) AS o WHERE o.\(key) = \(table).Z_PK) "
                    + "WHERE \(column) IS NULL AND Z_PK IN (SELECT \(key) FROM \(from))")
        }
    }

    /// Appends objects without a position: in steps of 1024 after the last, from 2048 (core-data-sqlite-store(5), 3.5).
    private func fillPlaces(_ side: JoinSide, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        guard let order = side.order.map(SQLiteName.quoted) else { return }
        let (table, owner, target) = (
            SQLiteName.quoted(side.table), SQLiteName.quoted(side.owner), SQLiteName.quoted(side.target)
        )
        var lacking = try connection.prepare(
            "SELECT 1 FROM \(table) NOT INDEXED WHERE \(order) IS NULL AND \(owner) IS NOT NULL LIMIT 1")
        guard try lacking.step() else { return }
        lacking.rewind()
        let windows =
            "coalesce(max(\(order)) OVER (PARTITION BY \(owner)), 1024) AS highest, row_number() OVER "
            + "(PARTITION BY \(owner), \(order) IS NULL ORDER BY \(target)) AS number"
        try connection.execute(
            "CREATE TEMP TABLE appended AS SELECT id, highest + 1024 * number AS place FROM "
                + "(SELECT rowid AS id, \(order) AS known, \(windows) FROM \(table) WHERE \(owner) IS NOT NULL) "
                + "WHERE known IS NULL")
        try connection.execute("CREATE INDEX temp.appended_id ON appended (id)")
        try connection.execute(
            "UPDATE \(table) SET \(order) = (SELECT place FROM temp.appended WHERE id = \(table).rowid) "
                + "WHERE \(order) IS NULL AND \(owner) IS NOT NULL")
        try connection.execute("DROP TABLE temp.appended")
    }

    /// Writes the entity numbers of targets that came after their owners to the columns beside foreign keys.
    private func fillEntityColumns(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        for one in schema.toOnes {
            guard let beside = schema.names.entityColumns[one.key].map(SQLiteName.quoted) else { continue }
            let (table, key, to) = (
                SQLiteName.quoted(one.table), SQLiteName.quoted(one.column), SQLiteName.quoted(one.to)
            )
            let lacking = "WHERE \(key) IS NOT NULL AND \(beside) IS NULL"
            var rows = try connection.prepare("SELECT 1 FROM \(table) NOT INDEXED \(lacking) LIMIT 1")
            guard try rows.step() else { continue }
            rows.rewind()
            try connection.execute(
                "UPDATE \(table) SET \(beside) = (SELECT d.Z_ENT FROM \(to) AS d WHERE d.Z_PK = \(table).\(key)) "
                    + lacking)
        }
    }
}
