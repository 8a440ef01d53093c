public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a name in a folder stands for. Links are never followed.
public enum FileKind: UInt8, Sendable, Hashable {
    /// A plain file, a folder, a link.
    case file, folder, symbolicLink
    /// A fifo, a socket or a device.
    case special

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .symbolicLink
        default: self = .special
        }
    }
}

/// Whether the file system counts blocks for a file. Blocks come and go while nobody changes the file, so any two hints
/// are equal: whoever compares two statuses asks whether the file changed.
public struct BlockHint: Hashable, Sendable {
    /// True where no block is counted: for files whose content lies elsewhere, but also for small files that some file
    /// systems keep beside the name, and for all files of others.
    public var isNone: Bool

    /// A hint that says so.
    public init(isNone: Bool = false) { self.isNone = isNone }

    public static func == (one: BlockHint, other: BlockHint) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// Size, times and identity of a file or folder.
public struct FileStatus: Sendable, Hashable {
    /// What it is.
    public var kind: FileKind
    /// Bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// Number on its volume.
    public var inode: UInt64
    /// Number of the volume.
    public var device: UInt64
    /// Permission bits.
    public var mode: UInt32
    /// Numbers of the user and the group that it belongs to.
    public var owner: UInt32
    /// Number of the owning group.
    public var group: UInt32
    /// What the file system counts for it.
    public var blocks: BlockHint

    init(_ status: stat) {
        kind = FileKind(mode: status.st_mode)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_nsec))
        inode = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        mode = UInt32(truncatingIfNeeded: status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
        blocks = BlockHint(isNone: status.st_blocks == 0)
    }

    /// The status of `path` itself, also where that is a symbolic link.
    public static func of(_ path: FilePath) throws(FileProblem) -> FileStatus {
        if UnnamedFile.isPath(path) { return try OwnedDescriptor.file(path).status() }
        let result: Result<FileStatus, Errno> = path.withPlatformString { at(AT_FDCWD, $0) }
        switch result {
        case .success(let status): return status
        case .failure(let errno): throw FileProblem(errno, call: "fstatat", path: path)
        }
    }

    /// Whether entries can be made in the folder `path`, as far as the system tells before one tries.
    public static func canWrite(in path: FilePath) -> Bool {
        path.withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) } == 0
    }

    /// The status of `path` itself; nil where it does not exist. Every other error is thrown: what cannot be looked at
    /// may well be there.
    public static func ifPresent(_ path: FilePath) throws(FileProblem) -> FileStatus? {
        try unlessMissing { () throws(FileProblem) in try of(path) }
    }

    /// The status of an open file.
    static func of(_ descriptor: CInt, _ path: FilePath) throws(FileProblem) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileProblem(Errno(rawValue: errno), call: "fstat", path: path)
        }
        return FileStatus(status)
    }

    /// The status of the entry `name` of the open folder `descriptor`.
    static func at(_ descriptor: CInt, _ name: UnsafePointer<CChar>) -> Result<FileStatus, Errno> {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return .failure(Errno(rawValue: errno))
        }
        return .success(FileStatus(status))
    }
}
