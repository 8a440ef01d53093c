import Glibc
import SystemCalls
import SystemPackage

/// One `rclone rcd` that answers on a socket in a private folder. It ends with its owner.
final class RcloneDaemon: Sendable {
    /// The socket.
    let socket: FilePath

    private let folder: TemporaryFolder
    let program: RcloneProgram
    private let process: HelperProcess
    /// The number of bytes that it had read before the first request.
    private let atStart: Int64?

    /// The longest path of a folder for a socket: sockaddr_un(7) allows 107 bytes.
    private static let longestFolder = 98

    /// Starts the program, and waits until it answers.
    /// - Parameter meanwhile: work that can be done while it starts.
    init(meanwhile: () -> Void) throws(FileProblem) {
        program = try RcloneProgram()
        folder = try Self.makeFolder()
        socket = folder.path.appending("rc")
        process = try HelperProcess(
            program.path,
            [
                "rcd", "--rc-addr", "unix://\(socket.string)", "--rc-no-auth", "--rc-serve", "--log-level",
                "ERROR", "--default-time", FileTime.ofNothing.iso,
            ],
            environment: RcloneProgram.environment)
        meanwhile()
        try Self.awaitSocket(socket, process, program)
        atStart = process.bytesRead
    }

    deinit { process.stop() }

    /// The number of bytes that it has read, from servers and from this process; nil if that is unknown, as for a
    /// program that a different program started and waits for.
    var bytesRead: Int64? {
        guard let now = process.bytesRead, let atStart, now > atStart else { return nil }
        return now
    }

    /// The reason why there is no answer, if the program has ended.
    var end: FileProblem? { Self.end(of: process, program) }

    private static func end(of process: HelperProcess, _ program: RcloneProgram) -> FileProblem? {
        guard process.hasEnded else { return nil }
        return FileProblem(
            .unreadable, path: program.path, "rclone has ended", found: lastMessage(of: process),
            advice: "Try again; or look with: rclone listremotes")
    }

    /// A folder with a path that is short enough for the name of a socket.
    private static func makeFolder() throws(FileProblem) -> TemporaryFolder {
        if let runtime = getenv("XDG_RUNTIME_DIR"), runtime.pointee == UInt8(ascii: "/"),
            // try?: then another folder is tried
            let folder = try? TemporaryFolder(in: FilePath(platformString: runtime)),
            folder.path.length <= longestFolder
        {
            return folder
        }
        let folder = try TemporaryFolder()
        return folder.path.length <= longestFolder ? folder : try TemporaryFolder(in: "/tmp")
    }

    /// Waits until the program listens at the socket: some ten milliseconds, longer if a command asks for a password.
    private static func awaitSocket(
        _ socket: FilePath, _ process: HelperProcess, _ program: RcloneProgram
    ) throws(FileProblem) {
        for _ in 0..<12_000 {
            if canConnect(socket) { return }
            if let end = end(of: process, program) { throw program.isTooOld ?? end }
            usleep(5_000)
        }
        throw FileProblem(
            .unreadable, path: program.path, "rclone does not answer", expected: "an answer within a minute",
            found: lastMessage(of: process), advice: "Try: rclone listremotes")
    }

    /// The last line that rclone wrote.
    private static func lastMessage(of process: HelperProcess) -> String? {
        process.messages.split(whereSeparator: \.isNewline).last.map {
            String(ConnectionString.hidden(in: String($0)).prefix(500))
        }
    }

    private static func canConnect(_ socket: FilePath) -> Bool {
        let type = Int32(SOCK_STREAM.rawValue)  // bounded: a constant
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
