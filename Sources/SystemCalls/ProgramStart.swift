import CSystemCalls
import Glibc
public import SystemPackage

/// A program to start, with the input and output, the environment and the folder of this process, unless changed.
/// Descriptors of this process close in it.
public struct ProgramStart {
    private let program: FilePath
    private let words: [[UInt8]]
    /// Changed variables of its environment; nil removes a variable.
    public var variables: [String: String?] = [:]
    /// Descriptors that become its standard input, output and error.
    public var input: CInt?
    var output: CInt?
    var errors: CInt?
    /// Whether it runs in a separate session, without a terminal and with default actions for all signals.
    var isDetached = false

    /// - Parameter words: the arguments, beginning with the name of the program; without NUL bytes.
    public init(_ program: FilePath, _ words: [[UInt8]]) {
        self.program = program
        self.words = words
    }

    /// Starts the program.
    /// - Returns: the process number; ``end(of:)`` waits for the end.
    public func begin() throws(Errno) -> CInt {
        var words = words.map { Self.copy($0) } + [nil]
        var environment = Self.environment(setting: variables).map { Self.copy($0) } + [nil]
        defer { for text in words + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (own, standard) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            if let own { posix_spawn_file_actions_adddup2(&actions, own, standard) }
        }
        // ticds ignores these signals; other programs may depend on them.
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGXFSZ, SIGUSR1] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        var flags = Int(POSIX_SPAWN_SETSIGDEF)
        if isDetached {
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            flags |= Int(POSIX_SPAWN_SETSIGMASK) | Int(ticds_spawn_session())
        }
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        var process = pid_t()
        let failure = program.withPlatformString {
            posix_spawn(&process, $0, &actions, &attributes, &words, &environment)
        }
        if failure != 0 { throw Errno(rawValue: failure) }
        return process
    }

    /// Starts the program, and waits for its end.
    /// - Returns: the exit status, or 128 and the number of the signal that ended it.
    public func run() throws(Errno) -> CInt {
        let status = try Self.end(of: begin())
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Waits for the end of a child process.
    /// - Returns: the wait status (wait(2)).
    @discardableResult
    public static func end(of process: CInt) throws(Errno) -> CInt {
        var status: CInt = 0
        // ends: with the program; each round waits for a signal
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
        return status
    }

    /// Both ends of a pipe, the reading end first; they close in each started program.
    public static func pipe() throws(Errno) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard ticds_pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        return (ends[0], ends[1])
    }

    /// The variables of this process, with `variables` replacing those of the same name.
    private static func environment(setting variables: [String: String?]) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var next = environ
        while let entry = next.pointee {
            let text = UnsafeRawBufferPointer(start: entry, count: strlen(entry))
            let name = String(decoding: text.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if variables.index(forKey: name) == nil { entries.append(Array(text)) }
            next += 1
        }
        return entries + variables.compactMap { name, value in value.map { Array("\(name)=\($0)".utf8) } }
    }

    /// A copy with a NUL byte at the end, which the caller must free.
    static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        guard let memory = malloc(bytes.count + 1) else { return nil }
        UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return memory.assumingMemoryBound(to: CChar.self)
    }
}
