import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct StoreInfo: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows what a Core Data store is, without its values.",
        discussion: """
            Shows the system that wrote it, its identifiers, entities with the numbers of objects, external data, \
            persistent history, and what is odd.

            Examples:
              ticds-store info Notebook.sqlite
              ticds-store info Notebook.sqlite --json | jq '.entities[] | select(.objects > 0)'
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        // The notes of the store are a part of the output.
        let opened = try options.open(store, of: place, context.silent)
        let report = StoreInfoReport(
            file: opened.file, size: try FileStatus.of(opened.file.path).size,
            information: try StoreInformation(opened.store))
        try context.print(report, StoreInfoReport.schema) { report.show(to: &$0, context) }
        return report.information.isShort ? .partial : .success
    }
}

/// The result of `ticds-store info`.
struct StoreInfoReport {
    let file: StoreFile
    let size: Int64
    let information: StoreInformation

    private var metadata: StoreMetadata { information.metadata }

    private var identifiers: [String] { metadata.versionIdentifiers.filter { !$0.isEmpty } }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        let colour = context.colour()
        text.line(colour.paint(file.visiblePath.escaped, .bold))
        func line(_ title: String, _ value: String?) {
            if let value, !value.isEmpty { text.line("    \(title): \(value)") }
        }
        line("kind", file.layers.map(\.rawValue).joined(separator: ", "))
        line("size", context.style.size(size))
        line("modified", context.style.minuteWithAge(file.modified))
        let version = metadata.frameworkVersion.map { "Core Data \($0)" }
        line("written by", [version, information.systems].compactMap(\.self).joined(separator: ", "))
        line("store identifier", metadata.uuid.map { escapedText($0) })
        line("model", metadata.modelDigest.map { "digest \(escapedText($0))" })
        line("model identifiers", identifiers.map { escapedText($0) }.joined(separator: ", "))
        if let database = information.database { show(database, context.style, line) }
        var rows = TextTable(["ENTITY", "OBJECTS", "SUPERENTITY", "TABLE"], [.text, .number])
        for entity in information.entities {
            rows.add([
                entity.name, entity.objects.map { Quantities.count($0) } ?? "missing",
                entity.superentity ?? "",
                entity.table ?? "",
            ])
        }
        rows.show(to: &text, colour: colour, indent: 4)
        for oddity in information.oddities + file.notes.map(\.text) {
            text.line("    \(colour.paint("odd", .doubtful)): \(escapedText(oddity))")
        }
    }

    private func show(
        _ database: StoreInformation.Database, _ style: TextStyle,
        _ line: (String, String?) -> Void
    ) {
        let free = database.freePages
        line(
            "pages",
            "\(Quantities.count(database.pages)) of \(style.size(database.pageSize))"
                + (free > 0 ? ", \(Quantities.count(free)) of them free" : ""))
        line(
            "journal",
            database.usesWriteAheadLog
                ? "write-ahead log"
                    + (database.writeAheadLogSize.map { " of \(style.size($0))" } ?? ", none beside it")
                : "rollback journal"
                    + (database.journalSize.map { " of \(style.size($0))" } ?? ", none beside it"))
        line("model cache", database.hasModel ? "the store contains its model" : "none")
        if database.externalFiles > 0 {
            line(
                "external data",
                Quantities.count(database.externalFiles, "file")
                    + (database.missingExternalFiles > 0
                        ? ", \(Quantities.count(database.missingExternalFiles)) of them missing" : ""))
        }
        if let history = database.history {
            let times = [history.first, history.last].compactMap { $0 }.compactMap {
                FileTime(secondsSince2001: $0)
            }
            line(
                "persistent history",
                "\(Quantities.count(history.transactions, "transaction")), \(Quantities.count(history.changes, "change"))"
                    + (times.count == 2
                        ? ", from \(style.second(times[0])) to \(style.second(times[1]))" : ""))
        }
        if !database.cloudKitTables.isEmpty {
            line("CloudKit", Quantities.count(database.cloudKitTables.count, "table"))
        }
        line("triggers", database.triggers.map { escapedText($0) }.joined(separator: ", "))
    }

    static let schema = JSONSchema<StoreInfoReport>("ticds.storeInfo/1", "Printed by ticds-store(1) `info`.")
    {
        $0("path", "The store.", { $0.file.visiblePath })
        $0("layers", "The layers from the outside in.", { $0.file.layers.map(\.rawValue) })
        $0("size", "Bytes of the store, without its layers.", { $0.size })
        $0("modified", "", { $0.file.modified })
        $0("storeUUID", "", { $0.metadata.uuid })
        $0(
            "frameworkVersion", "NSPersistenceFrameworkVersion.", as: .orNull(.integer),
            { $0.metadata.frameworkVersion })
        $0("systems", "The systems with that version; null if none is known.", { $0.information.systems })
        $0("modelDigest", "The beginning of a digest over the version hashes.", { $0.metadata.modelDigest })
        $0("modelIdentifiers", "The version identifiers of the model.", { $0.identifiers })
        $0(
            "entities", "In the order of the store.", { $0.information.entities },
            JSONFields {
                $0("name", "", \.name)
                $0("superentity", "Null for a root entity, and if it is not known.", \.superentity)
                $0("table", "Null if the store is no SQLite store.", \.table)
                $0("objects", "Without those of subentities; null if the table is missing.", \.objects)
                $0(
                    "versionHash", "In hexadecimal digits.",
                    { $0.versionHash.map { hexadecimalDigits(of: $0) } })
            })
        $0(
            "database", "Null if the store is no SQLite store.", { $0.information.database },
            JSONFields<StoreInformation.Database> {
                $0("pageSize", "Bytes.", \.pageSize)
                $0("pages", "With those in a write-ahead log.", \.pages)
                $0("freePages", "Pages that can contain deleted rows.", \.freePages)
                $0("usesWriteAheadLog", "Whether the header asks for one.", \.usesWriteAheadLog)
                $0("writeAheadLogSize", "Bytes; null if there is none.", \.writeAheadLogSize)
                $0("journalSize", "Bytes of the rollback journal; null if there is none.", \.journalSize)
                $0("hasModel", "Whether the store contains its model.", \.hasModel)
                $0("externalFiles", "Files of external data that the store refers to.", \.externalFiles)
                $0("missingExternalFiles", "Those that do not exist.", \.missingExternalFiles)
                $0("cloudKitTables", "Names of tables.", \.cloudKitTables)
                $0("triggers", "Names of triggers.", \.triggers)
                $0(
                    "history", "The persistent history; null if there is none.", \.history,
                    JSONFields<StoreInformation.History> {
                        $0("transactions", "", \.transactions)
                        $0("changes", "", \.changes)
                        $0(
                            "first", "The time of the first.",
                            { $0.first.flatMap { FileTime(secondsSince2001: $0) } })
                        $0(
                            "last", "The time of the last.",
                            { $0.last.flatMap { FileTime(secondsSince2001: $0) } })
                    })
            })
        $0("oddities", "What is odd: sentences.", { $0.information.oddities + $0.file.notes.map(\.text) })
    }
}
