import KeyedArchive
public import SystemCalls

extension SQLiteStore {
    /// Calls `body` with the objects of one entity, and `onDamage` for a row that cannot be read and for an error that
    /// ends the pass.
    func pass(
        _ layout: EntityLayout, sortedBy columns: [String], _ connection: borrowing SQLiteConnection,
        _ onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var reader: ObjectReader
        do throws(FileProblem) {
            reader = try ObjectReader(layout, sortedBy: columns, connection, self)
        } catch {
            return try onDamage(error)
        }
        // ends: after the last row, since each round takes one
        while true {
            let object: StoredObject
            do throws(FileProblem) {
                guard let next = try reader.next() else { return }
                object = next
            } catch {
                try onDamage(error)
                if reader.isAtEnd { return }
                continue
            }
            for fault in reader.faults { try onDamage(fault) }
            try body(object)
        }
    }

    /// Reports rows whose entity does not belong to their table, and tables that belong to no entity; for one entity,
    /// only those rows of its table.
    public func reportStrayRows(
        of entity: String?, _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try reportStrayRows(of: entity, try file.connect(), onDamage)
    }

    func reportStrayRows(
        of name: String?, _ connection: borrowing SQLiteConnection,
        _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let root = name.flatMap { entities[$0]?.root }
        for entity in entities.all where entity.superentity == 0 && (name == nil || entity.number == root) {
            let table = entities.tableName(of: entity)
            guard tableNames.contains(table) else { continue }
            let known = entities.family(of: entity.number).map { String($0.number) }.joined(separator: ", ")
            try reportRows(
                of: table, "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(known))", expected: "Z_ENT among \(known)",
                connection, onDamage)
        }
        guard name == nil else { return }
        for table in strayTables {
            try reportRows(of: table, "", expected: "an entity of that table", connection, onDamage)
        }
    }

    private func reportRows(
        of table: String, _ condition: String, expected: String, _ connection: borrowing SQLiteConnection,
        _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var count: Int64 = 0
        do throws(SQLiteError) {
            var rows = try connection.prepare(
                "SELECT count(*) FROM \(SQLiteName.quoted(table)) NOT INDEXED \(condition)")
            if try rows.step() { count = rows.integer(0) ?? 0 }
        } catch {
            return try onDamage(file.problem(error))
        }
        guard count > 0 else { return }
        try onDamage(
            FileProblem(
                .damaged, path: path, "rows of the table \(table) belong to no entity, and are left out",
                expected: expected, found: "\(count) other rows"))
    }
}

/// Reads the objects of one entity row by row.
struct ObjectReader: ~Copyable {
    private let layout: EntityLayout
    private let file: SQLiteStoreFile
    private let decoder: RowDecoder
    private var rows: SQLiteStatement
    private let cursors: [ToManyCursor]
    /// The columns of the attributes.
    private let columns: [PlainColumn]
    /// The relationships, in the order of the columns.
    private let relationships: [(name: String, isColumn: Bool)]
    /// Whether the keys of the rows ascend.
    private let isByKey: Bool
    private var last: Int64?
    private var repeated = 0
    /// The largest number of repeated rows; further rows are not read, since pages of a damaged table can lead to each
    /// other.
    private static let repetitionLimit = 1_000_000
    /// Whether there is no further row.
    private(set) var isAtEnd = false
    /// The problems of single values of the last object.
    private(set) var faults: [FileProblem] = []

    init(
        _ layout: EntityLayout, sortedBy columns: [String], _ connection: borrowing SQLiteConnection,
        _ store: SQLiteStore
    ) throws(FileProblem) {
        let cursors = try ToManyCursor.all(of: layout, connection, store.file, store.indexes)
        rows = try Self.rows(layout, sortedBy: columns, connection, store.file)
        self.cursors = cursors
        self.layout = layout
        self.columns = layout.attributes.map {
            PlainColumn(name: $0.name, type: $0.type, isPlain: !$0.allowsExternalStorage)
        }
        relationships = layout.relationships.map {
            if case .column = $0.storage { ($0.name, true) } else { ($0.name, false) }
        }
        file = store.file
        isByKey = columns.isEmpty
        var decoder = RowDecoder(path: file.path, external: store.external)
        decoder.keepsTransformedData = store.keepsTransformedData
        self.decoder = decoder
    }

    private static func rows(
        _ layout: EntityLayout, sortedBy columns: [String], _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile
    ) throws(FileProblem) -> SQLiteStatement {
        let table = SQLiteName.quoted(layout.table)
        let names = (["Z_PK"] + layout.columns).map { SQLiteName.quoted($0) }
        let wanted = (names + foreignValue(layout)).joined(separator: ", ")
        let order = (columns + ["Z_PK"]).map { SQLiteName.quoted($0) }.joined(separator: ", ")
        return try file.run { () throws(SQLiteError) in
            var rows = try connection.prepare(
                "SELECT \(wanted) FROM \(table) NOT INDEXED WHERE Z_ENT = ?1 ORDER BY \(order)")
            rows.bind(Int64(layout.entity.number), at: 1)
            return rows
        }
    }

