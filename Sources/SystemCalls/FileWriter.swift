import CSystemCalls
import Glibc
public import SystemPackage

/// A new file that is written piece by piece.
public struct FileWriter: ~Copyable {
    private let descriptor: CInt
    private let folder: FilePath
    private let name: FilePath
    private var written = 0
    private var endsInHole = false
    private var isNamed: Bool
    /// The path of the file.
    public var path: FilePath { folder.pushing(name) }

    /// Creates the file `name`, which must not exist, in an open folder.
    public init(_ name: FilePath, in folder: borrowing OwnedDescriptor, mode: UInt32 = 0o644)
        throws(FileProblem)
    {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let parent = folder.descriptor
        let opened = uninterrupted {
            name.withPlatformString { openat(parent, $0, flags, mode_t(mode)) }
        }
        guard opened >= 0 else {
            throw .writing(Errno(rawValue: errno), path: folder.path.pushing(name))
        }
        self.init(opened, name, in: folder.path, isNamed: true)
    }

    /// Creates a file that gets its name from `link(in:)`, so that a process that is killed earlier leaves nothing. If
    /// the volume has no files without a name, the file has its name from the start.
    public init(linkedLater name: FilePath, in folder: borrowing OwnedDescriptor, mode: UInt32)
        throws(FileProblem)
    {
        let opened = ticds_open_nameless(folder.descriptor, mode)
        guard opened >= 0 else {
            self = try FileWriter(name, in: folder, mode: mode)
            return
        }
        self.init(opened, name, in: folder.path, isNamed: false)
    }

    private init(_ descriptor: CInt, _ name: FilePath, in folder: FilePath, isNamed: Bool) {
        self.descriptor = descriptor
        self.folder = folder
        self.name = name
        self.isNamed = isNamed
    }

    /// Gives the file its name, which must not exist.
    /// - Returns: false if that is not possible, for example without /proc or on a volume without hard links.
    public mutating func link(in folder: borrowing OwnedDescriptor) throws(FileProblem) -> Bool {
        guard !isNamed else { return true }
        let parent = folder.descriptor
        let result = "/proc/self/fd/\(descriptor)".withCString { from in
            name.withPlatformString { linkat(AT_FDCWD, from, parent, $0, AT_SYMLINK_FOLLOW) }
        }
        if result == 0 {
            isNamed = true
            return true
        }
        switch Errno(rawValue: errno) {
        case .notPermitted, .notSupported, .noFunction, .tooManyLinks, .noSuchFileOrDirectory: return false
        case let number: throw .writing(number, path: path)
        }
    }

    deinit { _ = close(descriptor) }

    /// Locks the file. The lock outlives this value.
    public func lock() throws(FileProblem) -> AdvisoryLock.Outcome {
        try AdvisoryLock.take(path, open: descriptor)
    }

    /// Appends all bytes.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        guard bytes.count > 0 else { return }
        if let failure = writeAll(bytes, to: descriptor, at: written) {
            throw .writing(failure, path: path)
        }
        written += bytes.count
        endsInHole = false
    }

    /// Skips `count` bytes, which read as zeros. Most file systems allocate no blocks for such a hole.
    public mutating func skip(_ count: Int) {
        written += count
        endsInHole = true
    }

    /// Whether `adopt` would change nothing.
    public func hasStatus(owner: UInt32, group: UInt32, mode: UInt32) throws(FileProblem) -> Bool {
        let status = try status()
        return status.mode == mode && (geteuid() != 0 || (status.owner == owner && status.group == group))
    }

    /// Sets owner and mode; see `OwnedDescriptor.adopt`.
    public func adopt(owner: UInt32, group: UInt32, mode: UInt32) throws(FileProblem) {
        try adoptOwner(descriptor, owner: owner, group: group, mode: mode, path: path)
    }

    /// Sets the length and the modification time of the file, and closes it. It does not call fsync(2); the caller
    /// calls `OwnedDescriptor.syncVolume`.
    public consuming func finishUnsynced(modified: FileTime) throws(FileProblem) {
        try setLengthAndTime(modified)
    }

    /// Finishes the file in the same way.
    /// - Returns: the resulting time, since volumes round times and replace those that they cannot store.
    public consuming func finishUnsynced(trying modified: FileTime) throws(FileProblem) -> FileTime {
        try setLengthAndTime(modified)
        return try status().modified
    }

    private func setLengthAndTime(_ modified: FileTime) throws(FileProblem) {
        if endsInHole, ftruncate(descriptor, off_t(written)) != 0 {
            throw .writing(Errno(rawValue: errno), path: path)
        }
        try setTime(modified)
    }

    private func status() throws(FileProblem) -> FileStatus { try FileStatus.of(descriptor, path) }

    private func setTime(_ modified: FileTime) throws(FileProblem) {
        let stamp = timespec(tv_sec: time_t(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        guard futimens(descriptor, [stamp, stamp]) == 0 else {
            throw .writing(Errno(rawValue: errno), path: path)
        }
    }

    /// Sets the modification time, if there is one, forces the file to disk (fsync(2)), and closes it.
    public consuming func finish(modified: FileTime?) throws(FileProblem) {
        if let modified { try setTime(modified) }
        let descriptor = descriptor
        guard uninterrupted({ fsync(descriptor) }) == 0 else {
            throw .writing(Errno(rawValue: errno), path: path)
        }
    }
}

extension OwnedDescriptor {
    /// Sets owner and mode of the file or folder. Only root can set a different owner; for other users the owner stays.
    public func adopt(owner: UInt32, group: UInt32, mode: UInt32) throws(FileProblem) {
        try adoptOwner(descriptor, owner: owner, group: group, mode: mode, path: path)
    }
}

private func adoptOwner(
    _ descriptor: CInt, owner: UInt32, group: UInt32, mode: UInt32, path: FilePath
) throws(FileProblem) {
    if geteuid() == 0 { _ = fchown(descriptor, owner, group) }
    try setMode(descriptor, mode, path: path)
}

/// Sets the mode of an open file or folder.
func setMode(_ descriptor: CInt, _ mode: UInt32, path: FilePath) throws(FileProblem) {
    if fchmod(descriptor, mode_t(mode)) == 0 { return }
    let number = Errno(rawValue: errno)
    // Some volumes give all files the same mode. That is enough if it grants at least the wanted permissions.
    var status = stat()
    guard [.notPermitted, .notSupported, .noFunction].contains(number), fstat(descriptor, &status) == 0,
        mode_t(mode) & ~status.st_mode & 0o777 == 0
    else { throw .writing(number, path: path) }
}
