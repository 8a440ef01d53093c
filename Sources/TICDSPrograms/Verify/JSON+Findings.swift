import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

extension Finding {
    static let schema = JSONSchema<(finding: Finding, root: FilePath, isLoose: Bool)>(
        "ticds.finding/1",
        """
        Printed by ticds-verify(1): a line for each finding, those of the application first, then by document, the worst \
        first.
        """
    ) {
        $0(
            "code", "The code, such as TICDS-0201; see ticds-findings(7).", as: .code,
            { $0.finding.kind.code })
        $0("severity", "", { $0.finding.kind.severity })
        $0("title", "The kind of the finding, in one line.", { $0.finding.kind.title })
        $0("path", "The file or folder.", { $0.finding.path })
        $0("document", "The document it belongs to.", { $0.finding.document })
        $0("client", "The client it is about.", { $0.finding.client })
        $0(
            "subject", "Further data that the remedy needs: a sync ID, another name, a time.",
            { $0.finding.subject })
        $0("offset", "The byte at which the problem appears.", { $0.finding.offset })
        $0("expected", "What a sound remote contains there.", { $0.finding.expected })
        $0("found", "What this one contains.", { $0.finding.found })
        $0("bytes", "Bytes that are wasted or lost.", { $0.finding.bytes })
        $0(
            "affected", "An object for each consequence.", { $0.finding.affected },
            JSONFields {
                $0("consequence", "", \.consequence)
                $0("clients", "The registered clients that it affects.", \.clients)
                $0("newClients", "Whether it affects clients that register from now on.", \.newClients)
                $0("variant", "The one variant of the framework that is concerned.", \.variant)
            })
        $0(
            "remedy", "Commands for a shell, and sentences, which begin with a capital letter.",
            { $0.finding.remedy(under: $0.root, isLoose: $0.isLoose) })
    }
}

extension VerificationReport {
    static let schema = JSONSchema<
        (report: VerificationReport, findings: [Finding], open: OpenRemote, failOn: Severity)
    >("ticds.verify/1", "The last line that ticds-verify(1) `remote` prints.") {
        $0("remote", "", { $0.open.path })
        $0("application", "The name of the application folder.", { $0.open.snapshot.applicationIdentifier })
        $0("encrypted", "", { $0.open.snapshot.isEncrypted })
        $0("level", "", { $0.report.level })
        $0.include(Severity.counts, { $0.findings })
        $0(
            "counts", "An object for each kind that was found, by code.",
            { run in
                run.findings.reduce(into: [String: Int]()) { $0[$1.kind.code, default: 0] += 1 }
                    .sorted { $0.key < $1.key }
            },
            JSONFields<Dictionary<String, Int>.Element> {
                $0("code", "", as: .code, { $0.key })
                $0("count", "The number of findings.", as: .number(from: 1), { $0.value })
            })
        $0("examined", "Files that were opened.", { $0.report.examined })
        $0(
            "notOpened", "Files that were not opened because they are encrypted and there was no password.",
            { $0.report.notOpened })
        $0("known", "Files that were known to be sound.", { $0.report.known })
        $0("left", "Files that the time did not suffice for.", { $0.report.left })
        $0(
            "complete", "False if files were left out because there was no time or no password.",
            { $0.report.isComplete })
        $0("seconds", "The duration of the check.", { $0.report.seconds })
        $0("failOn", "The lowest severity with which the exit status is 1.", { $0.failOn })
    }
}

extension Severity {
    /// Findings of each severity.
    static let counts = JSONFields<[Finding]> { fields in
        for severity in Severity.allCases {
            fields(
                severity.rawValue + "s",
                "Findings of this severity, including those that `--max-findings` does not show.",
                { $0.count { $0.kind.severity == severity } })
        }
    }
}
