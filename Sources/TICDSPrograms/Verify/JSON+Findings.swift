import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

extension JSONWriter {
    /// One line of the schema `ticds.finding/1`.
    /// - Parameter isLoose: `root` is no remote, but the folder of a file that lies in none.
    mutating func line(_ finding: Finding, under root: FilePath, isLoose: Bool = false) {
        begin("ticds.finding/1")
        field("code", finding.kind.code)
        field("severity", finding.kind.severity.rawValue)
        field("title", finding.kind.title)
        field("path", finding.path)
        field("document", orNull: finding.document)
        field("client", orNull: finding.client)
        field("subject", finding.subject)
        field("offset", finding.offset)
        field("expected", finding.expected)
        field("found", finding.found)
        field("bytes", finding.bytes)
        objects("affected", finding.affected) { json, affected in
            json.field("consequence", affected.consequence.rawValue)
            json.field("clients", affected.clients)
            json.field("newClients", affected.newClients)
            json.field("variant", affected.variant?.rawValue)
        }
        field("remedy", finding.remedy(under: root, isLoose: isLoose))
        end()
    }

    /// The closing line of the schema `ticds.verify/1`.
    mutating func summary(
        _ report: VerificationReport, _ findings: [Finding], of open: OpenRemote, failOn: Severity
    ) {
        begin("ticds.verify/1")
        field("remote", open.path)
        field("application", open.snapshot.applicationIdentifier)
        field("encrypted", open.snapshot.isEncrypted)
        field("level", report.level.rawValue)
        severities(findings)
        counts(findings)
        field("examined", report.examined)
        field("notOpened", report.notOpened)
        field("known", report.known)
        field("left", report.left)
        field("complete", report.isComplete)
        field("seconds", report.seconds)
        field("failOn", failOn.rawValue)
        end()
    }

    /// How many findings have each severity.
    mutating func severities(_ findings: [Finding]) {
        for severity in Severity.allCases {
            field(severity.rawValue + "s", findings.count { $0.kind.severity == severity })
        }
    }

    /// How often each kind was found.
    private mutating func counts(_ findings: [Finding]) {
        let counts = findings.reduce(into: [String: Int]()) { $0[$1.kind.code, default: 0] += 1 }
        objects("counts", counts.sorted { $0.key < $1.key }) { json, count in
            json.field("code", count.key)
            json.field("count", count.value)
        }
    }
}
