import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct StoreRecover: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Brings back deleted rows, old versions, and what is left of a damaged store.",
        discussion: """
            Reads the pages of the store, its write-ahead log and its rollback journal itself, without SQLite, and \
            changes nothing. Each row comes with its page and offset, and whether it is certain. A target that ends \
            in .jsonl gets JSON Lines, .sqlite or .db a database; any other name becomes a folder with both.

            For a truncated or damaged binary store it shows each object, and what of the object is lost; a target \
            that does not end in .jsonl becomes a new binary store of the intact objects.

            Examples:
              ticds-store recover Notebook.sqlite --deleted
              ticds-store recover Notebook.sqlite --to recovered.db --entity Note
              ticds-store recover Notebook.sqlite --json | jq -c 'select(.state == "deleted" and .certain)'
            """)

    @Argument(
        help: "The store: loose, a WholeStore.ticdsync in any form, or a remote with the options below.",
        completion: .file())
    var store: String

    @Option(help: .value("target", "The new file or folder to write."), completion: .file())
    var to: String?

    @Option(help: .value("name", "Only objects of this entity."))
    var entity: String?

    @Flag(help: "Only rows that are not present: deleted rows, old versions, and those of lost pages.")
    var deleted = false

    @Flag(help: "Only rows that are certain; of a binary store, only whole objects.")
    var certain = false

    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let file = try RecoverableFile(store, place, options.password, context)
        if file.isBinary { return try recoverBinaryStore(file, context) }
        let recovery: StoreRecovery
        do { recovery = try open(file) } catch let problem as FileProblem { throw file.visible(problem) }
        if let entity, !recovery.entityNames.contains(entity) {
            throw FileProblem.unknownEntity(entity, at: file.visiblePath, among: Array(recovery.entityNames))
        }
        for note in file.notes + recovery.notes { context.warn(note.text) }
        let target = try to.map { name in
            try AtomicOutput(try OutputTarget.path(name), isReplacing: false, offersForce: false)
        }
        var tally = RecoveryTally(path: file.visiblePath, facts: recovery.facts)
        let writer = try RecoveryWriter(recovery, target, context)
        let (entity, deleted, certain) = (entity, deleted, certain)
        tally.leftOut = try recovery.forEachRow(
            onDamage: { problem throws(FileProblem) in
                guard problem.kind != .changedWhileReading else { throw problem }
                context.report(file.visible(problem))
                tally.problems += 1
            },
            { (row) throws(FileProblem) in
                if let entity, row.entity != entity { return }
                if deleted && row.state == .live || certain && !row.isCertain { return }
                tally.add(row)
                try writer.add(row)
            })
        try writer.finish(tally, context)
        try target?.finish()
        tally.target = target?.target
        if target != nil { try context.print(tally, RecoveryTally.schema) { tally.show(to: &$0, context) } }
        return tally.problems == 0 ? .success : .partial
    }

    private func open(_ file: RecoverableFile) throws -> StoreRecovery {
        guard let named = options.model else { return try StoreRecovery(file.path, gaps: file.gaps) }
        let mismatch: ModelMismatch = options.acceptMismatch ? .accept : .refuse
        let metadata = try StoreRecovery(file.path).metadata
        let found = try ModelFile.load(
            Environment.path(argument: named), for: metadata, of: file.path, mismatch: mismatch)
        return try StoreRecovery(file.path, model: found.model, mismatch: mismatch, gaps: file.gaps)
    }
}

/// A store that may be too damaged for other commands to be recognised.
struct RecoverableFile {
    let path: FilePath
    let notes: [StoreNote]
    let gaps: ExternalDataGaps
    /// Whether the file is a binary store, even one with a damaged header.
    let isBinary: Bool
    private let file: StoreFile?
    /// The private copy of a file in an archive that is not recognised; nil for any other file.
    private let copy: FileOnDisk?
    /// The path for people.
    var visiblePath: FilePath { file?.visiblePath ?? copy?.origin ?? path }

    /// A problem with a private copy as one with its origin.
    func visible(_ problem: FileProblem) -> FileProblem {
        file?.visible(problem) ?? copy?.visible(problem) ?? problem
    }

    init(
        _ argument: String, _ place: WholeStoreOptions, _ password: PasswordOptions, _ context: CommandContext
    ) throws {
        do {
            let found = try place.file(argument, password, context)
            (path, notes, gaps) = (found.path, found.notes, found.gaps)
            file = found
            copy = nil
        } catch let problem as FileProblem {
            guard [.damaged, .unsupported].contains(problem.kind), place.isEmpty else { throw problem }
            let named = Environment.path(argument: argument)
            if let (remote, place) = try RemoteAddress(path: named).archivedFile {
                copy = try remote.storage().onDisk(place)
            } else {
                guard try FileStatus.ifPresent(named)?.kind == .file else { throw problem }
                try Sidecar.refuse(named)
                copy = nil
            }
            (path, notes, gaps) = (copy?.path ?? named, [], ExternalDataGaps())
            file = nil
        }
        let head = try FileBytes.head(path, count: 72)
        isBinary =
            head.starts(with: BinaryStoreHeader.magic)
            || head.array(BinaryStoreHeader.size..<72).starts(with: Array("bplist0".utf8))
        guard !head.starts(with: Array("<?xml".utf8)) else {
            throw FileProblem(
                .unsupported, path: visiblePath, "is an XML store", expected: "an SQLite or binary store",
                advice: "It is text: read what is left of it with ticds-store dump or an editor")
        }
    }
}

