public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock by flock(2) on a file made for it, which stays. The kernel releases the lock when the process
/// ends. The first line of the file names the holder.
public struct FileLock: ~Copyable {
    private let descriptor: CInt

    /// Takes the lock; waits at most `seconds` for another process.
    /// - Parameter taken: makes the error if another process keeps the lock; its argument is the line that this process
    ///   wrote.
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
        // After a fork in another thread, the child keeps the descriptor open until exec; LOCK_UN releases the lock at
        // once.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Writes the name of the holder into the file, for people. An error has no consequence.
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

/// A moment on the monotonic clock (CLOCK_MONOTONIC), which setting the system time does not change.
public struct Deadline: Sendable {
    private let end: Int64

    /// The moment `seconds` from now. A deadline beyond 64 bits of nanoseconds never comes.
    public init(seconds: Int64) {
        let (length, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (end, isTooFar) = Self.now.addingReportingOverflow(length)
        self.end = isTooLong || isTooFar ? Int64.max : end
    }

    /// Whether the moment has come.
    public var isOver: Bool { Self.now >= end }

    /// Sleeps for 50 milliseconds, between two attempts.
    public func pause() { usleep(50_000) }

    /// Nanoseconds on the monotonic clock.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
