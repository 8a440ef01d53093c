import CSystemCalls
import Glibc
public import SystemPackage

/// An open file or folder, which closes itself. Opening it follows no link and does not block on a FIFO.
public struct OwnedDescriptor: ~Copyable, Sendable {
    let descriptor: CInt
    private let start: FilePath
    private let below: [UInt8]
    /// The status at the time of opening, if opening had to fetch it.
    public private(set) var statusAtOpening: FileStatus?

    private init(descriptor: CInt, path: FilePath, below: [UInt8] = []) {
        self.descriptor = descriptor
        start = path
        self.below = below
    }

    /// The path by which it was opened, for messages.
    public var path: FilePath { below.isEmpty ? start : start.pushing(FilePath(pathBytes: below)) }

    deinit { _ = close(descriptor) }

    /// Opens the folder `path`. `path` itself may be a symbolic link, since a user named it.
    public static func folder(_ path: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try open(AT_FDCWD, path, O_DIRECTORY, path: path)
    }

    /// Opens the entry `name` of this folder, which must be a folder.
    public func folder(_ name: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try Self.open(descriptor, name, O_DIRECTORY | O_NOFOLLOW, path: path.pushing(name))
    }

    /// Opens the regular file at `path`, with `/` between its names, below this folder. It follows no link at any step
    /// and makes one system call (openat2(2)). Returns nil on any failure; the caller then opens the folders one by
    /// one.
    public func file(below path: [UInt8]) -> OwnedDescriptor? {
        guard let found = descriptor(below: path, flags: 0) else { return nil }
        var open = OwnedDescriptor(descriptor: found, path: self.path, below: path)
        // try?: the caller opens step by step and finds the reason
        guard let status = try? open.status(), status.kind == .file else { return nil }
        open.statusAtOpening = status
        return open
    }

    /// Fills `buffer` with the first bytes of the file at `path`, in one read, without its status; returns their number,
    /// or nil on any failure, as for a folder. It opens the file like `file(below:)`.
    public func head(below path: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let found = descriptor(below: path, flags: 0) else { return nil }
        let count = pread(found, buffer.baseAddress, buffer.count, 0)
        _ = close(found)
        return count >= 0 ? count : nil
    }

    /// Opens the folder at `path` below this folder, like `file(below:)`.
    public func folder(below path: [UInt8]) -> OwnedDescriptor? {
        guard let found = descriptor(below: path, flags: O_DIRECTORY) else { return nil }
        return OwnedDescriptor(descriptor: found, path: self.path.pushing(FilePath(pathBytes: path)))
    }

    /// Opens the regular file `path` for reading.
    public static func file(_ path: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try open(AT_FDCWD, path, UnnamedFile.isPath(path) ? 0 : O_NOFOLLOW, path: path).checkedRegular()
    }

    /// Opens the entry `name` of this folder for reading; it must be a regular file.
    public func file(_ name: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try Self.open(descriptor, name, O_NOFOLLOW, path: path.pushing(name)).checkedRegular()
    }

    /// The status now (fstat(2)).
    public func status() throws(FileProblem) -> FileStatus { try FileStatus.of(descriptor, path) }

    /// The status of the entry `name` of this folder.
    public func status(of name: FilePath) throws(FileProblem) -> FileStatus {
        let result: Result<FileStatus, Errno> = name.withPlatformString { FileStatus.at(descriptor, $0) }
        switch result {
        case .success(let status): return status
        case .failure(let errno): throw FileProblem(errno, path: path.pushing(name))
        }
    }

    /// The status of the entry of this folder with the name `name`, a single component; nil on any failure.
    public func statusIfAny(ofName name: [UInt8]) -> FileStatus? {
        // try?: the caller goes by the path, and finds the reason
        withTerminated(name) { try? FileStatus.at(descriptor, $0).get() } ?? nil
    }

    private func descriptor(below path: [UInt8], flags: CInt) -> CInt? {
        let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let found = withTerminated(path) { ticds_open_below(descriptor, $0, flags) } ?? -1
        return found >= 0 ? found : nil
    }

