/// Finds the columns and tables of properties in an existing store, and makes the objects that write them.
struct WritableLayout {
    let names: ColumnNames
    private let schema: SQLiteSchema
    private let identifier: String
    private var joins: [PropertyKey: (side: JoinSide, back: JoinSide, isReflexive: Bool)] = [:]
    private var attributes: [PropertyKey: WritableAttribute] = [:]
    private var columns: [KeyColumn.Names: KeyColumn] = [:]
    private var joinRows: [PropertyKey: JoinRows] = [:]
    /// The positions, which the two sides of a join table share.
    private var places: [JoinSide: OrderedPlaces] = [:]
    /// The tables, by the number of the root entity.
    private(set) var tables: [Int: RootTable] = [:]
    /// The indexes that were added temporarily, and are dropped afterwards.
    private var ownIndexes: [String] = []
    private var indexed: Set<String> = []

    init(_ names: ColumnNames, _ schema: SQLiteSchema, _ identifier: String) {
        self.names = names
        self.schema = schema
        self.identifier = identifier
        for pair in names.joinPairs() {
            guard let sides = pair.sides(in: schema) else { continue }
            joins[pair.first] = (sides.first, sides.second, pair.isReflexive)
            if !pair.isReflexive { joins[pair.second] = (sides.second, sides.first, false) }
        }
    }

    /// Discards all statements.
    mutating func discardStatements() {
        attributes = [:]
        columns = [:]
        joinRows = [:]
        places = [:]
        tables = [:]
    }

    /// Removes a row that is about to be deleted from ordered relationships.
    func forget(_ row: Int64, in table: RootTable) throws(SQLiteError) {
        for column in columns.values where column.table === table { try column.forget(row) }
    }

    /// Drops the indexes that were added. No statement may be active.
    mutating func dropIndexes(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        for index in ownIndexes { try connection.execute("DROP INDEX \(index)") }
        ownIndexes = []
        indexed = []
    }

    /// The numbers of an entity and all its subentities.
    func descendants(of entity: StoreEntity) -> Set<Int> {
        var numbers: Set<Int> = [entity.number]
        // A subentity may have a lower number than its superentity.
        var isComplete = false
        while !isComplete {
            isComplete = true
            for member in names.entities.family(of: entity.root)
            where numbers.contains(member.superentity) && numbers.insert(member.number).inserted {
                isComplete = false
            }
        }
        return numbers
    }

    /// The columns of the identifying attribute, and the entities that use each.
    func identifierColumns() -> [(root: Int, table: String, column: String, entities: [Int])] {
        var found: [String: (root: Int, table: String, column: String, entities: [Int])] = [:]
        for entity in names.entities.all where names.model[entity.name]?.isAbstract == false {
            let table = names.entities.tableName(of: entity)
            for level in names.model.ancestry(of: entity.name) {
                guard level.attributes.contains(where: { $0.name == identifier && $0.isStored }),
                    let column = names.columns[PropertyKey(entity: level.name, name: identifier)],
                    schema.tables[table]?.has(column) == true
                else { continue }
                found[table + "\0" + column, default: (entity.root, table, column, [])].entities
                    .append(entity.number)
            }
        }
        return found.keys.sorted().compactMap { found[$0] }
    }

