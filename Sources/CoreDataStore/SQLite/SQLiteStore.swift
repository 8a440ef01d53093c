public import SystemCalls
public import SystemPackage

/// A Core Data SQLite store, open for reading (core-data-sqlite-store(5)).
///
/// Every pass opens the file anew and reads row by row; nothing is written to the store's folder.
public struct SQLiteStore: PersistentStore {
    /// What Core Data and the app noted about the store (core-data-sqlite-store(5), 1.1).
    public let metadata: StoreMetadata
    /// The model by which rows are read; nil where the schema alone tells.
    public let model: ManagedObjectModel?
    /// Where the model comes from.
    public let modelOrigin: ModelOrigin
    /// What a reader of the data must know.
    public let notes: [StoreNote]
    let file: SQLiteStoreFile
    let entities: StoreEntities
    let layouts: [EntityLayout]
    /// Names of the ordinary tables of the file.
    let tableNames: Set<String>

    /// The file, as it was named when it was opened.
    public var path: FilePath { file.path }

    /// Opens a store. Without `model` the store's own copy of it serves, and failing that what the tables tell.
    public init(
        _ path: FilePath, model: ManagedObjectModel? = nil, origin: ModelOrigin = .none,
        mismatch: ModelMismatch = .refuse
    ) throws(FileProblem) {
        let file = try SQLiteStoreFile(path)
        let connection = try file.connect()
        let opening = try StoreOpening(connection, file)
        let choice = try opening.choose(model, origin, mismatch, connection)
        self.file = file
        entities = opening.entities
        metadata = opening.metadata
        tableNames = Set(opening.schema.tables.keys)
        self.model = choice.model
        modelOrigin = choice.model == nil ? .none : choice.origin
        if let model = choice.model {
            let layout = ModelLayout(model: model, entities: entities, schema: opening.schema)
            layouts = layout.layouts
            notes = opening.notes + choice.notes + layout.notes
        } else {
            layouts = SchemaLayout(entities: entities, schema: opening.schema).layouts
            notes = opening.notes + choice.notes
        }
        try file.checkUnchanged()
    }

    /// The entities of the store, in the order of their numbers.
    public var entityNames: [String] { entities.all.map(\.name) }

    /// Whether the store has an entity of this name.
    public func hasEntity(_ name: String) -> Bool { entities[name] != nil }

    /// The names under which the properties of an entity are read; without a model they are those of the columns, in
    /// capitals, and an entity shows those of its whole family.
    public func propertyNames(of entity: String) -> Set<String> {
        guard let layout = layouts.first(where: { $0.entity.name == entity }) else { return [] }
        return Set(layout.attributes.map(\.name) + layout.relationships.map(\.name))
    }

    /// How many objects each entity has, counted by SQLite.
    public func objectCounts() throws(FileProblem) -> [EntityCount] {
        let connection = try file.connect()
        var counts: [Int64: Int] = [:]
        for entity in entities.all where entity.superentity == 0 {
            let table = entities.tableName(of: entity)
            guard tableNames.contains(table) else { throw missing(table) }
            do throws(SQLiteError) {
                var rows = try connection.prepare(
                    "SELECT Z_ENT, count(*) FROM \(SQLiteName.quoted(table)) GROUP BY Z_ENT")
                while try rows.step() {
                    counts[rows.integer(0) ?? -1, default: 0] += Int(rows.integer(1) ?? 0)
                }
            } catch {
                throw file.problem(error)
            }
        }
        try file.checkUnchanged()
        return entities.all.compactMap { entity in
            counts[Int64(entity.number)].map { EntityCount(entity: entity.name, count: $0) }
        }
    }

    /// Hands out the objects table by table, in order of the primary key. A row that cannot be decoded goes
    /// to `onDamage`.
    public func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let connection = try file.connect()
        for layout in layouts where entity == nil || layout.entity.name == entity {
            guard tableNames.contains(layout.table) else {
                try onDamage(missing(layout.table))
                continue
            }
            try pass(layout, sortedBy: [], connection, onDamage, body)
        }
        if entity == nil { try reportStrayRows(connection, onDamage) }
        try file.checkUnchanged()
    }

    /// Hands out the objects of one entity, sorted by attributes and then by primary key. To-many relationships are
    /// left out of them.
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

    func missing(_ table: String) -> FileProblem {
        FileProblem(.damaged, path: path, "a table is missing", expected: "the table \(table)", found: "none")
    }
}

extension SQLiteStore {
    /// What SQLite finds broken, at most ten complaints; none for a sound database.
    public func quickCheck() throws(FileProblem) -> [String] {
        let connection = try file.connect()
        do throws(SQLiteError) {
            return try connection.quickCheck()
        } catch {
            throw file.problem(error)
        }
    }
}