    func withTerminated<Result>(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { name in
            UnsafeMutableRawBufferPointer(name).copyBytes(from: path)
            name[path.count] = 0
            return name.baseAddress.map { body($0) }
        }
    }

    private consuming func checkedRegular() throws(FileProblem) -> OwnedDescriptor {
        let status = try status()
        guard status.kind == .file else { throw .notRegular(status.kind, path: path) }
        statusAtOpening = status
        return self
    }

    private static func open(
        _ folder: CInt, _ name: FilePath, _ flags: CInt, path: FilePath
    ) throws(FileProblem) -> OwnedDescriptor {
        let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = uninterrupted { name.withPlatformString { openat(folder, $0, flags) } }
        guard descriptor >= 0 else {
            let number = Errno(rawValue: errno)
            switch number {
            case .tooManySymbolicLinkLevels: throw .notRegular(.symbolicLink, path: path)
            case .noSuchAddressOrDevice: throw .notRegular(.special, path: path)
            default: throw FileProblem(number, path: path)
            }
        }
        return OwnedDescriptor(descriptor: descriptor, path: path)
    }
}

extension FileProblem {
    /// The error for a folder in place of a file to write.
    static func isFolder(_ path: FilePath) -> FileProblem {
        FileProblem(.refused, path: path, "this is a folder", advice: "Name a file in it")
    }

    /// The error for an entry that is not a regular file.
    public static func notRegular(_ kind: FileKind, path: FilePath) -> FileProblem {
        let found =
            switch kind {
            case .file: "a file"
            case .folder: "a folder"
            case .symbolicLink: "a symbolic link"
            case .special: "a fifo, a socket or a device"
            }
        return FileProblem(
            .unreadable, path: path, "not a plain file", expected: "a file", found: found,
            advice: kind == .folder
                ? "Name a file in it, or find out why a folder has this name"
                : "Name a file, or find out what made this, and move it elsewhere")
    }
}

/// The volume of an open file or folder. A rename works only within one volume (and one mount).
public struct Volume: Hashable, Sendable {
    private let device: UInt64
    private let mount: UInt64

    /// The volume of an open file or folder.
    public init(of file: borrowing OwnedDescriptor) throws(FileProblem) {
        device = try file.status().device
        mount = ticds_mount_number(file.descriptor)
    }
}

/// The identity of a folder, independent of its path: a move within the volume does not change it.
public struct FolderIdentity: Hashable, Sendable, Codable {
    private let device: UInt64
    private let volume: UInt64
    private let inode: UInt64

    /// The identity of an open folder.
    public init(of folder: borrowing OwnedDescriptor) throws(FileProblem) {
        let status = try folder.status()
        device = status.device
        volume = ticds_volume_number(folder.descriptor)
        inode = status.inode
    }

    /// Whether both are the same folder. The device number may differ after a restart or on another machine.
    public func isSame(as other: FolderIdentity) -> Bool {
        inode == other.inode && (device == other.device || volume != 0 && volume == other.volume)
    }
}

/// File systems that other machines change without the kernel's knowledge, so that inotify(7) does not report it.
public enum NetworkFileSystem {
    /// The short name of the network file system that contains `path`; nil for a local one.
    public static func name(of path: FilePath) -> String? {
        names[path.withPlatformString { ticds_file_system_type($0) }]
    }

    /// Whether `path` is on an overlay file system (overlayfs).
    public static func isOverlay(_ path: FilePath) -> Bool {
        path.withPlatformString { ticds_file_system_type($0) } == 0x794C_7630
    }

    /// The names by the magic numbers of statfs(2). Systems other than Linux report only that it is a network file
    /// system.
    private static let names: [UInt32: String] = [
        0x6969: "nfs", 0x517B: "smb", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x6573_5546: "fuse",
        0x0102_1997: "9p", 0x5346_414F: "afs", 0x7375_7245: "coda", 0x00C3_6400: "ceph",
        0x786F_4256: "vboxsf", 0x7C7C_6673: "prl_fs", 0x0BD0_0BD0: "lustre", 0x0116_1970: "gfs2",
        1: "network",
    ]
}
