import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct StoreImportCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a store from what export wrote, also after an edit of it.",
        discussion: """
            Takes a folder of CSV files, a .json or .jsonl file, or an ordinary .sqlite database. Everything is checked \
            before the store is written, and each line that does not fit is named.

            Examples:
              ticds-store import notebook-csv --model Notebook.momd --to Notebook.sqlite
              ticds-store import notebook.json --model Notebook.momd --to Notebook.sqlite --set-sync-ids
              ticds-store import notebook.db --model Notebook.momd --to Notebook.sqlite --prefer to-one
              ticds-store import notebook-csv --model Notebook.momd --to Notebook.sqlite --spreadsheet
            """)

    @Argument(
        help: "The folder or file to read.", completion: .file())
    var source: String

    @Option(
        help: .value(
            "model",
            "The managed object model of the app: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents "
                + "or elements file, or a store that contains its model."),
        completion: .file())
    var model: String

    @OptionGroup var version: ModelVersionOptions

    @Option(help: .value("file", "The store to write."), completion: .file())
    var to: String

    @Option(help: "The kind of the new store. Default: the one that the name shows, otherwise sqlite.")
    var type: NewStore.Kind?

    @Option(help: "The format of the source. Default: a folder is csv, the name of a file decides.")
    var format: ExportFormat?

    @Option(help: .value("names", "How relationships name objects."))
    var keys = TargetNames.Choice.auto

    @Option(help: .value("attribute", "The attribute that identifies objects."))
    var syncID = StoreChecker.syncIDAttribute

    @Option(
        help: .value(
            "side",
            "Let this side of a relationship count where the two sides disagree: to-one, or Entity.relationship. May be "
                + "given several times."))
    var prefer: [String] = []

    @Flag(help: "Remove the apostrophes that export --spreadsheet put before text.")
    var spreadsheet = false

    @Flag(help: "Read an empty field of a mandatory String in CSV as empty text.")
    var emptyText = false

    @Flag(name: .customLong("set-sync-ids"), help: "Give each object without a sync ID a random one.")
    var setSyncIDs = false

    @Flag(help: "Write the nearest number where the store cannot contain all digits of one.")
    var round = false

    @Flag(help: "Leave out what does not fit, and write the rest.")
    var skipUnreadable = false

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if spreadsheet || emptyText, let format, format != .csv {
            throw ValidationError("--spreadsheet and --empty-text need --format csv.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let source = Environment.path(argument: source)
        let form = try form(of: source)
        let model = try NamedModels(model, password).one(version.modelVersion).model
        let target = try MigrationTarget(try OutputTarget.path(to), replaces: force, source: source)
        try refuseUnwritable(model, target)
        let found = try StoreImport(source, form, model: model, options)
        for problem in found.problems { context.report(problem) }
        if found.problemCount > 0, !skipUnreadable || found.hasFatalProblem {
            throw FileProblem(
                .refused, path: source,
                "\(Quantities.count(found.problemCount, "problem")), and nothing was written",
                advice: found.hasFatalProblem
                    ? "Correct the files"
                    : "Correct the files, or leave out what does not fit with --skip-unreadable")
        }
        guard found.count > 0 else {
            throw FileProblem(
                .refused, path: source, "no object was found, and nothing was written",
                advice: "Name what ticds-store export wrote")
        }
        var written = Written()
        var store = try NewStore(
            creating: target.work, kind: kind, model: model,
            metadata: NewStoreMetadata(identifier: found.storeUUID ?? .random()))
        let syncIDs = try found.forEachObject { (object) throws(FileProblem) in
            try store.insert(object) { (loss) throws(FileProblem) in written.add(loss) }
            written.counts[object.entity, default: 0] += 1
        }
        let result = try store.finish()
        guard result.dangling.isEmpty, result.contradictions.isEmpty else {
            throw FileProblem(
                .writeFailed, path: target.file,
                "the relationships of the new store differ from those of the source",
                found: (Array(result.dangling.keys) + result.contradictions.keys).sorted().listed())
        }
        written.renumbered = result.renumbered
        for loss in written.lost { context.report(loss.problem(target.file)) }
        guard written.lost.isEmpty || skipUnreadable else {
            throw FileProblem(
                .refused, path: source,
                "the store would lack values of \(Quantities.count(written.lost.count, "attribute")), and nothing was written",
                advice: "Choose another --type, or leave the values out with --skip-unreadable")
        }
        _ = try target.check(model, found.count)
        try target.publish()
        let report = Result(
            source: source, target: target.file, form: form, kind: kind, found: found, syncIDs: syncIDs,
            written: written)
        try context.print(report, Self.schema) { text in if !context.quiet { report.show(&text) } }
        return report.isWhole ? .success : .partial
    }

    /// Refuses a model of which no store can be made, before the files are read.
    private func refuseUnwritable(
        _ model: ManagedObjectModel, _ target: MigrationTarget
    ) throws(FileProblem) {
        let empty = FilePath(pathBytes: target.work.bytes + Array("-empty".utf8))
        do throws(FileProblem) {
            _ = try NewStore(creating: empty, kind: kind, model: model, metadata: NewStoreMetadata())
        } catch {
            var problem = error
            problem.path = target.file
            throw problem
        }
    }

    private var kind: NewStore.Kind { type ?? NewStore.Kind(name: to) }

    /// What became of the objects in the new store.
    struct Written {
        var counts: [String: Int] = [:]
        var renumbered = 0
        private var losses: [String: (first: StoreLoss, count: Int)] = [:]

        mutating func add(_ loss: StoreLoss) {
            let name = "\(loss.entity).\(loss.property) \(loss.kind.rawValue)"
            losses[name, default: (loss, 0)].count += 1
        }

        /// The first value of each attribute that the store lacks.
        var lost: [StoreLoss] {
            losses.sorted { $0.key < $1.key }.map(\.value.first).filter {
                $0.kind.isLoss && $0.kind != .rounded
            }
        }

        /// Values that are not the same in the store. The import itself has looked at the digits of numbers.
        var remarks: [String] {
            losses.sorted { $0.key < $1.key }.map(\.value).filter { !$0.first.kind.isLoss }.map { loss in
                "\(loss.first.entity).\(loss.first.property): \(loss.first.kind.text) "
                    + "(\(counted(loss.count, "value")))"
            }
        }
    }

    private var options: StoreImport.Options {
        var options = StoreImport.Options(syncID: syncID)
        options.keys = keys
        options.preferred = prefer
        options.isForSpreadsheets = spreadsheet
        options.hasEmptyTexts = emptyText
        options.setsSyncIDs = setSyncIDs
        options.kind = kind
        options.rounds = round
        return options
    }

    /// The format of the source: that of the option, or that of its name.
    private func form(of source: FilePath) throws -> StoreImport.Form {
        let isFolder = try FileStatus.of(source.resolved() ?? source).kind == .folder
        let named = ExportFormat(name: source.lastComponent?.string ?? "")
        let form = format ?? (isFolder ? .csv : named)
        guard isFolder == (form == .csv) else {
            throw FileProblem(
                .unsupported, path: source,
                isFolder ? "a folder can only contain CSV" : "a file of an unknown format",
                expected: "a folder of CSV files, .json, .jsonl, .sqlite or .db",
                advice: isFolder ? "Name a file" : "Name the folder, or give --format")
        }
        if form != .csv, spreadsheet || emptyText {
            throw ValidationError("--spreadsheet and --empty-text need a folder of CSV files.")
        }
        return switch form {
        case .csv: .csv
        case .json: .json
        case .jsonl: .jsonl
        case .sqlite: .sqlite
        }
    }

    struct Result {
        let source: FilePath
        let target: FilePath
        let form: StoreImport.Form
        let kind: NewStore.Kind
        let found: StoreImport
        let syncIDs: StoreImport.SyncIDs
        let written: Written

        var isWhole: Bool { found.problemCount == 0 && written.lost.isEmpty }
        var remarks: [String] { found.remarks + written.remarks }

        func show(_ text: inout OutputBuffer) {
            text.line(
                "\(target.escaped): \(Quantities.count(found.count, "object")) of "
                    + Quantities.count(written.counts.count, "entity", "entities"))
            if found.newObjects > 0 {
                text.line("    \(Quantities.count(found.newObjects, "new object")) got a primary key")
            }
            if syncIDs.set > 0 { text.line("    \(Quantities.count(syncIDs.set, "object")) got a sync ID") }
            if syncIDs.missing > 0 {
                text.line(
                    "    without a sync ID: \(Quantities.count(syncIDs.missing, "object")) (--set-sync-ids)")
            }
            if written.renumbered > 0 {
                text.line("    new primary keys: \(Quantities.count(written.renumbered, "object"))")
            }
            for remark in remarks { text.line("    \(escapedText(remark))") }
            if !isWhole {
                let problems = Quantities.count(found.problemCount, "problem")
                let objects = Quantities.count(found.leftOut, "object")
                text.line("    not complete: \(problems), \(objects) left out")
            }
        }
    }

    static let schema = JSONSchema<Result>("ticds.importResult/1", "Printed by ticds-store(1) `import`.") {
        $0("source", "", \.source)
        $0("target", "The store that was written.", \.target)
        $0("format", "", as: .names(StoreImport.Form.allCases.map(\.rawValue)), \.form.rawValue)
        $0("type", "", as: .names(["sqlite", "binary", "xml"]), { $0.kind.rawValue })
        $0("complete", "Whether everything fits.", \.isWhole)
        $0("objects", "The number of objects that were written.", { $0.found.count })
        $0("newObjects", "The number of objects that had no primary key.", { $0.found.newObjects })
        $0(
            "renumbered",
            "The number of objects whose primary keys are not unique in such a store, and that got others.",
            { $0.written.renumbered })
        $0("problems", "The number of problems, each of which was reported.", { $0.found.problemCount })
        $0("leftOut", "The number of objects that do not fit.", { $0.found.leftOut })
        $0("withoutSyncID", "The number of objects without a sync ID.", { $0.syncIDs.missing })
        $0("newSyncIDs", "The number of objects that got a random sync ID.", { $0.syncIDs.set })
        $0(
            "remarks", "Defaults that were used, and what was not read or does not count.",
            \.remarks)
    }
}
