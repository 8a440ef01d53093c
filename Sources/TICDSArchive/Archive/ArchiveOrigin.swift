import Base
public import SystemCalls
public import SystemPackage
import TICDSCore

/// The source of an archive.
public enum ArchiveOrigin: Sendable {
    /// A file, a link to a file, or a fifo, as the user named it.
    case file(FilePath)
    /// A regular file, opened with O_NOFOLLOW and O_NONBLOCK, so that links and fifos are refused.
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

    func open() throws(FileProblem) -> any MemberReader {
        let input: ArchiveInput
        switch self {
        case .standardInput: input = ArchiveInput(.standardInput, path: path, isOwned: false)
        case .file(let path): input = try Self.input(path, [])
        case .plainFile(let path):
            input = try Self.input(path, .noFollow)
            guard try FileStatus.of(path).kind == .file else {
                throw FileProblem(.unreadable, path: path, "not a plain file", expected: "a file")
            }
        }
        return try Self.reader(input)
    }

    /// A reader for the form of the archive in `input`, by its first bytes.
    static func reader(_ input: ArchiveInput) throws(FileProblem) -> any MemberReader {
        let head = try input.peek(4)
        guard isZip(head) else { return TarReader(input, head: head) }
        return input.isSeekable ? try ZipReader(input) : try ZipReader.spooled(input)
    }

    /// Whether an archive that begins with these four bytes is a zip; an empty one begins with its directory.
    static func isZip(_ head: [UInt8]) -> Bool {
        head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
    }

    private static func input(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions
    ) throws(FileProblem) -> ArchiveInput {
        if let place = try path.resolved(), try FileStatus.ifPresent(place)?.kind == .folder {
            throw isFolder(path)
        }
        return try ArchiveInput(path, options)
    }
}

extension ArchiveOrigin {
    /// The endings of archives, including those of other programs.
    private static let endings = ArchiveForm.allCases.map(\.ending) + [".tar", ".tgz", ".txz"]

    private static func hasEnding(_ name: String) -> Bool { endings.contains { name.hasSuffix($0) } }

    /// Whether the name of a file ends like that of an archive.
    public static func hasEnding(_ path: FilePath) -> Bool { hasEnding(path.string) }

    /// The archives directly in a folder, by name; none if `path` is not a folder.
    public static func archives(in path: FilePath) throws(FileProblem) -> [ArchiveOrigin] {
        guard let place = try path.resolved(), try FileStatus.ifPresent(place)?.kind == .folder else {
            return []
        }
        return try LocalStorage(root: place).list(.root).whole().filter { entry in
            entry.kind != .folder && hasEnding(entry.name.text)
        }.map { .file(path.pushing(FilePath(nameBytes: $0.name.bytes))) }
    }

    /// The error for a folder in place of an archive, with the newest snapshot in it.
    public static func isFolder(_ path: FilePath) -> FileProblem {
        // try?: advice offers what it can
        if (try? RemoteLocation.find(path)) != nil {
            return FileProblem(
                .unsupported, path: path, "is no archive", expected: "a file", found: "a remote",
                advice: "ticds-inspect tree lists the files of a remote")
        }
        // try?: as above
        let newest = (try? archives(in: path))?.last
        return FileProblem(
            .unsupported, path: path, "is no archive", expected: "a file", found: "a folder",
            advice: newest.map {
                "Name an archive in it, such as \($0.path.escaped); ticds-archive list \(ShellWord.quoted(path)) "
                    + "shows the snapshots, and how to name them"
            }
                ?? "Name an archive that ticds-archive export or ticds-remote snapshot wrote")
    }
}

/// One member of an archive as its header describes it; hostile input.
struct ArchiveMember {
    enum Kind: Equatable {
        case file
        case folder
        /// A link, a device, or another kind that no remote contains; the text names it.
        case other(String)

        static let symbolicLink = Kind.other("a symbolic link")
        static let device = Kind.other("a device")
        static let fifo = Kind.other("a fifo")
    }

    /// The name in the archive, byte for byte.
    var name: [UInt8]
    var kind: Kind
    /// The size in bytes; nil if the header does not contain the size.
    var size: Int64?
    var modified: FileTime
}

/// Reads an archive once, from its beginning to its end.
protocol MemberReader: AnyObject {
    /// The next member; nil after the last one, when the rest of the archive has been checked as well.
    func next() throws(FileProblem) -> ArchiveMember?

    /// Calls `body` with the bytes of the current member. `next` skips an unread member.
    /// - Throws: `.damaged` if the bytes do not match the archive's own checksum; `next` may still find the next
    ///   member.
    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem)

    /// Calls `body` with the bytes of the current member in pieces that it may keep.
    func sharedContent(_ body: (SharedBytes) throws(FileProblem) -> Void) throws(FileProblem)

    /// Bytes of the archive that were read so far.
    var bytesRead: Int64 { get }

    var form: String { get }

    /// The commands for a damaged archive.
    /// - Parameter isReadToEnd: whether `next` reached the end.
    func salvage(isReadToEnd: Bool) -> ArchiveSalvage
}

extension MemberReader {
    /// The difference between the time of a member and the manifest; nil if there is none. Only the manifest counts for
    /// a zip, which has no exact times, and for the fraction of a second, which other programs omit when they pack an
    /// archive again.
    func timeFault(_ member: ArchiveMember, _ expected: BackupEntry) -> String? {
        guard form == "tar", member.modified != expected.modified else { return nil }
        // Before 1970, some programs round towards 1970.
        let later = expected.modified.seconds < 0 ? 0...1 as ClosedRange<Int64> : 0...0
        let isRounded = later.contains(member.modified.seconds(since: expected.modified))
        if member.modified.nanoseconds == 0, isRounded { return nil }
        return "the time \(member.modified.iso), and not \(expected.modified.iso)"
    }

    func sharedContent(_ body: (SharedBytes) throws(FileProblem) -> Void) throws(FileProblem) {
        try content { (piece) throws(FileProblem) in try body(SharedBytes(Array(piece))) }
    }
}

/// Converts names of members to paths, and refuses hostile names.
enum MemberPath {
    /// - Returns: the path inside the folder into which the archive is unpacked; the root for `./`.
    static func path(of name: [UInt8]) -> Result<RemotePath, Refusal> {
        if name.first == UInt8(ascii: "/") { return .failure(Refusal("an absolute name")) }
        if name.contains(0) { return .failure(Refusal("a name with a zero byte")) }
        var parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        while parts.first?.elementsEqual(".".utf8) == true { parts.removeFirst() }
        let path = RemotePath(parts.map { RemoteName($0) })
        if path.names.contains("..") { return .failure(Refusal("a name that leads out of the archive")) }
        guard path.isSafe else { return .failure(Refusal("a name that no file can have")) }
        guard path.names.count <= RemoteScanner.deepestFolder + 1 else {
            return .failure(Refusal("folders nested too deep"))
        }
        return .success(path)
    }

    struct Refusal: Error {
        let problem: String

        init(_ problem: String) { self.problem = problem }
    }
}
