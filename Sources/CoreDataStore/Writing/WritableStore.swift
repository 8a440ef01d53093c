import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A Core Data SQLite store that objects are written to, all in one transaction (core-data-sqlite-store.md, 4).
///
/// The file must be the caller's own: a private copy or a new store, never one that an app has open. What was not
/// finished is no store any more: remove the file. Nothing is forced to disk.
public final class WritableStore {
    public let path: FilePath
    public let model: ManagedObjectModel
    /// Name of the attribute that identifies objects.
    public let identifier: String
    let connection: SQLiteConnection
    let entities: StoreEntities
    var finder = ObjectFinder()
    private var planner: WritingPlanner
    private var writable: [String: WritableEntity] = [:]
    private var families: [String: (root: Int, entities: Set<Int>)] = [:]
    private let keepsLog: Bool

    /// Opens the store for writing. Without `model` the store's own copy of it serves; without either, or where others
    /// than Core Data must not write (4.3 and 4.4), the store is refused.
    /// - Parameter identifier: the attribute by which `object(_:_:)` finds objects.
    public init(
        _ path: FilePath, model given: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse,
        identifier: String
    ) throws(FileProblem) {
        self.path = path
        self.identifier = identifier
        let connection = try Self.open(path)
        let keepsLog = try SQLiteStoreFile.hasLogHeader(path)
        try Self.prepare(connection, path)
        let file = try SQLiteStoreFile(path)
        let opening = try StoreOpening(connection, file)
        let choice = try opening.choose(given, .none, mismatch, connection)
        try WritingObstacle.check(opening, choice.model, connection, path)
        model = choice.model ?? ManagedObjectModel(entities: [])
        entities = opening.entities
        planner = WritingPlanner(ColumnNames(model: model, entities: entities), opening.schema, identifier)
        self.connection = connection
        self.keepsLog = keepsLog
        do throws(SQLiteError) { try self.connection.execute("BEGIN") } catch {
            throw error.problem(with: path)
        }
        try enterObjects()
    }

    private static func open(_ path: FilePath) throws(FileProblem) -> SQLiteConnection {
        do throws(SQLiteError) {
            return try SQLiteConnection(uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite)
        } catch {
            throw error.problem(with: path)
        }
    }

    /// Folds a write-ahead log into the main file: one file is easier to hand on.
    private static func prepare(
        _ connection: borrowing SQLiteConnection, _ path: FilePath
    ) throws(FileProblem) {
        do throws(SQLiteError) {
            for setting in ["journal_mode = DELETE", "synchronous = OFF", "cache_size = -65536"] {
                try connection.execute("PRAGMA \(setting)")
            }
        } catch {
            throw error.problem(with: path)
        }
    }

    /// Whether the store has an entity of this name, with a place for its objects.
    public func hasEntity(_ name: String) -> Bool { entities[name] != nil && model[name] != nil }

    /// The name of the object's own entity.
    public func entityName(of object: StoreObjectID) -> String? { entities[object.entity]?.name }

    /// The object of an entity, or of one that inherits from it, with this text in its identifying attribute; of
    /// several the one with the highest primary key.
    /// - Throws: `.unknownName` where there is no such entity.
    public func object(_ entity: String, _ text: String) throws(FileProblem) -> StoreObjectID? {
        guard let family = family(of: entity) else { throw unknown("there is no entity “\(entity)”") }
        return finder.object(ObjectFinder.key(text, root: family.root), of: family.entities)
    }

    /// Root and numbers of an entity and of all that inherit from it.
    func family(of entity: String) -> (root: Int, entities: Set<Int>)? {
        if let family = families[entity] { return family }
        guard let found = entities[entity], model[entity] != nil else { return nil }
        let family = (found.root, planner.descendants(of: found))
        families[entity] = family
        return family
    }

    /// How objects of a concrete entity are written.
    func writable(_ name: String) throws(FileProblem) -> WritableEntity {
        if let known = writable[name] { return known }
        guard let entity = entities[name], let description = model[name] else {
            throw unknown("there is no entity “\(name)”")
        }
        guard !description.isAbstract else {
            throw FileProblem(
                .refused, path: path, "the entity “\(name)” is abstract, no object can be of it")
        }
        do throws(SQLiteError) {
            let made = try planner.entity(entity, connection)
            writable[name] = made
            return made
        } catch {
            throw error.problem(with: path)
        }
    }

    func writable(_ object: StoreObjectID) throws(FileProblem) -> WritableEntity {
        try writable(entities[object.entity]?.name ?? "\(object.entity)")
    }

    func unknown(_ problem: String) -> FileProblem { FileProblem(.unknownName, path: path, problem) }

    /// Runs statements; a rule of the database that they break makes a refusal, anything else ends the work.
    func run<Result>(_ body: () throws(SQLiteError) -> Result) throws(FileProblem) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            guard error.primaryCode == 19 else { throw error.problem(with: path) }
            throw FileProblem(
                .refused, path: path, "the store's own rules forbid it", found: "\(error.message)")
        }
    }

    private func enterObjects() throws(FileProblem) {
        try run { () throws(SQLiteError) in
            for (root, table, column, numbers) in planner.identifierColumns() {
                let wanted = numbers.map(String.init).joined(separator: ", ")
                var rows = try connection.prepare(
                    "SELECT Z_PK, Z_ENT, \(SQLiteName.quoted(column)) FROM \(SQLiteName.quoted(table)) "
                        + "WHERE Z_ENT IN (\(wanted))")
                while try rows.step() {
                    guard let key = rows.integer(0), let entity = rows.integer(1), let text = rows.text(2)
                    else { continue }
                    finder.add(
                        ObjectFinder.key(text, root: root),
                        StoreObjectID(entity: Int(entity), primaryKey: key))
                }
            }
        }
    }

    /// Writes keys, counters and everything else to the file. The store can be opened by others once this object is
    /// gone.
    public func finish() throws(FileProblem) {
        let tables = planner.tables.values.sorted { $0.root.number < $1.root.number }
        try run { () throws(SQLiteError) in
            for table in tables { try table.finish(connection) }
            for index in planner.ownIndexes { try connection.execute("DROP INDEX \(index)") }
        }
        writable = [:]
        planner.forget()
        try run { () throws(SQLiteError) in
            try connection.execute("COMMIT")
            if keepsLog { try connection.execute("PRAGMA journal_mode = WAL") }
        }
    }
}
