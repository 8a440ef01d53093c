public import SystemCalls
public import SystemPackage

/// A Core Data SQLite store that is edited in one transaction (core-data-sqlite-store(5), 4).
///
/// The file must belong to the caller: a private copy or a new store, never one that an app has open. Without
/// `finish()` it is not a valid store; remove it. This class does not call fsync(2). For a store that other programs
/// may have open, use `init(live:base:model:identifier:lockWait:)`.
public final class WritableStore {
    /// The path of the file.
    public let path: FilePath
    /// The model of the store.
    public let model: ManagedObjectModel
    /// The name of the identifying attribute.
    public let identifier: String
    let connection: SQLiteConnection
    let entities: StoreEntities
    let schema: SQLiteSchema
    /// Whether a base is attached and other programs may have the store open.
    let isLive: Bool
    private var finder: ObjectFinder?
    private(set) var layout: WritableLayout
    private var writable: [String: WritableEntity] = [:]
    private var families: [String: (root: Int, entities: Set<Int>)] = [:]
    private let keepsLog: Bool

    /// Opens the store for writing. Without `model`, it uses the model in Z_MODELCACHE. It refuses a store without a
    /// model, and a store that only Core Data may write to (core-data-sqlite-store(5), 4.3 and 4.4).
    /// - Parameter identifier: the attribute by which `object(_:_:)` finds objects.
    public convenience init(
        _ path: FilePath, model given: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse,
        identifier: String
    ) throws(FileProblem) {
        let connection = try Self.open(path)
        let keepsLog = try SQLiteStoreFile.hasLogHeader(path)
        try Self.prepare(connection, path)
        let opening = try StoreOpening(connection, SQLiteStoreFile(path))
        let choice = try opening.choose(given, mismatch, connection)
        let model = try WriteCheck.check(opening, choice.model, connection, path, pages: true)
        try SQLiteError.at(path) { () throws(SQLiteError) in try connection.execute("BEGIN") }
        self.init(path, connection, opening, model, identifier, keepsLog: keepsLog, isLive: false)
    }

    /// A store with an open transaction.
    init(
        _ path: FilePath, _ connection: consuming SQLiteConnection, _ opening: StoreOpening,
        _ model: ManagedObjectModel, _ identifier: String, keepsLog: Bool, isLive: Bool
    ) {
        self.path = path
        self.model = model
        self.identifier = identifier
        self.connection = connection
        self.keepsLog = keepsLog
        self.isLive = isLive
        entities = opening.entities
        schema = opening.schema
        layout = WritableLayout(ColumnNames(model: model, entities: entities), schema, identifier)
    }

    private static func open(_ path: FilePath) throws(FileProblem) -> SQLiteConnection {
        _ = try PendingFiles(of: path)
        return try SQLiteError.at(path) { () throws(SQLiteError) in
            try SQLiteConnection(uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite)
        }
    }

    /// Moves a write-ahead log into the main file, so that the store is one file.
    private static func prepare(
        _ connection: borrowing SQLiteConnection, _ path: FilePath
    ) throws(FileProblem) {
        try SQLiteError.at(path) { () throws(SQLiteError) in
            for setting in ["journal_mode = DELETE", "synchronous = OFF", "cache_size = -65536"] {
                try connection.execute("PRAGMA \(setting)")
            }
        }
    }

    /// Whether the store and the model have an entity with this name.
    public func hasEntity(_ name: String) -> Bool { entities[name] != nil && model[name] != nil }

    /// The name of an object's entity.
    public func entityName(of object: StoreObjectID) -> String? { entities[object.entity]?.name }

    /// The object of an entity or a subentity with this identifier; if several have it, the one with the highest
    /// primary key.
    /// - Throws: `.unknownName` if the entity does not exist.
    public func object(_ entity: String, _ text: String) throws(FileProblem) -> StoreObjectID? {
        guard let family = family(of: entity) else { throw unknown("there is no entity “\(entity)”") }
        return try filledFinder().object(ObjectFinder.key(text, root: family.root), of: family.entities)
    }

    /// The root and the numbers of an entity and all its subentities.
    func family(of entity: String) -> (root: Int, entities: Set<Int>)? {
        if let family = families[entity] { return family }
        guard let found = entities[entity], model[entity] != nil else { return nil }
        let family = (found.root, layout.descendants(of: found))
        families[entity] = family
        return family
    }

    /// The statements for objects of a concrete entity.
    func writable(_ name: String) throws(FileProblem) -> WritableEntity {
        if let known = writable[name] { return known }
        guard let entity = entities[name], let description = model[name] else {
            throw unknown("there is no entity “\(name)”")
        }
        guard !description.isAbstract else {
            throw FileProblem(
                .refused, path: path, "the entity “\(name)” is abstract, and cannot have objects",
                advice: "Compare the model with the one of the app: ticds-model show")
        }
        let made = try SQLiteError.at(path) { () throws(SQLiteError) in
            try layout.entity(entity, connection)
        }
        writable[name] = made
        return made
    }

