import SystemCalls

/// Completes new rows of join tables, and removes rows with a missing object.
struct EditedJoins {
    let store: WritableStore
    let notices: EditNotices

    func repair(_ scan: EditScan) throws(FileProblem) {
        for pairs in scan.pairs where !pairs.isEmpty {
            guard let first = try side(pairs.join.pair.first), let second = try side(pairs.join.pair.second)
            else { continue }
            try store.run { () throws(SQLiteError) in
                let rows = try EditedJoinRows(pairs.join, store.connection)
                for pair in pairs.added + pairs.moved { try repair(pair, rows, first, second) }
                if pairs.join.pair.isReflexive { try rows.mirror(pairs) }
                for pair in pairs.removed {
                    if let key = pair.first { first.table.touch(key) }
                    if let key = pair.second { second.table.touch(key) }
                }
            }
        }
    }

    private typealias Side = (table: RootTable, entities: Set<Int>, entity: String, name: String)

    private func side(_ key: PropertyKey) throws(FileProblem) -> Side? {
        guard let entity = store.entities[key.entity], let root = store.entities[entity.root],
            let table = try store.rootTable(root)
        else { return nil }
        return (table, store.layout.descendants(of: entity), key.entity, key.name)
    }

    private func repair(
        _ pair: EditedJoin.Pair, _ rows: EditedJoinRows, _ first: Side, _ second: Side
    ) throws(SQLiteError) {
        let one = try pair.first.flatMap { (key) throws(SQLiteError) in try first.table.object(key) }
        let other = try pair.second.flatMap { (key) throws(SQLiteError) in try second.table.object(key) }
        guard let one, let other, first.entities.contains(one.entity), second.entities.contains(other.entity)
        else {
            try rows.remove(pair)
            // The notice concerns the object that exists.
            let isSecond = one == nil && other != nil
            let (side, key) = isSecond ? (second, pair.second) : (first, pair.first)
            let target = isSecond ? pair.first : pair.second
            notices.add(
                .referenceCleared, side.entity, key ?? 0, property: side.name,
                "a join row led to \(target.map { "\($0)" } ?? "NULL"), which does not exist")
            return
        }
        try rows.fillPlaces(one.primaryKey, other.primaryKey)
        first.table.touch(one.primaryKey)
        second.table.touch(other.primaryKey)
    }
}
