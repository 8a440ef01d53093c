public import ArgumentParser
import TICDSCommandLine
public import TICDSVerification

extension VerificationLevel: ExpressibleByArgument {}
extension Severity: ExpressibleByArgument {}

/// Which findings are shown, and which make the command fail.
struct FindingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only findings of this kind. May be given several times.", valueName: "code"))
    var only: [FindingCode] = []

    @Option(
        help: ArgumentHelp(
            "Leave out findings of this kind. May be given several times.", valueName: "code"))
    var ignore: [FindingCode] = []

    @Option(help: "Exit with 1 if a finding has at least this severity.")
    var failOn = Severity.warning

    @Option(
        help: ArgumentHelp(
            "Show at most this many findings; all are counted. 0 shows all.", valueName: "count"))
    var maxFindings = 0

    func validate() throws {
        if maxFindings < 0 { throw ValidationError("--max-findings takes a number from 0 up.") }
    }

    /// The findings that are wanted.
    func choose(_ findings: [Finding]) -> [Finding] {
        let wanted = Set(only.map(\.kind))
        let unwanted = Set(ignore.map(\.kind))
        return findings.filter {
            (wanted.isEmpty || wanted.contains($0.kind)) && !unwanted.contains($0.kind)
        }
    }

    /// Those that are shown, of findings or of what holds one each.
    func shown<Item>(_ findings: [Item]) -> ArraySlice<Item> {
        maxFindings == 0 ? findings[...] : findings.prefix(maxFindings)
    }

    /// The exit status for findings that were chosen.
    func status(_ findings: [Finding]) -> ExitStatus {
        findings.contains { $0.kind.severity >= failOn } ? .findings : .success
    }
}

/// The code of a finding on the command line: "TICDS-0201", or "0201".
struct FindingCode: ExpressibleByArgument {
    let kind: FindingKind

    init?(argument: String) {
        guard let kind = Catalogue.kind(argument) else { return nil }
        self.kind = kind
    }

    static var defaultCompletionKind: CompletionKind { .list(Catalogue.all.map(\.code)) }
}
