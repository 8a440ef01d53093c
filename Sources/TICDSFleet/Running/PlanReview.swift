package import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore
import TICDSOperations

/// The summary of the saved plans of a run.
package struct PlanReview: Sendable {
    /// The number of remotes with a plan, with nothing to do, without a plan because the command failed, and not
    /// planned yet.
    package private(set) var planned = 0
    package private(set) var nothing = 0
    package private(set) var failed = 0
    package private(set) var missing = 0
    /// The number of actions by kind, such as `moveToTrash`.
    package private(set) var actions: [String: Int] = [:]
    /// The totals of the files that go to the trash.
    package private(set) var removed = FileTotals()
    /// The messages of commands that failed to plan, each with one of the remotes.
    package private(set) var refusals: [Refusal] = []
    /// The warnings of plans, each with one of the remotes.
    package private(set) var warnings: [Refusal] = []
    /// The largest plans, by the size of the files that go to the trash.
    package private(set) var largest: [Largest] = []

    /// A sentence, and the number of remotes that it concerns.
    package struct Refusal: Sendable, Hashable {
        package var text: String
        package var remotes: Int
        package var example: String
    }

    /// A plan.
    package struct Largest: Sendable, Hashable {
        package var identifier: String
        package var location: FilePath
        package var summary: String
        package var removed: FileTotals
    }

    private static let mostSentences = 100
    private static let mostLargest = 10

    /// Reads all plans of a run.
    package init(_ run: FleetRun) throws(FileProblem) {
        var refused: [String: (Int, String)] = [:]
        var warned: [String: (Int, String)] = [:]
        for remote in try run.remotes() {
            guard let head = try run.result(of: remote.identifier) else {
                missing += 1
                continue
            }
            guard head.state == .done else {
                failed += 1
                // Sentences that differ only in the name of the remote count as one.
                let text = (head.problem ?? head.reason?.rawValue ?? "failed")
                    .replacing(remote.location.escaped, with: "REMOTE")
                Self.count(text, remote.identifier, &refused)
                continue
            }
            let path = run.plan(remote.identifier)
            guard try FileStatus.ifPresent(path) != nil else {
                nothing += 1
                continue
            }
            let plan = try PlanFile.read(path)
            planned += 1
            var totals = FileTotals()
            for action in plan.actions {
                actions[action.kind.kindName, default: 0] += 1
                if case .moveToTrash(_, let seen) = action.kind {
                    totals.add(FileTotals(count: seen.files ?? 1, bytes: seen.size))
                }
            }
            removed.add(totals)
            for note in plan.notes where note.kind == .warning {
                Self.count(note.text, remote.identifier, &warned)
            }
            largest.append(
                Largest(
                    identifier: remote.identifier, location: remote.location, summary: plan.summary,
                    removed: totals))
            largest.sort { ($1.removed.bytes, $0.identifier) < ($0.removed.bytes, $1.identifier) }
            if largest.count > Self.mostLargest { largest.removeLast() }
        }
        refusals = Self.sorted(refused)
        warnings = Self.sorted(warned)
    }

    private static func count(_ text: String, _ identifier: String, _ counts: inout [String: (Int, String)]) {
        if let known = counts[text] {
            counts[text] = (known.0 + 1, known.1)
        } else if counts.count < 10_000 {
            counts[text] = (1, identifier)
        }
    }

    private static func sorted(_ counts: [String: (Int, String)]) -> [Refusal] {
        counts.map { Refusal(text: $0.key, remotes: $0.value.0, example: $0.value.1) }
            .sorted { ($1.remotes, $0.text) < ($0.remotes, $1.text) }.prefix(mostSentences).map(\.self)
    }

    /// `ticds.fleetReview/1`.
    package static let schema = JSONSchema<(review: PlanReview, run: FleetRun)>(
        "ticds.fleetReview/1", "Printed by ticds-fleet(1) `review`."
    ) {
        $0("run", "The folder of the run.", { $0.run.folder })
        $0("command", "The words of its command.", { $0.run.order.command })
        $0("planned", "Remotes with a plan.", { $0.review.planned })
        $0("nothing", "Remotes with nothing to do.", { $0.review.nothing })
        $0("failed", "Remotes for which the command made no plan.", { $0.review.failed })
        $0("missing", "Remotes that were not planned yet.", { $0.review.missing })
        $0("actions", "The actions of all plans by kind, as in `ticds.plan/1`.", { $0.review.actions })
        $0("removed", "What goes to the trash.", { $0.review.removed })
        $0("refusals", "Why there is no plan.", { $0.review.refusals }, Self.sentences)
        $0("warnings", "What plans warn of.", { $0.review.warnings }, Self.sentences)
        $0(
            "largest", "The plans that move most to the trash.", { $0.review.largest },
            JSONFields {
                $0("id", "", as: .hexadecimal(16), \.identifier)
                $0("location", "", \.location)
                $0("summary", "", \.summary)
                $0("removed", "", \.removed)
            })
    }

    private static let sentences = JSONFields<Refusal> {
        $0("text", "", \.text)
        $0("remotes", "How many remotes.", as: .number(from: 1), \.remotes)
        $0("example", "The identifier of one of them.", as: .hexadecimal(16), \.example)
    }
}

extension PlanAction.Kind {
    /// The name of the kind, as in a saved plan.
    fileprivate var kindName: String {
        switch self {
        case .makeFolder: "makeFolder"
        case .writeFile: "writeFile"
        case .writeTree: "writeTree"
        case .adopt: "adopt"
        case .replaceFile: "replaceFile"
        case .setTime: "setTime"
        case .moveToTrash: "moveToTrash"
        case .restore: "restore"
        }
    }
}
