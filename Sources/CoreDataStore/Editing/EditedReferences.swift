import SystemCalls

/// Completes the keys that edited rows have of others: what stands beside them, and on the other side.
struct EditedReferences {
    private let store: WritableStore
    private let notices: EditNotices

    init(_ store: WritableStore, _ notices: EditNotices) {
        self.store = store
        self.notices = notices
    }

    func tidy(_ scan: EditScan) throws(FileProblem) {
        let edited = Dictionary(
            scan.rows.map { ($0.table, $0.added + $0.changed) }, uniquingKeysWith: { first, _ in first })
        let places = try KeyPlace.all(store)
        var oneToOne: [OneToOne.Side] = []
        for place in places {
            let edits = try tidy(place, edited[place.column.names.table] ?? [])
            if place.back != nil { oneToOne.append(OneToOne.Side(place: place, edits: edits)) }
        }
        try OneToOne(store, notices).settle(oneToOne)
    }

    /// - Returns: where the key was changed, and what it is now.
    private func tidy(_ place: KeyPlace, _ rows: [Int64]) throws(FileProblem) -> [OneToOne.KeyEdit] {
        guard !rows.isEmpty else { return [] }
        var edits: [OneToOne.KeyEdit] = []
        try store.run { () throws(SQLiteError) in
            var reader = try place.reader(store.connection)
            var holders = try Self.holders(of: place, store.connection)
            for row in rows {
                guard let owner = try place.column.table.object(row), place.owners.contains(owner.entity),
                    let cell = try KeyPlace.cell(row, &reader)
                else { continue }
                var target: StoreObjectID?
                if let key = cell.key {
                    target = try place.targets.object(key)
                    if target.map({ place.targetEntities.contains($0.entity) }) != true {
                        target = nil
                        // What the base has already is not for this to put right.
                        if cell.key == cell.oldKey { continue }
                        note(.referenceCleared, place, owner, "it led to \(key), which does not exist")
                    }
                }
                try complete(place, owner.primaryKey, cell, target, &holders)
                guard cell.key != cell.oldKey else { continue }
                edits.append(OneToOne.KeyEdit(row: owner, target: target, old: cell.oldKey))
                if let old = cell.oldKey { place.targets.touch(old) }
                if let target { place.targets.touch(target.primaryKey) }
            }
        }
        return edits
    }

    private func complete(
        _ place: KeyPlace, _ row: Int64, _ cell: KeyPlace.Cell, _ target: StoreObjectID?,
        _ holders: inout SQLiteStatement
    ) throws(SQLiteError) {
        guard let target else {
            if cell.key != nil || cell.entity != nil || cell.place != nil {
                try place.column.set(nil, in: row)
            }
            return
        }
        let names = place.column.names
        if names.orderColumn != nil {
            // A place in the list of the former target says nothing about the new one's.
            let isStale = cell.key != cell.oldKey && cell.place == cell.oldPlace
            var isDue = isStale || cell.place == nil
            if !isDue { isDue = try isTaken(cell.place, target.primaryKey, row, &holders) }
            if isDue {
                // The row itself must not count when the end of the list is looked for.
                try place.column.set(nil, in: row)
                return try place.column.set(target, in: row)
            }
        }
        guard names.entityColumn != nil, cell.entity != Int64(target.entity) else { return }
        try place.column.set(target, in: row, place: cell.place)
    }

    private static func holders(
        of place: KeyPlace, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> SQLiteStatement {
        let names = place.column.names
        let order = names.orderColumn.map { "\(SQLiteName.quoted($0)) = ?2" } ?? "0"
        return try connection.prepare(
            "SELECT 1 FROM main.\(SQLiteName.quoted(names.table)) "
                + "WHERE \(SQLiteName.quoted(names.column)) = ?1 AND \(order) AND Z_PK <> ?3")
    }

    private func isTaken(
        _ place: Int64?, _ owner: Int64, _ row: Int64, _ holders: inout SQLiteStatement
    ) throws(SQLiteError) -> Bool {
        defer { holders.reset() }
        holders.bind(owner, at: 1)
        holders.bind(place, at: 2)
        holders.bind(row, at: 3)
        return try holders.step()
    }

    private func note(
        _ kind: EditNotice.Kind, _ place: KeyPlace, _ owner: StoreObjectID, _ text: String
    ) {
        notices.add(
            kind, store.entityName(of: owner) ?? place.entity, owner.primaryKey, property: place.name, text)
    }
}
