public import SystemCalls

extension WritableStore {
    /// The changes that other tools made to a live store since its base: inserted, updated, then deleted objects, each
    /// group in order of entity and key. It first repairs inconsistencies that the tool left, and reports each to
    /// `onNotice`. Deletions follow the delete rules of the model.
    ///
    /// Rows that equal the base are neither changed nor decoded. If all rows are equal, the cost is one comparison for
    /// each.
    /// - Parameter reserved: identifiers that a new object may not have; it gets a different one.
    /// - Throws: `.refused` for a row without a valid entity, or a value of the wrong type.
    public func edits(
        reserved: Set<String> = [], onNotice: (EditNotice) -> Void
    ) throws(FileProblem) -> [EditedObject] {
        var edits: [EditedObject] = []
        try forEachEdit(reserved: reserved, onNotice: onNotice) { edits.append($0) }
        return edits
    }

    /// Passes the changes of `edits(reserved:onNotice:)` to `body` one by one, and the notices at the end.
    public func forEachEdit(
        reserved: Set<String> = [], onNotice: (EditNotice) -> Void,
        _ body: (EditedObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard isLive else {
            throw FileProblem(
                .refused, path: path, "the replica has lost ReplicaState.sqlite, its copy of the last run",
                advice: "Make a new replica with ticds-sync clone")
        }
        let notices = EditNotices()
        defer { for notice in notices.all { onNotice(notice) } }
        try discardRows()
        try raiseHighestKeys()
        var scan = try EditScan(self)
        if scan.isEmpty { return }
        if try EditedIdentities(self, notices, reserved: reserved).repair(scan) { scan = try EditScan(self) }
        var values = EditedValues(self, notices)
        try values.repair(scan)
        let deletions = EditedDeletions(store: self, notices: notices)
        try deletions.restoreRows(scan)
        try EditedReferences(store: self, notices: notices).repair(scan)
        try EditedJoins(store: self, notices: notices).repair(scan)
        try deletions.delete(scan)
        try touch(scan)
        try discardRows()
        let earlier = notices.take()
        defer { notices.addBefore(earlier) }
        var reader = EditReader(self, notices)
        try reader.forEachObject(EditScan(self), body)
    }

    /// Raises the highest keys, so that the keys of existing rows and of the base are not assigned again.
    private func raiseHighestKeys() throws(FileProblem) {
        try run { () throws(SQLiteError) in
            for root in entities.all where root.superentity == 0 {
                let name = entities.tableName(of: root)
                guard schema.tables[name] != nil else { continue }
                let table = SQLiteName.quoted(name)
                var highest = try connection.prepare(
                    "SELECT max(ifnull(m.Z_MAX, 0), ifnull(b.Z_MAX, 0), "
                        + "ifnull((SELECT max(Z_PK) FROM main.\(table)), 0), "
                        + "ifnull((SELECT max(Z_PK) FROM base.\(table)), 0)) AS k, ifnull(m.Z_MAX, -1) "
                        + "FROM main.Z_PRIMARYKEY AS m JOIN base.Z_PRIMARYKEY AS b USING (Z_ENT) WHERE Z_ENT = ?1"
                )
                highest.bind(Int64(root.number), at: 1)
                guard try highest.step(), let key = highest.integer(0), key != highest.integer(1) else {
                    continue
                }
                var raise = try connection.prepare(
                    "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2")
                try raise.run(key, Int64(root.number))
            }
        }
    }

    /// Increments the version of edited rows, unless the tool has done so.
    private func touch(_ scan: EditScan) throws(FileProblem) {
        for rows in scan.rows {
            guard let table = try rootTable(rows.root) else { continue }
            try run { () throws(SQLiteError) in
                let name = SQLiteName.quoted(rows.table)
                var versions = try connection.prepare(
                    "SELECT m.Z_OPT > b.Z_OPT FROM main.\(name) AS m JOIN base.\(name) AS b USING (Z_PK) "
                        + "WHERE Z_PK = ?1")
                for key in rows.changed {
                    versions.bind(key, at: 1)
                    if try versions.step(), versions.integer(0) == 0 { table.touch(key) }
                    versions.reset()
                }
            }
        }
    }

    /// The table of a root entity; nil if no concrete entity uses it.
    func rootTable(_ root: StoreEntity) throws(FileProblem) -> RootTable? {
        guard let entity = concreteEntities(below: root).first else { return nil }
        return try writable(entity.name).table
    }

    /// The entities that the rows of a root entity's table can have.
    func concreteEntities(below root: StoreEntity) -> [StoreEntity] {
        entities.family(of: root.number).filter { model[$0.name]?.isAbstract == false }
    }
}
