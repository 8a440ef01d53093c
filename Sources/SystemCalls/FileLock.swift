public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock on a file that is made for it and stays. It goes with the process, however that ends. The first
/// line of the file tells who holds it.
public struct FileLock: ~Copyable {
    private let descriptor: CInt

    /// Takes the lock; waits at most `seconds` for another process.
    /// - Parameter taken: makes the error for a lock that another process holds, of what that one wrote.
    public init(
        _ path: FilePath, wait seconds: Int64, taken: (String?) -> FileProblem
    ) throws(FileProblem) {
        try self.init(path, until: Deadline(seconds: seconds), taken: taken)
    }

    /// Takes the lock; waits for another process until `deadline`.
    public init(
        _ path: FilePath, until deadline: Deadline, taken: (String?) -> FileProblem
    ) throws(FileProblem) {
        let opened = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            let number = Errno(rawValue: errno)
            let mayCome = number == .wouldBlock || number == .interrupted
            guard mayCome, !deadline.isOver else {
                defer { _ = close(opened) }
                throw mayCome ? taken(Self.holder(opened)) : .writing(number, call: "flock", path: path)
            }
            deadline.pause()
        }
        descriptor = opened
    }

    deinit {
        // Closing alone would leave it to a process that another thread is just starting, until that runs its program.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Writes who holds the lock. For people; losing it loses nothing.
    public func write(holder text: String) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    private static func holder(_ descriptor: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != 10 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
