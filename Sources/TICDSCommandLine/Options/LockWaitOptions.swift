public import ArgumentParser

/// How long to wait for another program that changes the remote.
public struct LockWaitOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp(
            "Wait this long, such as 30s, for another program of the suite that is changing the remote.",
            valueName: "time"))
    public var lockWait: DurationArgument?

    public init() {}

    /// In seconds; 0 where nothing was given.
    public var seconds: Int64 { lockWait?.seconds ?? 0 }
}
