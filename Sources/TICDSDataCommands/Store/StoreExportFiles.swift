import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// One pass over a store that writes its objects into files, one at a time.
final class StoreExport {
    private let store: any PersistentStore
    private var entities: ExportedEntities
    private let targets: TargetNames
    private let query: ObjectQuery?
    private var skipsEmpty = false
    /// Whether data in a known form is written decoded, in JSON.
    var decodesData = false
    private let context: CommandContext
    private(set) var count = 0
    private(set) var unreadable = 0
    /// The number of values whose files of external data do not exist.
    private(set) var missingValues = 0
    private(set) var entitiesWithObjects = 0
    /// The number of keys without a row, which were omitted from an ordinary database.
    private(set) var cleared = 0

    init(
        _ store: any PersistentStore, _ entities: ExportedEntities, _ targets: TargetNames,
        _ query: ObjectQuery?, _ context: CommandContext
    ) {
        self.store = store
        self.entities = entities
        self.targets = targets
        self.query = query
        self.context = context
    }

    /// Omits entities without objects, and properties without a value in any object; this reads the objects once more.
    func skipEmpty() throws(FileProblem) {
        var used: [String: UsedProperties] = [:]
        for entity in entities.all {
            // The pass that writes the objects reports the unreadable ones.
            try pass(over: entity, onDamage: { _ in }) { object in
                used[entity.name, default: UsedProperties()].add(object)
            }
        }
        entities = entities.only(used)
        skipsEmpty = true
    }

    /// Whether the output is incomplete.
    private var isPartial = false

    /// The exit status: `partial` if an object could not be read or does not belong to the model.
    var status: ExitStatus { unreadable == 0 && !isPartial ? .success : .partial }

    /// Reports the missing parts of the output: rows that belong to no entity, missing tables, values whose files are
    /// missing; and objects of entities that the model does not have.
    func reportGaps() throws(FileProblem) {
        MissingExternalData.warn(missingValues, context)
        var problems = try store.problems(of: query?.entity)
        problems += (store as? SQLiteStore)?.missingTables ?? []
        try store.reportStrayRows { problems.append($0) }
        for problem in problems { context.report(problem) }
        isPartial = !problems.isEmpty || missingValues > 0 || !store.shortfalls.isEmpty
    }

    /// Writes a folder with a file for each entity.
    func writeCSV(toFolder folder: FilePath, forSpreadsheets: Bool) throws(FileProblem) {
        try NewFile.makeFolder(folder)
        var names = ExportFileNames()
        for entity in entities.all {
            let path = folder.appending(names.next(entity.name))
            try Self.create(path) { file throws(FileProblem) in
                try writeCSV(entity, to: file, at: path, forSpreadsheets)
            }
        }
    }

    /// Writes one file with the objects of the only entity.
    func writeCSV(to path: FilePath, forSpreadsheets: Bool) throws(FileProblem) {
        try Self.create(path) { file throws(FileProblem) in
            try writeCSV(to: file, at: path, forSpreadsheets: forSpreadsheets)
        }
    }

    /// Writes the objects of the only entity into an open file or pipe.
    func writeCSV(
        to file: FileDescriptor, at path: FilePath, forSpreadsheets: Bool
    ) throws(FileProblem) {
        for entity in entities.all { try writeCSV(entity, to: file, at: path, forSpreadsheets) }
    }

    private func writeCSV(
        _ entity: ExportedEntity, to file: FileDescriptor, at path: FilePath, _ forSpreadsheets: Bool
    ) throws(FileProblem) {
        var writer = CSVWriter(
            entity, to: file, at: path, targets: targets, isForSpreadsheets: forSpreadsheets,
            json: JSONWriter.text(of:))
        try forEachObject(of: entity) { (object) throws(FileProblem) in try writer.add(object) }
        try writer.finish()
    }

    /// - Parameters:
    ///   - syncID: the attribute that identifies objects.
    ///   - changes: passes the changes of a remote on, for a database with full-text search; nil for one without.
    /// - Returns: the tables for browsing such a database.
    @discardableResult
    func writeDatabase(
        to path: FilePath, syncID: String,
        changes: (((ExportedChange) throws(FileProblem) -> Void) throws -> Void)? = nil
    ) throws -> BrowsedTables? {
        let writer = try PlainDatabaseWriter(
            creating: path, entities, syncID: syncID, hasChanges: changes != nil,
            isBlind: store.model == nil, json: JSONWriter.text(of:))
        for entity in entities.all {
            try forEachObject(of: entity) { (object) throws(FileProblem) in try writer.add(object, of: entity)
            }
        }
        try changes? { (change) throws(FileProblem) in try writer.add(change) }
        let browsed = writer.browsedTables
        cleared = try writer.finish()
        if cleared > 0 {
            let keys =
                cleared == 1
                ? "1 key of a relationship leads to no object and was left out"
                : "\(Quantities.count(cleared)) keys of relationships lead to no object and were left out"
            context.warn("\(keys); ticds-store check names \(cleared == 1 ? "it" : "them")")
        }
        return browsed
    }

