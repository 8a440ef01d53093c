import Base
import Glibc
public import SystemPackage

/// A worker process that serves many requests, to save start-up time. Its standard input is a socket (see
/// ``RequestSocket``). It is killed if a request exceeds its limits, and when this value is destroyed.
public struct WorkerProcess: ~Copyable {
    private let child: ChildProcess
    private let socket: CInt
    private var isReaped = false
    /// The number of requests that it has served.
    public private(set) var requests = 0

    /// The outcome of a request.
    public enum Answer: Sendable {
        /// The program answered, and continues to run unless `isLast`.
        case done(Subprocess.Result, isLast: Bool)
        /// The program has ended.
        case ended(Subprocess.Result)
    }

    /// Starts `program`, as `Subprocess.run` does.
    public init(
        _ program: FilePath, _ arguments: [[UInt8]], setting variables: [String: String?] = [:]
    ) throws(FileProblem) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else {
            throw FileProblem(
                .unreadable, path: program, "cannot be started", found: "\(Errno(rawValue: errno))")
        }
        defer { close(ends[1]) }
        do throws(FileProblem) {
            child = try Subprocess.spawn(program, arguments, variables, input: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
    }

    private static var stream: CInt {
        CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    }

    deinit {
        child.close()
        close(socket)
        if isReaped { return }
        kill(-child.number, SIGKILL)
        kill(child.number, SIGKILL)
        // try?: it was killed, or has ended before
        _ = try? ProgramStart.end(of: child.number)
    }

    /// Sends the program a request, within the limits.
    /// - Parameter shouldStop: called about ten times a second.
    public mutating func answer(
        _ request: [[UInt8]], _ limits: Subprocess.Limits, shouldStop: () -> Bool = { false }
    ) -> Answer {
        var reader = ChildReader(child, limits, Subprocess.monotonicSeconds)
        requests += 1
        if RequestSocket.send(RequestSocket.packed(request), to: socket),
            let line = reader.readToTheAnswer(socket, shouldStop)
        {
            let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            if words.count == 3, let status = CInt(words[0]), let memory = Int64(words[1]) {
                return .done(reader.result(status, peakMemory: memory), isLast: words[2] == "last")
            }
        }
        reader.readToTheEnd(shouldStop)
        isReaped = true
        return .ended(reader.reap())
    }
}

/// The requests that come to a ``WorkerProcess`` through its standard input.
public struct RequestSocket: ~Copyable {
    private let descriptor: CInt

    /// Takes over the standard input of this process, which is empty from then on.
    public init?() {
        let own = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
        guard own >= 0 else { return nil }
        descriptor = own
        let nothing = open("/dev/null", O_RDONLY)
        if nothing > 0 {
            dup2(nothing, STDIN_FILENO)
            close(nothing)
        }
    }

    deinit { close(descriptor) }

    /// The words of the next request; nil at the end.
    public borrowing func next() -> [[UInt8]]? {
        guard let head = read(8) else { return nil }
        let count = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        guard count > 0, count <= 16 << 20, let body = read(Int(count)) else { return nil }
        return body.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    }

    /// Answers the request.
    /// - Returns: whether the other process received it.
    public borrowing func answer(status: Int32, peakMemory: Int64, isLast: Bool) -> Bool {
        Self.send(Array("\(status) \(peakMemory) \(isLast ? "last" : "more")\n".utf8), to: descriptor)
    }

    private borrowing func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let descriptor = descriptor
            let got = bytes.withUnsafeMutableBytes { all in
                uninterrupted {
                    Glibc.read(descriptor, all.baseAddress.map { $0 + filled }, count - filled)
                }
            }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    /// The words, with a NUL between them, after their length.
    static func packed(_ words: [[UInt8]]) -> [UInt8] {
        let body = Array(words.joined(separator: [0]))
        return withUnsafeBytes(of: UInt64(body.count).littleEndian) { Array($0) } + body
    }

    static func send(_ bytes: [UInt8], to socket: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                uninterrupted { sendPiece(socket, UnsafeRawBufferPointer(rebasing: all[sent...])) }
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func sendPiece(_ socket: CInt, _ piece: UnsafeRawBufferPointer) -> Int {
        // Without a signal if the other process has ended.
        Glibc.send(socket, piece.baseAddress, piece.count, CInt(MSG_NOSIGNAL))
    }
}

/// The memory of this process.
public enum OwnMemory {
    /// Resets the largest resident memory (proc(5), `clear_refs`).
    public static func resetPeak() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }

    /// The largest resident memory since ``resetPeak()``, in bytes; 0 if the system does not report it. getrusage(2)
    /// also counts the memory of the process that started this one.
    public static var peak: Int64 {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return 0 }
        for line in buffer[..<count].split(separator: 0x0A) where line.starts(with: "VmHWM:".utf8) {
            let digits = line.filter { (48...57).contains($0) }
            return (Int64(String(decoding: digits, as: UTF8.self)) ?? 0) *| 1024
        }
        return 0
    }
}
