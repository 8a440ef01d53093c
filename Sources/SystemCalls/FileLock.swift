import Glibc
public import SystemPackage

/// An exclusive lock by flock(2) on a separate file, which stays unless it is temporary. The kernel releases the lock
/// when the process ends. The first line of the file names the holder.
public struct FileLock: ~Copyable {
    private let descriptor: CInt
    /// The file, if it is removed with the lock.
    private let temporary: FilePath?
    /// The number of times that the file may vanish while the lock is taken.
    private static let attempts = 100

    /// Takes the lock; waits at most `seconds` for another process.
    /// - Parameters:
    ///   - isTemporary: whether the file is removed with the lock.
    ///   - taken: makes the error if another process keeps the lock; its argument is the line that the other process wrote.
    public init(
        _ path: FilePath, wait seconds: Int64, isTemporary: Bool = false, taken: (String?) -> FileProblem
    ) throws(FileProblem) {
        try self.init(path, until: Deadline(seconds: seconds), isTemporary: isTemporary, taken: taken)
    }

    /// Takes the lock; waits for another process until `deadline`.
    public init(
        _ path: FilePath, until deadline: Deadline, isTemporary: Bool = false, taken: (String?) -> FileProblem
    ) throws(FileProblem) {
        temporary = isTemporary ? path : nil
        for _ in 1...Self.attempts {
            let opened = try FileDescriptor.own(path).rawValue
            while flock(opened, LOCK_EX | LOCK_NB) != 0 {
                let number = Errno(rawValue: errno)
                let mayCome = number == .wouldBlock || number == .interrupted
                guard mayCome, !deadline.isOver else {
                    defer { _ = close(opened) }
                    throw mayCome ? taken(Self.holder(opened)) : .writing(number, path: path)
                }
                deadline.pause()
            }
            // The former holder of a temporary lock has removed the file.
            guard isTemporary, !isFile(opened, path) else {
                descriptor = opened
                return
            }
            release(opened)
        }
        throw taken(nil)
    }

    deinit {
        if let temporary { _ = temporary.withPlatformString { unlink($0) } }
        release(descriptor)
    }

    /// Writes the name of the holder into the file, for people. Errors are ignored.
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

/// An exclusive lock by flock(2) on a file or folder that exists. The kernel releases the lock when the process ends in
/// any way; the next holder therefore knows that the earlier holder has ended.
public final class AdvisoryLock: Sendable {
    /// The result of an attempt to lock.
    public enum Outcome: Sendable {
        /// This process holds the lock.
        case held(AdvisoryLock)
        /// Another process holds the lock.
        case taken
        /// The file system does not support flock(2). The file is open, but not locked.
        case unsupported(AdvisoryLock)
    }

    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { release(descriptor) }

    /// Tries to lock the file or folder `path` without waiting (LOCK_NB). `path` must not be a symbolic link.
    public static func take(_ path: FilePath) throws(FileProblem) -> Outcome {
        // Some network file systems lock only files that are open for writing.
        var opened = descriptor(of: path, O_RDWR)
        if opened < 0, [EACCES, EPERM, EISDIR, EROFS].contains(errno) {
            opened = descriptor(of: path, O_RDONLY)
        }
        guard opened >= 0 else {
            let number = Errno(rawValue: errno)
            throw number == .tooManySymbolicLinkLevels
                ? .notRegular(.symbolicLink, path: path) : FileProblem(number, path: path)
        }
        return AdvisoryLock(opened).outcome()
    }

    /// Tries to lock a file that is open. The lock outlives `descriptor`.
    static func take(_ path: FilePath, open descriptor: CInt) throws(FileProblem) -> Outcome {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileProblem(Errno(rawValue: errno), path: path) }
        return AdvisoryLock(copy).outcome()
    }

    private func outcome() -> Outcome {
        if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return .held(self) }
        return errno == EWOULDBLOCK ? .taken : .unsupported(self)
    }

    private static func descriptor(of path: FilePath, _ mode: CInt) -> CInt {
        path.withPlatformString { open($0, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    }

    /// Whether `path` still names the locked file. If the file was replaced, the lock protects nothing at `path`.
    public func isHeld(on path: FilePath) -> Bool { isFile(descriptor, path) }

    /// Sets the modification time to now, which shows users that the owner is alive.
    public func touch() { _ = futimens(descriptor, nil) }
}

/// Whether `path` names the open file.
private func isFile(_ descriptor: CInt, _ path: FilePath) -> Bool {
    var status = stat()
    // try?: a file that cannot be examined counts as replaced
    guard fstat(descriptor, &status) == 0, let there = try? FileStatus.of(path) else { return false }
    let mine = FileStatus(status)
    return mine.inode == there.inode && mine.device == there.device
}

/// Releases a lock at once: after a fork in another thread, the child keeps the descriptor open until exec.
private func release(_ descriptor: CInt) {
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
}
