public import SystemPackage
import SystemCalls

/// Where an archive is read from.
public enum ArchiveOrigin: Sendable {
    /// A file.
    case file(FilePath)
    /// Standard input, which is read once.
    case standardInput

    /// For messages.
    public var path: FilePath {
        switch self {
        case .file(let path): path
        case .standardInput: "-"
        }
    }

    /// Opens the archive; what it is, is told by its bytes.
    func open() throws(FileProblem) -> any MemberReader {
        let input: ArchiveInput
        switch self {
        case .standardInput: input = ArchiveInput(.standardInput, path: path, isOwned: false)
        case .file(let path):
            do {
                let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
                input = ArchiveInput(file, path: path, isOwned: true)
            } catch {
                throw FileProblem(error as? Errno ?? .ioError, call: "open", path: path)
            }
        }
        let head = try input.peek(4)
        guard head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6] else { return TarReader(input) }
        return input.isSeekable ? try ZipReader(input) : try ZipReader.spooled(input)
    }
}
