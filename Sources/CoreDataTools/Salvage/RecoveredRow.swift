public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A row that was read without SQLite: present, deleted, or an old version.
public struct RecoveredRow: Sendable {
    /// The part of the files in which the row was found.
    public enum Source: String, Sendable, CaseIterable {
        /// In the tree of its table, as SQLite reads it.
        case live
        /// On a page in the list of free pages.
        case freelist
        /// In a free block between the rows of a page.
        case freeblock
        /// In the space before the rows of a page.
        case unallocated
        /// On a page that belongs to no tree, as in a damaged database.
        case orphan
        /// On a page in the write-ahead log that a later page replaced, or that was never committed.
        case log
        /// On a page in the database that the write-ahead log replaced, or that is after its end.
        case replaced
        /// On a page in the rollback journal.
        case journal
    }

    /// The state of the row.
    public enum State: String, Sendable, CaseIterable {
        /// The row is present.
        case live
        /// No present row has its primary key.
        case deleted
        /// A present row has its primary key and different values.
        case older
        /// The primary key is lost, a part of the table could not be read or may be missing, or the row is in the
        /// write-ahead log after the last readable commit.
        case unknown
    }

    /// The entity; nil for a row that is not an object.
    public var entity: String?
    /// The table in the store; nil if none matches.
    public var table: String?
    /// The primary key, or the number of the row; nil if it is lost.
    public var primaryKey: Int64?
    /// The values by the names of the model; for a row that is not an object, by the columns of its table, and without
    /// a table by their numbers from 0.
    public var attributes: [StoredAttribute]
    /// The to-one relationships of an object.
    public var relationships: [StoredRelationship]
    /// The state of the row.
    public var state: State
    /// The part of the files in which it was found.
    public var source: Source
    /// The file: the database, its write-ahead log or its rollback journal.
    public var file: FilePath
    /// The number of the page, from 1.
    public var page: Int
    /// The frame of the log, or the record of the journal, from 1; nil for the database.
    public var frame: Int?
    /// The offset in the file, in bytes.
    public var offset: Int
    /// Whether the whole record with its header is on a page of this table, nothing there contradicts it, and its texts
    /// are valid and without U+0000.
    public var isCertain: Bool
    /// Whether no value is lost, and no text of an uncertain row has control characters, which are a sign of
    /// overwriting.
    public var isComplete: Bool
    /// Whether this is an index entry: the values of some columns, then the number of the row.
    public var isIndexEntry: Bool
}

/// The contents of the files of a store: the numbers of pages and frames, and their kinds.
public struct RecoveryFacts: Sendable, Hashable {
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The number of pages.
    public var pages: Int
    /// The number of frames in the write-ahead log: `committed`, `uncommitted`, `earlier` and `broken`.
    public var frameCounts: [String: Int]
    /// The number of pages in the rollback journal.
    public var journalPages: Int
}

/// Reads the rows of an SQLite store that SQLite no longer reads: rows of damaged databases, deleted rows, and old
/// versions (core-data-sqlite-store(5)). It reads the files itself, and writes nothing.
public struct StoreRecovery {
    /// The metadata, if they could be read.
    public let metadata: StoreMetadata
    /// The model; nil if names and types come from the schema.
    public let model: ManagedObjectModel?
    /// The notes for readers of the rows.
    public private(set) var notes: [StoreNote] = []
    /// The path of the store.
    public var path: FilePath { source.path }
    /// The files that are read.
    public let facts: RecoveryFacts
    private let source: PageSource
    private let schema: RecoverySchema
    private let entities: StoreEntities
    let layouts: [EntityLayout]
    private let byNumber: [Int64: Int]
    private let decoder: RowDecoder
    private var openingProblems: [FileProblem] = []

