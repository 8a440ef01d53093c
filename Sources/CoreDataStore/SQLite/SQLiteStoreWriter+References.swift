import SystemCalls
import SystemPackage

extension SQLiteStoreWriter {
    /// Drops references to objects that do not exist, and those of to-many relationships to objects whose to-one
    /// relationship leads elsewhere. Call it after the last object, before `finish`.
    mutating func dropReferences(_ result: inout NewStoreResult) throws(FileProblem) {
        var found = result
        try SQLiteError.at(path) { () throws(SQLiteError) in
            for one in schema.toOnes {
                let (table, key) = (SQLiteName.quoted(one.table), SQLiteName.quoted(one.column))
                let order = schema.names.orderColumns[one.key].map { ", \(SQLiteName.quoted($0)) = NULL" }
                try count(
                    "UPDATE \(table) SET \(key) = NULL\(order ?? "") WHERE \(key) IS NOT NULL AND \(key) NOT IN "
                        + "(SELECT Z_PK FROM \(SQLiteName.quoted(one.to)))", one.key, &found.dangling)
            }
            try connection.execute("CREATE INDEX temp.pending_target ON pending (link, target)")
            for (number, link) in schema.links.enumerated() { try dropPending(number, link, &found) }
            for join in schema.joins {
                let table = SQLiteName.quoted(join.first.table)
                for (key, side) in [(join.pair.first, join.first), (join.pair.second, join.second)] {
                    guard
                        let model = schema.names.model[key.entity]?.relationships.first(where: {
                            $0.name == key.name
                        }), let to = schema.names.entities[model.destination]
                    else { continue }
                    let rows = SQLiteName.quoted(schema.names.entities.tableName(of: to))
                    try count(
                        "DELETE FROM \(table) WHERE \(SQLiteName.quoted(side.target)) NOT IN "
                            + "(SELECT Z_PK FROM \(rows))", key, &found.dangling)
                }
            }
        }
        result = found
    }

    private func dropPending(
        _ number: Int, _ link: (key: PropertyKey, side: JoinSide), _ found: inout NewStoreResult
    ) throws(SQLiteError) {
        let (table, owner) = (SQLiteName.quoted(link.side.table), SQLiteName.quoted(link.side.owner))
        let ofLink = "DELETE FROM temp.pending WHERE link = \(number) AND "
        try count(ofLink + "target NOT IN (SELECT Z_PK FROM \(table))", link.key, &found.dangling)
        try count(
            ofLink
                + "EXISTS (SELECT 1 FROM \(table) WHERE Z_PK = pending.target AND \(owner) <> pending.owner)",
            link.key, &found.contradictions)
        try count(
            ofLink + "EXISTS (SELECT 1 FROM temp.pending AS first WHERE first.link = \(number) "
                + "AND first.target = pending.target AND first.owner <> pending.owner "
                + "AND first.rowid < pending.rowid)", link.key, &found.contradictions)
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
