public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The entries of a folder in the order in which the file system gives them.
public enum DirectoryReader {
    /// Calls `body` for every entry but `.` and `..` with the bytes of its name, valid during the call only, and its
    /// status, or the reason why there is none (the entry vanished meanwhile, or no permission).
    /// - Parameter isWanted: tells by the name which entries are looked at; the others cost little.
    public static func forEachEntry(
        of folder: borrowing OpenFile, where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true },
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

    private static let dot = CChar(UInt8(ascii: "."))
}
