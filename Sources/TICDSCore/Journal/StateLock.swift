import SystemCalls
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lock on the state of one remote: only one process at a time changes a remote. It goes with the process, however
/// that ends. The file says who holds it.
struct StateLock: ~Copyable {
    private let lock: FileLock

    /// Takes the lock; waits at most `seconds` for another process.
    /// - Throws: `.refused`, with the process that has it.
    init(_ state: RemoteState, command: String, wait seconds: Int64) throws(FileProblem) {
        lock = try FileLock(state.lock, wait: seconds) { holder in
            FileProblem(
                .refused, path: state.lock, "another command is changing this remote", found: holder,
                advice: "Wait until it has ended, or use --lock-wait 60s")
        }
        lock.write(holder: Machine.holder(command))
    }
}

/// This machine and this user, for the journal.
public enum Machine {
    /// Who holds a lock, as a line.
    public static func holder(_ command: String) -> String {
        "process \(process) on \(host), since \(FileTime.now.iso): \(command)\n"
    }

    static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "?" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    static var user: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "\(geteuid())" }
        return String(cString: name)
    }

    static var process: Int32 { getpid() }
}
