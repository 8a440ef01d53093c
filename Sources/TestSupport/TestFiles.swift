import Glibc
package import SystemCalls
package import SystemPackage

/// Writes files for tests, by calls that throw the error of the system.
package enum TestFiles {
    package static func makeFolder(_ path: FilePath) throws {
        try check(path.withPlatformString { mkdir($0, 0o755) })
    }

    /// Makes a folder and its parents, unless they exist.
    package static func makeFolders(_ path: FilePath) throws {
        if let status = try? FileStatus.of(path), status.kind == .folder { return }
        try makeFolders(path.removingLastComponent())
        try makeFolder(path)
    }

    package static func write(_ path: FilePath, _ bytes: [UInt8]) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate], permissions: FilePermissions(rawValue: 0o644))
        _ = try file.closeAfter { try file.writeAll(bytes) }
    }

    /// Sets the modification time of a file or folder, to the nanosecond.
    package static func setTime(_ path: FilePath, _ time: FileTime) throws {
        let moment = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
        let times = [moment, moment]
        try check(path.withPlatformString { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) })
    }

    package static func link(_ path: FilePath, to target: String) throws {
        try check(path.withPlatformString { symlink(target, $0) })
    }

    package static func makeFifo(_ path: FilePath) throws {
        try check(path.withPlatformString { mkfifo($0, 0o644) })
    }

    package static func remove(_ path: FilePath) throws {
        try check(path.withPlatformString { unlink($0) })
    }

    /// Removes a file, or a folder with its content.
    package static func removeTree(_ path: FilePath) throws {
        guard try FileStatus.of(path).kind == .folder else { return try remove(path) }
        var names: [[UInt8]] = []
        try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(path)) { name, _ in
            names.append(Array(name))
        }
        for name in names { try removeTree(path.pushing(FilePath(nameBytes: name))) }
        try check(path.withPlatformString { rmdir($0) })
    }

    private static func check(_ result: CInt) throws {
        if result != 0 { throw Errno(rawValue: errno) }
    }
}
