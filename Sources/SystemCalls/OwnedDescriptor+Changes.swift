import CSystemCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Changes of the entries of an open folder, each one system call. Names are single names; no link is ever followed.
extension OwnedDescriptor {
    /// Makes the folder `name`, which must not be there.
    public func makeFolder(_ name: FilePath, mode: UInt32 = 0o755) throws(FileProblem) {
        try change("mkdirat", name) { mkdirat(descriptor, $0, mode_t(mode)) }
    }

    /// Makes the symbolic link `name`, which must not be there.
    public func makeLink(_ name: FilePath, to target: FilePath) throws(FileProblem) {
        try change("symlinkat", name) { name in target.withPlatformString { symlinkat($0, descriptor, name) }
        }
    }

    /// Where the symbolic link `name` leads.
    public func linkTarget(_ name: FilePath) throws(FileProblem) -> FilePath {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBufferPointer { buffer in
            name.withPlatformString { name in
                buffer.baseAddress.map { readlinkat(descriptor, name, $0, buffer.count) } ?? 0
            }
        }
        guard count >= 0 else {
            throw FileProblem(Errno(rawValue: errno), call: "readlinkat", path: path.pushing(name))
        }
        return FilePath(pathBytes: target.prefix(count).map(UInt8.init(bitPattern:)))
    }

    /// Moves the entry `name` to another open folder, under a name that must not be taken there.
    public func move(_ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath)
        throws(FileProblem)
    {
        let result = name.withPlatformString { from in
            new.withPlatformString { ticds_rename_new(descriptor, from, folder.descriptor, $0) }
        }
        if result == 0 { return }
        let number = Errno(rawValue: errno)
        guard number == .invalidArgument || number == .noFunction || number == .notSupported else {
            throw .writing(number, call: "renameat2", path: folder.path.pushing(new))
        }
        try moveWithoutPromise(name, to: folder, as: new)
    }

    /// For file systems that cannot rename without replacing: looks first.
    private func moveWithoutPromise(
        _ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath
    ) throws(FileProblem) {
        if try folder.exists(new) {
            throw .writing(.fileExists, call: "renameat", path: folder.path.pushing(new))
        }
        try replace(new, in: folder, by: name)
    }

    /// Moves the entry `name` of this folder over `old` of another, whatever is there: who opens `old` meanwhile gets
    /// the one or the other, whole.
    public func replace(_ old: FilePath, in folder: borrowing OwnedDescriptor, by name: FilePath)
        throws(FileProblem)
    {
        let result = name.withPlatformString { from in
            old.withPlatformString { renameat(descriptor, from, folder.descriptor, $0) }
        }
        guard result == 0 else {
            throw .writing(Errno(rawValue: errno), call: "renameat", path: folder.path.pushing(old))
        }
    }

    /// Whether the file system would move the folder `name` into `folder`, tried on `full`, a folder there that is not
    /// empty, so that nothing moves.
    public func canMove(_ name: FilePath, over full: FilePath, in folder: borrowing OwnedDescriptor)
        throws(FileProblem) -> Bool
    {
        let result = name.withPlatformString { from in
            full.withPlatformString { renameat(descriptor, from, folder.descriptor, $0) }
        }
        let number = Errno(rawValue: errno)
        if result == 0 {
            try folder.move(full, to: self, as: name)
            throw .writing(.invalidArgument, call: "renameat", path: path.pushing(name))
        }
        return number != .improperLink
    }

    /// Gives the file `name` a second name in another folder of the same volume. False where the file system has no
    /// second names.
    public func link(_ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath)
        throws(FileProblem) -> Bool
    {
        let result = name.withPlatformString { from in
            new.withPlatformString { linkat(descriptor, from, folder.descriptor, $0, 0) }
        }
        if result == 0 { return true }
        switch Errno(rawValue: errno) {
        case .notPermitted, .notSupported, .noFunction, .tooManyLinks: return false
        case let number: throw .writing(number, call: "linkat", path: folder.path.pushing(new))
        }
    }

