import TICDSCore

/// Findings of one document, at most so many of a kind: the last says how many places more there are.
struct FindingFold {
    static let limit = 100

    private var byKind: [FindingKind: (findings: [Finding], more: Int)] = [:]

    mutating func add(_ finding: Finding) {
        if byKind[finding.kind, default: ([], 0)].findings.count < Self.limit {
            byKind[finding.kind, default: ([], 0)].findings.append(finding)
        } else {
            byKind[finding.kind, default: ([], 0)].more += 1
        }
    }

    /// Places of a kind that were not even looked at.
    mutating func addUnseen(_ count: Int, of kind: FindingKind) {
        if count > 0 { byKind[kind, default: ([], 0)].more += count }
    }

    func isFull(_ kind: FindingKind) -> Bool { (byKind[kind]?.findings.count ?? 0) >= Self.limit }

    var findings: [Finding] {
        byKind.values.flatMap { entry -> [Finding] in
            var findings = entry.findings
            if entry.more > 0, var last = findings.popLast() {
                last.found = (last.found ?? "") + "; the same in \(entry.more) more change sets"
                findings.append(last)
            }
            return findings
        }
    }
}

/// What is wrong with one change set, kind by kind: how many changes, and the first of them.
struct SetTally {
    struct Case {
        var count: Int
        var entity: String
        var syncID: String
        var expected: String?
        var detail: String?
    }

    private(set) var cases: [FindingKind: Case] = [:]

    mutating func count(
        _ kind: FindingKind, entity: String, _ syncID: String, expected: String? = nil,
        _ detail: String? = nil
    ) {
        if cases[kind] != nil {
            cases[kind]?.count += 1
        } else {
            cases[kind] = Case(
                count: 1, entity: entity, syncID: String(syncID.prefix(200)), expected: expected,
                detail: detail)
        }
    }

    /// One finding for each kind.
    func findings(at entry: ChangeHistory.Entry, _ context: VerificationContext) -> [Finding] {
        cases.sorted { $0.key.code < $1.key.code }.map { kind, found in
            let first = "\(found.entity.prefix(200)) \(found.syncID)"
            let text =
                counted(found.count, "change") + (found.count == 1 ? ", of " : ", the first of ") + first
            return context.finding(
                kind, at: entry.path, document: entry.document, client: entry.client, subject: found.syncID,
                expected: found.expected, found: text + (found.detail.map { ": " + $0 } ?? ""))
        }
    }
}
