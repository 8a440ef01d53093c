import ArgumentParser
import SystemPackage
import TICDSCommandLine
import TICDSArchive

/// The archive that a command reads.
struct ArchiveArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The archive; - is standard input.", valueName: "file"),
        completion: .archives)
    var archive: String

    var origin: ArchiveOrigin { Self.origin(archive) }

    static func origin(_ argument: String) -> ArchiveOrigin {
        argument == "-" ? .standardInput : .file(Environment.path(argument: argument))
    }
}