    /// Removes the entry `name`, which is no folder.
    public func remove(_ name: FilePath) throws(FileProblem) {
        try change("unlinkat", name) { unlinkat(descriptor, $0, 0) }
    }

    /// Removes the folder `name`, which must be empty.
    public func removeFolder(_ name: FilePath) throws(FileProblem) {
        try change("unlinkat", name) { unlinkat(descriptor, $0, AT_REMOVEDIR) }
    }

    /// Sets the modification time of the entry `name` itself.
    public func setTime(_ time: FileTime, of name: FilePath) throws(FileProblem) {
        let stamp = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
        try change("utimensat", name) { utimensat(descriptor, $0, [stamp, stamp], AT_SYMLINK_NOFOLLOW) }
    }

    /// Whether there is an entry `name` of whatever kind.
    public func exists(_ name: FilePath) throws(FileProblem) -> Bool {
        try unlessMissing { () throws(FileProblem) in try status(of: name) } != nil
    }

    /// Forces the names of the folder, or the bytes of the file, to disk.
    public func sync() throws(FileProblem) {
        while fsync(descriptor) != 0 {
            let number = Errno(rawValue: errno)
            switch number {
            case .interrupted: continue
            // Some network file systems know no fsync of folders.
            case .invalidArgument, .notSupported: return
            default: throw .writing(number, call: "fsync", path: path)
            }
        }
    }

    /// Forces everything that was written to the volume to disk: one call in the place of one for each of many files.
    public func syncVolume() throws(FileProblem) {
        guard ticds_sync_volume(descriptor) == 0 else {
            throw .writing(Errno(rawValue: errno), call: "syncfs", path: path)
        }
    }

    private func change(
        _ call: String, _ name: FilePath, _ body: (UnsafePointer<CChar>) -> CInt
    ) throws(FileProblem) {
        while name.withPlatformString(body) != 0 {
            let number = Errno(rawValue: errno)
            if number == .interrupted { continue }
            throw .writing(number, call: call, path: path.pushing(name))
        }
    }
}

extension FileDescriptor {
    /// Lets the disk begin to take a part of what was written, without waiting for it: `sync` has less to do then.
    public func startWriting(_ range: Range<Int64>) {
        ticds_start_writing(rawValue, range.lowerBound, Int64(range.count))
    }

    /// Waits until the disk has taken a part of what was written, and lets the system forget it, where it can.
    /// - Returns: why the disk has not; that is told once only.
    public func finishWriting(_ range: Range<Int64>) -> Errno? {
        let number = Errno(
            rawValue: ticds_finish_writing(rawValue, range.lowerBound, Int64(range.count)))
        // Others only say that this is no file, or of no such file system.
        return [.ioError, .noSpace, .diskQuotaExceeded].contains(number) ? number : nil
    }
}

extension FileProblem {
    /// Whether a disk is full, broken or not to be written, or nobody may write there: what has nothing to do with
    /// what its
    /// file system can.
    public var isOfDisk: Bool {
        [Errno.noSpace, .diskQuotaExceeded, .ioError, .readOnlyFileSystem, .interrupted].contains {
            found?.hasSuffix(": \($0)") == true
        }
    }

    /// A system call that failed to change something.
    public static func writing(_ number: Errno, call: String, path: FilePath) -> FileProblem {
        let advice: String? =
            switch number {
            case .noSpace, .diskQuotaExceeded: "Make room on that volume, then try again"
            case .readOnlyFileSystem: "Mount the volume for writing, then try again"
            case .permissionDenied, .notPermitted: "Check the owner and the mode, or run as the owner"
            case .fileExists: "Somebody else made it; look at it, then try again"
            default: nil
            }
        return FileProblem(
            .writeFailed, path: path, "cannot be written", found: "\(call): \(number)", advice: advice)
    }
}
