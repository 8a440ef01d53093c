public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Creates files and folders. Nothing here replaces a file.
public enum NewFile {
    /// Creates the file `path`, which must not exist, writes `bytes`, and sets a modification time. Does not call
    /// fsync(2).
    public static func write(_ bytes: [UInt8], to path: FilePath, modified: FileTime? = nil)
        throws(FileProblem)
    {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = path.withPlatformString { open($0, flags, 0o644) }
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        guard bytes.withUnsafeBytes({ writeAll($0, to: file, at: 0) }) == nil else {
            throw failure("pwrite", path)
        }
        if let modified { try setTime(modified, of: file, path) }
    }

    /// Creates the folder `path`, which must not exist, in a folder that must exist.
    public static func makeFolder(_ path: FilePath) throws(FileProblem) {
        guard path.withPlatformString({ mkdir($0, 0o755) }) == 0 else { throw failure("mkdir", path) }
    }

    /// Sets the modification time of a folder.
    public static func setTime(_ time: FileTime, ofFolder path: FilePath) throws(FileProblem) {
        let folder = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
        guard folder >= 0 else { throw failure("open", path) }
        defer { close(folder) }
        try setTime(time, of: folder, path)
    }

    /// Renames `old` to `new`, which must not exist or be an empty folder.
    public static func rename(_ old: FilePath, to new: FilePath) throws(FileProblem) {
        let result = old.withPlatformString { from in
            new.withPlatformString { to in
                #if canImport(Glibc)
                    Glibc.rename(from, to)
                #else
                    Darwin.rename(from, to)
                #endif
            }
        }
        guard result == 0 else { throw failure("rename", new) }
    }

    private static func setTime(_ time: FileTime, of file: CInt, _ path: FilePath) throws(FileProblem) {
        let stamp = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
        guard futimens(file, [stamp, stamp]) == 0 else { throw failure("futimens", path) }
    }

    private static func failure(_ call: String, _ path: FilePath) -> FileProblem {
        let number = Errno(rawValue: errno)
        return FileProblem(.writeFailed, path: path, "cannot be written", found: "\(call): \(number)")
    }
}

/// Writes all bytes to a file at `offset`, by pwrite(2). Returns the error; nil for success.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int) -> Errno? {
    var done = 0
    while let start = bytes.baseAddress, done < bytes.count {
        let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return Errno(rawValue: errno) }
        done += count
    }
    return nil
}