    /// Opens the store at `path` with its log and journal. Without `model` it uses the model in Z_MODELCACHE, and without
    /// that the schema.
    /// - Throws: `.refused` if `model` does not match the store, `.damaged` if the file contains no page of a database,
    ///   and any error of reading the file.
    public init(
        _ path: FilePath, model given: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse,
        gaps: ExternalDataGaps = ExternalDataGaps()
    ) throws(FileProblem) {
        let source = try PageSource(path)
        var schema = try RecoverySchema(source)
        let tables = try CoreDataTables(source, schema)
        metadata = tables.metadata
        // try?: a file that SQLite cannot open is what this reads
        openingProblems = tables.problems + ((try? SQLiteStoreFile(path).shortfalls) ?? [])
        var model = given
        if let given {
            let choice = try ModelChoice(given, mismatch, of: tables.metadata, at: path)
            notes += choice.notes
        } else {
            model = tables.cachedModel
        }
        self.model = model
        var entities = tables.entities
        if entities == nil, let model {
            entities = try StoreEntities(model.numberedEntities) { found in
                FileProblem(
                    .damaged, path: path, "the model has two entities that exclude each other", found: found)
            }
        }
        if let model, let numbered = entities {
            entities = numbered.named(by: model, tables.metadata.versionHashes, schema.sqlite)
        }
        let named: StoreEntities
        if let entities {
            named = entities
        } else {
            named = try StoreEntities([]) { _ in
                FileProblem(.damaged, path: path, "neither the store nor the model names an entity")
            }
        }
        if schema.tables.isEmpty, let model { schema.add(model, named) }
        let sqlite = schema.sqlite
        if let model {
            let layout = ModelLayout(
                model: model, entities: named, schema: sqlite,
                unexplained: Set(named.all.map(\.name).filter { model[$0]?.isAbstract != false }))
            layouts = layout.layouts
            notes += [model.unreadNote].compactMap(\.self) + layout.notes
        } else {
            layouts = SchemaLayout(entities: named, schema: sqlite).layouts
            notes.append(
                StoreNote(
                    code: "namesGuessed",
                    text:
                        "no model: names are in capitals, and kinds of properties are guessed from the tables"
                ))
        }
        self.source = source
        self.schema = schema
        self.entities = named
        byNumber = Dictionary(
            layouts.enumerated().map { (Int64($0.element.entity.number), $0.offset) }
        ) { first, _ in first }
        var external = ExternalStorage(store: path)
        external.gaps = gaps
        decoder = RowDecoder(path: path, external: external)
        var frames: [String: Int] = [:]
        for frame in source.log?.frames ?? [] { frames[frame.state.rawValue, default: 0] += 1 }
        if source.log?.isCutOff == true {
            notes.append(
                StoreNote(
                    code: "logCutOff",
                    text:
                        "the write-ahead log ends within a transaction, as after a crash or in a copy that is not whole; its rows behind the last commit may be the present ones"
                ))
        }
        facts = RecoveryFacts(
            pageSize: source.pageSize, pages: source.pageCount, frameCounts: frames,
            journalPages: source.journal?.records.count ?? 0)
    }

    /// The names of the entities.
    public var entityNames: [String] { layouts.map(\.entity.name) }

    /// The entities and their properties, for exports.
    public var exported: ExportedEntities { ExportedEntities(layouts, model, entities) }

