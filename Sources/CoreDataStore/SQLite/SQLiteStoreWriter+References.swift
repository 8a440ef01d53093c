import SystemCalls
import SystemPackage

extension SQLiteStoreWriter {
    /// Drops references to objects that do not exist, and those of to-many relationships to objects whose to-one
    /// relationship leads elsewhere, and completes the rest of the latter. Call it after the last object, before
    /// `finish`.
    mutating func dropReferences(_ result: inout NewStoreResult) throws(FileProblem) {
        var found = result
        do throws(SQLiteError) {
            try notes.flush(connection)
            for one in schema.toOnes where mayDangle(one.relationship) {
                let (table, key) = (SQLiteName.quoted(one.table), SQLiteName.quoted(one.column))
                let order = schema.names.orderColumns[one.key].map { ", \(SQLiteName.quoted($0)) = NULL" }
                try count(
                    "UPDATE \(table) SET \(key) = NULL\(order ?? "") WHERE \(key) IS NOT NULL AND \(key) NOT IN "
                        + "(SELECT Z_PK FROM \(SQLiteName.quoted(one.to)))", one.key, &found.dangling)
            }
            if notes.hasPending {
                try settlePending(&found)
                try notes.clear(connection)
            }
            for join in schema.joins {
                let table = SQLiteName.quoted(join.first.table)
                for (key, side) in [(join.pair.first, join.first), (join.pair.second, join.second)] {
                    guard
                        let model = schema.names.model[key.entity]?.relationships.first(where: {
                            $0.name == key.name
                        }), let to = schema.names.entities[model.destination], mayDangle(model)
                    else { continue }
                    let rows = SQLiteName.quoted(schema.names.entities.tableName(of: to))
                    try count(
                        "DELETE FROM \(table) WHERE \(SQLiteName.quoted(side.target)) NOT IN "
                            + "(SELECT Z_PK FROM \(rows))", key, &found.dangling)
                }
            }
        } catch {
            throw error.problem(with: path)
        }
        result = found
    }

    /// Whether references of a relationship may lead to objects that do not exist.
    private func mayDangle(_ relationship: RelationshipDescription) -> Bool {
        schema.names.entities[relationship.destination].map { notes.mayDangle(root: $0.root) } ?? true
    }

    /// Writes the links in the temporary table to the rows of their targets, in one pass over these. A row that has an
    /// owner keeps it; otherwise the first link counts.
    private func settlePending(_ found: inout NewStoreResult) throws(SQLiteError) {
        let links = schema.links
        var rows = try connection.prepare(
            "SELECT link, target, owner, place FROM temp.pending ORDER BY link, target, rowid")
        var hasRow = try rows.step()
        while hasRow {
            let number = Int(clamping: rows.integer(0) ?? 0)
            guard number >= 0, number < links.count else { return }
            let (key, side) = (links[number].key, links[number].side)
            let (table, column) = (SQLiteName.quoted(side.table), SQLiteName.quoted(side.owner))
            let place = side.order.map { ", \(SQLiteName.quoted($0)) = ?3" } ?? ""
            var find = try connection.prepare("SELECT \(column) FROM \(table) WHERE Z_PK = ?1")
            var update = try connection.prepare("UPDATE \(table) SET \(column) = ?1\(place) WHERE Z_PK = ?2")
            var last: Int64?
            var (exists, owner): (Bool, Int64?) = (false, nil)
            var (dangling, contradictions) = (0, 0)
            while hasRow, rows.integer(0) == Int64(number) {
                let (target, wanted) = (rows.integer(1), rows.integer(2))
                if target != last {
                    last = target
                    find.bind(target, at: 1)
                    exists = try find.step()
                    owner = exists ? find.integer(0) : nil
                    find.rewind()
                }
                if !exists {
                    dangling += 1
                } else if owner != nil, owner != wanted {
                    contradictions += 1
                } else {
                    if owner == nil || !place.isEmpty {
                        update.bind(wanted, at: 1)
                        update.bind(target, at: 2)
                        if !place.isEmpty { update.bind(rows.integer(3), at: 3) }
                        _ = try update.step()
                        update.rewind()
                    }
                    owner = wanted
                }
                hasRow = try rows.step()
            }
            let name = "\(key.entity).\(key.name)"
            if dangling > 0 { found.dangling[name, default: 0] += dangling }
            if contradictions > 0 { found.contradictions[name, default: 0] += contradictions }
        }
    }

    /// Executes a statement, and adds the number of its rows.
    private func count(
        _ statement: String, _ key: PropertyKey, _ counts: inout [String: Int]
    ) throws(SQLiteError) {
        try connection.execute(statement)
        let changes = connection.changes
        if changes > 0 { counts["\(key.entity).\(key.name)", default: 0] += Int(changes) }
    }
}
