import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSVerification

/// Findings in the form for people.
struct FindingsView {
    let root: FilePath
    let names: FindingNames
    let colour: Colour
    let style: TextStyle
    let isQuiet: Bool
    /// The document, if only one was verified.
    var document: RemoteName?
    /// Whether to print the number of change sets for which the fast check was not enough.
    var isVerbose = false
    /// Whether `root` is not a remote, but the folder of a file outside any remote.
    var isLoose = false
    /// Why a repair leaves a finding, if the finding is one that it repairs otherwise.
    var reasons: [Finding: String?] = [:]

    /// Appends the summary, the findings by document, and the extent of the verification.
    /// - Parameter isWhole: whether everything could be listed and read.
    func show(
        _ report: VerificationReport, _ all: [Finding], shown: ArraySlice<Finding>, isWhole: Bool,
        to text: inout OutputBuffer
    ) {
        let notOpened: TerminalText = notOpened(report).map { "\(colour.paint($0, .doubtful)); " } ?? ""
        let counts = counts(all, of: report, isWhole && !report.lacksPassword)
        text.line("\(colour.paint(root.escaped, .bold)): \(notOpened)\(counts)")
        if all.count > 3 { showWorst(all, to: &text) }
        show(shown, of: all.count, to: &text)
        if isQuiet { return }
        text.line("")
        text.line(examined(report))
        if isVerbose { text.line(slow(report)) }
        if report.lacksTime { text.line(left(report)) }
    }

    /// The findings, grouped by document, and how many others there are.
    func show(_ findings: ArraySlice<Finding>, of count: Int, to text: inout OutputBuffer) {
        var group: RemoteName??
        for finding in findings {
            if group != .some(finding.document) {
                group = .some(finding.document)
                text.line("")
                let title = finding.document.map { "Document " + names.document($0) } ?? "Application"
                text.line(colour.paint(title, .bold))
            }
            show(finding, to: &text)
        }
        guard findings.count < count else { return }
        text.line("")
        text.line("\(Quantities.count(count - findings.count, "more finding")) not shown (--max-findings).")
    }

    private func showWorst(_ all: [Finding], to text: inout OutputBuffer) {
        let worst = all.enumerated().sorted {
            ($1.element.kind.severity, $0.offset) < ($0.element.kind.severity, $1.offset)
        }
        var kinds: [FindingKind] = []
        for (_, finding) in worst where !kinds.contains(finding.kind) && kinds.count < 3 {
            kinds.append(finding.kind)
        }
        text.line("")
        text.line("Worst:")
        for kind in kinds {
            let count = all.count { $0.kind == kind }
            let times = count > 1 ? " (\(Quantities.count(count)) times)" : ""
            text.line("  \(severity(kind.severity)) \(kind.code): \(kind.title)\(times)")
        }
    }

    private func show(_ finding: Finding, to text: inout OutputBuffer) {
        text.line("")
        text.line("  \(severity(finding.kind.severity)) \(finding.kind.code): \(finding.kind.title)")
        let place = finding.offset.map { ", offset \(Quantities.count($0))" } ?? ""
        text.line("    \(finding.path)\(place)")
        let found = [finding.found.map { "found \($0)" }, finding.bytes.map { style.size($0) }]
            .compactMap(\.self).joined(separator: ", ")
        let facts = [finding.expected.map { "expected \($0)" }, found.isEmpty ? nil : found].compactMap(
            \.self)
        if !facts.isEmpty { text.line("    " + facts.joined(separator: "; ")) }
        for affected in finding.affected {
            text.line("    " + names.sentence(affected, ofSet: finding.isOfSet))
        }
        if let reason = reasons[finding] ?? nil { text.line("    not repaired: \(reason)") }
        var remedy = finding.remedy(under: root, isLoose: isLoose)[...]
        // ticds-verify explain shows the rest; notes must not hide errors.
        if finding.kind.severity == .note { remedy = remedy.prefix { $0 != FindingKind.byHand } }
        for line in remedy {
            text.line("    " + colour.paint(FindingKind.isCommand(line) ? "$ \(line)" : "\(line)", .faint))
        }
    }

