import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

/// The archive that a command reads.
struct ArchiveArgument: ParsableArguments {
    @Argument(help: .value("file", "The archive; - is standard input."), completion: .archives)
    var archive: String

    var origin: ArchiveOrigin { Self.origin(archive) }

    static func origin(_ argument: String) -> ArchiveOrigin {
        argument == "-" ? .standardInput : .file(Environment.path(argument: argument))
    }

    /// The archives in a folder; otherwise the one that the argument names.
    static func origins(_ argument: String) throws(FileProblem) -> [ArchiveOrigin] {
        let origin = origin(argument)
        guard case .file(let path) = origin else { return [origin] }
        let archives = try ArchiveOrigin.archives(in: path)
        return archives.isEmpty ? [origin] : archives
    }
}
