import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SQLite's own way to files, but for one call: SQLite takes a rollback journal or a write-ahead log that it could not
/// look at for one that is not there, and then reads, or changes, a database that is half of one state and half of
/// another. Here only a file that does not exist is missing; any other error is an error.
enum StrictVFS {
    /// What `sqlite3_open_v2` calls it; nil where SQLite has no memory for it, and takes its own.
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
                // An empty file is as good as none.
                let isRegular = status.st_mode & S_IFMT == S_IFREG
                found.pointee = flags != SQLITE_ACCESS_EXISTS || !isRegular || status.st_size > 0 ? 1 : 0
                if flags == SQLITE_ACCESS_READWRITE { found.pointee = access(path, R_OK | W_OK) == 0 ? 1 : 0 }
                return SQLITE_OK
            }
            found.pointee = 0
            return errno == ENOENT || errno == ENOTDIR ? SQLITE_OK : SQLITE_IOERR_ACCESS
        }
        // Kept for as long as the process lives, as SQLite asks.
        return sqlite3_vfs_register(strict, 0) == SQLITE_OK ? name : nil
    }()
}
