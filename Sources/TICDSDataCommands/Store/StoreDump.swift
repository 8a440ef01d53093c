import ArgumentParser
import CoreDataStore
import CoreDataTools
import SystemCalls
import TICDSCommandLine

struct StoreDump: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints every object of a Core Data store.",
        discussion: """
            The store is an SQLite, binary or XML store of any app; or a WholeStore.ticdsync of a remote, zipped, encrypted \
            or in a folder. With --json each object is one line, schema "ticds.object/1" of ticds-json(5); with --keys sync-ids, \
            "ticds.namedObject/1".

            Examples:
              ticds-store dump Notebook.sqlite --model Notebook.momd
              ticds-store dump ~/Dropbox/com.example.app/Documents/Notebook/WholeStore/4A11-8E1D/WholeStore.ticdsync
              ticds-store dump Notebook.sqlite --entity Note --where 'title BEGINSWITH[c] "a" AND stars > 3' --sort title
              ticds-store dump Notebook.sqlite --json | jq -r .entity | sort | uniq -c
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Option(help: .value("name", "Only objects of this entity."))
    var entity: String?

    @Flag(
        help: """
            Show property lists, keyed archives and gzip streams in Binary attributes decoded; needs --json.
            """)
    var decodeData = false

    @Option(help: .value("names", "How JSON names objects; otherwise by primary keys."))
    var keys: TargetNames.Choice?

    @OptionGroup var query: QueryOptions
    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if decodeData, !output.json { throw ValidationError("--decode-data needs --json.") }
        if keys != nil, !output.json { throw ValidationError("--keys needs --json.") }
        if query.isGiven, entity == nil {
            throw ValidationError("--where, --columns, --sort and --limit need --entity.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let opened = try options.open(store, of: place, context)
        let (file, store) = (opened.file, opened.store)
        if let entity, !(try store.objectCounts().contains { $0.entity == entity }),
            store.model?[entity] == nil
        {
            throw FileProblem.unknownEntity(
                entity, at: file.visiblePath, among: try store.objectCounts().map(\.entity))
        }
        var status = ExitStatus.success
        var missing = 0
        var lines = ObjectLines(
            context, try ObjectNames(keys ?? .primaryKeys, store), decodingData: decodeData)
        func onDamage(_ problem: FileProblem) throws(FileProblem) {
            context.report(problem)
            status = .partial
        }
        var count = query.limit.counter
        func add(_ object: StoredObject) throws(FileProblem) {
            guard count.admits() else { return }
            missing += object.missingExternalFiles
            try lines.add(object)
        }
        if let entity, query.isGiven {
            try query.query(of: entity, further: 1).forEachObject(of: store, onDamage: onDamage, add)
        } else {
            try store.forEachObject(entity: entity, onDamage: onDamage, add)
        }
        if entity != nil { try store.reportStrayRows(of: entity, onDamage) }
        try lines.finish(count.note(countsAll: false))
        MissingExternalData.warn(missing, context)
        if missing > 0 { status = .partial }
        for problem in try store.problems(of: entity) {
            context.report(problem)
            status = .partial
        }
        return status
    }
}

/// Values whose files of external data do not exist, are empty or cannot be read.
enum MissingExternalData {
    static func warn(_ count: Int, _ context: CommandContext) {
        guard count > 0 else { return }
        context.warn(
            "\(Quantities.count(count, "value")) \(count == 1 ? "is" : "are") missing: the files of external data do not exist, are empty or cannot be read"
        )
    }
}

extension StoredObject {
    /// The number of attributes whose file of external data does not exist.
    var missingExternalFiles: Int { attributes.count { $0.value.missingExternalFile != nil } }
}
