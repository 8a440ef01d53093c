public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An exclusive lock, by flock(2), on a file or folder that is there already. It goes with the process, however that
/// ends,
/// so that whoever gets it knows that the process is no more.
public final class AdvisoryLock: Sendable {
    /// What became of the wish for a lock.
    public enum Outcome: Sendable {
        /// It is ours.
        case held(AdvisoryLock)
        /// Another process has it.
        case taken
        /// The file system has no such locks; the file is open, and not locked.
        case unsupported(AdvisoryLock)
    }

    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit {
        // Closing alone would leave it to a process that another thread is just starting, until that runs its program.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Tries to lock the file or folder `path`, which is no link; never waits.
    public static func take(_ path: FilePath) throws(FileProblem) -> Outcome {
        // Some network file systems lock only what is open for writing.
        var opened = open(path, O_RDWR)
        if opened < 0, [EACCES, EPERM, EISDIR, EROFS].contains(errno) { opened = open(path, O_RDONLY) }
        guard opened >= 0 else {
            let number = Errno(rawValue: errno)
            throw number == .tooManySymbolicLinkLevels
                ? .notRegular(.symbolicLink, path: path) : FileProblem(number, call: "open", path: path)
        }
        return AdvisoryLock(opened).outcome()
    }

    /// Tries to lock the file `path`, which is open; the lock stays when `descriptor` is closed.
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

    private static func open(_ path: FilePath, _ mode: CInt) -> CInt {
        path.withPlatformString {
            #if canImport(Glibc)
                Glibc.open($0, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            #else
                Darwin.open($0, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            #endif
        }
    }

    /// Whether `path` names what was locked. Where it does not, the lock says nothing of it.
    public func isIn(place path: FilePath) -> Bool {
        var status = stat()
        // try?: a lock that cannot be read says nothing
        guard fstat(descriptor, &status) == 0, let there = try? FileStatus.of(path) else { return false }
        let mine = FileStatus(status)
        return mine.inode == there.inode && mine.device == there.device
    }

    /// Gives the file the time of now, for people: its owner is alive.
    public func touch() { _ = futimens(descriptor, nil) }
}