/// The numbers of rows by entity, and the contents of the files.
struct RecoveryTally {
    let path: FilePath
    let facts: RecoveryFacts
    var target: FilePath?
    var problems = 0
    /// The number of rows that equal others and were left out.
    var leftOut = 0
    private(set) var kinds: [Kind] = []
    /// The positions of entities, and of tables by their names, in `kinds`.
    private var places: (entities: [String: Int], tables: [String?: Int]) = ([:], [:])

    /// The rows of an entity, or of a table without objects.
    struct Kind {
        var name: String?
        var isEntity: Bool
        var counts: [RecoveredRow.State: Int] = [:]
        var certain = 0
        func count(_ state: RecoveredRow.State) -> Int { counts[state] ?? 0 }
    }

    init(path: FilePath, facts: RecoveryFacts) {
        self.path = path
        self.facts = facts
    }

    mutating func add(_ row: RecoveredRow) {
        let place = (row.entity.map { places.entities[$0] } ?? places.tables[row.table]) ?? kinds.count
        if place == kinds.count {
            if let entity = row.entity {
                places.entities[entity] = place
            } else {
                places.tables[row.table] = place
            }
            kinds.append(Kind(name: row.entity ?? row.table, isEntity: row.entity != nil))
        }
        kinds[place].counts[row.state, default: 0] += 1
        if row.isCertain { kinds[place].certain += 1 }
    }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        if context.quiet { return }
        let colour = context.colour()
        var table = TextTable(
            ["ROWS OF", "PRESENT", "DELETED", "OLDER", "UNKNOWN", "CERTAIN"],
            [.text, .number, .number, .number, .number, .number])
        for kind in kinds.sorted(by: {
            ($0.isEntity ? 0 : 1, $0.name ?? "~") < ($1.isEntity ? 0 : 1, $1.name ?? "~")
        }) {
            table.add(
                [kind.name.map { kind.isEntity ? $0 : "table \($0)" } ?? "no known table"]
                    + RecoveredRow.State.allCases.map { Quantities.count(kind.count($0)) }
                    + [Quantities.count(kind.certain)])
        }
        if kinds.isEmpty { text.line("no rows") } else { table.show(to: &text, colour: colour) }
        if let target { text.line("written: \(target.escaped)") }
    }

    static let schema = JSONSchema<RecoveryTally>(
        "ticds.storeRecovery/1", "Printed by ticds-store(1) `recover` with `--to`."
    ) {
        $0("store", "", \.path)
        $0("target", "The file or folder that was written.", \.target)
        $0("pageSize", "Bytes of a page.", \.facts.pageSize)
        $0("pages", "The number of pages.", \.facts.pages)
        $0("logFrames", "The frames of the write-ahead log by what they are.", { $0.facts }, frames)
        $0("journalPages", "The pages in the rollback journal.", \.facts.journalPages)
        $0("problems", "The number of things that could not be read.", \.problems)
        $0("leftOut", "The number of rows that were left out, since others are equal.", \.leftOut)
        $0("rows", "The numbers of rows.", \.kinds, kind)
    }

    private static let frames = JSONFields<RecoveryFacts> {
        $0("committed", "Valid, and committed.", { $0.frameCounts["committed"] ?? 0 })
        $0("uncommitted", "Valid, but after the last commit.", { $0.frameCounts["uncommitted"] ?? 0 })
        $0("earlier", "From before the last reset of the log.", { $0.frameCounts["earlier"] ?? 0 })
        $0("broken", "With a wrong checksum.", { $0.frameCounts["broken"] ?? 0 })
    }

    private static let kind = JSONFields<Kind> {
        $0("entity", "Null for rows that are no objects.", { $0.isEntity ? $0.name : nil })
        $0("table", "The table of rows that are no objects; null for objects, and if no table fits.") {
            $0.isEntity ? nil : $0.name
        }
        $0("live", "", { $0.count(.live) })
        $0("deleted", "", { $0.count(.deleted) })
        $0("older", "", { $0.count(.older) })
        $0("unknown", "", { $0.count(.unknown) })
        $0("certain", "", \.certain)
    }
}

extension WholeStoreOptions {
    /// Whether no option was given.
    var isEmpty: Bool { document.document == nil && clients.clients.isEmpty }
}
