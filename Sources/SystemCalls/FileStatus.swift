import Glibc
public import SystemPackage

/// The type of a directory entry. Links are never followed.
public enum FileKind: UInt8, Sendable, Hashable {
    /// A regular file, a folder, a symbolic link.
    case file, folder, symbolicLink
    /// A FIFO, a socket or a device.
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

/// Whether the file system counts blocks for a file (`st_blocks`). The count can change without a write to the file.
/// Any two hints are therefore equal, and two statuses are equal if the file did not change.
public struct BlockHint: Hashable, Sendable {
    /// Whether `st_blocks` is 0. This is true of files whose content a cloud service has not fetched, but also of small
    /// files that some file systems store in the inode, and of all files on other file systems.
    public var isNone: Bool

    /// A hint from a count of blocks.
    public init(isNone: Bool = false) { self.isNone = isNone }

    public static func == (one: BlockHint, other: BlockHint) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}

/// Size, times and identity of a file or folder: what stat(2) returns.
public struct FileStatus: Sendable, Hashable {
    /// The type of the entry.
    public var kind: FileKind
    /// Size in bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// Inode number, unique on its volume.
    public var inode: UInt64
    /// Device number of the volume.
    public var device: UInt64
    /// Permission bits.
    public var mode: UInt32
    /// User ID of the owner.
    public var owner: UInt32
    /// Group ID.
    public var group: UInt32
    /// Whether the file system counts blocks for the file.
    public var blocks: BlockHint

    /// A status; by default that of a file that is not on a volume.
    public init(
        kind: FileKind, size: Int64, modified: FileTime, inode: UInt64 = 0, device: UInt64 = 0,
        mode: UInt32 = 0, owner: UInt32 = 0, group: UInt32 = 0, blocks: BlockHint = BlockHint()
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.inode = inode
        self.device = device
        self.mode = mode
        self.owner = owner
        self.group = group
        self.blocks = blocks
    }

    init(_ status: stat) {
        kind = FileKind(mode: status.st_mode)
        size = Int64(status.st_size)
        let time = status.st_mtim
        modified = FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_nsec))
        inode = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        mode = UInt32(truncatingIfNeeded: status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
        blocks = BlockHint(isNone: status.st_blocks == 0)
    }

    /// The status of `path` itself, even if it is a symbolic link (lstat(2)).
    public static func of(_ path: FilePath) throws(FileProblem) -> FileStatus {
        if UnnamedFile.isPath(path) { return try OwnedDescriptor.file(path).status() }
        let result: Result<FileStatus, Errno> = path.withPlatformString { at(AT_FDCWD, $0) }
        switch result {
        case .success(let status): return status
        case .failure(let errno): throw FileProblem(errno, path: path)
        }
    }

    /// Whether this process may create entries in the folder `path`, by faccessat(2).
    public static func canWrite(in path: FilePath) -> Bool { obstacle(toWritingIn: path) == nil }

    /// The reason why this process may not create entries in the folder `path`; nil if it may.
    public static func obstacle(toWritingIn path: FilePath) -> Errno? {
        let answer = path.withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }
        return answer == 0 ? nil : Errno(rawValue: errno)
    }

    /// The status of `path` itself; nil if it does not exist. Throws every other error, since the file may then exist.
    public static func ifPresent(_ path: FilePath) throws(FileProblem) -> FileStatus? {
        try unlessMissing { () throws(FileProblem) in try of(path) }
    }

    static func of(
        _ descriptor: CInt, _ path: @autoclosure () -> FilePath
    ) throws(FileProblem) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileProblem(Errno(rawValue: errno), path: path())
        }
        return FileStatus(status)
    }

    static func at(_ descriptor: CInt, _ name: UnsafePointer<CChar>) -> Result<FileStatus, Errno> {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return .failure(Errno(rawValue: errno))
        }
        return .success(FileStatus(status))
    }
}

/// Lists the entries of a folder by readdir(3), in the order of the file system.
public enum DirectoryReader {
    /// The names in a folder.
    public static func names(in folder: borrowing OwnedDescriptor) throws(FileProblem) -> [FilePath] {
        var names: [FilePath] = []
        try forEachEntry(of: folder) { name, _ in names.append(FilePath(nameBytes: name)) }
        return names
    }

    /// Calls `body` for every entry except `.` and `..`, with its name and its status. The bytes of the name are valid
    /// during the call only. The status is an error if the entry vanished or cannot be examined.
    /// - Parameter isWanted: selects entries by name; the others cost no fstatat(2).
    public static func forEachEntry(
        of folder: borrowing OwnedDescriptor,
        where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true },
        _ body: (_ name: UnsafeRawBufferPointer, _ status: Result<FileStatus, Errno>) -> Void
    ) throws(FileProblem) {
        let own = openat(folder.descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard own >= 0 else { throw FileProblem(Errno(rawValue: errno), path: folder.path) }
        guard let stream = fdopendir(own) else {
            let number = Errno(rawValue: errno)
            _ = close(own)
            throw FileProblem(number, path: folder.path)
        }
        defer { _ = closedir(stream) }
        // ends: after the last entry
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return }
                throw FileProblem(Errno(rawValue: errno), path: folder.path)
            }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let length = strlen(name)
            if name[0] == dot, length == 1 || (length == 2 && name[1] == dot) { continue }
            let bytes = UnsafeRawBufferPointer(start: name, count: length)
            if isWanted(bytes) { body(bytes, FileStatus.at(own, name)) }
        }
    }

    /// All entries except `.` and `..` with their status, in the file system's order, without entries that vanish.
    public static func entries(
        of folder: borrowing OwnedDescriptor
    ) throws(FileProblem) -> [(name: [UInt8], status: FileStatus)] {
        var entries: [(name: [UInt8], status: FileStatus)] = []
        var unread: FileProblem?
        let path = folder.path
        try forEachEntry(of: folder) { name, status in
            switch status {
            case .success(let status): entries.append((Array(name), status))
            case .failure(let errno):
                let problem = FileProblem(
                    errno, path: path.pushing(FilePath(nameBytes: name)))
                if problem.kind != .missing { unread = unread ?? problem }
            }
        }
        if let unread { throw unread }
        return entries
    }

    private static let dot = CChar(UInt8(ascii: "."))
}
