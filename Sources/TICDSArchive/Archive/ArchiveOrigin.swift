import SystemCalls
public import SystemPackage
import TICDSCore

/// The source of an archive.
public enum ArchiveOrigin: Sendable {
    /// A file, a link to one, or a fifo, as a person named it.
    case file(FilePath)
    /// A plain file, opened with O_NOFOLLOW and O_NONBLOCK, so that links and fifos are refused.
    case plainFile(FilePath)
    /// Standard input.
    case standardInput

    /// The path for messages; "-" for standard input.
    public var path: FilePath {
        switch self {
        case .file(let path), .plainFile(let path): path
        case .standardInput: "-"
        }
    }

    /// Opens the archive, and recognises its form by the first bytes.
    func open() throws(FileProblem) -> any MemberReader {
        let input: ArchiveInput
        switch self {
        case .standardInput: input = ArchiveInput(.standardInput, path: path, isOwned: false)
        case .file(let path): input = try Self.input(path, [])
        case .plainFile(let path):
            input = try Self.input(path, [.noFollow, .nonBlocking])
            guard try FileStatus.of(path).kind == .file else {
                throw FileProblem(.unreadable, path: path, "not a plain file", expected: "a file")
            }
        }
        let head = try input.peek(4)
        guard head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6] else { return TarReader(input) }
        return input.isSeekable ? try ZipReader(input) : try ZipReader.spooled(input)
    }

    private static func input(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions
    ) throws(FileProblem) -> ArchiveInput {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: options.union(.closeOnExec))
            return ArchiveInput(file, path: path, isOwned: true)
        } catch {
            throw FileProblem(error as? Errno ?? .ioError, call: "open", path: path)
        }
    }
}
