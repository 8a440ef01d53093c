import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

/// The archive that a command reads.
struct ArchiveArgument: ParsableArguments {
    @Argument(
        help: .value("file", "The archive, or FOLDER:latest for a snapshot; - is standard input."),
        completion: .archives)
    var archive: String

    /// - Throws: `.unknownName`, `.ambiguous` for a choice of a snapshot.
    var origin: ArchiveOrigin { get throws(FileProblem) { try Self.origin(archive) } }

    static func origin(_ argument: String) throws(FileProblem) -> ArchiveOrigin {
        if argument == "-" { return .standardInput }
        let path = Environment.path(argument: argument)
        return .file(try ArchiveAddress(path)?.archive ?? path)
    }

    /// The archives in a folder; otherwise the only one that the argument names.
    static func origins(_ argument: String) throws(FileProblem) -> [ArchiveOrigin] {
        let origin = try origin(argument)
        guard case .file(let path) = origin else { return [origin] }
        let archives = try ArchiveOrigin.archives(in: path)
        return archives.isEmpty ? [origin] : archives
    }

    /// A path below the remote in an archive, as an option names it.
    static func remotePath(_ text: String) throws(FileProblem) -> RemotePath {
        let parts = Environment.path(argument: text).bytes.split(separator: UInt8(ascii: "/"))
        let path = RemotePath(parts.map { RemoteName($0) })
        guard !path.names.isEmpty, path.isSafe else {
            throw FileProblem(
                .refused, path: FilePath(text), "is not a path below a remote",
                advice: "Copy it from ticds-archive list or diff")
        }
        return path
    }
}

extension CommandContext {
    /// Warns of entries that could not be read when an archive was made: it is incomplete without them.
    /// - Parameter isWanted: whether the command needs an entry.
    /// - Returns: the reason why the first of them is missing.
    func warnOfEntries(
        leftOutOf manifest: ArchiveManifest?, of archive: FilePath,
        where isWanted: (RemotePath) -> Bool = { _ in true }
    ) -> FileProblem? {
        let lacking = manifest?.leftOut.filter { isWanted($0.path) } ?? []
        let name = archive == "-" ? "the archive" : archive.escaped
        for entry in lacking { warn("\(entry.path) was left out of \(name): \(entry.problem)") }
        return lacking.first.map {
            FileProblem(.unreadable, path: FilePath(nameBytes: $0.path.bytes), $0.problem)
        }
    }
}
