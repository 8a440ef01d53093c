import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

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

    /// What the database has in the place of a result.
    private enum Former {
        case none, older, same, newer
    }

    private static func former(
        _ known: inout SQLiteStatement, _ keys: [FleetValue], _ started: String, _ fingerprint: String
    ) throws(SQLiteError) -> Former {
        defer { known.reset() }
        try known.bind(keys)
        guard try known.step() else { return .none }
        let former = (known.text(0) ?? "", known.text(1) ?? "")
        if former == (started, fingerprint) { return .same }
        return former < (started, fingerprint) ? .older : .newer
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
        let place = try Self.former(&knownHistory, [id, run], started, facts.fingerprint)
        if place == .same { return false }
        if place != .newer {
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
            let source = try Self.former(&knownSource, [id, name], started, facts.fingerprint)
            guard source == .none || source == .older else { continue }
            try inserts.sources.run([id, name, run, .text(started), .text(facts.fingerprint)])
            if source == .older { for table in kind.tables { try deletes.run(table, [id]) } }
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
