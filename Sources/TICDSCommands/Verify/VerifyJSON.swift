package import Base
import SystemPackage
import TICDSCommandLine
import TICDSCore
package import TICDSVerification

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
        $0("expected", "What an intact remote contains there.", { $0.finding.expected })
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
            "remedy", "What to do, in this order.",
            { $0.finding.remedy(under: $0.root, isLoose: $0.isLoose) }, FindingKind.remedyStep)
    }
}

extension FindingKind {
    /// A line of a remedy.
    static let remedyStep = JSONFields<String> {
        $0("command", "A command for a shell; null for a sentence.", { isCommand($0) ? $0 : nil })
        $0("sentence", "A sentence for people; null for a command.", { isCommand($0) ? nil : $0 })
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
        $0("known", "Files that were known to be intact.", { $0.report.known })
        $0(
            "slow", "An object for each reason why the fast check of a change set was not enough.",
            { $0.report.slow },
            JSONFields {
                $0("reason", "", as: .names(SlowReason.names), { $0.reason.name })
                $0("count", "The number of change sets.", as: .number(from: 1), \.count)
            })
        $0("left", "Files that the time did not suffice for.", { $0.report.left })
        $0(
            "complete",
            "False if files were left out because there was no time, no password, no memory or no temporary space.",
            { $0.report.isComplete })
        $0("seconds", "The duration of the check.", { $0.report.seconds })
        $0("failOn", "The lowest severity with which the exit status is 1.", { $0.failOn })
    }
}

extension Severity {
    /// The number of findings of each severity.
    static let counts = JSONFields<[Finding]> { fields in
        for severity in Severity.allCases {
            fields(
                severity.rawValue + "s",
                "Findings of this severity, including those that `--max-findings` does not show.",
                { $0.count { $0.kind.severity == severity } })
        }
    }
}

extension Simulation {
    static let schema = JSONSchema<(simulation: Simulation, remote: FilePath)>(
        "ticds.simulation/1",
        """
        Printed by ticds-verify(1) with `--as-client` or `--as-new-client`: a line for each document, or two if a running \
        client behaves differently from one that starts again.
        """
    ) {
        $0("remote", "", { $0.remote })
        $0(
            "document",
            "Empty if the remote has no document and none was named: any document that a client remembers.",
            { $0.simulation.document })
        $0("client", "Null for a new client.", { $0.simulation.client })
        $0("variant", "", { $0.simulation.variant })
        $0(
            "standing",
            """
            The relation of the client to the document; the folder of an `orphaned` one is gone without a \
            tombstone.
            """, { $0.simulation.standing })
        $0("start", "Whether the client's application is running, or starts again.", { $0.simulation.start })
        $0("outcome", "Of the whole.", { $0.simulation.outcome })
        $0("steps", "The steps of the synchronisation.", { $0.simulation.steps })
        $0(
            "nextStart",
            """
            The steps of the next start of a running application; empty if a separate line shows that \
            start.
            """, { $0.simulation.nextStart })
        $0(
            "known", "What the client is assumed to have applied.", { $0.simulation.known },
            JSONFields {
                $0("source", "", \.source)
                $0("asOf", "", \.asOf)
                $0("count", "", \.count)
            })
        $0(
            "changeSets", "The sets that it fetches, in the order of application.",
            { $0.simulation.changeSets })
        $0(
            "repairedLate",
            """
            Sets that the journal of this user shows as repaired after the client had probably read them damaged, or as \
            removed before it read them: it lacks their edits.
            """, as: .array(.text), { $0.simulation.repairedLate.map(\.description) })
        $0(
            "perhapsLacking",
            """
            Such sets of which nothing shows whether the client read them intact, or has loaded a whole store since.
            """, as: .array(.text), { $0.simulation.perhapsLacking.map(\.description) })
        $0("wholeStore", "The whole store that a new client downloads.", { $0.simulation.wholeStore })
        $0(
            "vacuumLimit", "The client's next vacuum removes its own sets that are older.",
            { $0.simulation.vacuumLimit })
        $0("vacuumed", "The sets that this vacuum removes.", { $0.simulation.vacuumed })
    }
}

extension SimulationStep: JSONObject {
    package static let fields = JSONFields<SimulationStep>(home: "ticds.simulation/1") {
        $0("stage", "", \.stage)
        $0("name", "What the framework does.", \.name)
        $0("outcome", "Of the step.", \.outcome)
        $0("errorCode", "The framework's own error.", as: .orNull(.integer), \.error?.code)
        $0("errorName", "Its name.", \.error?.name)
        $0("section", "The page and section that describe it.", \.section)
        $0(
            "paths", "The files that decided the outcome, at most 20.", as: .array(.text, most: 20),
            { $0.paths.map(\.description) })
        $0("sentence", "The result and its reason.", \.sentence)
    }
}

extension SimulatedChangeSet: JSONObject {
    package static let fields = JSONFields<SimulatedChangeSet>(home: "ticds.simulation/1") {
        $0("author", "Who wrote the set.", \.author)
        $0("identifier", "Its name without extension.", \.identifier)
        $0("path", "", \.path)
        $0("modified", "The time that decides its place in the order.", \.modified)
        $0("size", "Bytes.", \.size)
        $0(
            "certain", "False if the client has most likely applied the set since it uploaded its register.",
            \.isCertain)
        $0(
            "fate",
            """
            `crashes`: it cannot be opened; `mayCrash`: no sync ID, or a change that the application's model does not \
            know, of an object that the client may lack; `raises`: such a change of an object that it has, or one that \
            lacks a name: the application crashes, or the iCloud branch leaves it out; `notCompared`: no model is at hand.
            """, \.fate)
        $0("reason", "The change that causes this, and why.", \.reason)
    }
}
