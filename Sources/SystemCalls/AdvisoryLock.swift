public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock by flock(2) on a file or folder that exists. The kernel releases the lock when the process ends,
/// however it ends; whoever gets the lock therefore knows that the earlier holder has ended.
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

    deinit {
        // After a fork in another thread, the child keeps the descriptor open until exec; LOCK_UN releases the lock at
        // once.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

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
                ? .notRegular(.symbolicLink, path: path) : FileProblem(number, call: "open", path: path)
        }
        return AdvisoryLock(opened).outcome()
    }

    /// Tries to lock a file that is open. The lock outlives `descriptor`.
    static func take(_ path: FilePath, open descriptor: CInt) throws(FileProblem) -> Outcome {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileProblem(Errno(rawValue: errno), call: "fcntl", path: path) }
        return AdvisoryLock(copy).outcome()
    }

    private func outcome() -> Outcome {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .taken
            default: return .unsupported(self)
            }
        }
        return .held(self)
    }

    private static func descriptor(of path: FilePath, _ mode: CInt) -> CInt {
        path.withPlatformString { open($0, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    }

    /// Whether `path` still names the locked file. If somebody replaced the file, the lock protects nothing at `path`.
    public func isHeld(on path: FilePath) -> Bool {
        var status = stat()
        // try?: a file that cannot be examined counts as replaced
        guard fstat(descriptor, &status) == 0, let there = try? FileStatus.of(path) else { return false }
        let mine = FileStatus(status)
        return mine.inode == there.inode && mine.device == there.device
    }

    /// Sets the modification time to now, which shows a person that the owner is alive.
    public func touch() { _ = futimens(descriptor, nil) }
}
