import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes a new Core Data SQLite store as Core Data 358 to 519 does: with a rollback journal, without model cache
/// (core-data-sqlite-store(5), 2.3, 3, 5 and 8).
///
/// Without `finish`, the file is not a store; remove it. The writer does not call fsync(2).
public struct SQLiteStoreWriter: ~Copyable {
    let connection: SQLiteConnection
    let path: FilePath
    let schema: NewStoreSchema
    private let metadata: (uuid: ArchivedUUID, frameworkVersion: Int, more: [ArchivedPair])
    private var inserters: [String: ObjectInserter] = [:]
    /// The inserter of the last object.
    private var inserter: ObjectInserter?
    var notes: LinkNotes
    /// Writes large values to files beside the store; nil to keep them in the rows.
    package var files: ExternalDataWriter?
    /// The highest primary key, by number of the root entity.
    private var highestKeys: [Int: Int64] = [:]

    /// Creates the file, which must not exist, and its empty tables. Throws `.refused` for a model with derived or
    /// composite attributes, or to-many relationships with a transient inverse.
    /// - Parameter appPairs: further metadata, which are property lists.
    public init(
        creating path: FilePath, model: ManagedObjectModel, uuid: ArchivedUUID = .random(),
        frameworkVersion: Int = 419, appPairs: [ArchivedPair] = []
    ) throws(FileProblem) {
        if let problem = model.firstProblem ?? model.problemOfWriting {
            throw FileProblem(
                .refused, path: path, "no store can be made for this model", found: problem,
                advice: "Use the model of the app, as it stands in its folder")
        }
        let entities = try StoreEntities(model.numberedEntities) {
            FileProblem(
                .refused, path: path, "no store can be made for this model", found: $0,
                advice: "Use the model of the app, as it stands in its folder")
        }
        let schema = NewStoreSchema(ColumnNames(model: model, entities: entities))
        // SQLite takes a time that grows with the square of the number of tables; and no reader here takes more.
        let most = SQLiteSchema.tableLimit
        let tables = schema.tables.count + schema.joins.count  // bounded: by a model in memory
        guard tables <= most, schema.parts.count + schema.joins.count <= most else {
            throw FileProblem(
                .limit, path: path,
                "a store of this model would have more tables and indexes than can be read",
                expected: "at most \(most)",
                found: tables > most ? "\(tables) tables" : "more, with the indexes",
                advice: "Choose a binary or XML store with --type")
        }
        let connection = try Self.create(path, schema)
        notes = try SQLiteError.at(path) { () throws(SQLiteError) in try LinkNotes(schema, connection) }
        self.connection = connection
        self.path = path
        self.schema = schema
        metadata = (uuid, frameworkVersion, appPairs)
    }

