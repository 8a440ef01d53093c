public import SystemCalls
import SystemPackage

/// What became of the remotes of a run.
public struct RunStates: Sendable {
    /// The remotes of the run, and of these: with a result; of these, with findings; to be tried again; failed for good;
    /// not dealt with.
    public private(set) var remotes = 0
    public private(set) var done = 0
    public private(set) var findings = 0
    public private(set) var retry = 0
    public private(set) var never = 0
    public private(set) var missing = 0
    /// The remotes without a result, by the reason.
    public private(set) var reasons: [String: Int] = [:]
    /// A few of them.
    public private(set) var examples: [RunResultHeader] = []

    private static let shownExamples = 5

    /// Reads the results of a run.
    public init(_ run: FleetRun, _ stage: FleetRun.Stage) throws(FileProblem) {
        for remote in try FleetWorker.concerned(in: run, stage) {
            remotes += 1
            guard let head = try run.result(of: remote.identifier, stage) else {
                missing += 1
                continue
            }
            switch head.state {
            case .done:
                done += 1
                if head.exitStatus == 1 { findings += 1 }
                continue
            case .retry: retry += 1
            case .never: never += 1
            }
            reasons[head.reason?.rawValue ?? "failed", default: 0] += 1
            if examples.count < Self.shownExamples { examples.append(head) }
        }
    }
}
