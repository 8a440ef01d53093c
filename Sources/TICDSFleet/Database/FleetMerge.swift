import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage
import TICDSCore

/// Puts the results of runs into the database of a fleet. For each part of the database the newest result of a remote
/// counts, by the time when its command began; the order of runs and shards, and merging twice, change nothing.
public struct FleetMerge: Sendable {
    /// Results that were read.
    public private(set) var envelopes = 0
    /// Of these, the results that the database did not have.
    public private(set) var new = 0
    /// Files that are no results, or could not be read.
    public private(set) var problems: [FileProblem] = []

    private static let mostProblems = 100

    /// Merges the runs in these folders into the file, which is made if it does not exist, and replaced in one step.
    /// - Parameter progress: called with the number of results so far; false stops.
    /// - Throws: `.refused` while another program writes there.
    public static func run(
        _ folders: [FilePath], to target: FilePath, progress: (Int) -> Bool = { _ in true }
    ) throws(FileProblem) -> FleetMerge {
        var merge = FleetMerge()
        let name = FilePath(nameBytes: (target.lastComponent?.bytes ?? []) + Array(".lock".utf8))
        let lock = try FileLock(target.parent.pushing(name), wait: 0) { _ in
            FileProblem(
                .refused, path: target, "another program merges into this database",
                advice: "Wait until it has finished")
        }
        defer { _ = lock }
        let output = try AtomicOutput(target, isReplacing: true)
        let work = output.aside("merging.sqlite")
        do {
            let database = try FleetDatabase.make(work)
            if try FileStatus.ifPresent(target) != nil { try database.copy(from: target) }
            try database.execute("BEGIN")
            var writer = try database.reporting { () throws(SQLiteError) in
                try FleetWriter(database.connection, work)
            }
            for folder in folders { try merge.add(folder, &writer, progress) }
            try database.execute("COMMIT")
            try database.write(to: output.path)
        }
        try output.finish()
        return merge
    }

    private mutating func add(
        _ folder: FilePath, _ writer: inout FleetWriter, _ progress: (Int) -> Bool
    ) throws(FileProblem) {
        let run = try FleetRun(folder)
        try writer.add(run.order)
        let top = folder.appending(FleetRun.Stage.envelopes.rawValue)
        for beginning in try Self.names(in: top) where beginning.utf8.count == 2 {
            let place = top.appending(beginning)
            for name in try Self.names(in: place) {
                guard name.utf8.count == 21, name.hasSuffix(".json"),
                    FleetRemote.isIdentifier(String(name.dropLast(5)))
                else { continue }
                guard progress(envelopes) else {
                    throw FileProblem(
                        .interrupted, path: folder, "the merge was stopped; the database is as it was")
                }
                try add(place.appending(name), expected: String(name.dropLast(5)), &writer)
            }
        }
    }

    private mutating func add(
        _ path: FilePath, expected identifier: String, _ writer: inout FleetWriter
    ) throws(FileProblem) {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileBytes.read(path, limit: Envelope.limit).array
        } catch {
            // A worker may have replaced it meanwhile, and keeps its name.
            return note(error)
        }
        guard let facts = EnvelopeFacts(bytes), facts.head.identifier == identifier else {
            return note(
                FileProblem(
                    .damaged, path: path, "is not the result of a remote",
                    advice: "Run again: it is made anew"))
        }
        envelopes += 1
        if try writer.add(facts) { new += 1 }
    }

    private mutating func note(_ problem: FileProblem) {
        if problems.count < Self.mostProblems { problems.append(problem) }
    }

    /// The names in a folder, sorted; none for a folder that does not exist.
    private static func names(in path: FilePath) throws(FileProblem) -> [String] {
        guard try FileStatus.ifPresent(path)?.kind == .folder else { return [] }
        var names: [String] = []
        try DirectoryReader.forEachEntry(of: OwnedDescriptor.folder(path)) { name, _ in
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names.sorted()
    }
}

