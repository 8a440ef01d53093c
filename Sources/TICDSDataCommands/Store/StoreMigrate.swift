public import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct StoreMigrate: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Converts a store to another kind, or to another version of its model.",
        discussion: """
            Reads the store with its log, and writes a new store with the same objects, relationships, identifier and \
            metadata of the app; the store itself stays as it is. The name decides the kind: .sqlite, .binary or .xml; \
            any other name becomes an SQLite store.

            With --to-model, the objects become those of another version of the model, as Core Data migrates them; \
            --dry-run shows what happens to each property. ticds-migrate(7) describes the rules.

            The command names everything that the new store would lack, and refuses; with --skip-unreadable it writes \
            the rest. Large values of external data are written beside an SQLite store, as Core Data does. Persistent \
            history is not copied.

            Examples:
              ticds-store migrate Notebook.xml --to Notebook.sqlite --model Notebook.momd
              ticds-store migrate Notebook.sqlite --to Notebook.storedata --type binary --dry-run
              ticds-store migrate Notebook.sqlite --to new.sqlite --to-model "Notebook 2.xcdatamodel"
              ticds-store migrate ~/Dropbox/com.example.app --document Notebook --client Mac --to Notebook.xml
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Option(help: .value("file", "The new store to write."), completion: .file())
    var to: String

    @Option(help: "The kind of the new store. Default: the one that the name shows, otherwise sqlite.")
    var type: NewStore.Kind?

    @Flag(help: "Give the new store an identifier of its own. By default, it has the one of the store.")
    var newIdentifier = false

    @Flag(
        help: """
            Leave out objects and values that cannot be read or written, instead of refusing; the command then ends \
            with 5.
            """)
    var skipUnreadable = false

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Flag(name: .dryRun, help: "Show what would be written and left out, and change nothing.")
    var dryRun = false

    @OptionGroup var version: ModelMigrationOptions
    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    private var kind: NewStore.Kind { type ?? NewStore.Kind(name: to) }

    func validate() throws {
        let end = to.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard type == nil, ["csv", "json", "jsonl", "ndjson", "db"].contains(end) else { return }
        throw ValidationError(
            "migrate writes a Core Data store; ticds-store export writes .\(end). For a store of that name, add --type."
        )
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = try OutputTarget.path(to)
        let opened = try options.open(store, of: place, context)
        let version = try version.migration(of: opened.store, to: kind, options.password)
        let objects: MigratedObjects
        do throws(FileProblem) {
            objects = if let version { version.objects } else { try MigratedObjects(of: opened.store) }
        } catch {
            throw opened.file.visible(error)
        }
        let target = try MigrationTarget(path, replaces: force, source: opened.file.origin)
        var metadata = NewStoreMetadata(keeping: opened.store.metadata)
        let kept = opened.store.metadata.uuid?.uppercased() == metadata.identifier.description
        if newIdentifier { metadata.identifier = .random() }
        var migration = StoreMigration(to: kind)
        do throws(FileProblem) {
            if let problem = version?.problem { throw problem }
            try migration.write(objects, to: target.work, metadata: metadata) {
                context.report(opened.file.visible($0))
            }
        } catch {
            // The objects show why before the error says what to do.
            if let version, version.problem != nil {
                let view = ModelMigrationView(migration: version, isDryRun: dryRun)
                try context.print(view, ModelMigrationView.schema) { view.show(to: &$0, context) }
            }
            throw opened.file.visible(error)
        }
        let problems = try self.problems(of: opened.store) + migration.problems(of: opened.file.origin)
        for problem in problems { context.report(opened.file.visible(problem)) }
        for warning in migration.warnings { context.warn(warning) }
        let tables = (opened.store as? SQLiteStore)?.tableNames ?? []
        if !tables.isDisjoint(with: ["ACHANGE", "ATRANSACTION"]) {
            context.warn("the persistent history of the store is not copied; ticds-store history prints it")
        }
        if tables.contains(where: { $0.hasPrefix("ANSCK") }) {
            context.warn("what CloudKit keeps beside the objects is not copied")
        }
        if !kept, !newIdentifier {
            context.warn("the store has no identifier that can be kept, so that the new store has its own")
        }
        let isWhole = problems.isEmpty && migration.isWhole && opened.store.shortfalls.isEmpty
        guard isWhole || skipUnreadable || dryRun else {
            throw FileProblem(
                .refused, path: opened.file.origin,
                "the new store would lack something, so that nothing was written",
                found: migration.lackText,
                advice:
                    "Repair the store, or restore it from a back-up; --skip-unreadable writes what is left")
        }
        let size = try target.check(objects.model, migration.result.objects)
        if !dryRun { try target.publish() }
        let report = MigrationReport(
            source: opened.file, target: target.file, migration: migration, identifier: metadata.identifier,
            hasNewIdentifier: newIdentifier || !kept, size: size, isDryRun: dryRun, isWhole: isWhole,
            version: version.map { ModelMigrationView(migration: $0, isDryRun: dryRun) })
        try context.print(report, MigrationReport.schema) { report.show(to: &$0, context) }
        return isWhole ? .success : .partial
    }

    /// What the objects do not show: rows of no entity, columns that the model does not have, missing tables.
    private func problems(of store: any PersistentStore) throws(FileProblem) -> [FileProblem] {
        try store.problems(of: nil) + ((store as? SQLiteStore)?.missingTables ?? [])
    }
}

extension NewStore.Kind: ExpressibleByArgument {
    /// The kind for the name of a file.
    init(name: String) {
        let end = name.split(separator: ".").last.map { $0.lowercased() }
        switch end {
        case "xml": self = .xml
        case "binary": self = .binary
        default: self = .sqlite
        }
    }

    var name: String {
        switch self {
        case .sqlite: "SQLite"
        case .binary: "binary"
        case .xml: "XML"
        }
    }
}

extension StoreMigration {
    /// What the new store lacks, one problem for each property and reason.
    func problems(of source: FilePath) -> [FileProblem] {
        func problem(_ text: String, _ found: String) -> FileProblem {
            FileProblem(.refused, path: source, text, found: found, advice: "ticds-store check shows more")
        }
        var problems = losses.filter { $0.first.kind.isLoss }.map { loss in
            problem(
                "\(loss.first.entity).\(loss.first.property): \(Quantities.count(loss.count, "value")) cannot be "
                    + "written as \(loss.count == 1 ? "it is" : "they are")",
                "\(loss.first.kind.text); first object: \(loss.first.primaryKey)")
        }
        for (name, count) in result.dangling.sorted(by: { $0.key < $1.key }) {
            problems.append(
                problem("\(name) leads to objects that do not exist", Quantities.count(count, "reference")))
        }
        for (name, count) in result.contradictions.sorted(by: { $0.key < $1.key }) {
            problems.append(
                problem("the inverse relationship contradicts \(name)", Quantities.count(count, "reference")))
        }
        if !droppedKeys.isEmpty {
            problems.append(
                problem("metadata of the app cannot be written to this kind of store", droppedKeys.listed()))
        }
        return problems
    }

    /// Values that were converted on an assumption.
    var warnings: [String] {
        losses.filter { !$0.first.kind.isLoss }.map { loss in
            "\(loss.first.entity).\(loss.first.property), \(Quantities.count(loss.count, "value")): "
                + loss.first.kind.text
        }
    }

    /// The numbers of what the new store lacks.
    var lackText: String {
        let values = losses.filter { $0.first.kind.isLoss }.reduce(0) { $0 +| $1.count }
        let references = result.dangling.merging(result.contradictions) { $0 +| $1 }.values.reduce(0, +|)
        var parts: [String] = []
        if leftOut > 0 { parts.append(Quantities.count(leftOut, "object")) }
        if values > 0 { parts.append(Quantities.count(values, "value")) }
        if references > 0 { parts.append(Quantities.count(references, "reference")) }
        if !droppedKeys.isEmpty { parts.append(Quantities.count(droppedKeys.count, "key") + " of metadata") }
        return parts.isEmpty ? "see the errors before this one" : parts.joined(separator: ", ")
    }
}

/// The file that a migration writes, in a private folder beside its place until it is complete.
struct MigrationTarget {
    let file: FilePath
    /// The unfinished store.
    var work: FilePath { output.path }
    private let output: AtomicOutput
    private let isThere: Bool
    /// The permissions of the source; nil if it has none on this machine.
    private let mode: UInt32?

    /// - Throws: `.refused` if the file exists and must not be replaced, if it is the source, and if files of another
    ///   store with that name are beside it.
    init(_ file: FilePath, replaces: Bool, source: FilePath) throws(FileProblem) {
        self.file = file
        let old = try FileStatus.ifPresent(file)
        isThere = old?.kind == .file
        let from = try FileStatus.ifPresent(source.resolved() ?? source)
        mode = from?.mode
        if let old, replaces, from.map({ ($0.device, $0.inode) == (old.device, old.inode) }) == true {
            throw FileProblem(
                .refused, path: file, "is the source, which is never changed",
                advice: "Choose another name")
        }
        if old?.kind == .folder {
            throw FileProblem(.refused, path: file, "is a folder", advice: "Name a new file")
        }
        if let old, replaces, old.size > 0, try !PersistentStores.isStore(file) {
            throw FileProblem(
                .refused, path: file, "is not a store, and is not replaced", advice: "Choose another name")
        }
        if old?.kind == .file, replaces, try MappingModel.isMappingModel(file) {
            throw FileProblem(
                .refused, path: file, "is a mapping model, and is not replaced", advice: "Choose another name"
            )
        }
        output = try AtomicOutput(file, isReplacing: replaces)
        if !isThere { try StoreExtraction.checkAlone(file, isReplacing: replaces) }
    }

    /// Opens the new store, and compares the number of its objects; returns its size in bytes.
    func check(_ model: ManagedObjectModel, _ count: Int) throws(FileProblem) -> Int64 {
        let store = try PersistentStores.open(work, model: model)
        let problems = store.shortfalls + (try store.problems(of: nil))
        if let problem = problems.first { throw problem }
        let found = try store.objectCounts().reduce(0) { $0 +| $1.count }
        guard found == count else {
            throw FileProblem(
                .writeFailed, path: file, "the new store does not have all objects",
                expected: Quantities.count(count, "object"), found: Quantities.count(found, "object"))
        }
        return try FileStatus.of(work).size
    }

    /// Gives the finished store its name, after its external data. It is not more readable than the source.
    func publish() throws(FileProblem) {
        if let mode {
            try output.restrict(to: mode)
            let folder = ExternalStorage(store: work).folder.removingLastComponent()
            if try FileStatus.ifPresent(folder) != nil { try NewFile.restrict(folder, to: mode) }
        }
        let data = try ExternalDataMove(of: work, to: file)
        do throws(FileProblem) {
            // A store that is replaced may have a log, and another program may have it open.
            if isThere { try StoreReplacement(file).replace(with: work) } else { try output.finish() }
        } catch {
            try? data.takeBack()  // try?: the first error counts
            throw error
        }
    }
}

/// The result of a migration.
struct MigrationReport {
    let source: StoreFile
    let target: FilePath
    let migration: StoreMigration
    let identifier: ArchivedUUID
    let hasNewIdentifier: Bool
    let size: Int64
    let isDryRun: Bool
    let isWhole: Bool
    let version: ModelMigrationView?

    private var entities: [(entity: String, objects: Int)] {
        migration.counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        if context.quiet { return }
        version?.show(to: &text, context)
        let objects = Quantities.count(migration.result.objects, "object")
        let entities = Quantities.count(migration.counts.count, "entity", "entities")
        text.line(
            "\(target.escaped): \(migration.kind.name) store of \(context.style.size(size)), \(objects) of \(entities)"
                + (isDryRun ? "; nothing was written" : ""))
        text.line(
            "    store: \(source.origin.escaped), \(source.layers.map(\.rawValue).joined(separator: " "))")
        text.line("    identifier: \(identifier)\(hasNewIdentifier ? ", new" : "")")
        if migration.result.renumbered > 0 {
            text.line("    new primary keys: \(Quantities.count(migration.result.renumbered, "object"))")
        }
        if let left = version?.leftOutText { text.line("    left out: \(left)") }
        if !isWhole { text.line("    not complete: \(migration.lackText)") }
    }

    static let schema = JSONSchema<MigrationReport>(
        "ticds.storeMigration/1", "Printed by ticds-store(1) `migrate`."
    ) {
        $0("source", "", { $0.source.origin })
        $0("layers", "The layers of the source from the outside in.", { $0.source.layers.map(\.rawValue) })
        $0("target", "The file of the new store.", \.target)
        $0("type", "", as: .names(["sqlite", "binary", "xml"]), { $0.migration.kind.rawValue })
        $0("dryRun", "True if nothing was written.", \.isDryRun)
        $0(
            "complete",
            "Whether the new store has everything: if not, objects, values or references are missing.",
            \.isWhole)
        $0("identifier", "The identifier of the new store.", { "\($0.identifier)" })
        $0("newIdentifier", "Whether it differs from the one of the source.", \.hasNewIdentifier)
        $0("size", "Bytes of the new store.", \.size)
        $0("objects", "The number of its objects.", { $0.migration.result.objects })
        $0("entities", "The number of its objects by entity.", { $0.entities }, entity)
        $0(
            "renumbered",
            "Objects with new primary keys, since those of the source are not unique in such a store.",
            { $0.migration.result.renumbered })
        $0("leftOut", "Objects that could not be read or written.", { $0.migration.leftOut })
        $0("losses", "Values that are missing or changed.", { $0.migration.losses }, loss)
        $0(
            "dangling", "References to objects that do not exist, which are missing, by relationship.",
            { $0.migration.result.dangling.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }, references
        )
        $0(
            "contradictions", "References that the inverse relationship contradicts, by relationship.",
            { $0.migration.result.contradictions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } },
            references)
        $0(
            "model",
            "The change of the model, and what happened to each property; null without `--to-model`.",
            \.version, ModelMigrationView.schema.fields)
        $0(
            "droppedMetadata", "Keys of the app's metadata that such a store cannot contain.",
            { $0.migration.droppedKeys })
    }

    private static let entity = JSONFields<(entity: String, objects: Int)> {
        $0("entity", "", { $0.entity })
        $0("objects", "", { $0.objects })
    }

    private static let references = JSONFields<(name: String, count: Int)> {
        $0("relationship", "The entity and the name: `Note.author`.", { $0.name })
        $0("count", "", { $0.count })
    }

    private static let loss = JSONFields<StoreMigration.Loss> {
        $0("entity", "", { $0.first.entity })
        $0("property", "", { $0.first.property })
        $0("reason", "", as: .names(StoreLoss.Kind.allCases.map(\.rawValue)), { $0.first.kind.rawValue })
        $0("lost", "False for values that were converted on an assumption, and are not lost.") {
            $0.first.kind.isLoss
        }
        $0("count", "The number of values.", \.count)
        $0("primaryKey", "The first object.", { $0.first.primaryKey })
    }
}
