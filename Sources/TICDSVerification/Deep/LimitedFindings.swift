import Base
import SystemCalls
import TICDSCore

/// The findings of one document, at most `limit` of each kind. The last finding of a kind contains the number of
/// further sets.
struct LimitedFindings {
    static let limit = 100
    private var byKind: [FindingKind: (findings: [Finding], more: Int)] = [:]
    private var dropped: (count: Int, kinds: [FindingKind]) = (0, [])

    mutating func add(_ finding: Finding) {
        if byKind[finding.kind, default: ([], 0)].findings.count < Self.limit {
            byKind[finding.kind, default: ([], 0)].findings.append(finding)
        } else {
            byKind[finding.kind, default: ([], 0)].more += 1
        }
    }

    /// Counts sets that were not read again, with the first of `kinds` that has a finding.
    mutating func addUnseen(_ count: Int, of kinds: [FindingKind]) {
        if count > 0 { dropped = (dropped.count + count, kinds) }
    }

    var findings: [Finding] {
        var byKind = byKind
        if let kind = dropped.kinds.first(where: { byKind[$0] != nil }) {
            byKind[kind]?.more += dropped.count
        }
        return byKind.values.flatMap { entry -> [Finding] in
            var findings = entry.findings
            if entry.more > 0, var last = findings.popLast() {
                last.found = (last.found ?? "") + "; the same in \(entry.more) more change sets"
                findings.append(last)
            }
            return findings
        }
    }
}

/// The faults of one change set by kind: the number of changes, and the first of them.
struct SetTally {
    private struct Case {
        var count = 1
        /// The object of the first change: entity and sync ID.
        var object: String
        var subject: String
        var expected: String?
        var detail: String?
    }

    private var cases: [FindingKind: Case] = [:]

    /// - Parameter subject: the sync ID of the finding; nil for the sync ID of the changed object.
    mutating func count(
        _ kind: FindingKind, _ change: SyncChange, subject: String? = nil, expected: String? = nil,
        _ detail: String? = nil
    ) {
        guard cases[kind] == nil else {
            cases[kind]?.count += 1
            return
        }
        let syncID = (change.objectSyncID ?? "").prefix(200)
        cases[kind] = Case(
            object: "\(change.entity.prefix(200)) \(syncID)",
            subject: String(subject?.prefix(200) ?? syncID), expected: expected, detail: detail)
    }

    func findings(at entry: ChangeHistory.Entry, _ context: VerificationContext) -> [Finding] {
        cases.sorted { $0.key.code < $1.key.code }.map { kind, found in
            let which = found.count == 1 ? "of" : "the first of"
            let detail = found.detail.map { ": " + $0 } ?? ""
            return context.finding(
                kind, at: entry.path, document: entry.document, client: entry.client,
                subject: found.subject, expected: found.expected,
                found: "\(counted(found.count, "change")), \(which) \(found.object)\(detail)")
        }
    }
}
