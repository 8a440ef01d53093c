public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lists the entries of a folder by readdir(3), in the order of the file system.
public enum DirectoryReader {
    /// Calls `body` for every entry except `.` and `..`, with its name and its status. The bytes of the name are valid
    /// during the call only. The status is an error if the entry vanished or cannot be examined.
    /// - Parameter isWanted: selects entries by name; the others cost no fstatat(2).
    public static func forEachEntry(
        of folder: borrowing OwnedDescriptor,
        where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true },
        _ body: (_ name: UnsafeRawBufferPointer, _ status: Result<FileStatus, Errno>) -> Void
    ) throws(FileProblem) {
        let own = openat(folder.descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard own >= 0 else { throw FileProblem(Errno(rawValue: errno), call: "openat", path: folder.path) }
        guard let stream = fdopendir(own) else {
            let number = Errno(rawValue: errno)
            _ = close(own)
            throw FileProblem(number, call: "fdopendir", path: folder.path)
        }
        defer { _ = closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return }
                throw FileProblem(Errno(rawValue: errno), call: "readdir", path: folder.path)
            }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let length = strlen(name)
            if name[0] == dot, length == 1 || (length == 2 && name[1] == dot) { continue }
            let bytes = UnsafeRawBufferPointer(start: name, count: length)
            if isWanted(bytes) { body(bytes, FileStatus.at(own, name)) }
        }
    }

    /// All entries except `.` and `..` with their status, in the order of the file system. It leaves out an entry that
    /// vanishes during the listing.
    /// - Throws: also if an entry cannot be examined.
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
                    errno, call: "fstatat", path: path.pushing(FilePath(nameBytes: name)))
                if problem.kind != .missing { unread = unread ?? problem }
            }
        }
        if let unread { throw unread }
        return entries
    }

    private static let dot = CChar(UInt8(ascii: "."))
}