/// Writes facts into the tables.
struct FleetWriter: ~Copyable {
    private let path: FilePath
    private var knownRun: SQLiteStatement
    private var knownHistory: SQLiteStatement
    private var knownSource: SQLiteStatement
    private var inserts: Statements
    private var deletes: Statements

    /// The statements by table, since an array cannot hold them.
    private struct Statements: ~Copyable {
        var runs: SQLiteStatement
        var remotes: SQLiteStatement
        var history: SQLiteStatement
        var sizes: SQLiteStatement
        var documents: SQLiteStatement
        var clients: SQLiteStatement
        var stores: SQLiteStatement
        var findings: SQLiteStatement
        var examples: SQLiteStatement
        var codes: SQLiteStatement
        var sources: SQLiteStatement

        init(_ connection: borrowing SQLiteConnection, _ sql: (String) -> String) throws(SQLiteError) {
            let runs = try connection.prepare(sql("runs"))
            let remotes = try connection.prepare(sql("remotes"))
            let history = try connection.prepare(sql("history"))
            let sizes = try connection.prepare(sql("sizes"))
            let documents = try connection.prepare(sql("documents"))
            let clients = try connection.prepare(sql("clients"))
            let stores = try connection.prepare(sql("stores"))
            let findings = try connection.prepare(sql("findings"))
            let examples = try connection.prepare(sql("examples"))
            let codes = try connection.prepare(sql("codes"))
            let sources = try connection.prepare(sql("sources"))
            self.runs = runs
            self.remotes = remotes
            self.history = history
            self.sizes = sizes
            self.documents = documents
            self.clients = clients
            self.stores = stores
            self.findings = findings
            self.examples = examples
            self.codes = codes
            self.sources = sources
        }

        mutating func run(_ table: String, _ values: [FleetValue]) throws(SQLiteError) {
            switch table {
            case "documents": try documents.run(values)
            case "clients": try clients.run(values)
            case "stores": try stores.run(values)
            case "findings": try findings.run(values)
            default: try examples.run(values)
            }
        }
    }

    init(_ connection: borrowing SQLiteConnection, _ path: FilePath) throws(SQLiteError) {
        let knownRun = try connection.prepare("SELECT begun, version, command FROM runs WHERE run = ?")
        let knownHistory = try connection.prepare(
            "SELECT started, fingerprint FROM history WHERE id = ? AND run = ?")
        let knownSource = try connection.prepare(
            "SELECT started, fingerprint FROM sources WHERE id = ? AND kind = ?")
        let inserts = try Statements(connection) { table in
            let columns = FleetDatabase.columns(of: table)
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            let start =
                "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT DO UPDATE SET "
            // Versions of the suite may differ in a title: the same one counts in any order.
            return start
                + columns.dropFirst().map { column in
                    table == "codes"
                        ? "\(column) = max(\(column), excluded.\(column))" : "\(column) = excluded.\(column)"
                }.joined(separator: ", ")
        }
        let deletes = try Statements(connection) { table in
            "DELETE FROM \(table) WHERE \(FleetDatabase.columns(of: table)[0]) = ?"
        }
        self.path = path
        self.knownRun = knownRun
        self.knownHistory = knownHistory
        self.knownSource = knownSource
        self.inserts = inserts
        self.deletes = deletes
    }

    private static func isNewer(
        _ known: inout SQLiteStatement, _ keys: [FleetValue], _ started: String, _ fingerprint: String
    ) throws(SQLiteError) -> Bool? {
        defer { known.reset() }
        try known.bind(keys)
        guard try known.step() else { return true }
        let former = (known.text(0) ?? "", known.text(1) ?? "")
        if former == (started, fingerprint) { return nil }
        return former < (started, fingerprint)
    }

