import Base
import Cryptography
import SystemCalls
import TICDSCore

/// The data that the database takes from one envelope: the head, and the rows from its documents.
struct EnvelopeFacts {
    /// The parts of the database that an envelope can renew.
    enum Kind: String, CaseIterable {
        /// The remote as it was listed, or only its place in the inventory; documents and clients; findings; whole
        /// stores.
        case listing, place, status, findings, stores

        /// The tables that it fills, with the remote's identifier as the first column.
        var tables: [String] {
            switch self {
            case .listing, .place: []
            case .status: ["documents", "clients"]
            case .findings: ["findings", "examples"]
            case .stores: ["stores"]
            }
        }
    }

    var head = RunResultHeader()
    /// 32 hexadecimal digits, half a SHA-256 of the file, which decide between two envelopes with the same time.
    var fingerprint = ""
    var kinds: Set<Kind> = []
    var isEncrypted: Bool?
    /// The rows, without the identifier.
    var documents: [[FleetValue]] = []
    var clients: [[FleetValue]] = []
    var stores: [[FleetValue]] = []
    var examples: [[FleetValue]] = []
    /// The severities and counts, by code.
    var findings: [String: (severity: String, count: Int64)] = [:]
    /// The severities and titles, by code.
    var titles: [String: (severity: String, title: String)] = [:]
    /// The totals of all documents; nil if they are unknown for a document.
    var changeSets: FileTotals? = FileTotals()
    var wholeStores: FileTotals? = FileTotals()

    /// The largest number of examples of one code that are kept for one remote.
    private static let mostExamples = 20
    /// The largest number of documents, clients and stores of one remote.
    private static let mostRows = 10_000