    private static func create(_ path: FilePath, _ schema: NewStoreSchema) throws(FileProblem)
        -> SQLiteConnection
    {
        do {
            let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .noFollow, .closeOnExec]
            let permissions = FilePermissions(rawValue: 0o666)
            try FileDescriptor.open(path, .writeOnly, options: options, permissions: permissions).close()
        } catch {
            throw FileProblem(.writeFailed, path: path, "the store cannot be made", found: "\(error)")
        }
        return try SQLiteError.at(path) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite)
            let settings = ["page_size = 4096", "auto_vacuum = 2", "journal_mode = OFF", "synchronous = OFF"]
            for setting in settings { try connection.execute("PRAGMA \(setting)") }
            try connection.execute("BEGIN")
            // Indexes come after the rows, which is faster.
            for part in schema.parts where !part.isIndex { try connection.execute(part.statement) }
            return connection
        }
    }

    /// The lowest key that no object of the entity's root has.
    public func nextPrimaryKey(of entity: String) -> Int64 {
        (schema.names.entities[entity].flatMap { highestKeys[$0.root] } ?? 0) +| 1
    }

    /// Inserts an object with its primary key. Attributes that it lacks get the default of the model.
    ///
    /// A relationship may be set on one side or on both; `finish` completes the other side. Its targets may be inserted
    /// later.
    public mutating func insert(_ object: StoredObject) throws(FileProblem) {
        let inserter = try inserter(of: object.entity)
        guard object.primaryKey > 0 else {
            throw refused(
                "an object of entity “\(object.entity)” has no primary key", found: "\(object.primaryKey)")
        }
        try inserter.insert(object, &notes, &files)
        let root = inserter.entity.root
        if object.primaryKey > highestKeys[root] ?? 0 { highestKeys[root] = object.primaryKey }
    }

    private mutating func inserter(of name: String) throws(FileProblem) -> ObjectInserter {
        if let inserter, inserter.entity.name == name { return inserter }
        guard let entity = schema.names.entities[name], schema.names.model[name]?.isAbstract == false else {
            throw refused("no objects of entity “\(name)” can be", found: nil)
        }
        let found: ObjectInserter
        if let known = inserters[name] {
            found = known
        } else {
            found = try ObjectInserter(entity, schema, connection, path)
        }
        inserters[name] = found
        inserter = found
        return found
    }

    /// Completes relationships, writes the highest keys and the metadata, and closes the store.
    public consuming func finish() throws(FileProblem) {
        inserters = [:]
        inserter = nil
        let path = path
        do throws(SQLiteError) {
            try notes.flush(connection)
        } catch {
            throw error.problem(with: path)
        }
        try LinkFinisher(schema: schema, path: path).finish(connection, notes)
        do throws(SQLiteError) {
            try writePrimaryKeys()
            try writeMetadata(try metadataBytes())
            try connection.execute("DROP TABLE temp.pending")
            try orderSchema()
            try connection.execute("COMMIT")
        } catch {
            throw error.problem(with: path)
        }
    }

    /// Gives the tables and indexes in the schema the order in which Core Data makes them.
    private func orderSchema() throws(SQLiteError) {
        let parts = schema.parts
        guard parts.contains(where: \.isIndex) else { return }
        let order = Dictionary(parts.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let rows = try connection.rows("SELECT rowid, name, tbl_name FROM sqlite_master ORDER BY rowid") {
            row in
            // An index that SQLite makes for a constraint follows its table.
            (row.integer(0), order[row.text(1) ?? ""] ?? order[row.text(2) ?? ""] ?? parts.count)
        }
        connection.allowSchemaChanges(true)
        defer { connection.allowSchemaChanges(false) }
        var move = try connection.prepare("UPDATE sqlite_master SET rowid = ?1 WHERE rowid = ?2")
        let sorted = rows.sorted { ($0.1, $0.0 ?? 0) < ($1.1, $1.0 ?? 0) }
        // bounded: numbers of rows in memory
        for (place, row) in sorted.enumerated() { try move.run(Int64(rows.count + place + 1), row.0) }
        for place in 1...rows.count { try move.run(Int64(place), Int64(rows.count + place)) }
    }

    private func refused(_ problem: String, found: String?) -> FileProblem {
        FileProblem(
            .refused, path: path, problem, found: found,
            advice: "Use the model of the app, as it stands in its folder")
    }

    private func writePrimaryKeys() throws(SQLiteError) {
        var row = try connection.prepare("INSERT INTO Z_PRIMARYKEY VALUES (?1, ?2, ?3, ?4)")
        for entity in schema.names.entities.all {
            row.bind(Int64(entity.number), at: 1)
            try row.bind(entity.name, at: 2)
            row.bind(Int64(entity.superentity), at: 3)
            row.bind(entity.superentity == 0 ? highestKeys[entity.number] ?? 0 : 0, at: 4)
            try row.run()
        }
    }

    private func writeMetadata(_ list: [UInt8]) throws(SQLiteError) {
        var row = try connection.prepare("INSERT INTO Z_METADATA VALUES (1, ?1, ?2)")
        try row.bind(metadata.uuid.description, at: 1)
        try row.bind(list, at: 2)
        try row.run()
    }

    private func metadataBytes() throws(SQLiteError) -> [UInt8] {
        let list = schema.names.model.metadata(
            metadata.frameworkVersion, [("NSStoreType", "SQLite"), ("_NSAutoVacuumLevel", "2")],
            metadata.more)
        do throws(PropertyListError) {
            return try BinaryPropertyListWriter.bytes(of: list)
        } catch {
            throw SQLiteError(code: 20, message: "metadata: \(error)")
        }
    }
}

extension ManagedObjectModel {
    /// The first property of the model that a new store cannot represent.
    var problemOfWriting: String? {
        if let problem = problemOfAttributes { return problem }
        var tables: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
        for entity in entities where entity.superentity == nil {
            guard tables.insert("Z" + entity.name.uppercased()).inserted else {
                return "another table has the name of the one of the entity \(entity.name)"
            }
        }
        for entity in entities {
            for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient
            {
                let name = "\(entity.name).\(relationship.name)"
                if inverse(of: relationship)?.relationship.isTransient == true {
                    return "the inverse of \(name) is transient"
                }
                if relationship.inverse == nil, entities.contains(where: { $0.superentity == entity.name }) {
                    return "\(name) has no inverse, and \(entity.name) has subentities"
                }
            }
        }
        return nil
    }

    /// The first attribute that a new store of any kind cannot represent.
    var problemOfAttributes: String? {
        for entity in entities {
            if let unread = entity.unreadProperties.first {
                return "\(entity.name).\(unread.name) cannot be read from the model: \(unread.problem)"
            }
            for attribute in entity.attributes where !attribute.isTransient {
                if attribute.isDerived { return "\(entity.name).\(attribute.name) is derived" }
                if !attribute.isStored {
                    return "\(entity.name).\(attribute.name) has the type \(attribute.type)"
                }
            }
        }
        return nil
    }
}
