import CSystemCalls
import Glibc
public import SystemPackage

/// Limits that a process sets on itself before it reads untrusted input.
public enum ProcessLimits {
    /// Limits the address space of this process (setrlimit(2), RLIMIT_AS), and disables core files.
    /// - Returns: false if the system refuses.
    public static func set(memory: Int64) -> Bool {
        ticds_limit_memory(UInt64(clamping: max(memory, 64 << 20))) == 0
    }

    /// Makes the system kill this process when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG).
    /// - Returns: false if `parent` has already ended.
    public static func endWith(parent: Int32) -> Bool { ticds_end_with_parent(parent) == 0 }
}

/// Work at a crash of this process. Swift ends a process by a signal where there is no memory.
public enum Crash {
    /// Removes the mount on `folder` at a crash from now on. Where the memory of the process is limited (`ulimit -v`,
    /// `ulimit -d`), the crash also prints `line` on standard error, and the process exits with `status`.
    /// - Parameters:
    ///   - folder: empty for none.
    ///   - program: fusermount3(1), which unmounts for a user; nil if there is none.
    public static func unmount(
        _ folder: FilePath, through program: FilePath?, printing line: String, status: Int32
    ) {
        folder.withPlatformString { folder in
            (program ?? "").withPlatformString { program in
                ticds_unmount_at_crash(folder, program, hasMemoryLimit ? line : "", status)
            }
        }
    }

    private static var hasMemoryLimit: Bool {
        [RLIMIT_AS, RLIMIT_DATA].contains { kind in
            var limit = rlimit()
            return getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 && limit.rlim_cur != .max
        }
    }
}

/// The standard output of a process in a file, for a result that must outlive the process that reads it.
public enum OutputFile {
    /// Makes `path` the standard output of this process, and locks it as long as the process exists.
    /// - Throws: `.refused` if another process writes to the file.
    public static func become(_ path: FilePath) throws(FileProblem) {
        let opened = try FileDescriptor.own(path).rawValue
        defer { close(opened) }
        if uninterrupted({ flock(opened, LOCK_EX | LOCK_NB) }) != 0, errno == EWOULDBLOCK {
            throw FileProblem(
                .refused, path: path, "another process writes its result here",
                advice: "Wait until it has finished")
        }
        guard ftruncate(opened, 0) == 0, dup2(opened, STDOUT_FILENO) >= 0 else {
            throw .writing(Errno(rawValue: errno), path: path)
        }
    }
}