    /// The text "270 of 284 files not opened (no password)"; nil if the command opened all required files.
    private func notOpened(_ report: VerificationReport) -> String? {
        guard report.lacksPassword else { return nil }
        let all = report.examined.count + report.notOpened.count + report.known.count + report.left.count
        if report.notOpened.count == 0 { return "contents not compared (no password)" }
        return
            "\(Quantities.count(report.notOpened.count)) of \(Quantities.count(all, "file")) not opened (no password)"
    }

    private func counts(
        _ findings: [Finding], of report: VerificationReport, _ isWhole: Bool
    ) -> TerminalText {
        let isAll = findings.count == report.findings.count
        let text = VerificationLine.verdict(findings, of: report, document: document, isWhole: isWhole)
        let isWell = findings.allSatisfy { $0.kind.severity == .note }
        return isWell ? colour.paint(text, isWhole && isAll ? .good : .doubtful) : TerminalText(text)
    }

    private func severity(_ severity: Severity) -> TerminalText {
        let meaning: Colour.Meaning =
            switch severity {
            case .error: .bad
            case .warning: .doubtful
            case .note: .faint
            }
        return colour.paint(severity.rawValue, meaning)
    }

    private func examined(_ report: VerificationReport) -> String {
        let known =
            report.known.count == 0
            ? "" : "; \(Quantities.count(report.known.count, "file")) unchanged since they were found intact"
        let size = style.size(report.examined.bytes)
        let tenths = Int((report.seconds * 10).rounded())  // bounded: how long this process has run
        return
            "Examined \(Quantities.count(report.examined.count, "file")) (\(size)) at level \(report.level) "
            + "in \(tenths / 10).\(tenths % 10) s\(known)."
    }

    private func slow(_ report: VerificationReport) -> String {
        let reasons = report.slow.map { "\(Quantities.count($0.count)) \($0.reason.name)" }
        if reasons.isEmpty { return "The fast check was enough for all change sets." }
        return "Change sets that needed the slow check: \(reasons.joined(separator: ", "))."
    }

    private func left(_ report: VerificationReport) -> String {
        let files = "\(Quantities.count(report.left.count, "file")) (\(style.size(report.left.bytes)))"
        return
            "No time was left for \(files)\(report.areDocumentsLeft ? " and for comparing documents" : "")."
    }
}

extension Severity {
    /// The number of findings of each severity, the worst first: `1 error`, `2 notes`; severities without findings are
    /// omitted.
    static func counts(_ findings: [Finding]) -> [String] {
        allCases.compactMap { severity in
            let count = findings.count { $0.kind.severity == severity }
            return count == 0 ? nil : Quantities.count(count, severity.rawValue)
        }
    }
}

/// The descriptions of the documents and clients of a remote, as far as they can be read.
struct FindingNames {
    private var clients: [String: String] = [:]
    private var documents: [RemoteName: String] = [:]

    /// - Parameter remote: the remote; nil for no names.
    init(_ remote: OpenRemote? = nil) {
        guard let remote else { return }
        clients = remote.clientNames().part
        for item in remote.documents().part { documents[item.identifier] = item.description }
    }

    /// The description, otherwise the identifier.
    func client(_ identifier: RemoteName) -> String { clients[identifier.text] ?? identifier.description }

    /// The identifier and description, such as `cookbook (Family cookbook)`.
    func document(_ identifier: RemoteName) -> String {
        documents[identifier].map { "\(identifier) (\($0))" } ?? identifier.description
    }

    /// The effect on clients: `cannot begin on Anna’s iPhone, and 3 more`.
    /// - Parameter ofSet: whether the cause is a change set, which new clients fetch unless their whole store contains it.
    func sentence(_ affected: Affected, ofSet: Bool) -> String {
        var whom = affected.first(5).map { client($0) }
        if affected.count > 5 { whom.append("\(affected.count - 5) more") }
        if affected.newClients {
            whom.append("clients that register from now on" + (ofSet ? " and fetch it" : ""))
        }
        guard !whom.isEmpty else {
            switch affected.consequence {
            case .harmless: return "harmless"
            case .wastesSpace: return "wastes space"
            default: return "\(affected.consequence.text) nobody now"
            }
        }
        return "\(affected.consequence.text) \(whom.joined(separator: ", "))"
            + (affected.variant?.restriction ?? "")
    }
}
