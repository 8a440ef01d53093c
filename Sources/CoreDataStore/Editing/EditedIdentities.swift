import KeyedArchive
import SystemCalls

/// Finds the object of each edited row, first by its identifier, and restores its key, entity and identifier.
struct EditedIdentities {
    private let store: WritableStore
    private let notices: EditNotices
    /// Identifiers that new objects may not have.
    private let reserved: Set<String>
    /// The identifier column, by entity number.
    private let columns: [Int: String]

    init(_ store: WritableStore, _ notices: EditNotices, reserved: Set<String>) {
        self.store = store
        self.notices = notices
        self.reserved = reserved
        var columns: [Int: String] = [:]
        for found in store.layout.identifierColumns() {
            for number in found.entities { columns[number] = found.column }
        }
        self.columns = columns
    }

    /// - Returns: whether a row changed, so that it may now equal the base, or have a different key.
    func repair(_ scan: EditScan) throws(FileProblem) -> Bool {
        var hasChanged = false
        var moves: [String: [Int64: Int64]] = [:]
        for rows in scan.rows where !(rows.added.isEmpty && rows.changed.isEmpty) {
            let concrete = store.concreteEntities(below: rows.root)
            guard let table = try store.rootTable(rows.root) else { continue }
            let places = Set(concrete.compactMap { columns[$0.number] }).sorted()
            var work = try store.run { () throws(SQLiteError) in
                try IdentityRows(rows, places, store.connection)
            }
            hasChanged = try settle(&work, concrete, table) || hasChanged
            if !work.moves.isEmpty { moves[rows.table] = work.moves }
        }
        if !moves.isEmpty { try KeyMoves(store).perform(moves) }
        return hasChanged || !moves.isEmpty
    }

    /// - Returns: whether a row was written.
    private func settle(
        _ work: inout IdentityRows, _ concrete: [StoreEntity], _ table: RootTable
    ) throws(FileProblem) -> Bool {
        var wanted = try wanted(in: work)
        let owners = try store.run { () throws(SQLiteError) in
            try work.owners(of: wanted, columns, store.connection)
        }
        let homes = owners.isEmpty ? Homes() : try homes(in: work, owners)
        for key in homes.taken {
            if let text = text(of: try row(key, work), work) { wanted.addRepeated(text) }
        }
        var taken: Set<String> = []
        var hasChanged = false
        for key in work.keys {
            let old = try row(key, work)
            var row = old
            if let home = homes.rows[key] {
                row.newKey = home.key
                row.base = home.base
                restoreIdentity(&row, work)
                note(.keyChanged, row, work, "the row \(row.key) has the identifier of \(row.newKey ?? 0)")
                work.moves[row.key] = row.newKey
            } else if row.base == nil || homes.taken.contains(row.key) || isReplacement(row, work, concrete) {
                if row.base != nil || row.key < 1 {
                    let key = try store.run { () throws(SQLiteError) in try table.newKey() }
                    work.moves[row.key] = key
                    row.base = nil
                    row.newKey = key
                }
                try complete(&row, work, concrete, owners, wanted, &taken)
            } else {
                restoreIdentity(&row, work)
            }
            let isWritten = try store.run { () throws(SQLiteError) in try work.write(row, unlike: old) }
            hasChanged = isWritten || hasChanged
        }
        return hasChanged
    }

    private func row(_ key: Int64, _ work: IdentityRows) throws(FileProblem) -> IdentityRows.Row {
        try store.run { () throws(SQLiteError) in try work.row(key) }
    }

    /// Rows that belong to an object with another key.
    private struct Homes {
        /// The object of each such row, by the key of the row.
        var rows: [Int64: IdentityRows.Row] = [:]
        /// The keys of these objects.
        var taken: Set<Int64> = []
    }

    /// Finds the rows with the identifier of an object whose own row has lost the identifier: they belong to that object.
    private func homes(in work: IdentityRows, _ owners: [String: Int64]) throws(FileProblem) -> Homes {
        var homes = Homes()
        for key in work.keys {
            let row = try row(key, work)
            guard isUncertain(row, work), let text = text(of: row, work), let owner = owners[text],
                owner != row.key, !homes.taken.contains(owner)
            else { continue }
            let home = try self.row(owner, work)
            guard let base = home.base, !home.exists || self.text(of: home, work) != text,
                row.entity == nil || row.entity == base.entity
            else { continue }
            homes.taken.insert(owner)
            homes.rows[row.key] = home
        }
        return homes
    }

