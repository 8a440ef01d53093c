import CSystemCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The descriptor of an open file or folder, which closes itself. No function follows a symbolic link to it or blocks
/// on a FIFO.
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

    /// Opens the folder `path`. `path` itself may be a symbolic link, since a person named it.
    public static func folder(_ path: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try open(AT_FDCWD, path, O_DIRECTORY, path: path)
    }

    /// Opens the entry `name` of this folder, which must be a folder.
    public func folder(_ name: FilePath) throws(FileProblem) -> OwnedDescriptor {
        try Self.open(descriptor, name, O_DIRECTORY | O_NOFOLLOW, path: path.pushing(name))
    }

    /// Opens the regular file at `path`, with `/` between its names, below this folder. It follows no link at any step
    /// and makes one system call (openat2(2)). Returns nil on any failure; the caller then opens one folder after the
    /// other.
    public func file(below path: [UInt8]) -> OwnedDescriptor? {
        guard let found = descriptor(below: path, flags: 0) else { return nil }
        var open = OwnedDescriptor(descriptor: found, path: self.path, below: path)
        // try?: the caller opens step by step and finds the reason
        guard let status = try? open.status(), status.kind == .file else { return nil }
        open.statusAtOpening = status
        return open
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

    /// The status of the open file.
    public func status() throws(FileProblem) -> FileStatus {
        try FileStatus.of(descriptor, path)
    }

    /// The status of the entry `name` of this folder.
    public func status(of name: FilePath) throws(FileProblem) -> FileStatus {
        let result: Result<FileStatus, Errno> = name.withPlatformString { FileStatus.at(descriptor, $0) }
        switch result {
        case .success(let status): return status
        case .failure(let errno): throw FileProblem(errno, call: "fstatat", path: path.pushing(name))
        }
    }

    private func descriptor(below path: [UInt8], flags: CInt) -> CInt? {
        let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let found = withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { name -> CInt in
            UnsafeMutableRawBufferPointer(name).copyBytes(from: path)
            name[path.count] = 0
            return name.baseAddress.map { ticds_open_below(descriptor, $0, flags) } ?? -1
        }
        return found >= 0 ? found : nil
    }

    private consuming func checkedRegular() throws(FileProblem) -> OwnedDescriptor {
        let kind = try status().kind
        guard kind == .file else { throw .notRegular(kind, path: path) }
        return self
    }

    private static func open(
        _ folder: CInt, _ name: FilePath, _ flags: CInt, path: FilePath
    ) throws(FileProblem) -> OwnedDescriptor {
        let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK
        var descriptor: CInt
        repeat {
            descriptor = name.withPlatformString { openat(folder, $0, flags) }
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else {
            let number = Errno(rawValue: errno)
            switch number {
            case .tooManySymbolicLinkLevels: throw .notRegular(.symbolicLink, path: path)
            case .noSuchAddressOrDevice: throw .notRegular(.special, path: path)
            default: throw FileProblem(number, call: "openat", path: path)
            }
        }
        return OwnedDescriptor(descriptor: descriptor, path: path)
    }
}

extension FileProblem {
    static func notRegular(_ kind: FileKind, path: FilePath) -> FileProblem {
        let found =
            switch kind {
            case .file: "a file"
            case .folder: "a folder"
            case .symbolicLink: "a symbolic link"
            case .special: "a fifo, a socket or a device"
            }
        return FileProblem(.unreadable, path: path, "not a plain file", expected: "a file", found: found)
    }
}
