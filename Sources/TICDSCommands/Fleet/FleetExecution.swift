import ArgumentParser
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

/// The engine of a run, and the number of workers.
struct EngineOptions: ParsableArguments {
    @Option(help: "Who gives the shards to workers: this program, GNU parallel, or Slurm.")
    var engine = FleetEngine.local

    @Option(
        help: .value(
            "count",
            "Work on this many remotes at a time: in this process, on each machine of GNU parallel, or in each task of Slurm. Default: one for each core; 1 with Slurm."
        ))
    var jobs: Int?

    @Option(
        help: .value(
            "count", "Divide the remotes into this many shards. Default: 1, or one for about 100 remotes."))
    var shards: Int?

    @Option(
        name: .customLong("sshlogin"),
        help: .value(
            "host",
            "With GNU parallel: run on this host (passed on as --sshlogin). May be given several times."
        ))
    var logins: [String] = []

    @Option(
        name: .customLong("engine-option"),
        help: .value(
            "word",
            "Give this word to parallel or sbatch, such as --engine-option=--mem=4G. May be given several times."
        ))
    var engineOptions: [String] = []

    @Flag(help: "With GNU parallel: do only shards that failed or did not begin (--resume-failed).")
    var resume = false

    @Flag(help: "With Slurm: wait for the end of the job.")
    var wait = false

    @Option(
        help:
            "Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all."
    )
    var again = FleetWorker.Again.changed

    @Flag(name: .dryRun, help: "Prepare the run, print the command line of the engine, and begin nothing.")
    var isDryRun = false

    func validate() throws {
        if let jobs, !(1...4_096).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 4,096.")
        }
        if let shards, !(1...1_000_000).contains(shards) {
            throw ValidationError("--shards takes a number from 1 to 1,000,000.")
        }
        if engine != .parallel, resume || !logins.isEmpty {
            throw ValidationError("--resume and --sshlogin need --engine parallel.")
        }
        if engine != .slurm, wait { throw ValidationError("--wait needs --engine slurm.") }
        if engine == .local, !engineOptions.isEmpty {
            throw ValidationError("--engine-option needs --engine parallel or slurm.")
        }
    }
}

/// A run before its workers begin.
struct FleetPreparation {
    private let command: FleetCommand
    private let remotes: [FleetRemote]
    private let settings: FleetLimits
    private let engine: EngineOptions
    private let context: CommandContext

    init(
        _ command: FleetCommand, _ remotes: [FleetRemote], _ settings: FleetLimits, _ engine: EngineOptions,
        _ context: CommandContext
    ) {
        self.command = command
        self.remotes = remotes
        self.settings = settings
        self.engine = engine
        self.context = context
    }

    /// The command that arguments name, with absolute paths, since workers run in a different folder. Its options are
    /// first tested on the parser, so that a mistake causes one message and not one for each remote.
    static func command(_ words: [String], isChanging: Bool) throws -> FleetCommand {
        let words = words.first == "--" ? Array(words.dropFirst()) : words
        do throws(FleetCommand.Refusal) {
            let command = try FleetCommand(words, isChanging: isChanging)
            guard let root = CommandTable.programs.first(where: { $0.name == command.program })?.root else {
                return command
            }
            let tried = command.arguments.map { $0 == "{}" ? "/" : $0 }
            do { _ = try root.parseAsRoot(tried + ["--json"]) } catch {
                throw FleetCommand.Refusal(
                    text: misplacedOption(in: command, of: root)
                        ?? "\(command.program): \(root.message(for: error))")
            }
            // try?: without a working folder no path is relative to it
            guard let folder = try? FilePath(".").resolved(),
                let definitions = CommandDefinitions(of: root, command.arguments)
            else { return command }
            return try FleetCommand(
                command.words.prefix(1) + definitions.absolute(command.arguments, in: folder),
                isChanging: isChanging)
        } catch {
            throw ValidationError(error.text)
        }
    }

    /// Prepares the run in its folder, and starts it on the engine.
    func run(named name: String?) throws -> ExitStatus {
        PrivateFiles.begin()
        if remotes.isEmpty { throw FileProblem.noRemoteIsSelected }
        let words = command.words.filter { !$0.hasPrefix("-") && !$0.contains("{") && !$0.contains("/") }
            .prefix(2)
        let standard = words.filter { $0 != "remote" && $0 != "inspect" }.joined(separator: "-")
        let chosen = name ?? (command.isChanging ? "plan-" : "") + standard
        let folder = try OutputTarget.outside(FleetRun.folder(named: chosen))
        if name == nil, let aside = try FleetRun.moveAside(folder, for: command), !context.quiet {
            Messages.line(
                "the earlier run of this name had other options; its results are now in \(aside.escaped)")
        }
        let shards =
            engine.shards ?? engine.engine.shards(for: remotes.count, jobs: engine.jobs ?? context.workers)
        let run = try FleetRun.prepare(folder, command, remotes, settings, shards: shards)
        return try FleetExecution(run, engine, context).begin(.envelopes)
    }
}

extension FleetPreparation {
    /// The error for an option of the run among those of the command; nil if there is none.
    private static func misplacedOption(
        in command: FleetCommand, of root: any ParsableCommand.Type
    ) -> String? {
        let verb = command.isChanging ? "plan" : "run"
        guard let fleet = CommandTable.programs.first(where: { $0.name == "ticds-fleet" })?.root,
            let own = CommandDefinitions(of: fleet, [verb])?.optionNames,
            let others = CommandDefinitions(of: root, command.arguments)?.optionNames
        else { return nil }
        let options = command.arguments.filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
        return options.first { own.contains($0) && !others.contains($0) }.map {
            "\($0) is an option of ticds-fleet \(verb), and stands before the command: ticds-fleet \(verb) \($0) ... "
                + command.words.filter { $0 != "{}" }.prefix(1).joined()
        }
    }
}