    /// An expression for the number, from 1, of the first column of other entities that has a value.
    private static func foreignValue(_ layout: EntityLayout) -> [String] {
        guard !layout.foreignColumns.isEmpty else { return [] }
        let cases = zip(1..., layout.foreignColumns).map { number, column in
            "WHEN \(SQLiteName.quoted(column)) IS NOT NULL THEN \(number)"
        }
        return ["CASE \(cases.joined(separator: " ")) END"]
    }

    /// Adds a fault for a value in a column that the entity of the row does not have: the entity of the row may be
    /// wrong.
    private mutating func checkForeignColumns(_ primaryKey: Int64, _ column: Int) {
        guard !layout.foreignColumns.isEmpty, let number = rows.integer(column).flatMap({ Int(exactly: $0) }),
            layout.foreignColumns.indices.contains(number - 1)  // bounded: from 1, see `foreignValue`
        else { return }
        faults.append(
            FileProblem(
                .damaged, path: file.path,
                "row \(primaryKey) of the table \(layout.table) has a value that its entity cannot have, and that is "
                    + "left out: its Z_ENT may be wrong",
                found:
                    "a value in \(layout.foreignColumns[number - 1]), which “\(layout.entity.name)” does not have"
            ))
    }

    /// The next object; nil after the last. A value that cannot be decoded is given in its stored form, and becomes a
    /// fault.
    mutating func next() throws(FileProblem) -> StoredObject? {
        if !faults.isEmpty { faults = [] }
        guard let primaryKey = try nextKey() else { return nil }
        var attributes: [StoredAttribute] = []
        attributes.reserveCapacity(columns.count)
        var column = 1
        for position in columns.indices {
            let value = columns[position].value(rows, column) ?? value(column, position, primaryKey)
            attributes.append(StoredAttribute(name: columns[position].name, value: value))
            column += 1
        }
        checkForeignColumns(primaryKey, 1 + layout.columns.count)  // bounded: by columns of a table
        return StoredObject(
            entity: layout.entity.name, primaryKey: primaryKey, attributes: attributes,
            relationships: try relationships(of: primaryKey, from: column))
    }

    /// The value of any attribute.
    private mutating func value(_ column: Int, _ position: Int, _ primaryKey: Int64) -> ArchivedValue {
        let attribute = layout.attributes[position]
        do throws(FileProblem) {
            return try decoder.value(rows, column, attribute, primaryKey: primaryKey)
        } catch {
            faults.append(error)
            return decoder.stored(rows, column, attribute)
        }
    }

    /// Moves to the next row whose key is new.
    private mutating func nextKey() throws(FileProblem) -> Int64? {
        while try step() {
            guard let primaryKey = rows.integer(0) else {
                throw FileProblem(.damaged, path: file.path, "a row of \(layout.table) has no primary key")
            }
            guard isByKey, let before = last, primaryKey <= before else {
                last = primaryKey
                return primaryKey
            }
            repeated += 1
            isAtEnd = repeated == Self.repetitionLimit
            guard repeated == 1 || isAtEnd else { continue }
            throw FileProblem(
                .damaged, path: file.path, "rows of \(layout.table) occur twice, and are left out",
                expected: "a primary key above \(before)", found: "\(primaryKey)")
        }
        return nil
    }

    private mutating func step() throws(FileProblem) -> Bool {
        do throws(SQLiteError) {
            if try rows.step() { return true }
            isAtEnd = true
            return false
        } catch {
            isAtEnd = true
            throw file.problem(error)
        }
    }

    private mutating func relationships(
        of primaryKey: Int64, from first: Int
    ) throws(FileProblem) -> [StoredRelationship] {
        var found: [StoredRelationship] = []
        found.reserveCapacity(relationships.count)
        var column = first
        var cursor = 0
        for position in relationships.indices {
            let target: StoredRelationship.Target
            if relationships[position].isColumn {
                let key = rows.integer(column)
                if key == nil, rows.storage(column) != .null {
                    faults.append(
                        FileProblem(
                            .damaged, path: file.path,
                            "the column \(layout.columns[column - 1]) of row \(primaryKey) contains no key",
                            found: "\(rows.storage(column))"))
                }
                target = .toOne(key)
                column += 1
            } else {
                target = .toMany(
                    cursor < cursors.count ? try cursors[cursor].targets(of: primaryKey, &faults) : [])
                cursor += 1
            }
            found.append(StoredRelationship(name: relationships[position].name, target: target))
        }
        return found
    }
}
