import Base
import TICDSCommandLine
import TICDSCore
import TICDSVerification

/// The result of a verification in one line, for health checks and for the user's command lines.
struct VerificationLine {
    /// The line: `ok com.example.app: nothing wrong; 282 files (1.7 MB) examined at level contents`.
    let text: String
    private let findings: [Finding]
    private let files: Int

    init(
        _ report: VerificationReport, _ chosen: [Finding], _ status: ExitStatus, of open: OpenRemote,
        document: RemoteName?, _ style: TextStyle
    ) {
        findings = chosen
        files = report.examined.count
        let word =
            switch status {
            case .success: "ok"
            case .findings: "findings"
            case .password: "not opened"
            default: "incomplete"
            }
        let skipped = [
            (report.known.count, "unchanged"), (report.notOpened.count, "not opened (no password)"),
            (report.left.count, "not examined (no time)"),
        ].filter { $0.0 > 0 }.map { "; \(Quantities.count($0.0, "file")) \($0.1)" }
        text =
            "\(word) \(open.snapshot.applicationIdentifier): "
            + Self.verdict(
                chosen, of: report, document: document,
                isWhole: status != .partial && status != .failed && !report.lacksPassword,
                isPassed: status != .findings)
            + "; \(Quantities.count(files, "file")) (\(style.size(report.examined.bytes))) examined at level "
            + "\(report.level)" + skipped.joined()
    }

    /// `2 errors, 1 note`, or `nothing wrong, 1 note`: notes alone are no damage. Names the document if only one was
    /// verified, and the number of findings that the options left out.
    /// - Parameter isPassed: whether the user asked for no failure because of one of the findings.
    static func verdict(
        _ findings: [Finding], of report: VerificationReport, document: RemoteName?, isWhole: Bool,
        isPassed: Bool = true
    ) -> String {
        let leftOut = report.findings.count -| findings.count
        let isWell = isPassed && leftOut == 0 && findings.allSatisfy { $0.kind.severity == .note }
        let well = isWhole ? "nothing wrong" : "nothing wrong in what could be read"
        let parts = (isWell ? [well] : []) + Severity.counts(findings)
        let counts = parts.isEmpty ? "no finding of those that were asked for" : parts.joined(separator: ", ")
        return counts + (document.map { "; of the documents, only \($0) was verified" } ?? "")
            + (leftOut > 0 ? "; \(Self.leftOut(leftOut))" : "")
    }

    /// `2 findings left out (--only, --ignore)`
    static func leftOut(_ count: Int) -> String {
        "\(Quantities.count(count, "finding")) left out (--only, --ignore)"
    }

    /// Passes the result to the command lines of `--on-success` and `--on-failure`.
    func tellHooks(_ context: CommandContext) {
        context.set("TICDS_SUMMARY", text)
        context.set("TICDS_FILES", "\(files)")
        for (name, severity) in [("ERRORS", Severity.error), ("WARNINGS", .warning), ("NOTES", .note)] {
            context.set("TICDS_\(name)", "\(findings.count { $0.kind.severity == severity })")
        }
    }
}
