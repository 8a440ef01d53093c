import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct FleetStatusCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows how far a run is, and what became of the remotes.",
        discussion: """
            Without RUN, the command shows the newest run. It reads the folder of the run, and therefore also shows runs of \
            other machines. It lists the first 20 remotes with findings, or as many as --limit says, and a few of those \
            without a result.

            Examples:
              ticds-fleet status verify
              ticds-fleet status verify --limit 3
              ticds-fleet status /srv/runs/verify --json
            """)

    @Argument(
        help: .value("run", "The folder of the run, or its name. Default: the newest run."),
        completion: .directory)
    var run: String?
    @Option(
        help:
            "What is done with each remote: the command of the run, or carrying out its plan, or taking that back."
    )
    var stage = FleetRun.Stage.envelopes
    @OptionGroup var limit: LimitOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let run = try run.map { name in try FleetRun(FleetRun.folder(named: name)) } ?? FleetRun.newest()
        return try FleetStatus(run, stage, limit: limit.limit).show(context)
    }
}

/// The progress of a run, and the states of its remotes.
struct FleetStatus {
    private let run: FleetRun
    private let stage: FleetRun.Stage
    private let states: RunStates
    private let shards: [ShardProgress]
    private let line: String?
    /// The largest number of remotes of each kind that are listed; nil for the default.
    private let limit: Int?

    init(
        _ run: FleetRun, _ stage: FleetRun.Stage, line: String? = nil, limit: Int? = nil
    ) throws(FileProblem) {
        self.run = run
        self.stage = stage
        self.line = line
        self.limit = limit
        states = try RunStates(run, stage)
        shards = try ShardProgress.all(of: run).filter { $0.stage == stage.rawValue }
    }

    private static let shownWorst = 20

    /// The remotes with findings that the text lists.
    private var shownWorst: ArraySlice<RunStates.RemoteFindings> {
        states.worst.prefix(limit ?? Self.shownWorst)
    }
    /// The remotes without a result that the text lists.
    private var shownExamples: ArraySlice<RunResultHeader> { states.examples.prefix(limit ?? .max) }

    /// Prints the status, and returns the exit status.
    func show(_ context: CommandContext) throws(FileProblem) -> ExitStatus {
        try context.print(self, Self.schema) { (text) throws(FileProblem) in write(to: &text, context) }
        for problem in states.problems { context.report(problem) }
        return status
    }

    /// The exit status: 0 if every remote has a result, 1 if one of these has findings, 5 if one has none.
    var status: ExitStatus {
        if states.retry + states.never + states.missing > 0 { return .partial }
        return states.findings > 0 ? .findings : .success
    }

    private var active: [ShardProgress] { shards.filter(\.isActive) }
    private var stalled: [ShardProgress] { shards.filter { !$0.hasEnded && !$0.isActive } }

    /// The seconds until the active workers are done, at their rate so far.
    private var secondsLeft: Double? {
        let left = active.map { shard -> Double? in
            guard shard.dealt > 0, shard.seconds > 1 else { return nil }
            // bounded: real numbers
            return Double(max(0, shard.remotes -| shard.dealt)) * shard.seconds / Double(shard.dealt)
        }
        guard !left.isEmpty, left.allSatisfy({ $0 != nil }) else { return nil }
        return left.compactMap(\.self).max()
    }

