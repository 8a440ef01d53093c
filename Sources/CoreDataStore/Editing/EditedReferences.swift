import SystemCalls

/// Completes edited foreign keys: the columns beside them, and the inverse.
struct EditedReferences {
    let store: WritableStore
    let notices: EditNotices

    func repair(_ scan: EditScan) throws(FileProblem) {
        let edited = Dictionary(
            scan.rows.map { ($0.table, $0.added + $0.changed) }, uniquingKeysWith: { first, _ in first })
        let places = try KeyPlace.all(store)
        var oneToOne: [OneToOne.Side] = []
        for place in places {
            let edits = try repair(place, edited[place.column.names.table] ?? [])
            if place.back != nil { oneToOne.append(OneToOne.Side(place: place, edits: edits)) }
        }
        try OneToOne(store: store, notices: notices).settle(oneToOne)
    }

    /// - Returns: the rows whose key was changed, with the new target.
    private func repair(_ place: KeyPlace, _ rows: [Int64]) throws(FileProblem) -> [OneToOne.KeyEdit] {
        guard !rows.isEmpty else { return [] }
        var edits: [OneToOne.KeyEdit] = []
        try store.run { () throws(SQLiteError) in
            var reader = try place.reader(store.connection)
            for row in rows {
                guard let owner = try place.column.table.object(row), place.owners.contains(owner.entity),
                    let cell = try KeyPlace.cell(row, &reader)
                else { continue }
                var target: StoreObjectID?
                if let key = cell.key {
                    target = try place.targets.object(key)
                    if target.map({ place.targetEntities.contains($0.entity) }) != true {
                        target = nil
                        // The base has the same dangling key; this edit did not cause it.
                        if cell.key == cell.oldKey { continue }
                        notices.add(
                            .referenceCleared, place, of: owner, in: store,
                            "it led to \(key), which does not exist")
                    }
                }
                try complete(place, owner.primaryKey, cell, target)
                guard cell.key != cell.oldKey else { continue }
                edits.append(OneToOne.KeyEdit(row: owner, target: target, old: cell.oldKey))
                if let old = cell.oldKey { place.targets.touch(old) }
                if let target { place.targets.touch(target.primaryKey) }
            }
        }
        return edits
    }

    private func complete(
        _ place: KeyPlace, _ row: Int64, _ cell: KeyPlace.Cell, _ target: StoreObjectID?
    ) throws(SQLiteError) {
        guard let target else {
            if cell.key != nil || cell.entity != nil || cell.place != nil {
                try place.column.set(nil, in: row)
            }
            return
        }
        let names = place.column.names
        if let places = place.column.places {
            // A position among the objects of the former target has no meaning for the new one.
            let isStale = cell.key != cell.oldKey && cell.place == cell.oldPlace
            var isFree = false
            if !isStale, let place = cell.place {
                isFree = try places.count(at: place, of: target.primaryKey) == 1
            }
            if !isFree {
                // Clear the key first, so that the row does not count in the search for the last position.
                try place.column.set(nil, in: row)
                return try place.column.set(target, in: row)
            }
        }
        guard names.entityColumn != nil, cell.entity != Int64(target.entity) else { return }
        try place.column.set(target, in: row, place: cell.place)
    }
}
