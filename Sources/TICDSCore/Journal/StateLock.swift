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
    private let descriptor: CInt

    /// Takes the lock; waits at most `seconds` for another process.
    /// - Throws: `.refused`, with the process that has it.
    init(_ state: RemoteState, command: String, wait seconds: Int64) throws(FileProblem) {
        descriptor = try Self.locked(state.lock, wait: seconds)
        write(command)
    }

    private static func locked(_ path: FilePath, wait seconds: Int64) throws(FileProblem) -> CInt {
        let opened = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        let end = FileTime.now.seconds + seconds
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            let number = Errno(rawValue: errno)
            let mayCome = number == .wouldBlock || number == .interrupted
            guard mayCome, FileTime.now.seconds < end else {
                defer { _ = close(opened) }
                throw mayCome ? taken(path, by: opened) : .writing(number, call: "flock", path: path)
            }
            usleep(50_000)
        }
        return opened
    }

    deinit { _ = close(descriptor) }

    /// For people; losing it loses nothing.
    private func write(_ command: String) {
        let text = "process \(getpid()) on \(Machine.host), since \(FileTime.now.iso): \(command)\n"
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    private static func taken(_ path: FilePath, by descriptor: CInt) -> FileProblem {
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
        return FileProblem(
            .refused, path: path, "another command is changing this remote",
            found: text.isEmpty ? nil : text, advice: "Wait until it has ended, or use --lock-wait 60s")
    }
}

/// This machine and this user, for the journal.
enum Machine {
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