    private func write(to text: inout OutputBuffer, _ context: CommandContext) {
        text.line(run.order.heading)
        let parts = [
            "\(Quantities.count(states.done)) done",
            states.findings > 0 ? "\(Quantities.count(states.findings)) of them with findings" : nil,
            states.retry > 0 ? "\(Quantities.count(states.retry)) to be tried again" : nil,
            states.never > 0 ? "\(Quantities.count(states.never)) failed for good" : nil,
            states.missing > 0 ? "\(Quantities.count(states.missing)) without a result" : nil,
        ].compactMap(\.self)
        text.line("\(Quantities.count(states.remotes, "remote")): \(parts.joined(separator: ", "))")
        for remote in shownWorst {
            let counts = [(remote.errors, "error"), (remote.warnings, "warning"), (remote.notes, "note")]
                .filter { $0.0 > 0 }.map { Quantities.count($0.0, $0.1) }
            let codes = remote.codes.isEmpty ? "" : " (\(remote.codes.listed()))"
            text.line("  \(remote.location.escaped): \(counts.joined(separator: ", "))\(codes)")
        }
        let unshown = states.findings - shownWorst.count
        if unshown > 0, !states.worst.isEmpty {
            text.line(
                "  and \(Quantities.count(unshown)) more with findings; to see all: ticds-fleet merge \(run.order.name) --to FILE, then ticds-fleet query worst --database FILE"
            )
        }
        for (reason, count) in states.reasons.sorted(by: { $0.key < $1.key }) {
            text.line("  \(reason): \(Quantities.count(count))")
        }
        for example in shownExamples {
            let problem = example.problem ?? example.reason?.rawValue ?? ""
            // Most problems begin with their path.
            let place = problem.hasPrefix(example.location.string) ? "" : "\(example.location.escaped): "
            text.line("  \(example.identifier) \(place)\(problem)")
        }
        let others = states.retry + states.never - shownExamples.count
        if others > 0 {
            text.line(
                "  and \(Quantities.count(others)) more; to see all: ticds-fleet merge \(run.order.name) --to FILE, then ticds-fleet query failures --database FILE"
            )
        }
        if !active.isEmpty {
            let time = secondsLeft.map { ", about \(FleetText.duration($0)) left" } ?? ""
            let dealt = active.reduce(0) { $0 +| $1.dealt }
            let all = active.reduce(0) { $0 +| $1.remotes }
            text.line(
                "\(Quantities.count(active.count, "worker")) at work: \(Quantities.count(dealt)) of \(Quantities.count(all, "remote"))\(time)"
            )
        }
        for shard in stalled {
            let last = FileTime(iso: shard.updated).map(context.style.second) ?? shard.updated
            text.line(
                "Shard \(shard.shard) on \(shard.host) stopped before its end; its worker was last heard of at \(last). "
                    + "The same command as before finishes it.")
        }
        for shard in shards where shard.stoppedEarly { text.line("Shard \(shard.shard) stopped early.") }
    }

    static let schema = JSONSchema<FleetStatus>(
        "ticds.fleetStatus/1", "Printed by ticds-fleet(1) `run`, `status`, `plan`, `apply` and `undo`."
    ) {
        $0("run", "The folder of the run.", \.run.folder)
        $0("name", "The name of the run.", \.run.order.name)
        $0("command", "The words of its command.", \.run.order.command)
        $0("stage", "", as: .words(FleetRun.Stage.self), \.stage.rawValue)
        $0("remotes", "The number of remotes.", \.states.remotes)
        $0("done", "Remotes with a result.", \.states.done)
        $0("findings", "Of these, the remotes on which the command ended with 1.", \.states.findings)
        $0(
            "worst",
            """
            Of the first 1,000 of these, or of as many as `--limit` says, what was found; those with the most errors first.
            """,
            { $0.states.worst.prefix($0.limit ?? .max).map(\.self) },
            JSONFields {
                $0("identifier", "", \.identifier)
                $0("location", "", \.location)
                $0("errors", "", \.errors)
                $0("warnings", "", \.warnings)
                $0("notes", "", \.notes)
                $0("codes", "Those of the errors, or of the warnings where there are none.", \.codes)
            })
        $0("retry", "Remotes that the next run tries again.", \.states.retry)
        $0("never", "Remotes that fail as long as they stay as they are.", \.states.never)
        $0("missing", "Remotes that no worker has dealt with.", \.states.missing)
        $0("reasons", "The remotes without a result, by reason.", \.states.reasons)
        $0("workers", "Workers that are at work.", \.active.count)
        $0(
            "stalled",
            "Shards whose worker was killed, or has not been heard of for two minutes, before it had dealt with all.",
            { $0.stalled.map(\.shard) })
        $0("secondsLeft", "Until the workers are done; null if that is not known.", \.secondsLeft)
        $0("line", "The command line of the engine, with `--dry-run`.", \.line)
    }
}

extension FleetRun.Order {
    /// `verify: ticds verify REMOTE, for each of 3 remotes`
    var heading: String {
        "\(name): \(typedCommand), for \(remotes == 1 ? "" : "each of ")\(Quantities.count(remotes, "remote"))"
    }
}
