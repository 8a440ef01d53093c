import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

extension VerifyRemote {
    /// Plans a repair of what was found, lists what is left to people, and carries the plan out.
    func repair(
        _ report: VerificationReport, of open: OpenRemote, _ context: VerificationContext
    ) throws -> ExitStatus {
        let ignored = Set(findings.ignore.map(\.kind))
        let all = report.findings.filter { !ignored.contains($0.kind) }
        let repair = try RepairPlanner.plan(
            findings.choose(report.findings), among: all, context,
            root: try open.path.resolved() ?? open.path, command: "ticds-verify --repair",
            allowing: repairs.change.allowedMissing)
        let left = repair.left.map(\.finding)
        if !output.json, !left.isEmpty { try showLeft(left, of: open) }
        let runner = ChangeRunner(repairs.change, output)
        let status = try runner.run(
            repair.plan, on: nil, snapshot: open.snapshot, recoder: repair.recoder)
        guard status == .success else { return status }
        return open.reportGaps(
            output, ending(report, left, context), besides: Self.paths(of: report.findings, open))
    }

    private func ending(
        _ report: VerificationReport, _ left: [Finding], _ context: VerificationContext
    ) -> ExitStatus {
        if repairs.isOnlyPlanned {
            return report.lacksFiles || !context.unreadFiles.isEmpty ? .partial : .success
        }
        if report.lacksPassword, !options.withoutPassword { return .password }
        return report.lacksTime ? .partial : findings.status(left)
    }

    private func showLeft(_ left: [Finding], of open: OpenRemote) throws {
        var text = output.text()
        let colour = output.colour()
        text.line(colour.paint("Not repaired: \(Quantities.count(left.count, "finding"))", .bold))
        let page = FindingsPage(
            root: open.path, names: FindingNames(open), colour: colour, isQuiet: output.quiet)
        page.show(findings.shown(left), to: &text)
        text.line("")
        try text.flush()
    }
}
