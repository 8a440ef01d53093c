import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// `ticds-store export --history`: the changes of a remote beside the objects of a store.
extension StoreExportCommand {
    /// The store; with `--remote` the options that choose a document belong to the remote.
    func openStore(_ context: CommandContext) throws -> OpenedStore {
        guard remote != nil else {
            do {
                return try options.open(store, of: place, context)
            } catch var problem as FileProblem where problem.kind == .ambiguous {
                problem.advice = problem.advice.map { $0 + "; --newest exports the newest state" }
                throw problem
            }
        }
        guard place.clients.clients.isEmpty else {
            throw ValidationError("--client chooses a store of a REMOTE; with --remote the store is named.")
        }
        let path = Environment.path(argument: store)
        return try options.open(opened: try StoreFile(path, options.password), context)
    }

    /// Writes the database, and the file for Datasette.
    /// - Returns: `partial` if changes could not be read.
    func writeHistory(
        _ export: StoreExport, to path: FilePath, named target: FilePath, _ context: CommandContext
    ) throws -> (ExitStatus, AtomicOutput?) {
        var status = ExitStatus.success
        let description = try metadata.map { name in
            try AtomicOutput(try OutputTarget.path(name), isReplacing: force)
        }
        let browsed = try export.writeDatabase(to: path, syncID: syncID) { add in
            status = try passChanges(to: add, context)
        }
        if let description, let browsed {
            try DatasetteMetadata(browsed, target, isWhole: status == .success).write(to: description.path)
        }
        return (status, description)
    }

    private func passChanges(to add: (ExportedChange) throws(FileProblem) -> Void, _ context: CommandContext)
        throws -> ExitStatus
    {
        guard let (address, document) = try changesPlace() else {
            context.warn(
                "the store is in no remote, and the table of changes is empty; name one with --remote")
            return .success
        }
        let opened = try OpenRemote(address, options.password, context)
        let keyring = try opened.keyring()
        let names = opened.clientNames(keyring).part
        var status = ExitStatus.success
        func onDamage(_ problem: FileProblem) throws(FileProblem) {
            if problem.kind == .writeFailed { throw problem }
            context.report(problem)
            status = .partial
        }
        let absent = Set(opened.snapshot.absentFiles.map { $0.path.filePath(under: opened.path) })
        let histories = try opened.histories(document)
        for history in histories {
            try history.forEachRecord(
                in: opened.storage, keyring,
                onDamage: { problem throws(FileProblem) in
                    if !absent.contains(problem.path) { try onDamage(problem) }
                },
                { (record) throws(FileProblem) in try add(ExportedChange(record, names)) })
        }
        for problem in opened.problems(document, histories) { try onDamage(problem) }
        return status
    }

    /// The remote with the changes, and its document; nil for a store outside of remotes.
    private func changesPlace() throws -> (RemoteAddress, DocumentOptions)? {
        if let remote { return (try RemoteAddress(argument: remote), place.document) }
        let address = try RemoteAddress(argument: store)
        if let (remote, store) = address.archivedFile { return (remote, documents(around: store.names)) }
        guard case .folder(let path) = address else { return (address, place.document) }
        if try unlessInvalid({ () throws(FileProblem) in try RemoteLocation.find(path) }) != nil {
            return (address, place.document)
        }
        guard let around = try RemoteLocation.remote(around: path) else { return nil }
        let absolute = try path.resolved() ?? path
        return (.folder(around), documents(around: absolute.components.map { RemoteName($0.bytes) }))
    }

    /// The document around a store.
    private func documents(around store: [RemoteName]) -> DocumentOptions {
        var document = place.document
        if let place = store.lastIndex(of: RemoteLayout.documents), place + 1 < store.count {
            document.document = store[place + 1].text
        }
        return document
    }
}

