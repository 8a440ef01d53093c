import CSystemCalls
import Glibc
public import SystemPackage

/// Changes of the entries of an open folder. A name is a single component; no call follows a link.
extension OwnedDescriptor {
    /// Makes the folder `name`, which must not exist (mkdirat(2)).
    public func makeFolder(_ name: FilePath, mode: UInt32 = 0o755) throws(FileProblem) {
        try change(name) { mkdirat(descriptor, $0, mode_t(mode)) }
    }

    /// Makes the symbolic link `name`, which must not exist (symlinkat(2)).
    public func makeLink(_ name: FilePath, to target: FilePath) throws(FileProblem) {
        try change(name) { name in
            target.withPlatformString { symlinkat($0, descriptor, name) }
        }
    }

    /// The target of the symbolic link `name` (readlinkat(2)).
    public func linkTarget(_ name: FilePath) throws(FileProblem) -> FilePath {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBufferPointer { buffer in
            name.withPlatformString { name in
                buffer.baseAddress.map { readlinkat(descriptor, name, $0, buffer.count) } ?? 0
            }
        }
        guard count >= 0 else {
            throw FileProblem(Errno(rawValue: errno), path: path.pushing(name))
        }
        return FilePath(pathBytes: target.prefix(count).map(UInt8.init(bitPattern:)))
    }

    /// Moves `name` to another folder as `new`, which must not exist (RENAME_NOREPLACE of renameat2(2)).
    public func move(_ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath)
        throws(FileProblem)
    {
        let result = name.withPlatformString { from in
            new.withPlatformString { ticds_rename_new(descriptor, from, folder.descriptor, $0) }
        }
        if result == 0 { return }
        let number = Errno(rawValue: errno)
        guard number == .invalidArgument || number == .noFunction || number == .notSupported else {
            throw .writing(number, path: folder.path.pushing(new))
        }
        try moveCheckingFirst(name, to: folder, as: new)
    }

    /// Moves an entry on a file system without RENAME_NOREPLACE: checks first, then renames.
    private func moveCheckingFirst(
        _ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath
    ) throws(FileProblem) {
        if try folder.exists(new) {
            throw .writing(.fileExists, path: folder.path.pushing(new))
        }
        try replace(new, in: folder, by: name)
    }

    /// Moves `name` over `old`, which need not exist (renameat(2)); a process that opens `old` gets either complete
    /// file.
    public func replace(_ old: FilePath, in folder: borrowing OwnedDescriptor, by name: FilePath)
        throws(FileProblem)
    {
        let result = name.withPlatformString { from in
            old.withPlatformString { renameat(descriptor, from, folder.descriptor, $0) }
        }
        guard result == 0 else {
            throw .writing(Errno(rawValue: errno), path: folder.path.pushing(old))
        }
    }

    /// Replaces a regular file by `name`, which gets the permissions of that file.
    public func replaceKeepingMode(_ old: FilePath, in folder: borrowing OwnedDescriptor, by name: FilePath)
        throws(FileProblem)
    {
        if try folder.exists(old) {
            try copyMode(folder.status(of: old), to: name, named: folder.path.pushing(old))
        }
        try replace(old, in: folder, by: name)
    }

    /// Gives a file of this folder the permissions of another file.
    /// - Parameter target: the path of the file in an error.
    private func copyMode(
        _ status: FileStatus, to name: FilePath, named target: FilePath
    ) throws(FileProblem) {
        // The value must exist as long as its descriptor is used.
        let file = try file(name)
        try setMode(file.descriptor, status.mode & 0o777, path: target)
        _ = consume file
    }

    /// Gives the entries of this folder, and the folder, the permissions of the entries with the same names in another
    /// folder. The owner may always change the folders.
    func takeModes(of former: borrowing OwnedDescriptor) throws(FileProblem) {
        for (entry, status) in try DirectoryReader.entries(of: former) {
            let name = FilePath(nameBytes: entry)
            guard try exists(name), try self.status(of: name).kind == status.kind else { continue }
            switch status.kind {
            case .file: try copyMode(status, to: name, named: path.pushing(name))
            case .folder: try folder(name).takeModes(of: former.folder(name))
            case .symbolicLink, .special: continue
            }
        }
        try setMode(descriptor, former.status().mode & 0o777 | 0o700, path: path)
    }

    /// Whether `name` can be renamed into `folder` (no EXDEV): tries it over the folder `full`, which is not empty, so
    /// that nothing moves.
    public func canMove(_ name: FilePath, over full: FilePath, in folder: borrowing OwnedDescriptor)
        throws(FileProblem) -> Bool
    {
        let result = name.withPlatformString { from in
            full.withPlatformString { renameat(descriptor, from, folder.descriptor, $0) }
        }
        let number = Errno(rawValue: errno)
        if result == 0 {
            try folder.move(full, to: self, as: name)
            throw .writing(.invalidArgument, path: path.pushing(name))
        }
        return number != .improperLink
    }

    /// Gives `name` a hard link in another folder of the volume (linkat(2)); returns false if hard links are
    /// unsupported.
    public func link(_ name: FilePath, to folder: borrowing OwnedDescriptor, as new: FilePath)
        throws(FileProblem) -> Bool
    {
        let result = name.withPlatformString { from in
            new.withPlatformString { linkat(descriptor, from, folder.descriptor, $0, 0) }
        }
        if result == 0 { return true }
        switch Errno(rawValue: errno) {
        case .notPermitted, .notSupported, .noFunction, .tooManyLinks: return false
        case let number: throw .writing(number, path: folder.path.pushing(new))
        }
    }

