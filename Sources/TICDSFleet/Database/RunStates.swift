import Base
package import SystemCalls
package import SystemPackage

/// The states of the remotes of a run.
package struct RunStates: Sendable {
    /// The number of remotes of the run, and of these the numbers with a result; of those, with findings; to be tried
    /// again; failed permanently; not processed.
    package private(set) var remotes = 0
    package private(set) var done = 0
    package private(set) var findings = 0
    package private(set) var retry = 0
    package private(set) var never = 0
    package private(set) var missing = 0
    /// The remotes without a result, by the reason.
    package private(set) var reasons: [String: Int] = [:]
    /// The errors of results that could not be read; their remotes are among those without a result.
    package private(set) var problems: [FileProblem] = []
    /// Examples of remotes without a result.
    package private(set) var examples: [RunResultHeader] = []

    /// The findings of the first ``mostRead`` remotes with any, those with the most errors first.
    package private(set) var worst: [RemoteFindings] = []

    private static let shownExamples = 5
    private static let mostRead = 1_000

    /// The findings of one remote.
    package struct RemoteFindings: Sendable {
        package let identifier: String
        package let location: FilePath
        package let errors: Int
        package let warnings: Int
        package let notes: Int
        /// The codes of the errors, or of the warnings if there are no errors.
        package let codes: [String]

        fileprivate init?(_ head: RunResultHeader, _ facts: EnvelopeFacts) {
            let numbers = ["error", "warning", "note"].map { severity in
                facts.findings.values.reduce(0) {
                    $1.severity == severity ? $0 +| Int(clamping: $1.count) : $0
                }
            }
            if numbers.allSatisfy({ $0 == 0 }) { return nil }
            identifier = head.identifier
            location = head.location
            (errors, warnings, notes) = (numbers[0], numbers[1], numbers[2])
            let shown = numbers[0] > 0 ? "error" : "warning"
            codes = facts.findings.filter { $0.value.severity == shown }.keys.sorted()
        }
    }

    /// Reads the results of a run.
    package init(_ run: FleetRun, _ stage: FleetRun.Stage) throws(FileProblem) {
        for remote in try FleetWorker.concerned(in: run, stage) {
            remotes += 1
            let result: RunResultHeader?
            do throws(FileProblem) {
                result = try run.result(of: remote.identifier, stage)
            } catch {
                problems.append(error)
                result = nil
            }
            guard let head = result else {
                missing += 1
                continue
            }
            switch head.state {
            case .done:
                done += 1
                if head.exitStatus == 1 {
                    findings += 1
                    if findings <= Self.mostRead {
                        // try?: what cannot be read again is counted, and not listed
                        let bytes = try? FileBytes.read(
                            run.envelope(remote.identifier, stage), limit: RunResult.limit)
                        if let found = bytes.flatMap({ EnvelopeFacts($0.array) }).flatMap({
                            RemoteFindings(head, $0)
                        }) {
                            worst.append(found)
                        }
                    }
                }
                continue
            case .retry: retry += 1
            case .never: never += 1
            }
            reasons[head.reason?.rawValue ?? "failed", default: 0] += 1
            if examples.count < Self.shownExamples { examples.append(head) }
        }
        worst.sort { ($0.errors, $0.warnings, $1.identifier) > ($1.errors, $1.warnings, $0.identifier) }
    }
}
