import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// Writes salvaged rows as they come: to standard output, or into a new file or folder.
final class RecoveryWriter {
    private var printed: LineOutput
    private var file = JSONWriter(nil)
    private let descriptor: FileDescriptor?
    private let database: RecoveredDatabaseWriter?
    private let target: FilePath?
    private var isPrinting: Bool { target == nil }

    init(_ recovery: StoreRecovery, _ target: AtomicOutput?, _ context: CommandContext) throws(FileProblem) {
        printed = LineOutput(context)
        self.target = target?.target
        guard let target else {
            descriptor = nil
            database = nil
            return
        }
        let format = ExportFormat(name: target.target.lastComponent?.string ?? "")
        let isFolder = format == .csv
        if isFolder { try NewFile.makeFolder(target.path) }
        if format != .sqlite {
            let opened = try Self.create(isFolder ? target.path.appending("rows.jsonl") : target.path)
            descriptor = opened
            file = JSONWriter(opened, layout: .compact)
        } else {
            descriptor = nil
        }
        if isFolder || format == .sqlite {
            database = try RecoveredDatabaseWriter(
                creating: isFolder ? target.path.appending("rows.sqlite") : target.path, recovery,
                json: JSONWriter.text(of:))
        } else {
            database = nil
        }
    }

    deinit {
        // try?: an error of writing was thrown before
        try? descriptor?.close()
    }

    static func create(_ path: FilePath) throws(FileProblem) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666))
        } catch {
            throw FileProblem.writing(error, path: path)
        }
    }

    func add(_ row: RecoveredRow) throws(FileProblem) {
        if isPrinting {
            if printed.isJSON { Self.add(row, &printed.json) } else { addText(row) }
        }
        if descriptor != nil { Self.add(row, &file) }
        try database?.add(row)
    }

    /// Ends the output. On a terminal the numbers of rows follow.
    func finish(_ tally: RecoveryTally, _ context: CommandContext) throws(FileProblem) {
        if let target, descriptor != nil {
            do throws(FileProblem) { try file.flush() } catch { throw error.of(target) }
        }
        try database?.finish()
        guard isPrinting else { return }
        if !printed.isJSON { tally.show(to: &printed.text, context) }
        try printed.finish()
    }

    /// Written below: there may be millions.
    static let schema = JSONSchema<Void>(
        "ticds.recoveredRow/1", "Printed by ticds-store(1) `recover`: a line for each row."
    ) {
        $0("entity", "The entity; null for a row that is no object.", as: .orNull(.text))
        $0("table", "The table of the store; null if none fits.", as: .orNull(.text))
        $0(
            "primaryKey", "The primary key, or the number of the row; null if it is lost.",
            as: .orNull(.shared("integer")))
        $0(
            "state",
            "`live`: present. `deleted`: no present row has its key. `older`: a present row has its key and other "
                + "values. `unknown`: the key or a part of the table is lost, or the row lies in the log behind the last "
                + "commit that can be read.",
            as: .words(RecoveredRow.State.self))
        $0(
            "source",
            "`live`: in the tree of its table. `freelist`: a free page. `freeblock`, `unallocated`: the space between "
                + "rows. `orphan`: a page of no tree. `log`: a page in the log that is not the present one. `replaced`: a "
                + "page of the database that the log replaced. `journal`: the rollback journal.",
            as: .words(RecoveredRow.Source.self))
        $0(
            "certain",
            "Whether the whole record with its header is on a page of this table, and nothing contradicts it.",
            as: .boolean)
        $0(
            "complete", "Whether no value is lost, and no text of an uncertain row has control characters.",
            as: .boolean)
        $0(
            "indexEntry", "Whether it is an entry of an index: some columns, then the number of the row.",
            as: .boolean)
        $0("file", "`database`, `log` or `journal`.", as: .names(["database", "log", "journal"]))
        $0("page", "The number of the page, from 1.", as: .shared("integer"))
        $0(
            "frame", "The frame of the log or the record of the journal, from 1; null for the database.",
            as: .orNull(.shared("integer")))
        $0("offset", "The offset in that file.", as: .shared("integer"))
        $0(
            "attributes",
            "Values by name; of a row that is no object by column, and without a table by number from 0.",
            as: .map(.value))
        $0(
            "relationships", "Primary keys of to-one relationships by name.",
            as: .map(.orNull(.shared("integer"))))
    }

    private static func add(_ row: RecoveredRow, _ json: inout JSONWriter) {
        json.begin(schema.name)
        json.field("entity", row.entity)
        json.field("table", row.table)
        json.field("primaryKey", row.primaryKey)
        json.field("state", row.state.rawValue)
        json.field("source", row.source.rawValue)
        json.field("certain", row.isCertain)
        json.field("complete", row.isComplete)
        json.field("indexEntry", row.isIndexEntry)
        json.field("file", row.kindOfFile)
        json.field("page", row.page)
        json.field("frame", row.frame)
        json.field("offset", row.offset)
        json.beginObject("attributes")
        for attribute in row.attributes { json.field(attribute.name, attribute.value) }
        json.endObject()
        json.beginObject("relationships")
        for relationship in row.relationships {
            if case .toOne(let key) = relationship.target { json.field(relationship.name, key) }
        }
        json.endObject()
        json.end()
    }

    private func addText(_ row: RecoveredRow) {
        let name = row.entity ?? row.table.map { "table \($0)" } ?? "no known table"
        let key = row.primaryKey.map { " \($0)" } ?? ""
        var words = row.state == .live ? [] : [row.state == .unknown ? "may be present" : row.state.rawValue]
        if row.state == .unknown, row.primaryKey == nil { words = ["key lost"] }
        if !row.isCertain { words.append("probable") }
        if !row.isComplete { words.append("incomplete") }
        if row.isIndexEntry { words.append("index entry") }
        let place =
            row.frame.map { ", \(row.kindOfFile) \(row.kindOfFile == "log" ? "frame" : "record") \($0)" }
            ?? ""
        let origin = "page \(row.page)\(place), offset \(row.offset), \(row.source.rawValue)"
        printed.text.line(
            printed.colour.paint(escapedText("\(name)\(key)"), .bold)
                + "  \(words.joined(separator: ", "))\(words.isEmpty ? "" : "; ")\(origin)")
        for attribute in row.attributes where !attribute.value.isNil {
            printed.text.line("    \(attribute.name) = \(printed.style.line(of: attribute.value))")
        }
        for relationship in row.relationships {
            if case .toOne(let key?) = relationship.target {
                printed.text.line("    \(relationship.name) → \(key)")
            }
        }
    }
}

extension RecoveredRow {
    /// The kind of the file in one word.
    fileprivate var kindOfFile: String {
        switch source {
        case _ where frame == nil: "database"
        case .journal: "journal"
        default: "log"
        }
    }
}

extension FileProblem {
    /// The problem with the target in place of the file that was being written.
    func of(_ target: FilePath) -> FileProblem {
        var problem = self
        problem.path = target
        return problem
    }
}
