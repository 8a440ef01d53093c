import CSystemCalls
import Glibc
public import SystemPackage

/// A program that is to be started: with the input and output, the environment and the folder of this process, unless
/// something else is set. Descriptors of this process close in it.
public struct ProgramStart {
    private let program: FilePath
    private let words: [[UInt8]]
    /// Other variables of its environment, nil for none of that name.
    public var variables: [String: String?] = [:]
    /// Descriptors that become its standard input, output and error.
    public var input: CInt?
    var output: CInt?
    var errors: CInt?
    /// Whether it is in a session of its own, without a terminal and with every signal as usual.
    var isDetached = false

    /// - Parameter words: its arguments, beginning with the name by which it is called; without bytes of 0.
    public init(_ program: FilePath, _ words: [[UInt8]]) {
        self.program = program
        self.words = words
    }

    /// Starts it.
    /// - Returns: its number; ``end(of:)`` waits for its end.
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
        // The suite ignores this signal; other programs may rely on it.
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGXFSZ)
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

    /// Starts it, and waits for its end.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    public func run() throws(Errno) -> CInt {
        let status = try Self.end(of: begin())
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Waits for the end of a process of this one.
    /// - Returns: what wait(2) says of it.
    @discardableResult
    public static func end(of process: CInt) throws(Errno) -> CInt {
        var status: CInt = 0
        // ends: with the program; each round waits for a signal
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
        return status
    }

    /// Both ends of a pipe, the one to read from first; they close in each program that is started.
    public static func pipe() throws(Errno) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard ticds_pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        return (ends[0], ends[1])
    }

    /// The variables of this process, and others in the place of those of the same name.
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

    /// A copy that ends with a byte of 0, to be freed.
    static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        guard let memory = malloc(bytes.count + 1) else { return nil }
        UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return memory.assumingMemoryBound(to: CChar.self)
    }
}