    mutating func entity(
        _ entity: StoreEntity, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> WritableEntity {
        let table = try self.table(entity.root, connection)
        var attributes: [WritableAttribute] = []
        var relationships: [WritableRelationship] = []
        for level in names.model.ancestry(of: entity.name) {
            for attribute in level.attributes where attribute.isStored {
                let key = PropertyKey(entity: level.name, name: attribute.name)
                guard let column = names.columns[key], schema.tables[table.name]?.has(column) == true else {
                    continue
                }
                attributes.append(try self.attribute(key, attribute, column, table, connection))
            }
            for relationship in level.relationships where !relationship.isTransient {
                let key = PropertyKey(entity: level.name, name: relationship.name)
                guard let destination = names.entities[relationship.destination],
                    let storage = try storage(of: relationship, key, connection)
                else { continue }
                relationships.append(
                    WritableRelationship(
                        description: relationship, storage: storage,
                        targets: try self.table(destination.root, connection),
                        targetEntities: descendants(of: destination)))
            }
        }
        return try WritableEntity(
            entity, table, attributes: attributes, relationships: relationships,
            referring: try referring(to: entity, connection), identifier: identifier, connection)
    }

    private mutating func table(
        _ root: Int, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> RootTable {
        if let table = tables[root] { return table }
        guard let entity = names.entities[root] else {
            throw SQLiteError(code: 1, message: "there is no entity \(root)")
        }
        let made = try RootTable(entity, name: names.entities.tableName(of: entity), connection)
        tables[root] = made
        return made
    }

    private mutating func attribute(
        _ key: PropertyKey, _ description: AttributeDescription, _ column: String, _ table: RootTable,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> WritableAttribute {
        if let known = attributes[key] { return known }
        let made = try WritableAttribute(description, column: column, table: table.name, connection)
        attributes[key] = made
        return made
    }

    private mutating func storage(
        of relationship: RelationshipDescription, _ key: PropertyKey,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> WritableRelationship.Storage? {
        let inverse = names.model.inverse(of: relationship)
        let back = inverse.map { PropertyKey(entity: $0.entity, name: $0.relationship.name) }
        guard relationship.isToMany else {
            guard let column = try column(key, inTableOf: key.entity, connection) else { return nil }
            var other: KeyColumn?
            if let inverse, let back, !inverse.relationship.isToMany {
                other = try self.column(back, inTableOf: inverse.entity, connection)
            }
            return .toOne(column, back: other)
        }
        if let inverse, inverse.relationship.isToMany { return try join(key, connection).map { .join($0) } }
        guard inverse != nil || relationship.inverse == nil else { return nil }
        let place = inverse?.entity ?? relationship.destination
        return try column(back ?? key, inTableOf: place, connection).map { .keysOfTargets($0) }
    }

    /// The column of a property in the table of an entity; nil if the table lacks it.
    private mutating func column(
        _ key: PropertyKey, inTableOf entity: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> KeyColumn? {
        guard let owner = names.entities[entity], let column = names.columns[key] else { return nil }
        let place = names.entities.tableName(of: owner)
        guard let table = schema.tables[place], table.has(column) else { return nil }
        func present(_ name: String?) -> String? { name.flatMap { table.has($0) ? $0 : nil } }
        let found = KeyColumn.Names(
            table: place, column: column, entityColumn: present(names.entityColumns[key]),
            orderColumn: present(names.orderColumns[key]))
        if let known = columns[found] { return known }
        try addIndex(place, column, connection)
        let made = try KeyColumn(found, self.table(owner.root, connection), connection)
        columns[found] = made
        return made
    }

    private mutating func join(
        _ key: PropertyKey, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> JoinRows? {
        if let known = joinRows[key] { return known }
        guard let (side, back, isReflexive) = joins[key] else { return nil }
        try addIndex(side.table, side.owner, connection)
        try addIndex(side.table, side.target, connection)
        let made = try JoinRows(
            side, back: back, isReflexive: isReflexive, places(side, connection), places(back, connection),
            connection)
        joinRows[key] = made
        return made
    }

    private mutating func places(
        _ side: JoinSide, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> OrderedPlaces? {
        if let known = places[side] { return known }
        let made = try OrderedPlaces.of(side, connection)
        places[side] = made
        return made
    }

    /// Adds an index unless an index begins with the column, since deletions search for rows by it.
    private mutating func addIndex(
        _ table: String, _ column: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        guard indexed.insert(table + "\0" + column).inserted else { return }
        do {
            var rows = try connection.prepare(
                "SELECT 1 FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i "
                    + "WHERE i.seqno = 0 AND i.name = ?2 COLLATE NOCASE AND l.partial = 0")
            try rows.bind(table, at: 1)
            try rows.bind(column, at: 2)
            if try rows.step() { return }
        }
        let name = SQLiteName.quoted("ticds_\(ownIndexes.count)")
        try connection.execute(
            "CREATE INDEX \(name) ON \(SQLiteName.quoted(table)) (\(SQLiteName.quoted(column)))")
        ownIndexes.append(name)
    }

    /// The columns of to-one relationships without inverse whose destination can be the entity.
    private mutating func referring(
        to entity: StoreEntity, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [KeyColumn] {
        let kinds = Set(names.model.ancestry(of: entity.name).map(\.name))
        var found: [KeyColumn] = []
        for other in names.model.entities {
            for relationship in other.relationships
            where !relationship.isTransient && !relationship.isToMany
                && kinds.contains(relationship.destination) && names.model.inverse(of: relationship) == nil
            {
                let key = PropertyKey(entity: other.name, name: relationship.name)
                if let column = try column(key, inTableOf: other.name, connection) { found.append(column) }
            }
        }
        return found
    }
}
