public import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSOperations
package import TICDSSync

/// The replica that a command works on.
struct ReplicaOptions: ParsableArguments {
    @Argument(help: .value("replica", "The folder of the replica."), completion: .directory)
    var replica: String

    /// - Throws: `FileProblem` if the folder does not exist, or is not a replica.
    var folder: ReplicaFolder { get throws { try ReplicaFolder.find(Environment.path(argument: replica)) } }
}

extension ConflictPolicy.Choice: ExpressibleByArgument {}
extension VariantArgument {
    var variant: ReplicaConfiguration.Variant {
        switch self {
        case .fileManager: .fileManager
        case .dropbox: .dropbox
        case .icloud: .icloud
        }
    }
}
extension ReplicaConfiguration.BadSetChoice: ExpressibleByArgument {}

/// The settings of a run for conflicts, bad change sets and locks.
struct RunSettings: ParsableArguments {
    @Option(
        help:
            "What to do with a change set that cannot be applied completely. Default: the configuration decides."
    )
    var onBadSet: ReplicaConfiguration.BadSetChoice?

    @Option(help: "Which value counts in every conflict. Default: the configuration decides, rule by rule.")
    var conflicts: ConflictPolicy.Choice?

    @Option(
        help: .value(
            "duration",
            "Wait this long, such as 30s, for another command that is working on the replica, or is "
                + "changing the remote."))
    var lockWait: DurationArgument?

    var options: RunOptions {
        var options = RunOptions()
        options.onBadSet = onBadSet
        options.conflicts = conflicts.map { ConflictPolicy(otherwise: $0) }
        options.lockWait = lockWait?.seconds ?? 0
        return options
    }
}

extension ReplicaFolder {
    /// The replica in the folder `path`.
    /// - Throws: `.missing` if the folder does not exist; `.refused` if it is not a replica.
    static func find(_ path: FilePath) throws(FileProblem) -> ReplicaFolder {
        guard let place = try path.resolved() else {
            throw FileProblem(.missing, path: path, "no such folder")
        }
        let folder = ReplicaFolder(place)
        guard try FileStatus.ifPresent(folder.configuration)?.kind == .file else {
            let content = ForeignContent.of(place)
            throw FileProblem(
                .refused, path: path, "is not a replica", expected: "a folder with Replica.json in it",
                found: content?.name, advice: content?.advice ?? "Create one with ticds-sync clone")
        }
        return folder
    }
}

/// Registers the client of a replica: the only change of a remote that is not part of a synchronisation.
struct Registration {
    let context: CommandContext
    /// The seconds to wait for another ticds program.
    let lockWait: Int64

    /// Shows the plan and asks, unless `--yes` was given.
    func confirm(_ plan: Plan, saysYes: Bool) throws(FileProblem) {
        if saysYes { return }
        var preface = OutputBuffer.preface()
        PlanView(plan, context, isForStandardOutput: false).show(to: &preface)
        preface.line()
        try Confirmation.ask("Do this?", preface: preface.collectedText, about: plan.root)
    }

    /// Carries the plan out, and returns the number of the operation; nil if there was nothing to do.
    /// - Throws: the errors of the executor, with the advice to try again, since the replica already exists.
    func carryOut(_ plan: Plan, for replica: FilePath) throws(FileProblem) -> Int64? {
        if plan.actions.isEmpty { return nil }
        let state = RemoteState(root: plan.root, stateHome: try Environment.stateHome)
        do throws(FileProblem) {
            let storage = try OpenRemote.writable(at: plan.root)
            let executor = Executor(state, storage, lockWait: lockWait)
            return try PlanProgress("registering", context).run { (watch) throws(FileProblem) in
                try executor.run(storage.feasible(plan), watch: watch)
            }
        } catch {
            var problem = error
            let run =
                "The replica is not registered: ticds-sync run \(ShellWord.quoted(replica)) registers it"
            problem.advice = problem.advice.map { "\($0). \(run)" } ?? run
            throw problem
        }
    }
}