extension ExportedChange {
    /// - Parameter names: the descriptions of clients, by identifier.
    init(_ record: ChangeRecord, _ names: [String: String]) {
        let change = record.change
        self.init(
            document: record.document, client: record.client, device: record.client.flatMap { names[$0] },
            changeSet: record.changeSet, sequence: record.sequence,
            time: change.timestamp.flatMap { FileTime(secondsSince2001: $0) },
            sent: ChangeSetIdentifier.nominalTime(RemoteName(record.changeSet)), type: change.type.name,
            entity: change.entity, object: change.objectSyncID)
        switch change.type {
        case .insert:
            attributes = (change.changedAttributes.pairs ?? []).compactMap { pair in
                pair.key.stringValue.map { StoredAttribute(name: $0, value: pair.value) }
            }
        case .attribute:
            attributes = [StoredAttribute(name: change.key ?? "", value: change.changedAttributes)]
        case .toOne, .addToMany:
            relationship = change.key ?? ""
            newObject = change.relatedSyncID
        case .removeFromMany:
            relationship = change.key ?? ""
            oldObject = change.relatedSyncID
        case .delete, .unknown: break
        }
        relatedEntity = change.relatedEntity
    }
}

/// The file with the settings of Datasette for a database: labels, facets, and the query for the authors of changes to
/// an object.
struct DatasetteMetadata {
    private let tables: BrowsedTables
    private let database: String

    /// Whether every change could be read.
    private let isWhole: Bool

    init(_ tables: BrowsedTables, _ target: FilePath, isWhole: Bool) {
        self.tables = tables
        self.isWhole = isWhole
        database = target.stem ?? "data"
    }

    func write(to path: FilePath) throws(FileProblem) {
        var json = JSONWriter(nil, layout: .indented)
        json.beginObject()
        json.field("title", "Objects and changes of \(database)")
        json.field(
            "description",
            "Written by ticds-store export --history. The view \(tables.history) has every change with its author."
                + (isWhole ? "" : " Changes are missing, because they could not be read.")
        )
        json.beginObject("databases")
        json.beginObject(database)
        json.beginObject("tables")
        for table in tables.tables {
            json.beginObject(table.name)
            if let label = table.label { json.field("label_column", label) }
            if table.hasSubentities { json.array("facets", ["entity"]) { $0.value($1) } }
            json.endObject()
        }
        json.beginObject(tables.objects)
        json.field("label_column", "label")
        json.array("facets", ["entity"]) { $0.value($1) }
        json.field("description", "Every object with a sync ID; primaryKey is null where it was deleted.")
        json.endObject()
        json.beginObject(tables.changes)
        json.array("facets", ["device", "type", "entity", "attribute"]) { $0.value($1) }
        json.field("sort", "id")
        json.field("description", "Every change, in the order in which clients apply them.")
        json.endObject()
        json.beginObject(tables.history)
        json.array("facets", ["device", "type", "entity", "attribute"]) { $0.value($1) }
        json.field("description", "Every change with the label of its object.")
        json.endObject()
        json.endObject()
        json.beginObject("queries")
        let columns = "time, device, type, entity, label, attribute, old_value, new_value"
        let history = SQLiteName.quoted(tables.history)
        query("who_changed_this", "Who changed this, when, from what?", &json) {
            "select \(columns) from \(history) where object = :object or label = :object order by id"
        }
        query("search_changes", "Changes with a word", &json) {
            "select \(columns) from \(history) where id in (select rowid from "
                + "\(SQLiteName.quoted(tables.changesSearch)) where "
                + "\(SQLiteName.quoted(tables.changesSearch)) match :word) order by id"
        }
        json.endObject()
        json.endObject()
        json.endObject()
        json.endObject()
        json.endLine()
        try NewFile.write(Array(json.text.utf8), to: path)
    }

    private func query(_ name: String, _ title: String, _ json: inout JSONWriter, _ sql: () -> String) {
        json.beginObject(name)
        json.field("title", title)
        json.field("sql", sql())
        json.endObject()
    }
}