    /// Calls `body` with every row: first the rows of the tables, then rows on free pages and pages that belong to
    /// nothing, then old versions. A row that equals a present or earlier one is left out. Calls `onDamage` for
    /// unreadable parts.
    /// - Returns: the number of rows that were left out.
    @discardableResult
    public func forEachRow(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (RecoveredRow) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Int {
        for problem in openingProblems { try onDamage(problem) }
        var tables: [Int64: Int] = [:]
        let numbers = Dictionary(schema.tables.enumerated().map { ($0.element.name, $0.offset) }) {
            first, _ in
            first
        }
        for entity in entities.all { tables[Int64(entity.number)] = numbers[entities.tableName(of: entity)] }
        // The scan keeps the closures while it runs. `withoutActuallyEscaping` does not support typed errors.
        func failure(_ body: () throws(FileProblem) -> Void) -> FileProblem? {
            do throws(FileProblem) { try body() } catch { return error }
            return nil
        }
        func report(_ problem: FileProblem) -> FileProblem? {
            failure { () throws(FileProblem) in try onDamage(problem) }
        }
        func take(_ found: FoundRow) -> FileProblem? {
            failure { () throws(FileProblem) in try body(row(found)) }
        }
        let result: Result<Int, FileProblem> = withoutActuallyEscaping(report) { report in
            withoutActuallyEscaping(take) { take in
                let scan = RecoveryScan(
                    source, schema, tablesOfEntities: tables,
                    onDamage: { (problem) throws(FileProblem) in
                        if let error = report(problem) { throw error }
                    },
                    { (found) throws(FileProblem) in if let error = take(found) { throw error } })
                do throws(FileProblem) {
                    try scan.run()
                    return .success(scan.duplicates)
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private func row(_ found: FoundRow) -> RecoveredRow {
        let (file, frame) =
            switch found.place {
            case .database: (source.path, Int?.none)
            case .log(let frame): (source.log?.path ?? source.path, frame)
            case .journal(let record): (source.journal?.path ?? source.path, record)
            }
        var row = RecoveredRow(
            entity: nil, table: nil, primaryKey: found.rowid, attributes: [], relationships: [],
            state: found.state, source: found.source, file: file, page: found.page, frame: frame,
            offset: found.offset, isCertain: found.isCertain, isComplete: found.isComplete,
            isIndexEntry: found.isIndexEntry)
        var values = RecordRow(values: found.values, encoding: source.encoding)
        guard let number = found.table else {
            row.attributes = raw(values) { "\($0)" }
            return row
        }
        let table = schema.tables[number]
        row.table = table.name
        // The row was written before a column was added.
        if values.values.count < table.columns.count, table.defaults.count == table.columns.count {
            values.values += table.defaults[values.values.count...]
        }
        if let column = table.keyColumn, let key = found.rowid, values.values.indices.contains(column) {
            values.values[column] = .integer(key)
        }
        if let column = table.entityColumn, let entity = values.integer(column), let place = byNumber[entity],
            layouts[place].table == table.name
        {
            addObject(layouts[place], table, values, &row)
            return row
        }
        row.attributes = raw(values) { column in
            column < table.columns.count ? table.columns[column].name : "\(column)"
        }
        return row
    }

    private func addObject(
        _ layout: EntityLayout, _ table: TableDefinition, _ values: RecordRow, _ row: inout RecoveredRow
    ) {
        row.entity = layout.entity.name
        row.attributes.reserveCapacity(layout.attributes.count)
        for attribute in layout.attributes {
            guard let column = table.places[attribute.column] else { continue }
            row.attributes.append(
                StoredAttribute(
                    name: attribute.name, value: value(values, column, attribute, row.primaryKey ?? 0)))
        }
        for relationship in layout.relationships {
            guard case .column(let name) = relationship.storage, let column = table.places[name]
            else { continue }
            row.relationships.append(
                StoredRelationship(name: relationship.name, target: .toOne(values.integer(column))))
        }
    }

    /// The value in its type. A value of a different kind, and a value in a file that cannot be read, stay in their
    /// stored form.
    private func value(
        _ values: RecordRow, _ column: Int, _ attribute: EntityLayout.Attribute, _ key: Int64
    ) -> ArchivedValue {
        // try?: what does not fit the type is shown as it is stored
        let decoded = try? decoder.value(values, column, attribute, primaryKey: key)
        return decoded ?? stored(values, column)
    }

    private func stored(_ values: RecordRow, _ column: Int) -> ArchivedValue {
        decoder.raw(values, column) ?? .none
    }

    private func raw(_ values: RecordRow, _ name: (Int) -> String) -> [StoredAttribute] {
        values.values.indices.map { StoredAttribute(name: name($0), value: stored(values, $0)) }
    }
}
