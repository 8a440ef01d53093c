public import ArgumentParser
import SystemPackage
import TICDSCommandLine
public import TICDSSync

/// The replica that a command works on.
struct ReplicaOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The folder of the replica.", valueName: "replica"), completion: .directory)
    var replica: String

    /// - Throws: `FileProblem` where there is no such folder, or it is not a replica.
    var folder: ReplicaFolder {
        get throws { try ReplicaFolder.find(Environment.path(argument: replica)) }
    }
}

extension ConflictPolicy.Choice: ExpressibleByArgument {}
extension ReplicaConfiguration.Variant: ExpressibleByArgument {}
extension ReplicaConfiguration.BadSetChoice: ExpressibleByArgument {}
