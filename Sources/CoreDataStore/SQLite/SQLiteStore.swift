import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A Core Data SQLite store, opened for reading (core-data-sqlite-store(5)).
///
/// Every pass opens the file again and reads row by row. Nothing is written to the folder of the store.
public struct SQLiteStore: PersistentStore {
    /// The metadata of Core Data and the application (core-data-sqlite-store(5), 1.1).
    public let metadata: StoreMetadata
    /// The model; nil if names and types come from the schema.
    public let model: ManagedObjectModel?
    /// What a reader of the data should know.
    public let notes: [StoreNote]
    package let file: SQLiteStoreFile
    package var external: ExternalStorage
    package let entities: StoreEntities
    package let layouts: [EntityLayout]
    /// The names of the tables.
    package let tableNames: Set<String>
    /// Tables with rows of objects that belong to no entity.
    package let strayTables: [String]
    private let unexplained: [UnexplainedEntity]

    /// The path by which the file was opened.
    public var path: FilePath { file.path }

    /// Opens a store. Without `model`, it uses the model in Z_MODELCACHE, and without that the schema.
    public init(
        _ path: FilePath, model: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse
    ) throws(FileProblem) {
        let file = try SQLiteStoreFile(path)
        let connection = try file.connect()
        let opening = try StoreOpening(connection, file)
        let choice = try opening.choose(model, mismatch, connection)
        self.file = file
        external = ExternalStorage(store: path)
        let schema = opening.schema
        let entities =
            choice.model.map { opening.entities.named(by: $0, opening.metadata.versionHashes, schema) }
            ?? opening.entities
        self.entities = entities
        metadata = opening.metadata
        tableNames = Set(schema.tables.keys)
        let known = Set(entities.all.map { entities.tableName(of: $0) })
        strayTables = schema.tables.values.filter {
            $0.has("Z_PK") && $0.has("Z_ENT") && !known.contains($0.name)
        }.map(\.name).sorted()
        self.model = choice.model
        if let model = choice.model {
            unexplained = Self.unexplained(model, entities, schema, connection)
            let layout = ModelLayout(
                model: model, entities: entities, schema: schema,
                unexplained: Set(unexplained.map(\.entity)))
            layouts = layout.layouts
            notes = opening.notes + choice.notes + [model.unreadNote].compactMap(\.self) + layout.notes
        } else {
            unexplained = []
            layouts = SchemaLayout(entities: entities, schema: opening.schema).layouts
            notes = opening.notes + choice.notes
        }
        try file.checkUnchanged()
    }

    /// Objects of entities that the model does not have, or says are abstract.
    public func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity] { unexplained }

    private static func unexplained(
        _ model: ManagedObjectModel, _ entities: StoreEntities, _ schema: SQLiteSchema,
        _ connection: borrowing SQLiteConnection
    ) -> [UnexplainedEntity] {
        var tables: [String: [Int64: Int]?] = [:]
        return entities.all.compactMap { entity in
            let table = entities.tableName(of: entity)
            guard model[entity.name]?.isAbstract != false, schema.tables[table]?.has("Z_ENT") == true else {
                return nil
            }
            // try?: a pass over the objects meets the same error and reports it
            let counts = tables[table] ?? (try? rowCounts(table, connection))
            tables[table] = .some(counts)
            if let counts, counts[Int64(entity.number)] == nil { return nil }
            return UnexplainedEntity(
                entity: entity.name, count: counts?[Int64(entity.number)],
                isAbstract: model[entity.name] != nil)
        }
    }

    /// The numbers of rows by Z_ENT.
    private static func rowCounts(
        _ table: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        var rows = try connection.prepare(
            "SELECT Z_ENT, count(*) FROM \(SQLiteName.quoted(table)) GROUP BY Z_ENT")
        while try rows.step() { counts[rows.integer(0) ?? -1, default: 0] += Int(rows.integer(1) ?? 0) }
        return counts
    }

    /// The entity names in the order of their numbers.
    public var entityNames: [String] { entities.all.map(\.name) }

    /// Whether the store has an entity with this name.
    public func hasEntity(_ name: String) -> Bool { entities[name] != nil }

    /// The names of an entity's properties. Without a model they are those of the columns, in upper case, and an entity
    /// has those of all entities of its table.
    public func propertyNames(of entity: String) -> Set<String> {
        guard let layout = layouts.first(where: { $0.entity.name == entity }) else { return [] }
        return Set(layout.attributes.map(\.name) + layout.relationships.map(\.name))
    }

    /// The number of objects of each entity, counted by SQLite. A table that is missing has none.
    public func objectCounts() throws(FileProblem) -> [EntityCount] {
        let connection = try file.connect()
        var counts: [Int64: Int] = [:]
        for entity in entities.all where entity.superentity == 0 {
            let table = entities.tableName(of: entity)
            guard tableNames.contains(table) else { continue }
            let rows = try file.run { () throws(SQLiteError) in try Self.rowCounts(table, connection) }
            counts.merge(rows) { $0 +| $1 }
        }
        try file.checkUnchanged()
        return entities.all.compactMap { entity in
            counts[Int64(entity.number)].map { EntityCount(entity: entity.name, count: $0) }
        }
    }

    /// Calls `body` with the objects table by table, in order of the primary key, and `onDamage` for a row that cannot
    /// be decoded.
    public func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let connection = try file.connect()
        if entity == nil {
            for problem in missingTables { try onDamage(problem) }
        }
        for layout in layouts where entity == nil || layout.entity.name == entity {
            guard tableNames.contains(layout.table) else {
                if entity != nil { try onDamage(missing(layout.table)) }
                continue
            }
            try pass(layout, sortedBy: [], connection, onDamage, body)
        }
        if entity == nil { try reportStrayRows(connection, onDamage) }
        try file.checkUnchanged()
    }

    /// Calls `body` with the objects of one entity, sorted by attributes, then by primary key, without to-many
    /// relationships.
    public func forEachObject(
        entity: String, sortedBy attributes: [String], onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let connection = try file.connect()
        for var layout in layouts where layout.entity.name == entity {
            guard tableNames.contains(layout.table) else { throw missing(layout.table) }
            layout.relationships.removeAll { if case .rows = $0.storage { true } else { false } }
            let columns = attributes.compactMap { name in layout.attributes.first { $0.name == name }?.column
            }
            try pass(layout, sortedBy: columns, connection, onDamage, body)
        }
        try file.checkUnchanged()
    }

    /// A problem for each entity, from the root, whose table is missing.
    public var missingTables: [FileProblem] {
        entities.all.filter { $0.superentity == 0 }.map { entities.tableName(of: $0) }
            .filter { !tableNames.contains($0) }.map(missing)
    }

    /// Whether the table of an entity exists; true for a name that is not an entity.
    public func hasTable(ofEntity name: String) -> Bool {
        entities[name].map { tableNames.contains(entities.tableName(of: $0)) } ?? true
    }

    func missing(_ table: String) -> FileProblem {
        FileProblem(.damaged, path: path, "a table is missing", expected: "the table \(table)", found: "none")
    }

    /// The complaints of SQLite's `PRAGMA quick_check`, at most ten; none for a sound database.
    public func quickCheck() throws(FileProblem) -> [String] {
        let connection = try file.connect()
        return try file.run { () throws(SQLiteError) in try connection.quickCheck() }
    }
}