    /// The facts of an envelope; nil for bytes that are not an envelope.
    init?(_ bytes: [UInt8]) {
        fingerprint = hexadecimalDigits(of: SHA256.hash(bytes).prefix(16))
        var scanner = JSONScanner(bytes, deepest: 220)
        var isEnvelope = false
        do throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "schema": isEnvelope = try scanner.text() == RunResult.schemaName
                case "payload":
                    try scanner.array { (scanner) throws(JSONScanner.Problem) in try read(&scanner) }
                default: try head.readField(key, &scanner)
                }
            }
            try scanner.end()
        } catch {
            return nil
        }
        guard isEnvelope, FleetRemote.isIdentifier(head.identifier), !head.run.isEmpty else { return nil }
        // A result without a list of files means that the remote could not be listed completely. A failed command
        // provides no information about this.
        let isListed = head.files != nil || head.state == .done || head.reason == .partial
        if head.state != .done { kinds = [] }
        kinds.insert(isListed ? .listing : .place)
    }

    /// The number of findings of a severity.
    func count(_ severity: String) -> FleetValue {
        guard kinds.contains(.findings) else { return .null }
        return .integer(findings.values.reduce(0) { $1.severity == severity ? $0 +| $1.count : $0 })
    }

    private mutating func read(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
        var schema = ""
        var finding = Finding()
        var lags: [String: (count: Int64?, asOf: String?)] = [:]
        var people: [String: [FleetValue]] = [:]
        guard try scanner.isAtObject() else { return try scanner.skip() }
        try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
            if key == "schema" {
                schema = try scanner.text()
                return
            }
            switch (schema, key) {
            case ("ticds.status/1", "encrypted"), ("ticds.verify/1", "encrypted"),
                ("ticds.wholeStores/1", "encrypted"):
                isEncrypted = try scanner.boolean()
            case ("ticds.status/1", "documents"):
                kinds.insert(.status)
                try scanner.array { (scanner) throws(JSONScanner.Problem) in try readDocument(&scanner) }
            case ("ticds.status/1", "clients"):
                try scanner.array { (scanner) throws(JSONScanner.Problem) in
                    let (name, row) = try Self.client(&scanner)
                    if people.count < Self.mostRows { people[name] = row }
                }
            case ("ticds.status/1", "documentClients"):
                try scanner.array { (scanner) throws(JSONScanner.Problem) in
                    guard let (name, count, asOf) = try Self.lag(&scanner) else { return }
                    let former = lags[name]
                    let sum = (former.map(\.count) ?? 0).flatMap { sum in count.map { sum +| $0 } }
                    lags[name] = (sum, max(former?.asOf ?? "", asOf ?? ""))
                }
            case ("ticds.wholeStores/1", "stores"):
                kinds.insert(.stores)
                try scanner.array { (scanner) throws(JSONScanner.Problem) in
                    let row = try Self.store(&scanner)
                    if stores.count < Self.mostRows { stores.append(row) }
                }
            case ("ticds.verify/1", "level"):
                kinds.insert(.findings)
                try scanner.skip()
            case ("ticds.finding/1", _): try finding.read(key, &scanner)
            default: try scanner.skip()
            }
        }
        for (name, row) in people {
            let lag = lags[name]
            clients.append([.text(name)] + row + [FleetValue(lag?.count), FleetValue(lag?.asOf)])
        }
        if schema == "ticds.finding/1", !finding.code.isEmpty { add(finding) }
    }

    private mutating func add(_ finding: Finding) {
        let number = findings[finding.code]?.count ?? 0
        findings[finding.code] = (finding.severity, number +| 1)
        titles[finding.code] = (finding.severity, finding.title)
        guard number < Self.mostExamples else { return }
        examples.append([
            .text(finding.code), .integer(number +| 1), FleetValue(finding.document),
            FleetValue(finding.client),
            FleetValue(finding.path), FleetValue(finding.found),
        ])
    }

    private struct Finding {
        var code = ""
        var severity = ""
        var title = ""
        var document: String?
        var client: String?
        var path: String?
        var found: String?

        mutating func read(_ key: String, _ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            if scanner.null() { return }
            switch key {
            case "code": code = try scanner.text()
            case "severity": severity = try scanner.text()
            case "title": title = try scanner.text()
            case "document": document = try scanner.text()
            case "client": client = try scanner.text()
            case "path": path = try scanner.text()
            case "found": found = try scanner.text()
            default: try scanner.skip()
            }
        }
    }

    private mutating func readDocument(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
        var name = ""
        var description: String?
        var lastSync: String?
        var members: Int64?
        var sets = Totals()
        var stored = Totals()
        try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
            if scanner.null() { return }
            switch key {
            case "identifier": name = try scanner.text()
            case "description": description = try scanner.text()
            case "lastSync": lastSync = try scanner.text()
            case "clients": members = try Self.count(&scanner)
            case "changeSets": sets = try Totals(&scanner)
            case "wholeStores": stored = try Totals(&scanner)
            default: try scanner.skip()
            }
        }
        changeSets = sets.added(to: changeSets)
        wholeStores = stored.added(to: wholeStores)
        guard documents.count < Self.mostRows else { return }
        documents.append([
            .text(name), FleetValue(description), FleetValue(lastSync), FleetValue(members),
            FleetValue(sets.count), FleetValue(sets.bytes), FleetValue(sets.newest),
            FleetValue(stored.count), FleetValue(stored.bytes),
        ])
    }

    /// The number of elements of an array.
    private static func count(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) -> Int64 {
        var count: Int64 = 0
        try scanner.array { (scanner) throws(JSONScanner.Problem) in
            count += 1
            try scanner.skip()
        }
        return count
    }

    /// A count with its bytes, and the newest time; nil if unknown.
    private struct Totals {
        var count: Int64?
        var bytes: Int64?
        var newest: String?

        /// The sum including these; nil if one is unknown.
        func added(to sum: FileTotals?) -> FileTotals? {
            guard var sum, let count, let bytes else { return nil }
            sum.add(FileTotals(count: Int(count), bytes: bytes))
            return sum
        }

        init() {}

        init(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                if scanner.null() { return }
                switch key {
                case "count": count = try scanner.integer()
                case "bytes": bytes = try scanner.integer()
                case "newest": newest = try scanner.text()
                default: try scanner.skip()
                }
            }
        }
    }

    /// A client of the app: its identifier, and the rest of its row except the lag.
    private static func client(
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> (String, [FleetValue]) {
        var name = ""
        var description: String?
        var isRegistered: Bool?
        var lastSync: String?
        var uploaded: String?
        var places: Int64?
        var sets = Totals()
        try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
            if scanner.null() { return }
            switch key {
            case "identifier": name = try scanner.text()
            case "description": description = try scanner.text()
            case "registered": isRegistered = try scanner.boolean()
            case "lastSync": lastSync = try scanner.text()
            case "wholeStoreUploaded": uploaded = try scanner.text()
            case "documents": places = try count(&scanner)
            case "changeSets": sets = try Totals(&scanner)
            default: try scanner.skip()
            }
        }
        return (
            name,
            [
                FleetValue(description), FleetValue(isRegistered), FleetValue(lastSync), FleetValue(uploaded),
                FleetValue(places), FleetValue(sets.count), FleetValue(sets.bytes),
            ]
        )
    }

    /// The sets that a client of a document had not applied, a count that may be unknown; nil without a readable
    /// register.
    private static func lag(
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> (client: String, count: Int64?, asOf: String?)? {
        var name = ""
        var count: Int64?
        var asOf: String?
        var hasLag = false
        try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
            if scanner.null() { return }
            switch key {
            case "client": name = try scanner.text()
            case "lag":
                hasLag = true
                try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                    if scanner.null() { return }
                    switch key {
                    case "notApplied": count = try scanner.integer()
                    case "asOf": asOf = try scanner.text()
                    default: try scanner.skip()
                    }
                }
            default: try scanner.skip()
            }
        }
        return hasLag ? (name, count, asOf) : nil
    }

    private static func store(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) -> [FleetValue] {
        var texts: [String: String] = [:]
        var numbers: [String: Int64] = [:]
        try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
            if scanner.null() { return }
            switch key {
            case "document", "client", "kind", "modified": texts[key] = try scanner.text()
            case "size", "objects", "frameworkVersion": numbers[key] = try scanner.integer()
            case "model":
                try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                    if scanner.null() { return }
                    switch key {
                    case "digest": texts[key] = try scanner.text()
                    case "entities": numbers[key] = try scanner.integer()
                    default: try scanner.skip()
                    }
                }
            default: try scanner.skip()
            }
        }
        return [
            .text(texts["document"] ?? ""), .text(texts["client"] ?? ""), FleetValue(texts["kind"]),
            FleetValue(numbers["size"]), FleetValue(texts["modified"]), FleetValue(numbers["objects"]),
            FleetValue(numbers["entities"]), FleetValue(texts["digest"]),
            FleetValue(numbers["frameworkVersion"]),
        ]
    }
}
