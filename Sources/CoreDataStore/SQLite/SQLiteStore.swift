import Base
public import SystemCalls
public import SystemPackage

/// A Core Data SQLite store, opened for reading (core-data-sqlite-store(5)).
///
/// Every pass opens the file again and reads row by row. Nothing is written to the folder of the store.
public struct SQLiteStore: PersistentStore {
    /// The metadata of Core Data and the app (core-data-sqlite-store(5), 1.1).
    public let metadata: StoreMetadata
    /// The model; nil if names and types come from the schema.
    public let model: ManagedObjectModel?
    /// The notes for readers of the data.
    public let notes: [StoreNote]
    /// The reasons why a pass may miss rows or values, or read them twice: damaged pages, parts of a log that SQLite
    /// leaves out, and columns and tables that the model has and the store lacks. Each command that reads the store
    /// reports them.
    public let shortfalls: [FileProblem]
    /// What the tables lack of the model, in words.
    package let lacking: [String]
    package let file: SQLiteStoreFile
    /// The indexes that a query may use.
    let indexes: CheckedIndexes
    package var external: ExternalStorage
    /// Whether values of transformable attributes are the data of their transformers.
    var keepsTransformedData = false
    package let entities: StoreEntities
    package let layouts: [EntityLayout]
    /// The names of the tables.
    package let tableNames: Set<String>
    /// Tables with rows of objects that belong to no entity.
    package let strayTables: [String]
    private let unexplained: [UnexplainedEntity]
    /// The parts of the objects of some entities that are not shown.
    public let gaps: [StoreGap]

    /// The path by which the file was opened.
    public var path: FilePath { file.path }

    /// The store with the data of value transformers as values of transformable attributes.
    public func withTransformedData() -> any PersistentStore {
        var store = self
        store.keepsTransformedData = true
        return store
    }

    /// Opens a store. Without `model`, it uses the model in Z_MODELCACHE, and without that the schema.
    /// - Parameters:
    ///   - examines: whether to check the pages of all tables; false for a caller that reads no objects.
    ///   - admitsDamage: whether damaged metadata become one of the `gaps` rather than an error.
    public init(
        _ path: FilePath, model: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse,
        examines: Bool = true, admitsDamage: Bool = false
    ) throws(FileProblem) {
        let file = try SQLiteStoreFile(path)
        let connection = try file.connect()
        let opening = try StoreOpening(connection, file, admitsDamage: admitsDamage)
        let given = model
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
        let structure: StoreStructure
        var lost: [FileProblem] = []
        if let model = choice.model {
            unexplained = Self.unexplained(model, entities, schema, connection)
            let layout = ModelLayout(
                model: model, entities: entities, schema: schema,
                unexplained: Set(unexplained.map(\.entity)),
                isExact: !choice.notes.contains { ["modelMismatch", "modelUnproven"].contains($0.code) })
            layouts = layout.layouts
            if mismatch == .refuse, let given, let difference = layout.difference {
                try choice.refuseUnproven(given, opening.metadata, difference, at: path)
            }
            structure = examines ? StoreStructure(connection, file, layouts) : StoreStructure()
            notes =
                opening.notes + structure.notes + choice.notes + [model.unreadNote].compactMap(\.self)
                + layout.notes
            lacking = layout.lacking
            lost = layout.shortfalls(path)
            gaps =
                opening.gaps + Self.gaps(layout, connection, file)
                + JoinGaps(layouts, entities, schema, connection, file).gaps
        } else {
            unexplained = []
            lacking = []
            layouts = SchemaLayout(entities: entities, schema: opening.schema).layouts
            gaps = opening.gaps + JoinGaps(layouts, entities, schema, connection, file, isBlind: true).gaps
            structure = examines ? StoreStructure(connection, file, layouts) : StoreStructure()
            notes = opening.notes + structure.notes + choice.notes
        }
        shortfalls = file.shortfalls + structure.shortfalls + lost
        indexes = structure.indexes
        try file.checkUnchanged()
    }

    /// Objects of entities that the model does not have, or declares abstract.
    public func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity] { unexplained }

    /// The values in columns that the model does not explain, counted in one pass over each such table.
    private static func gaps(
        _ layout: ModelLayout, _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile
    ) -> [StoreGap] {
        layout.unknownColumns.compactMap { found in
            // try?: a pass over the objects meets the same error and reports it
            let counts = try? valueCounts(found.columns, found.table, found.entities, connection)
            let shown = zip(found.columns, counts ?? []).filter { $0.1 > 0 }
            if counts != nil, shown.isEmpty { return nil }
            let names = shown.isEmpty ? found.columns : shown.map(\.0)
            let list = names.listed(10)
            let count = shown.reduce(0) { $0 +| $1.1 }
            return StoreGap(
                entities: Set(found.entities.map(\.name)),
                problem: FileProblem(
                    .damaged, path: file.path,
                    "the model does not have columns of the table \(found.table), and their values are left out",
                    found: "\(list): \(counted(count, "value"))",
                    advice: "Name the version of the model with which the app last saved the store"))
        }
    }

    /// The numbers of values in columns of some entities' rows.
    private static func valueCounts(
        _ columns: [String], _ table: String, _ entities: [StoreEntity],
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [Int] {
        let wanted = columns.map { "count(\(SQLiteName.quoted($0)))" }.joined(separator: ", ")
        let numbers = entities.map { String($0.number) }.joined(separator: ", ")
        var row = try connection.prepare(
            "SELECT \(wanted) FROM \(SQLiteName.quoted(table)) NOT INDEXED WHERE Z_ENT IN (\(numbers))")
        guard try row.step() else { return columns.map { _ in 0 } }
        return columns.indices.map { Int(clamping: row.integer($0) ?? 0) }
    }

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
        var rows = try connection.prepare("SELECT Z_ENT FROM \(SQLiteName.quoted(table)) NOT INDEXED")
        var (last, count): (Int64, Int) = (-1, 0)
        while try rows.step() {
            let entity = rows.integer(0) ?? -1
            if entity != last {
                if count > 0 { counts[last, default: 0] += count }
                (last, count) = (entity, 0)
            }
            count += 1
        }
        if count > 0 { counts[last, default: 0] += count }
        return counts
    }

    /// The entity names in the order of their numbers.
    public var entityNames: [String] { entities.all.map(\.name) }

    /// Whether the store has an entity with this name.
    public func hasEntity(_ name: String) -> Bool { entities[name] != nil }

    /// The names of an entity's properties. Without a model they are those of the columns, in upper case, and an entity
    /// has the columns of all entities of its table.
    public func propertyNames(of entity: String) -> Set<String> {
        guard let layout = layouts.first(where: { $0.entity.name == entity }) else { return [] }
        return Set(layout.attributes.map(\.name) + layout.relationships.map(\.name))
    }

    /// The type of an attribute, without a model according to the declaration of its column; nil for any other
    /// property.
    public func attributeType(_ name: String, of entity: String) -> AttributeType? {
        layouts.first { $0.entity.name == entity }?.attributes.first { $0.name == name }?.type
    }

    /// The number of objects of each entity, counted by SQLite. A missing table has none.
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
        if entity == nil { try reportStrayRows(of: nil, connection, onDamage) }
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

    /// A problem for each root entity whose table is missing.
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

    /// The complaints of SQLite's `PRAGMA integrity_check`, at most ten; none for an intact database.
    public func integrityCheck() throws(FileProblem) -> [String] {
        let connection = try file.connect()
        return try file.run { () throws(SQLiteError) in try connection.integrityCheck() }
    }
}