    /// Adds the description of a run; the one that was prepared last counts.
    mutating func add(_ order: FleetRun.Order) throws(FileProblem) {
        do throws(SQLiteError) {
            let command = order.command.joined(separator: " ")
            knownRun.reset()
            try knownRun.bind([.text(order.name)])
            let isKnown = try knownRun.step()
            let former = (knownRun.text(0) ?? "", knownRun.text(1) ?? "", knownRun.text(2) ?? "")
            knownRun.reset()
            if isKnown, former >= (order.begun, order.version, command) { return }
            try inserts.runs.run([
                .text(order.name), .text(command), .text(order.begun), .text(order.version),
                FleetValue(order.remotes),
            ])
        } catch {
            throw FileProblem(
                .writeFailed, path: path, "the database cannot be written", found: error.message)
        }
    }

    /// Adds what an envelope says, as far as nothing newer is there.
    /// - Returns: false if the same envelope is there already.
    mutating func add(_ facts: EnvelopeFacts) throws(FileProblem) -> Bool {
        do throws(SQLiteError) {
            return try put(facts)
        } catch {
            throw FileProblem(
                .writeFailed, path: path, "the database cannot be written", found: error.message)
        }
    }

    private mutating func put(_ facts: EnvelopeFacts) throws(SQLiteError) -> Bool {
        let head = facts.head
        let started = head.started.iso
        let id = FleetValue.text(head.identifier)
        let run = FleetValue.text(head.run)
        guard let isNewest = try Self.isNewer(&knownHistory, [id, run], started, facts.fingerprint) else {
            return false
        }
        if isNewest {
            try inserts.history.run([
                id, run, .text(started), .real(head.seconds), .text(head.state.rawValue),
                FleetValue(head.reason?.rawValue), FleetValue(head.exitStatus), FleetValue(head.signal),
                FleetValue(head.attempts), .integer(head.peakMemory), FleetValue(head.digest),
                .text(head.host),
                .text(head.version), FleetValue(head.problem), facts.count("error"), facts.count("warning"),
                facts.count("note"), .text(facts.fingerprint),
            ])
            if let files = head.files {
                let hasStatus = facts.kinds.contains(.status)
                try inserts.sizes.run([
                    id, run, .text(started), FleetValue(files.count), .integer(files.bytes),
                    hasStatus ? FleetValue(facts.changeSets.count) : .null,
                    hasStatus ? .integer(facts.changeSets.bytes) : .null,
                    hasStatus ? FleetValue(facts.wholeStores.count) : .null,
                    hasStatus ? .integer(facts.wholeStores.bytes) : .null,
                ])
            }
        }
        for kind in EnvelopeFacts.Kind.allCases where facts.kinds.contains(kind) {
            let name = FleetValue.text(kind.rawValue)
            guard try Self.isNewer(&knownSource, [id, name], started, facts.fingerprint) == true else {
                continue
            }
            try inserts.sources.run([id, name, run, .text(started), .text(facts.fingerprint)])
            for table in kind.tables { try deletes.run(table, [id]) }
            switch kind {
            case .listing:
                try inserts.remotes.run([
                    id, .text(head.location.escaped), .text(head.application),
                    .text(head.tags.joined(separator: " ")),
                    FleetValue(head.digest), FleetValue(head.files?.count), FleetValue(head.files?.bytes),
                    FleetValue(facts.isEncrypted), .text(started),
                ])
            case .status:
                for row in facts.documents { try inserts.documents.run([id] + row) }
                for row in facts.clients { try inserts.clients.run([id] + row) }
            case .findings:
                for (code, finding) in facts.findings {
                    try inserts.findings.run([
                        id, .text(code), .text(finding.severity), .integer(finding.count),
                    ])
                }
                for row in facts.examples { try inserts.examples.run([id] + row) }
            case .stores:
                for row in facts.stores { try inserts.stores.run([id] + row) }
            }
        }
        for (code, kind) in facts.titles {
            try inserts.codes.run([.text(code), .text(kind.severity), .text(kind.title)])
        }
        return true
    }
}