/// Runs a stage of a run on the engine.
struct FleetExecution {
    private let run: FleetRun
    private let engine: EngineOptions
    private let context: CommandContext

    init(_ run: FleetRun, _ engine: EngineOptions, _ context: CommandContext) {
        self.run = run
        self.engine = engine
        self.context = context
    }

    func begin(_ stage: FleetRun.Stage) throws -> ExitStatus {
        let own = ExecutablePath.ownFolder?.appending("ticds-fleet") ?? "ticds-fleet"
        var job = FleetEngine.Job(program: own, run: try run.folder.resolved() ?? run.folder)
        job.stage = stage
        job.shards = run.order.shards
        job.jobs = engine.jobs
        job.logins = engine.logins
        job.isResuming = engine.resume
        job.waits = engine.wait
        job.options = engine.engineOptions
        job.again = engine.again
        if engine.engine == .parallel,
            job.run.bytes.contains(UInt8(ascii: "{")) || own.bytes.contains(UInt8(ascii: "{"))
        {
            throw FileProblem(
                .refused, path: job.run, "GNU parallel would replace the braces in this path",
                advice: "Name another folder with --to")
        }
        if engine.isDryRun {
            var text = context.text()
            if context.json {
                return try FleetStatus(run, stage, line: engine.engine.line(job)).show(context)
            }
            text.line("\(engine.engine.line(job))")
            try text.flush()
            return .success
        }
        guard engine.engine != .local else { return try workHere(stage) }
        let words = engine.engine.words(job)
        let name = String(decoding: words[0], as: UTF8.self)
        guard let program = ExecutablePath.find(name) else {
            throw FileProblem(
                .missing, path: FilePath(name), "this program is not installed",
                advice: "Install it, use --engine local, or take the command line of --dry-run to where it is"
            )
        }
        context.inform(engine.engine.line(job))
        let result = try ForegroundProcess.run(program, words)
        if engine.engine == .slurm, !engine.wait {
            if result != 0 { throw refused(program, result) }
            Messages.line("the job is queued; see: ticds-fleet status \(ShellWord.quoted(run.folder))")
            return .success
        }
        let status = try FleetStatus(run, stage)
        if result > 100, status.status == .success { throw refused(program, result) }
        return context.isSilent(status.status) ? .success : try status.show(context)
    }

    private func refused(_ program: FilePath, _ status: Int32) -> FileProblem {
        FileProblem(
            .unreadable, path: program, "ended with status \(status) before all shards were done",
            advice: "Read the folder log of the run; the same command continues")
    }

    private func workHere(_ stage: FleetRun.Stage) throws -> ExitStatus {
        let outcome = try FleetWorking(run, context, engine.again).work(
            run.order.shards == 1 ? [.whole] : (1...run.order.shards).map { Shard($0, of: run.order.shards) },
            stage,
            jobs: engine.jobs ?? context.workers)
        let result = try FleetStatus(run, stage)
        let status = FleetWorking.status(outcome, run) ?? result.status
        if context.isSilent(status) { return status }
        _ = try result.show(context)
        if outcome.unchanged > 0, stage == .envelopes, !context.json, !context.quiet {
            Messages.line(
                "\(Quantities.count(outcome.unchanged, "remote")) unchanged by sizes and times, and not examined again; "
                    + "--again all examines them")
        }
        return status
    }
}

/// Works through shards in this process, and shows the progress.
struct FleetWorking {
    private let run: FleetRun
    private let context: CommandContext
    private let again: FleetWorker.Again

    init(_ run: FleetRun, _ context: CommandContext, _ again: FleetWorker.Again) {
        self.run = run
        self.context = context
        self.again = again
    }

    func work(_ shards: [Shard], _ stage: FleetRun.Stage, jobs: Int, on remotes: [FleetRemote]? = nil) throws
        -> FleetWorker.Outcome
    {
        let bar = Mutex(Progress("working", context))
        var all = FleetWorker.Outcome()
        PrivateFiles.begin()
        try Interruption.catching {
            for shard in shards {
                let before = all
                let worker = try FleetWorker(run, shard, stage: stage, jobs: jobs, again: again) { outcome in
                    let done = Int64(before.ran + before.unchanged + outcome.ran + outcome.unchanged)
                    let failed = before.failed + outcome.failed
                    bar.withLock {
                        $0.update(
                            ProgressState(
                                done, of: Int64(run.order.remotes), .remotes,
                                details: failed == 0 ? nil : Quantities.count(failed) + " failed"))
                    }
                }
                let outcome = try worker.work(on: remotes) { Interruption.isWanted }
                all.remotes += outcome.remotes
                all.ran += outcome.ran
                all.unchanged += outcome.unchanged
                all.failed += outcome.failed
                all.findings += outcome.findings
                all.unexpected += outcome.unexpected
                all.hasGivenUp = outcome.hasGivenUp
                all.wasInterrupted = outcome.wasInterrupted
                if outcome.hasGivenUp || outcome.wasInterrupted { break }
            }
        }
        return all
    }

    /// The exit status of work that ended early; nil for all other work.
    static func status(_ outcome: FleetWorker.Outcome, _ run: FleetRun) -> ExitStatus? {
        if outcome.wasInterrupted {
            Messages.line("interrupted; the same command does what is left")
            return .interrupted
        }
        if outcome.hasGivenUp {
            Messages.line(
                "stopped: more failures than --max-failures \(run.order.settings.maxFailures ?? "") allows; see: ticds-fleet status \(ShellWord.quoted(run.folder))"
            )
            return .failed
        }
        return nil
    }
}
