public import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct StoreExportCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the objects of a store as CSV, JSON or an ordinary SQLite database.",
        discussion: """
            The name decides the format: .json, .jsonl, .sqlite or .db; any other name becomes a folder with a CSV \
            file for each entity, or with --entity one CSV file.

            Examples:
              ticds-store export Notebook.sqlite --to notebook-csv --spreadsheet
              ticds-store export ~/Dropbox/com.example.app --document Notebook --newest --to notebook-csv
              ticds-store export WholeStore/4A11-8E1D/WholeStore.ticdsync --to notebook.db --model Notebook.momd
              ticds-store export rescued.sqlite --to notebook.db --history --remote ~/Dropbox/com.example.app
              ticds-store export Notebook.sqlite --to - --entity Note --where 'stars > 3' --columns title,author.name
              ticds-store export Notebook.sqlite --to - --format jsonl | jq -r .entity | sort | uniq -c
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Option(
        help: .value("target", "The file or folder to write; - for standard output."), completion: .file())
    var to: String

    @Option(help: "The format to write.")
    var format: ExportFormat?

    @Option(help: .value("name", "Only objects of this entity."))
    var entity: String?

    @OptionGroup var query: QueryOptions

    @Flag(help: "Leave out entities without objects, and properties without a value.")
    var skipEmpty = false

    @Flag(help: "Put an apostrophe before text in CSV that would be a formula.")
    var spreadsheet = false

    @Flag(
        help: """
            Write property lists, keyed archives and gzip streams in Binary attributes decoded; needs JSON.
            """)
    var decodeData = false

    @Option(help: .value("names", "How relationships name objects."))
    var keys = TargetNames.Choice.auto

    @Option(help: .value("attribute", "The attribute that identifies objects."))
    var syncID = StoreChecker.syncIDAttribute

    @Flag(help: "Replace an existing file or folder of that name.")
    var force = false

    @Flag(
        help: "Add to a database every change of a remote, labels of objects, and full-text search.")
    var history = false

    @Option(
        help: .value(
            "remote", "The remote with the changes of --history. Default: the one that contains the store."),
        completion: .directory)
    var remote: String?

    @Option(
        help: .value("file", "Write a file that tells Datasette about the database of --history."),
        completion: .file())
    var metadata: String?

    @Flag(
        help: """
            Export the newest state of a document in a remote: a whole store with all later change sets applied, as \
            ticds-store replay makes it.
            """)
    var newest = false

    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    /// The format; nil if neither an option nor the target determines it.
    private var form: ExportFormat? {
        if let format { return format }
        if to == "-" { return entity == nil ? nil : .csv }
        return ExportFormat(name: to)
    }

    func validate() throws {
        if to == "-", form == nil || form == .sqlite || form == .csv && entity == nil {
            throw ValidationError("Standard output needs --format json or jsonl, or one --entity as CSV.")
        }
        if form == .csv, entity == nil, to.lowercased().hasSuffix(".csv") {
            throw ValidationError(
                "CSV of all entities is a folder, and --to names a file: choose one entity with --entity, or leave out "
                    + ".csv.")
        }
        if spreadsheet, form != .csv {
            throw ValidationError("--spreadsheet needs --format csv.")
        }
        if decodeData, form != .json, form != .jsonl {
            throw ValidationError("--decode-data needs --format json or jsonl.")
        }
        if form == .sqlite, entity != nil || skipEmpty {
            throw ValidationError(
                "A database contains all objects, since they lead to each other; --entity and --skip-empty need "
                    + "another --format.")
        }
        if query.isGiven, entity == nil {
            throw ValidationError("--where, --columns, --sort and --limit need --entity.")
        }
        if history, form != .sqlite {
            throw ValidationError("--history needs a database: --to with .sqlite or .db, or --format sqlite.")
        }
        if remote != nil || metadata != nil, !history {
            throw ValidationError("--remote and --metadata need --history.")
        }
        if newest, remote != nil || !place.clients.clients.isEmpty || options.acceptMismatch {
            throw ValidationError(
                "--newest takes a REMOTE instead of a store, and no --remote, --client or --accept-mismatch.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let form = form ?? .csv
        let newest = newest ? try NewestState(of: store, place.document, options, context) : nil
        let opened = try newest.map { try options.open(opened: $0.file, context) } ?? openStore(context)
        let entities = try ExportedEntities(opened.store)
        let names = form == .sqlite ? .primaryKeys : keys
        let exported = try wanted(entities, opened)
        let targets = try TargetNames(names, opened.store, entities, of: exported, attribute: syncID)
        let export = StoreExport(
            opened.store, exported, targets, entity.map { query.query(of: $0) }, context)
        if skipEmpty { try export.skipEmpty() }
        export.decodesData = decodeData
        if to == "-" {
            if form == .csv {
                try export.writeCSV(
                    to: .standardOutput, at: FilePath.standardOutput, forSpreadsheets: spreadsheet)
            } else {
                try export.writeJSON(form, to: FileDescriptor.standardOutput)
            }
            try export.reportGaps()
            return newest?.result.status == .partial ? .partial : export.status
        }
        let place = try AtomicOutput(try OutputTarget.path(to), isReplacing: force)
        var (changes, description): (ExitStatus, AtomicOutput?) = (.success, nil)
        switch form {
        case .csv where entity != nil: try export.writeCSV(to: place.path, forSpreadsheets: spreadsheet)
        case .csv: try export.writeCSV(toFolder: place.path, forSpreadsheets: spreadsheet)
        case .sqlite where history:
            (changes, description) = try writeHistory(export, to: place.path, named: place.target, context)
        case .sqlite: try export.writeDatabase(to: place.path, syncID: syncID)
        case .json, .jsonl: try export.writeJSON(form, to: place.path)
        }
        try export.reportGaps()
        if let mode = try FileStatus.ifPresent(opened.file.origin)?.mode { try place.restrict(to: mode) }
        try place.finish()
        try description?.finish()
        let status =
            [changes, newest?.result.status].contains(.partial) ? ExitStatus.partial : export.status
        let isWhole = changes == .success && newest?.result.isWhole != false && export.status == .success
        try context.print((export, form, place.target, targets, isWhole), Self.schema) { text in
            if context.quiet { return }
            text.line(
                "\(place.target.escaped): \(Quantities.count(export.count, "object")) of "
                    + Quantities.count(export.entitiesWithObjects, "entity", "entities"))
            if !isWhole { text.line("    not complete: something could not be read and is missing") }
            guard let newest else {
                let given = Environment.path(argument: store)
                if opened.file.origin != given, opened.file.origin.starts(with: given) {
                    text.line("    store: \(opened.file.origin.escaped)")
                }
                return
            }
            text.line("    start: \(newest.result.report.startText(context.style))")
            text.line("    change sets: \(newest.result.report.setsText)")
        }
        return status
    }

    /// All entities, or the wanted one.
    private func wanted(
        _ entities: ExportedEntities, _ opened: OpenedStore
    ) throws(FileProblem) -> ExportedEntities {
        guard let entity else { return entities }
        guard let found = entities.only(entity, columns: query.columns?.keys.map(\.path)) else {
            throw .unknownEntity(entity, at: opened.file.visiblePath, among: entities.all.map(\.name))
        }
        return found
    }

    static let schema = JSONSchema<
        (export: StoreExport, form: ExportFormat, target: FilePath, targets: TargetNames, isWhole: Bool)
    >("ticds.exportResult/1", "Printed by ticds-store(1) `export`.") {
        $0("target", "The file or folder that was written.", { $0.target })
        $0("format", "", { $0.form })
        $0(
            "complete", "Whether everything could be read: if not, objects, values or edits are missing.",
            { $0.isWhole })
        $0("keys", "", as: StoreExport.keys, { $0.targets.areSyncIDs ? "syncIDs" : "primaryKeys" })
        $0("objects", "The number of objects that were written.", { $0.export.count })
        $0("unreadable", "The number of objects that could not be read.", { $0.export.unreadable })
        $0(
            "missingValues", "Values that are missing since their files of external data do not exist.",
            { $0.export.missingValues })
        $0(
            "clearedKeys", "Keys that lead to no object, and were left out of a database.",
            { $0.export.cleared })
    }
}

enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json, jsonl, sqlite

    /// The format for the name of a target.
    init(name: String) {
        let end = name.split(separator: ".").last.map { $0.lowercased() }
        switch end {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "sqlite", "sqlite3", "db": self = .sqlite
        default: self = .csv
        }
    }
}

extension TargetNames.Choice: ExpressibleByArgument {}
