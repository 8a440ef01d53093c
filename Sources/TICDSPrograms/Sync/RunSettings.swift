import ArgumentParser
import TICDSCommandLine
import TICDSSync

/// How a run deals with what stands in its way.
struct RunSettings: ParsableArguments {
    @Option(
        name: .customLong("on-bad-set"),
        help:
            "What to do with a change set that cannot be applied completely. Default: the configuration decides."
    )
    var onBadSet: ReplicaConfiguration.BadSetChoice?

    @Option(
        help: "Which value counts in every conflict. Default: the configuration decides, rule by rule.")
    var conflicts: ConflictPolicy.Choice?

    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp(
            "Wait this long, such as 30s, for another command that is working on the replica, or is changing the remote.",
            valueName: "time"))
    var lockWait: DurationArgument?

    var options: RunOptions {
        var options = RunOptions()
        options.onBadSet = onBadSet
        options.conflicts = conflicts.map { ConflictPolicy(otherwise: $0) }
        options.lockWait = lockWait?.seconds ?? 0
        return options
    }
}