    static let keys = JSONType.names(["syncIDs", "primaryKeys"])

    /// Written below, object by object.
    static let object = JSONFields<Void>(home: "ticds.exportedObject/1") {
        $0("primaryKey", "", as: .shared("integer"))
        $0("attributes", "Values by name.", as: .map(.value))
        $0(
            "relationships",
            "Targets by name: one target or null, or an array; a sync ID is text, a primary key is a number.",
            as: .shared("relationships"))
    }
    static let lineSchema = JSONSchema<Void>(
        "ticds.exportedObject/1",
        "Written by ticds-store(1) `export` with `--format` `jsonl`: a line for each object."
    ) {
        $0("entity", "", as: .text)
        $0.include(object, \.self)
    }
    static let schema = JSONSchema<Void>(
        "ticds.export/1", "Written by ticds-store(1) `export` with `--format` `json`."
    ) {
        $0("storeUUID", "", as: .orNull(.text))
        $0("keys", "How relationships name objects.", as: keys)
        $0("entities", "The objects of each entity.", as: .map(.array(object.type)))
    }

    func writeJSON(_ form: ExportFormat, to path: FilePath) throws(FileProblem) {
        try Self.create(path) { file throws(FileProblem) in try writeJSON(form, to: file) }
    }

    /// Creates a file, and calls `body` with it.
    private static func create(
        _ path: FilePath, _ body: (FileDescriptor) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666))
            try file.closeAfter { try body(file) }
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem.writing(error, path: path)
        }
    }

    func writeJSON(_ form: ExportFormat, to file: FileDescriptor) throws(FileProblem) {
        var json = JSONWriter(file, layout: .compact)
        if form == .json {
            json.begin(Self.schema.name)
            json.field("storeUUID", store.metadata.uuid)
            json.field("keys", targets.areSyncIDs ? "syncIDs" : "primaryKeys")
            json.beginObject("entities")
        }
        for entity in entities.all {
            if form == .json { json.beginArray(entity.name) }
            try forEachObject(of: entity) { (object) throws(FileProblem) in
                json.beginObject()
                if form == .jsonl {
                    json.field("schema", Self.lineSchema.name)
                    json.field("entity", entity.name)
                }
                try add(object, entity, &json)
                json.endObject()
                if form == .jsonl { json.endLine() }
            }
            if form == .json { json.endArray() }
        }
        if form == .json {
            json.endObject()
            json.end()
        }
        try json.flush()
    }

    private func add(
        _ object: StoredObject, _ entity: ExportedEntity, _ json: inout JSONWriter
    ) throws(FileProblem) {
        json.field("primaryKey", object.primaryKey)
        json.beginObject("attributes")
        for attribute in object.attributes
        where !skipsEmpty || entity.attributes.contains(where: { $0.name == attribute.name }) {
            json.field(attribute.name, attribute.value, decodingData: decodesData)
        }
        json.endObject()
        json.beginObject("relationships")
        for relationship in entity.relationships {
            switch object.target(relationship.name) {
            case .toOne(nil): json.field(relationship.name, String?.none)
            case .toOne(let key?):
                json.key(relationship.name)
                json.value(try targets.name(key, relationship))
            case .toMany(let keys):
                json.beginArray(relationship.name)
                for key in keys { json.value(try targets.name(key, relationship)) }
                json.endArray()
            }
        }
        json.endObject()
    }

    private func forEachObject(
        of entity: ExportedEntity, _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let before = count
        try pass(
            over: entity,
            onDamage: { problem throws(FileProblem) in
                context.report(problem)
                unreadable += 1
            },
            { (object) throws(FileProblem) in
                try body(object)
                count += 1
                missingValues += object.missingExternalFiles
            })
        if count > before { entitiesWithObjects += 1 }
    }

    /// Calls `body` with the wanted objects of an entity.
    private func pass(
        over entity: ExportedEntity, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        // `reportGaps` reports a missing table.
        if let store = store as? SQLiteStore, !store.hasTable(ofEntity: entity.name) { return }
        func report(_ problem: FileProblem) throws(FileProblem) {
            guard problem.kind != .changedWhileReading else { throw problem }
            try onDamage(problem)
        }
        if let query {
            try query.forEachObject(of: store, onDamage: report, body)
        } else {
            try store.forEachObject(entity: entity.name, onDamage: report, body)
        }
    }
}

extension JSONWriter {
    /// Writes a sync ID as text, a primary key as a number.
    fileprivate mutating func value(_ name: TargetNames.Name) {
        switch name {
        case .syncID(let id): value(id)
        case .primaryKey(let key): value(key)
        }
    }
}
