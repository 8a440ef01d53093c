public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Reads what an export of a store wrote, also after people have edited it, and gives the objects for a new store.
///
/// Everything is checked before the first object is given: the values by the types of the model, the keys, the targets
/// of relationships, and that both sides of each relationship agree.
public struct StoreImport {
    /// The choices of the user.
    public struct Options: Sendable {
        /// How the files name the targets of relationships.
        public var keys = TargetNames.Choice.auto
        /// The attribute that identifies objects.
        public var syncID: String
        /// Sides of relationships that count where the two sides disagree: `Entity.relationship`, or `to-one`.
        public var preferred: [String] = []
        /// Whether CSV has an apostrophe before text that a spreadsheet would take for a formula.
        public var isForSpreadsheets = false
        /// Whether an empty field of a mandatory String in CSV is empty text.
        public var hasEmptyTexts = false
        /// Whether an object without a sync ID gets a random one.
        public var setsSyncIDs = false
        /// The kind of the new store, which decides how many digits numbers may have.
        public var kind = NewStore.Kind.sqlite
        /// Whether the nearest number takes the place of one with more digits than the store can contain.
        public var rounds = false

        /// The usual choices.
        /// - Parameter syncID: the attribute that identifies objects.
        public init(syncID: String) { self.syncID = syncID }
    }

    /// The forms of an export.
    public enum Form: String, Sendable, CaseIterable {
        /// A folder of CSV files, one document, a document of lines, or an ordinary database.
        case csv, json, jsonl, sqlite
    }

    private let stage: ImportStage
    private let schema: ImportSchema
    private let options: Options
    private let findings: ImportFindings
    /// The UUID of the exported store, if the source has it.
    public private(set) var storeUUID: ArchivedUUID?

    /// Reads and checks the source. ``problems`` has what does not fit.
    /// - Throws: an error about the source as a whole.
    public init(
        _ source: FilePath, _ form: Form, model: ManagedObjectModel, _ options: Options
    ) throws(FileProblem) {
        var schema = ImportSchema(model, syncID: options.syncID)
        for name in options.preferred where !schema.prefer(name) {
            throw FileProblem(
                .unknownName, path: source, "the model has no relationship “\(name)” with an inverse",
                expected: "Entity.relationship, or to-one", advice: "ticds-model show lists relationships")
        }
        if let link = schema.contradiction {
            throw FileProblem(
                .refused, path: source, "both sides of \(link.title) are to count",
                advice: "Choose one of the two")
        }
        self.schema = schema
        self.options = options
        findings = ImportFindings()
        stage = try ImportStage(schema, findings, options)
        storeUUID = try Self.read(source, form, stage, options)
        try ImportLinks(stage: stage, keys: options.keys).finish()
    }

    private static func read(
        _ source: FilePath, _ form: Form, _ stage: ImportStage, _ options: Options
    ) throws(FileProblem) -> ArchivedUUID? {
        let (schema, findings) = (stage.schema, stage.findings)
        func add(_ record: ImportRecord) throws(FileProblem) { try stage.add(record) }
        switch form {
        case .csv:
            let csv = CSVImport(
                schema: schema, findings: findings, isForSpreadsheets: options.isForSpreadsheets,
                hasEmptyTexts: options.hasEmptyTexts)
            try csv.forEachRecord(in: source, add)
        case .json:
            return try JSONImport(schema: schema, findings: findings).forEachRecord(in: source, add)
        case .jsonl:
            try JSONImport(schema: schema, findings: findings).forEachRecord(inLinesOf: source, add)
        case .sqlite:
            let plain = PlainDatabaseImport(schema: schema, findings: findings, syncID: options.syncID)
            try plain.forEachRecord(in: source, add) { (pair, file) throws(FileProblem) in
                try stage.add(pair, file)
            }
        }
        return nil
    }

    /// The problems, at most a thousand, in the order in which they were found.
    public var problems: [FileProblem] { findings.problems }
    /// The number of all problems.
    public var problemCount: Int { findings.count }
    /// Whether a problem concerns a whole file, so that nothing should be imported.
    public var hasFatalProblem: Bool { findings.fatal > 0 }
    /// Remarks about defaults, and about what was left out or counted.
    public var remarks: [String] { findings.texts }
    /// The number of objects.
    public var count: Int { stage.count }
    /// The number of objects that had no primary key, and got one.
    public var newObjects: Int { stage.newObjects }
    /// The number of objects that do not fit, and are left out.
    public var leftOut: Int { stage.bad }

    /// The numbers of objects that have no sync ID, although their entity has the attribute, and that got one.
    public struct SyncIDs: Sendable, Hashable {
        /// Objects without a sync ID.
        public var missing = 0
        /// Objects that got a random one.
        public var set = 0
    }

    /// Calls `body` with each object, in the order of entities and primary keys. Both sides of each relationship are
    /// set, and all attributes.
    public func forEachObject(
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) -> SyncIDs {
        var syncIDs = SyncIDs()
        var targets = try ScratchDatabase.prepare(
            """
            SELECT o.key FROM links l JOIN objects o ON o.n = l.target WHERE l.link = ?1 AND l.owner = ?2 \
            ORDER BY l.place IS NULL, l.place, o.key
            """, stage.connection, stage.path)
        var rows = try ScratchDatabase.prepare(
            "SELECT n, key, cells FROM objects WHERE entity = ?1 AND bad = 0 ORDER BY key", stage.connection,
            stage.path)
        for (number, entity) in schema.entities.enumerated() {
            rows.reset()
            rows.bind(Int64(number), at: 1)
            // ends: with the rows
            while try ScratchDatabase.run(stage.path, { () throws(SQLiteError) in try rows.step() }) {
                guard let n = rows.integer(0), let key = rows.integer(1),
                    let cells = rows.withBytes(2, { ImportCells.cells($0) }),
                    cells.count == entity.attributes.count
                else {
                    throw FileProblem(.damaged, path: stage.path, "a scratch file has changed")
                }
                var object = StoredObject(
                    entity: entity.name, primaryKey: key,
                    attributes: zip(entity.attributes, cells).map { attribute, cell in
                        StoredAttribute(name: attribute.name, value: ImportStage.value(cell, attribute))
                    }, relationships: [])
                setSyncID(&object, entity, &syncIDs)
                for link in entity.links {
                    let keys = try keys(&targets, Int64(link), n)
                    let isToMany = schema.links[link].isToMany
                    object.relationships.append(
                        StoredRelationship(
                            name: schema.links[link].name,
                            target: isToMany ? .toMany(keys) : .toOne(keys.first)))
                }
                try body(object)
            }
        }
        return syncIDs
    }

    private func setSyncID(_ object: inout StoredObject, _ entity: ImportSchema.Entity, _ ids: inout SyncIDs)
    {
        guard let position = entity.syncID else { return }
        if let text = object.attributes[position].value.stringValue, !text.isEmpty { return }
        if options.setsSyncIDs {
            object.attributes[position].value = .string(ArchivedUUID.random().description)
            ids.set += 1
        } else {
            ids.missing += 1
        }
    }

    private func keys(
        _ targets: inout SQLiteStatement, _ link: Int64, _ owner: Int64
    ) throws(FileProblem) -> [Int64] {
        targets.reset()
        targets.bind(link, at: 1)
        targets.bind(owner, at: 2)
        var keys: [Int64] = []
        // ends: with the rows
        while try ScratchDatabase.run(stage.path, { () throws(SQLiteError) in try targets.step() }) {
            if let key = targets.integer(0) { keys.append(key) }
        }
        targets.reset()
        return keys
    }
}
