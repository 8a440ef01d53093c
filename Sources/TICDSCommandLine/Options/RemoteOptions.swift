public import ArgumentParser
public import SystemPackage

/// The remote that a command looks at.
public struct RemoteOptions: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "The application folder of the remote (it contains ClientDevices and Documents), or a folder that contains exactly one.",
            discussion: "Default: the environment variable TICDS_REMOTE."),
        completion: .directory)
    public var remote: String?

    public init() {}

    public func validate() throws { _ = try path }

    /// The folder, as named.
    /// - Throws: `ValidationError` when neither the argument nor `TICDS_REMOTE` names one.
    public var path: FilePath {
        get throws { try Self.path(named: remote) }
    }

    /// The folder that `argument` names, else `TICDS_REMOTE`.
    public static func path(named argument: String?) throws -> FilePath {
        if let argument, !argument.isEmpty { return Environment.path(argument: argument) }
        if let path = Environment.path("TICDS_REMOTE") { return path }
        throw ValidationError("Name a REMOTE, or set TICDS_REMOTE.")
    }

    /// Separates the remote from the `count` arguments that follow it; with one fewer, `TICDS_REMOTE` is taken.
    /// For commands whose positional arguments are declared as one array.
    public static func separate(
        _ arguments: [String], before count: Int, named names: String
    ) throws -> (remote: FilePath, rest: [String]) {
        switch arguments.count {
        case count: return (try path(named: nil), arguments)
        case count + 1: return (try path(named: arguments[0]), Array(arguments.dropFirst()))
        default: throw ValidationError("Expected REMOTE \(names), or TICDS_REMOTE and \(names).")
        }
    }
}