    /// The identifiers of rows whose object is uncertain.
    private func wanted(in work: IdentityRows) throws(FileProblem) -> IdentifierHashes {
        var wanted = IdentifierHashes()
        for key in work.keys {
            let row = try row(key, work)
            if isUncertain(row, work), let text = text(of: row, work) { wanted.add(text) }
        }
        return wanted
    }

    private func isUncertain(_ row: IdentityRows.Row, _ work: IdentityRows) -> Bool {
        guard let base = row.base else { return true }
        guard let old = work.text(base.texts, columns[base.entity]) else { return false }
        return work.text(row.texts, columns[base.entity]) != old
    }

    private func text(of row: IdentityRows.Row, _ work: IdentityRows) -> String? {
        let own = row.entity.flatMap { columns[$0] } ?? row.base.flatMap { columns[$0.entity] }
        return work.text(row.texts, own ?? work.columns.first)
    }

    /// Whether the row was deleted and another row inserted with its key. Z_OPT then starts again at 1.
    private func isReplacement(
        _ row: IdentityRows.Row, _ work: IdentityRows, _ concrete: [StoreEntity]
    ) -> Bool {
        guard let base = row.base, isUncertain(row, work) else { return false }
        guard let entity = row.entity else { return true }
        guard concrete.contains(where: { $0.number == entity }) else { return false }
        return row.version ?? 0 < base.version || entity != base.entity
    }

    /// Restores the entity and the identifier of an object of the base.
    private func restoreIdentity(_ row: inout IdentityRows.Row, _ work: IdentityRows) {
        guard let base = row.base else { return }
        if row.entity != base.entity {
            row.entity = base.entity
            note(.entityPutBack, row, work, "the entity of an object cannot be changed")
        }
        row.version = max(row.version ?? 0, base.version)
        let column = columns[base.entity]
        guard let old = work.text(base.texts, column), work.text(row.texts, column) != old else { return }
        let found = work.text(row.texts, column) ?? "nothing"
        work.set(old, column, &row.texts)
        note(.identifierPutBack, row, work, "the identifier was changed to \(found)")
    }

    /// Completes a new object.
    private func complete(
        _ row: inout IdentityRows.Row, _ work: IdentityRows, _ concrete: [StoreEntity],
        _ owners: [String: Int64], _ wanted: IdentifierHashes, _ taken: inout Set<String>
    ) throws(FileProblem) {
        if !concrete.contains(where: { $0.number == row.entity }) {
            guard row.entity == nil, concrete.count == 1 else {
                throw FileProblem(
                    .refused, path: store.path, "the row \(row.key) of \(work.table) belongs to no entity",
                    expected: "Z_ENT "
                        + concrete.map { "\($0.number) (\($0.name))" }.joined(separator: ", "),
                    found: row.entity.map { "\($0)" } ?? "NULL", advice: "Set Z_ENT of the row")
            }
            row.entity = concrete[0].number
            note(.entityFilledIn, row, work, "a new row without Z_ENT counts as \(concrete[0].name)")
        }
        if row.version ?? 0 < 1 {
            row.version = 1
            note(.versionFilledIn, row, work, "a new row without Z_OPT")
        }
        guard let column = row.entity.flatMap({ columns[$0] }) else { return }
        let text = work.text(row.texts, column)
        let isReserved = text.map { reserved.contains($0) } ?? false
        if let text, !isReserved, owners[text] == nil {
            // Only an identifier that several rows have can be taken.
            if !wanted.isRepeated(text) || taken.insert(text).inserted { return }
        }
        let made = ArchivedUUID.random().description
        work.set(made, column, &row.texts)
        note(
            .identifierMade, row, work,
            text.map {
                isReserved
                    ? "the deletion of the object that had the identifier \($0) is not sent yet"
                    : "another object has the identifier \($0)"
            } ?? "a new row without identifier")
    }

    private func note(
        _ kind: EditNotice.Kind, _ row: IdentityRows.Row, _ work: IdentityRows, _ text: String
    ) {
        let identifier = row.entity.flatMap { work.text(row.texts, columns[$0]) } ?? ""
        let entity = row.entity.flatMap { store.entities[$0]?.name } ?? work.table
        notices.add(kind, entity, row.newKey ?? row.key, identifier, text)
    }
}