    /// Removes the entry `name`, which is not a folder (unlinkat(2)).
    public func remove(_ name: FilePath) throws(FileProblem) {
        try change(name) { unlinkat(descriptor, $0, 0) }
    }

    /// Removes the empty folder `name` (rmdir(2)).
    public func removeFolder(_ name: FilePath) throws(FileProblem) {
        try change(name) { unlinkat(descriptor, $0, AT_REMOVEDIR) }
    }

    /// Sets the times of the file itself to now, if that is permitted (futimens(2)).
    public func touch() { _ = futimens(descriptor, nil) }

    /// Sets the modification time of the entry `name`, without following a link (utimensat(2)).
    public func setTime(_ time: FileTime, of name: FilePath) throws(FileProblem) {
        let stamp = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
        try change(name) { utimensat(descriptor, $0, [stamp, stamp], AT_SYMLINK_NOFOLLOW) }
    }

    /// Whether an entry `name` of any type exists.
    public func exists(_ name: FilePath) throws(FileProblem) -> Bool {
        try unlessMissing { () throws(FileProblem) in try status(of: name) } != nil
    }

    /// Forces the entries of the folder, or the bytes of the file, to disk (fsync(2)).
    public func sync() throws(FileProblem) {
        let descriptor = descriptor
        if uninterrupted({ fsync(descriptor) }) == 0 { return }
        let number = Errno(rawValue: errno)
        // Some network file systems do not support fsync on folders.
        guard number == .invalidArgument || number == .notSupported else {
            throw .writing(number, path: path)
        }
    }

    /// Forces everything written to the volume to disk (syncfs(2)): one call instead of one for each of many files.
    public func syncVolume() throws(FileProblem) {
        guard ticds_sync_volume(descriptor) == 0 else {
            throw .writing(Errno(rawValue: errno), path: path)
        }
    }

    private func change(
        _ name: FilePath, _ body: (UnsafePointer<CChar>) -> CInt
    ) throws(FileProblem) {
        guard uninterrupted({ name.withPlatformString(body) }) == 0 else {
            throw .writing(Errno(rawValue: errno), path: path.pushing(name))
        }
    }
}

extension FileDescriptor {
    /// Opens a regular file for reading and writing, and makes it, for its owner alone, if it is missing. Opening it
    /// follows no link and does not block on a FIFO.
    package static func own(_ path: FilePath) throws(FileProblem) -> FileDescriptor {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let opened = path.withPlatformString { Glibc.open($0, flags, 0o600) }
        guard opened >= 0 else {
            // A socket gives ENXIO.
            throw errno == ENXIO
                ? .notRegular(.special, path: path) : .writing(Errno(rawValue: errno), path: path)
        }
        do throws(FileProblem) {
            let kind = try FileStatus.of(opened, path).kind
            guard kind == .file else { throw .notRegular(kind, path: path) }
        } catch {
            _ = Glibc.close(opened)
            throw error
        }
        return FileDescriptor(rawValue: opened)
    }

    /// Starts to write a range to the disk without waiting (sync_file_range(2)), so that a later `sync` has less to do.
    public func startWriting(_ range: Range<Int64>) {
        ticds_start_writing(rawValue, range.lowerBound, Int64(range.count))
    }

    /// Waits until a range is on the disk, and lets the system drop it from its cache.
    /// - Returns: the error of the disk, which the system reports only once; nil for success.
    public func finishWriting(_ range: Range<Int64>) -> Errno? {
        let number = Errno(rawValue: ticds_finish_writing(rawValue, range.lowerBound, Int64(range.count)))
        // Other errors mean only that the file system does not support the call.
        return [.ioError, .noSpace, .diskQuotaExceeded].contains(number) ? number : nil
    }
}

extension FileProblem {
    /// Whether the disk is full, broken or mounted read-only, or a signal interrupted the call. Such an error does not
    /// show what the file system supports.
    public var isDiskError: Bool {
        [Errno.noSpace, .diskQuotaExceeded, .ioError, .readOnlyFileSystem, .interrupted].contains {
            found?.hasSuffix(": \($0)") == true
        }
    }

    /// The error of a system call that failed to change something.
    public static func writing(_ number: Errno, path: FilePath) -> FileProblem {
        let advice: String? =
            switch number {
            case .noSpace, .diskQuotaExceeded: "Make room on that volume, then try again"
            case .readOnlyFileSystem: "Mount the volume for writing, then try again"
            case .permissionDenied, .notPermitted: "Check the owner and the mode, or run as the owner"
            case .fileExists: "Somebody else made it; look at it, then try again"
            default: nil
            }
        return FileProblem(
            .writeFailed, path: path, "cannot be written", found: "\(number)", advice: advice)
    }

    /// The error of a call of swift-system that failed to change something.
    public static func writing(_ error: any Error, path: FilePath) -> FileProblem {
        if let number = error as? Errno { return writing(number, path: path) }
        return FileProblem(.writeFailed, path: path, "cannot be written", found: "\(error)")
    }
}
