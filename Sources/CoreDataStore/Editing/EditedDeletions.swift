import SystemCalls

/// Applies the delete rules of the model to objects whose rows another tool deleted: restores their relationships from
/// the base, then deletes them.
struct EditedDeletions {
    let store: WritableStore
    let notices: EditNotices

    /// Restores the deleted rows without their attributes, and their join rows.
    func restoreRows(_ scan: EditScan) throws(FileProblem) {
        for rows in scan.rows where !rows.deleted.isEmpty {
            let attributes = attributeColumns(of: rows.root)
            let columns = (store.schema.tables[rows.table]?.columns ?? []).map(\.name)
                .filter { !attributes.contains($0) }.map(SQLiteName.quoted).joined(separator: ", ")
            let name = SQLiteName.quoted(rows.table)
            try store.run { () throws(SQLiteError) in
                var insert = try store.connection.prepare(
                    "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM base.\(name) WHERE Z_PK = ?1"
                )
                for key in rows.deleted { try insert.run(key) }
            }
        }
        for pairs in scan.pairs where !pairs.removed.isEmpty {
            let pair = pairs.join.pair
            let (first, second) = (deletedKeys(pair.first, scan), deletedKeys(pair.second, scan))
            if first.isEmpty && second.isEmpty { continue }
            try store.run { () throws(SQLiteError) in
                let name = SQLiteName.quoted(pairs.join.first.table)
                let owner = SQLiteName.quoted(pairs.join.first.owner)
                let target = SQLiteName.quoted(pairs.join.first.target)
                var insert = try store.connection.prepare(
                    "INSERT OR IGNORE INTO main.\(name) SELECT * FROM base.\(name) "
                        + "WHERE \(owner) = ?1 AND \(target) = ?2")
                for pair in pairs.removed {
                    guard let one = pair.first, let other = pair.second,
                        first.contains(one) || second.contains(other)
                    else { continue }
                    try insert.run(one, other)
                }
            }
        }
    }

    private func deletedKeys(_ key: PropertyKey, _ scan: EditScan) -> Set<Int64> {
        let root = store.entities[key.entity]?.root
        return Set(scan.rows.first { $0.root.number == root }?.deleted ?? [])
    }

    private func attributeColumns(of root: StoreEntity) -> Set<String> {
        var columns: Set<String> = []
        for entity in store.entities.family(of: root.number) {
            for attribute in store.model[entity.name]?.attributes ?? [] {
                let key = PropertyKey(entity: entity.name, name: attribute.name)
                if let column = store.layout.names.columns[key] { columns.insert(column) }
            }
        }
        return columns
    }

    /// Deletes the objects together. Restores the attributes of an object that a delete rule keeps.
    func delete(_ scan: EditScan) throws(FileProblem) {
        var objects: [StoreObjectID] = []
        var tables: [StoreObjectID: String] = [:]
        for rows in scan.rows where !rows.deleted.isEmpty {
            guard let table = try store.rootTable(rows.root) else { continue }
            for key in rows.deleted {
                let object = try store.run { () throws(SQLiteError) in try table.object(key) }
                guard let object, store.entities[object.entity] != nil else { continue }
                objects.append(object)
                tables[object] = rows.table
            }
        }
        guard !objects.isEmpty else { return }
        for object in try store.delete(objects) {
            let writable = try store.writable(object)
            try store.run { () throws(SQLiteError) in
                let name = SQLiteName.quoted(tables[object] ?? "")
                let columns = writable.attributes.map { SQLiteName.quoted($0.column) }.joined(separator: ", ")
                var update = try store.connection.prepare(
                    "UPDATE main.\(name) SET (\(columns)) = "
                        + "(SELECT \(columns) FROM base.\(name) WHERE Z_PK = ?1) WHERE Z_PK = ?1")
                try update.run(object.primaryKey)
            }
            let identifier = try store.identifier(of: object, writable) ?? ""
            notices.add(
                .deletionDenied, writable.entity.name, object.primaryKey, identifier,
                "the row was deleted, but a delete rule keeps the object while others belong to it")
        }
    }
}
