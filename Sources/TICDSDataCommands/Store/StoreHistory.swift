import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct StoreHistory: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Prints the persistent history of an SQLite store.",
        discussion: """
            Each change has the time and the author of its transaction, the object, and what happened to it. With \
            --json each change is one line.

            Examples:
              ticds-store history NoteStore.sqlite
              ticds-store history NoteStore.sqlite --json | jq -r '[.time, .author, .kind, .entity] | @tsv'
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Option(help: .value("name", "Only changes of objects of this entity."))
    var entity: String?

    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var limit: LimitOptions
    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let opened = try options.open(store, of: place, context)
        guard let store = opened.store as? SQLiteStore, try store.hasHistory() else {
            throw FileProblem(
                .unsupported, path: opened.file.visiblePath, "the store has no persistent history",
                expected: "an SQLite store with the tables ACHANGE and ATRANSACTION",
                advice:
                    "Apps have to switch persistent history on; ticds-changes log follows objects in a remote"
            )
        }
        if let entity, !store.hasEntity(entity) {
            throw FileProblem.unknownEntity(
                entity, at: opened.file.visiblePath, among: Array(store.entityNames))
        }
        var lines = HistoryLines(context)
        var count = limit.counter
        let span = try span.range(context.style)
        try store.forEachHistoryChange { change in
            guard entity == nil || change.entity == entity, span.contains(change.time),
                count.admits(isUnknown: span.isUnknown(change.time))
            else { return }
            lines.add(change)
        }
        try lines.finish(count.note())
        return .success
    }
}

/// Prints changes as they come: JSON Lines of schema "ticds.storeHistory/1", or text by transaction.
struct HistoryLines: ~Copyable {
    private var out: LineOutput
    private var transaction: Int64?

    init(_ context: CommandContext) { out = LineOutput(context) }

    mutating func finish(_ note: String?) throws(FileProblem) { try out.finish(note) }

    mutating func add(_ change: StoreHistoryChange) {
        if out.isJSON { return out.json.document(change, Self.schema) }
        if change.transaction != transaction || transaction == nil {
            transaction = change.transaction
            let time =
                change.time.flatMap { FileTime(secondsSince2001: $0) }.map { out.style.second($0) }
                ?? "no time"
            let who = [change.author, change.process, change.bundle, change.context].compactMap(\.self)
            let names = who.map { escapedText($0) }.joined(separator: ", ")
            let title = "transaction \(change.transaction.map(String.init) ?? "?")  \(time)"
            out.text.line(out.colour.paint(title, .bold) + (names.isEmpty ? "" : "  \(names)"))
        }
        let object = "\(escapedText(change.entity ?? "?")) \(change.primaryKey.map(String.init) ?? "?")"
        let columns = change.columns.map(String.init).joined(separator: ", ")
        let detail =
            change.tombstone.isEmpty
            ? (columns.isEmpty ? "" : ": columns \(columns)")
            : ": " + change.tombstone.map { out.style.line(of: $0) }.joined(separator: ", ")
        out.text.line("    \(change.kind.rawValue) \(object)\(detail)")
    }

    static let schema = JSONSchema<StoreHistoryChange>(
        "ticds.storeHistory/1", "Printed by ticds-store(1) `history`: a line for each change."
    ) {
        $0("change", "The number of the change.", as: .shared("integer"), \.number)
        $0("transaction", "The number of its transaction.", as: .orNull(.shared("integer")), \.transaction)
        $0("time", "When it was saved.", { $0.time.flatMap { FileTime(secondsSince2001: $0) } })
        $0("author", "The author that the app names.", \.author)
        $0("context", "The name of the context.", \.context)
        $0("bundle", "The bundle identifier of the program.", \.bundle)
        $0("process", "The name of the process.", \.process)
        $0("kind", "", \.kind)
        $0("entity", "Null for a number that the store does not have.", \.entity)
        $0("primaryKey", "", as: .orNull(.shared("integer")), \.primaryKey)
        $0(
            "columns",
            "Of an update, the numbers of the columns that changed; which property has which number is not known.",
            \.columns)
        $0("tombstone", "Of a deletion, the values that the model preserves.", \.tombstone)
    }
}
