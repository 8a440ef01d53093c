import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The default VFS of SQLite with a stricter xAccess. SQLite treats a rollback journal or write-ahead log as absent if
/// stat(2) fails for any reason; it then reads or changes a database in an inconsistent state. Here only ENOENT and
/// ENOTDIR mean that a file does not exist.
enum StrictVFS {
    /// The name for `sqlite3_open_v2`; nil if SQLite is out of memory and uses its default.
    static let name: String? = {
        guard let own = sqlite3_vfs_find(nil) else { return nil }
        let strict = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        strict.initialize(to: own.pointee)
        strict.pointee.pNext = nil
        let name = "ticds"
        strict.pointee.zName = UnsafePointer(strdup(name))
        strict.pointee.xAccess = { _, path, flags, found in
            guard let path, let found else { return SQLITE_IOERR_ACCESS }
            var status = stat()
            if stat(path, &status) == 0 {
                // SQLite treats an empty file as absent.
                let isRegular = status.st_mode & S_IFMT == S_IFREG
                found.pointee = flags != SQLITE_ACCESS_EXISTS || !isRegular || status.st_size > 0 ? 1 : 0
                if flags == SQLITE_ACCESS_READWRITE { found.pointee = access(path, R_OK | W_OK) == 0 ? 1 : 0 }
                return SQLITE_OK
            }
            found.pointee = 0
            return errno == ENOENT || errno == ENOTDIR ? SQLITE_OK : SQLITE_IOERR_ACCESS
        }
        // SQLite requires that a VFS exists as long as the process.
        return sqlite3_vfs_register(strict, 0) == SQLITE_OK ? name : nil
    }()
}
