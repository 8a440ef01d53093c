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
    /// The prepared statements, by table.
    private let inserts: [String: SQLiteStatement.Holder]
    private let deletes: [String: SQLiteStatement.Holder]

    init(_ connection: borrowing SQLiteConnection, _ path: FilePath) throws(SQLiteError) {
        let knownRun = try connection.prepare("SELECT begun, version, command FROM runs WHERE run = ?")
        let knownHistory = try connection.prepare(
            "SELECT started, fingerprint FROM history WHERE id = ? AND run = ?")
        let knownSource = try connection.prepare(
            "SELECT started, fingerprint FROM sources WHERE id = ? AND kind = ?")
        var inserts: [String: SQLiteStatement.Holder] = [:]
        for table in FleetDatabase.tables {
            inserts[table.name] = SQLiteStatement.Holder(
                try connection.prepare(Self.insertion(into: table.name)))
        }
        var deletes: [String: SQLiteStatement.Holder] = [:]
        for table in EnvelopeFacts.Kind.allCases.flatMap(\.tables) {
            deletes[table] = SQLiteStatement.Holder(
                try connection.prepare(
                    "DELETE FROM \(table) WHERE \(FleetDatabase.columns(of: table)[0]) = ?"))
        }
        self.path = path
        self.knownRun = knownRun
        self.knownHistory = knownHistory
        self.knownSource = knownSource
        self.inserts = inserts
        self.deletes = deletes
    }

    private static func insertion(into table: String) -> String {
        let columns = FleetDatabase.columns(of: table)
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        // Versions of ticds may differ in a title: the choice does not depend on the order.
        let updates = columns.dropFirst().map { column in
            table == "codes"
                ? "\(column) = max(\(column), excluded.\(column))" : "\(column) = excluded.\(column)"
        }
        return "INSERT INTO \(table)(\(columns.joined(separator: ", "))) VALUES (\(places)) "
            + "ON CONFLICT DO UPDATE SET \(updates.joined(separator: ", "))"
    }

    private func insert(_ table: String, _ values: [FleetValue]) throws(SQLiteError) {
        try inserts[table]?.statement.run(values)
    }

    /// The present state of a result in the database.
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

    /// Whether a result has listed the remote.
    private mutating func isListed(_ id: FleetValue) throws(SQLiteError) -> Bool {
        let listing = FleetValue.text(EnvelopeFacts.Kind.listing.rawValue)
        return try Self.former(&knownSource, [id, listing], "", "") != .none
    }

    /// Adds the description of a run; the last prepared one counts.
    mutating func add(_ order: FleetRun.Order) throws(FileProblem) {
        do throws(SQLiteError) {
            let command = order.command.joined(separator: " ")
            knownRun.reset()
            try knownRun.bind([.text(order.name)])
            let isKnown = try knownRun.step()
            let former = (knownRun.text(0) ?? "", knownRun.text(1) ?? "", knownRun.text(2) ?? "")
            knownRun.reset()
            if isKnown, former >= (order.begun, order.version, command) { return }
            try insert(
                "runs",
                [
                    .text(order.name), .text(command), .text(order.begun), .text(order.version),
                    FleetValue(order.remotes),
                ])
        } catch {
            throw FileProblem(
                .writeFailed, path: path, "the database cannot be written", found: error.message)
        }
    }

    /// Adds the facts of an envelope, unless the database has newer ones.
    /// - Returns: false if the database already contains this envelope.
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
            try insert(
                "history",
                [
                    id, run, .text(started), .real(head.seconds), .text(head.state.rawValue),
                    FleetValue(head.reason?.rawValue), FleetValue(head.exitStatus), FleetValue(head.signal),
                    FleetValue(head.attempts), .integer(head.peakMemory), FleetValue(head.digest),
                    .text(head.host),
                    .text(head.version), FleetValue(head.problem), facts.count("error"),
                    facts.count("warning"),
                    facts.count("note"), .text(facts.fingerprint),
                ])
            if let files = head.files {
                let hasStatus = facts.kinds.contains(.status)
                try insert(
                    "sizes",
                    [
                        id, run, .text(started), FleetValue(files.count), .integer(files.bytes),
                        FleetValue(hasStatus ? facts.changeSets?.count : nil),
                        FleetValue(hasStatus ? facts.changeSets?.bytes : nil),
                        FleetValue(hasStatus ? facts.wholeStores?.count : nil),
                        FleetValue(hasStatus ? facts.wholeStores?.bytes : nil),
                    ])
            }
        }
        for kind in EnvelopeFacts.Kind.allCases where facts.kinds.contains(kind) {
            let name = FleetValue.text(kind.rawValue)
            let source = try Self.former(&knownSource, [id, name], started, facts.fingerprint)
            guard source == .none || source == .older else { continue }
            try insert("sources", [id, name, run, .text(started), .text(facts.fingerprint)])
            if source == .older { for table in kind.tables { try deletes[table]?.statement.run([id]) } }
            let isListed = kind == .place ? try isListed(id) : false
            switch kind {
            case .place where isListed: break
            case .listing, .place:
                try insert(
                    "remotes",
                    [
                        id, .text(head.location.escaped), .text(head.application),
                        .text(head.tags.joined(separator: " ")),
                        FleetValue(head.digest), FleetValue(head.files?.count), FleetValue(head.files?.bytes),
                        FleetValue(facts.isEncrypted), kind == .place ? .null : .text(started),
                    ])
            case .status:
                for row in facts.documents { try insert("documents", [id] + row) }
                for row in facts.clients { try insert("clients", [id] + row) }
            case .findings:
                for (code, finding) in facts.findings {
                    try insert(
                        "findings",
                        [
                            id, .text(code), .text(finding.severity), .integer(finding.count),
                        ])
                }
                for row in facts.examples { try insert("examples", [id] + row) }
            case .stores:
                for row in facts.stores { try insert("stores", [id] + row) }
            }
        }
        for (code, kind) in facts.titles {
            try insert("codes", [.text(code), .text(kind.severity), .text(kind.title)])
        }
        return true
    }
}