    func writable(_ object: StoreObjectID) throws(FileProblem) -> WritableEntity {
        try writable(entities[object.entity]?.name ?? "\(object.entity)")
    }

    func unknown(_ problem: String) -> FileProblem { FileProblem(.unknownName, path: path, problem) }

    /// Runs statements. A violated constraint becomes `.refused`.
    func run<Result>(_ body: () throws(SQLiteError) -> Result) throws(FileProblem) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            guard error.primaryCode == 19 else { throw error.problem(with: path) }
            throw FileProblem(
                .refused, path: path, "the store's own rules forbid it", found: "\(error.message)",
                advice: "Look at the rows that it names with sqlite3")
        }
    }

    /// Adds an object to the index of identifiers.
    func addIdentifier(_ text: String, root: Int, _ object: StoreObjectID) {
        finder?.add(ObjectFinder.key(text, root: root), object)
    }

    /// Removes an object from the index of identifiers.
    func removeIdentifier(_ text: String, root: Int, _ object: StoreObjectID) {
        finder?.remove(ObjectFinder.key(text, root: root), object)
    }

    /// Discards all known facts about rows, so that they are read again.
    func discardRows() throws(FileProblem) {
        try writeCounters()
        finder = nil
        writable = [:]
        layout.discardStatements()
    }

    /// The index of identifiers, which is built at the first use.
    private func filledFinder() throws(FileProblem) -> ObjectFinder {
        if let finder { return finder }
        var filled = ObjectFinder()
        try run { () throws(SQLiteError) in
            for (root, table, column, numbers) in layout.identifierColumns() {
                let wanted = numbers.map(String.init).joined(separator: ", ")
                var rows = try connection.prepare(
                    "SELECT Z_PK, Z_ENT, \(SQLiteName.quoted(column)) FROM \(SQLiteName.quoted(table)) "
                        + "NOT INDEXED WHERE Z_ENT IN (\(wanted))")
                while try rows.step() {
                    guard let key = rows.integer(0), let entity = rows.integer(1), let text = rows.text(2)
                    else { continue }
                    filled.add(
                        ObjectFinder.key(text, root: root),
                        StoreObjectID(entity: Int(entity), primaryKey: key))
                }
            }
        }
        finder = filled
        return filled
    }

    /// Writes version counters and highest keys.
    func writeCounters() throws(FileProblem) {
        let tables = layout.tables.values.sorted { $0.root.number < $1.root.number }
        try run { () throws(SQLiteError) in
            for table in tables { try table.finish(connection) }
        }
    }

    /// Commits. Other programs can open the store when this object has been freed.
    /// - Throws: `.refused` if another program reads a live store for too long; then nothing is written, and a second
    ///   call may succeed.
    public func finish() throws(FileProblem) {
        try writeCounters()
        writable = [:]
        layout.discardStatements()
        try run { () throws(SQLiteError) in try layout.dropIndexes(connection) }
        do throws(SQLiteError) {
            try connection.execute("COMMIT")
            if keepsLog { try connection.execute("PRAGMA journal_mode = WAL") }
        } catch {
            throw LiveStore.problem(error, path)
        }
    }

    /// Reverts all changes. This object cannot be used afterwards.
    public func rollBack() throws(FileProblem) {
        writable = [:]
        finder = nil
        layout.discardStatements()
        try run { () throws(SQLiteError) in try connection.execute("ROLLBACK") }
    }

    /// The names of the files of external data that the store refers to (core-data-sqlite-store(5), 2.4). This object
    /// writes values only into the store.
    public func externalFiles() throws(FileProblem) -> Set<String> {
        var names: Set<String> = []
        for entity in entities.all where model[entity.name]?.isAbstract == false {
            let writable = try writable(entity.name)
            for attribute in writable.attributes where attribute.description.allowsExternalStorage {
                let column = SQLiteName.quoted(attribute.column)
                try run { () throws(SQLiteError) in
                    var rows = try connection.prepare(
                        "SELECT CAST(substr(\(column), 2, 36) AS TEXT) FROM \(SQLiteName.quoted(writable.table.name)) "
                            + "NOT INDEXED WHERE Z_ENT = ?1 AND length(\(column)) = 38 AND substr(\(column), 1, 1) = x'02'"
                    )
                    rows.bind(Int64(entity.number), at: 1)
                    while try rows.step() {
                        guard let name = rows.text(0), !name.contains("/"), !name.hasPrefix(".") else {
                            continue
                        }
                        names.insert(name)
                    }
                }
            }
        }
        return names
    }
}
