import SystemCalls
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One `rclone rcd` that answers on a socket in a private folder. It ends with its owner.
final class RcloneDaemon: Sendable {
    /// The socket.
    let socket: FilePath

    private let folder: TemporaryFolder
    let program: RcloneProgram
    private let process: BoundProcess

    /// The longest path of a folder for a socket: sockaddr_un(7) has room for 107 bytes, on macOS 103.
    private static let longestFolder = 98

    /// Starts the program, and waits until it answers.
    init() throws(FileProblem) {
        program = try RcloneProgram()
        folder = try Self.makeFolder()
        socket = folder.path.appending("rc")
        process = try BoundProcess(
            program.path,
            [
                "rcd", "--rc-addr", "unix://\(socket.string)", "--rc-no-auth", "--rc-serve", "--log-level",
                "ERROR",
            ],
            environment: RcloneProgram.environment)
        try awaitSocket()
    }

    deinit { process.stop() }

    /// Why there is no answer, if the program has ended.
    var end: FileProblem? {
        guard process.hasEnded else { return nil }
        return FileProblem(
            .unreadable, path: program.path, "rclone has ended", found: lastMessage,
            advice: "Try: rclone listremotes")
    }

    /// A folder whose path leaves room for the name of a socket.
    private static func makeFolder() throws(FileProblem) -> TemporaryFolder {
        if let runtime = getenv("XDG_RUNTIME_DIR"), runtime.pointee == UInt8(ascii: "/"),
            // try?: another folder will do
            let folder = try? TemporaryFolder(in: FilePath(platformString: runtime)),
            folder.path.length <= longestFolder
        {
            return folder
        }
        let folder = try TemporaryFolder()
        return folder.path.length <= longestFolder ? folder : try TemporaryFolder(in: "/tmp")
    }

    /// Waits until somebody listens at the socket: some ten milliseconds, longer where a command asks for a password.
    private func awaitSocket() throws(FileProblem) {
        for _ in 0..<12_000 {
            if canConnect() { return }
            if let end { throw program.isTooOld ?? end }
            usleep(5_000)
        }
        throw FileProblem(
            .unreadable, path: program.path, "rclone does not answer", expected: "an answer within a minute",
            found: lastMessage, advice: "Try: rclone listremotes")
    }

    /// The last line that rclone wrote.
    private var lastMessage: String? {
        process.messages.split(whereSeparator: \.isNewline).last.map { String($0.prefix(500)) }
    }

    private func canConnect() -> Bool {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)  // bounded: a constant
        #else
            let type = SOCK_STREAM
        #endif
        let descriptor = makeSocket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

private func makeSocket(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
    socket(family, type, number)
}
