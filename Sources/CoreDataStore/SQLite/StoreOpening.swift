import Base
import KeyedArchive
import SystemCalls

/// The parts that are read before the objects: schema, entities, metadata and the model.
struct StoreOpening {
    let schema: SQLiteSchema
    let entities: StoreEntities
    let metadata: StoreMetadata
    private(set) var notes: [StoreNote] = []
    private(set) var gaps: [StoreGap] = []
    private let file: SQLiteStoreFile

    /// - Parameter admitsDamage: whether damaged metadata become a gap rather than an error.
    init(
        _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile, admitsDamage: Bool = false
    ) throws(FileProblem) {
        self.file = file
        schema = try file.run { () throws(SQLiteError) in try SQLiteSchema(connection) }
        guard schema.tables["Z_METADATA"] != nil, schema.tables["Z_PRIMARYKEY"] != nil else {
            throw FileProblem(
                .unsupported, path: file.path, "an SQLite database, but not a Core Data store",
                expected: "the tables Z_METADATA and Z_PRIMARYKEY",
                found: "\(schema.tables.count) tables of other names", advice: "Look at it with sqlite3")
        }
        let entities = try StoreEntities(connection, file)
        var columns = 0
        for entity in entities.all {
            columns += schema.tables[entities.tableName(of: entity)]?.columns.count ?? 0
        }
        self.entities = entities
        guard columns <= 1_000_000 else {
            throw FileProblem(
                .limit, path: file.path, "too many columns", expected: "1,000,000", found: "\(columns)")
        }
        let problem: FileProblem?
        (metadata, problem) = try Self.metadata(connection, file)
        if let problem {
            guard admitsDamage else { throw problem }
            gaps.append(StoreGap(entities: nil, problem: problem))
        } else if metadata.all == .none {
            notes.append(
                StoreNote(
                    code: "metadataMissing", text: "the store has no metadata, and so no version hashes"))
        }
        if file.isWriteAheadLogMissing {
            let text =
                "the store keeps a write-ahead log, but there is none beside it: changes may be missing"
            notes.append(StoreNote(code: "walMissing", text: text))
        }
    }

    private static func metadata(
        _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile
    ) throws(FileProblem) -> (StoreMetadata, damage: FileProblem?) {
        var uuid: String?
        var list: [UInt8]?
        do throws(SQLiteError) {
            var row = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
            guard try row.step() else { return (StoreMetadata(.none), nil) }
            uuid = row.text(0)
            list = row.blob(1)
        } catch {
            throw file.problem(error)
        }
        guard let list else { return (StoreMetadata(.none, uuid: uuid), nil) }
        do throws(PropertyListError) {
            return (StoreMetadata(try BinaryPropertyList(SharedBytes(list)).value(), uuid: uuid), nil)
        } catch {
            let problem = FileProblem(
                .damaged, path: file.path, "the metadata in Z_METADATA are no binary property list",
                expected: error.expected, found: error.found,
                advice: "No version hashes tell which model fits; name the model with --model")
            return (StoreMetadata(.none, uuid: uuid), problem)
        }
    }

    /// The given model, if it matches the store; otherwise the cached model; otherwise none.
    func choose(
        _ given: ManagedObjectModel?, _ mismatch: ModelMismatch, _ connection: borrowing SQLiteConnection
    ) throws(FileProblem) -> ModelChoice {
        if let given { return try ModelChoice(given, mismatch, of: metadata, at: file.path) }
        var notes: [StoreNote] = []
        if let bytes = try cachedModel(connection) {
            do throws(FileProblem) {
                return ModelChoice(model: try model(inflating: bytes))
            } catch {
                let problem = (error.offset.map { "offset \($0): " } ?? "") + error.problem
                let text = "the model that the store carries in itself cannot be read: \(problem)"
                notes.append(StoreNote(code: "modelCacheUnreadable", text: text))
            }
        }
        let text = "no model: names are in capitals, and kinds of properties are guessed from the tables"
        notes.append(StoreNote(code: "namesGuessed", text: text))
        return ModelChoice(model: nil, notes: notes)
    }

    private func cachedModel(_ connection: borrowing SQLiteConnection) throws(FileProblem) -> [UInt8]? {
        guard schema.tables["Z_MODELCACHE"]?.has("Z_CONTENT") == true else { return nil }
        return try file.run { () throws(SQLiteError) in
            var row = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
            return try row.step() ? row.blob(0) : nil
        }
    }

    private func model(inflating bytes: [UInt8]) throws(FileProblem) -> ManagedObjectModel {
        let archive = try RawDeflate.inflate(SharedBytes(bytes), limit: 64 << 20, path: file.path)
        return try ManagedObjectModel.decoded(file.path) { () throws(PropertyListError) in
            try CompiledModelReader.model(archive)
        }
    }
}
