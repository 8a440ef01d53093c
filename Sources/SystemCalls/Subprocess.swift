import CSystemCalls
import Dispatch
import Glibc
import KeyedArchive
import Synchronization
public import SystemPackage

/// A program that runs to its end, and at most for so long and with so much output. It is in a session of its own, so
/// that it has no terminal, and that all the programs it starts can be ended with it.
public enum Subprocess {
    /// What a run may cost.
    public struct Limits: Sendable {
        /// After this time the program is killed.
        public var seconds: Double
        /// With more bytes of standard output the program is killed.
        public var output: Int

        /// Before it is killed, it gets SIGTERM and so much time to end by itself.
        public var grace: Double

        /// Limits of a run.
        public init(seconds: Double, output: Int, grace: Double = 0) {
            self.seconds = seconds
            self.output = output
            self.grace = grace
        }
    }

    /// How a run ended.
    public enum Ending: Sendable, Hashable {
        /// By itself, with this status.
        case exited(CInt)
        /// Killed by a signal that we did not send.
        case signalled(CInt)
        /// It was killed: too long, too much output, or `shouldStop`.
        case timedOut, wroteTooMuch, stopped
    }

    /// What a run left.
    public struct Result: Sendable {
        /// How it ended.
        public var ending: Ending
        /// Its standard output.
        public var output: [UInt8]
        /// The end of its standard error, at most 16 KiB.
        public var messages: [UInt8]
        /// The largest resident memory in bytes.
        public var peakMemory: Int64
        /// From start to end.
        public var seconds: Double
    }

    /// The part of standard error that is kept.
    static let keptMessages = 16 << 10
    /// Between a pipe or socket and its flag, or the start of a program, no other thread may start one: it would inherit
    /// them.
    static let starting = Mutex(())

    /// Runs `program`; `arguments` begin with the name by which it is called. Its environment is that of this process,
    /// with other variables, nil for none, and its standard input is empty.
    /// - Parameter shouldStop: asked about ten times a second.
    /// - Throws: `.unreadable` if the program cannot be started.
    public static func run(
        _ program: FilePath, _ arguments: [[UInt8]], setting variables: [String: String?] = [:],
        _ limits: Limits,
        shouldStop: () -> Bool = { false }
    ) throws(FileProblem) -> Result {
        let start = monotonicSeconds
        let child = try spawn(program, arguments, variables)
        var reader = ChildReader(child, limits, start)
        reader.readToTheEnd(shouldStop)
        child.close()
        return reader.reap()
    }

    /// - Parameter input: the standard input of the program, which stays open here; nil for an empty one.
    static func spawn(
        _ program: FilePath, _ arguments: [[UInt8]], _ variables: [String: String?], input: CInt? = nil
    ) throws(FileProblem) -> ChildProcess {
        var words = arguments.map { terminated($0) } + [nil]
        var environment = inherited(setting: variables)
        defer { for text in words + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(truncatingIfNeeded: Int(POSIX_SPAWN_SETSIGMASK) | Int(ticds_spawn_session())))
        var process = pid_t()
        var output: [CInt] = [-1, -1]
        var errors: [CInt] = [-1, -1]
        let failure = starting.withLock { _ -> CInt in
            guard pipe(&output) == 0, pipe(&errors) == 0 else { return errno }
            for end in output + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            } else {
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO)
            let failure = program.withPlatformString {
                posix_spawn(&process, $0, &actions, &attributes, &words, &environment)
            }
            for end in [output[1], errors[1]] { close(end) }
            return failure
        }
        guard failure == 0 else {
            for end in [output[0], errors[0]] where end >= 0 { close(end) }
            throw FileProblem(
                .unreadable, path: program, "cannot be started", found: "\(Errno(rawValue: failure))")
        }
        return ChildProcess(number: process, output: output[0], errors: errors[0])
    }

    private static func terminated(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        // malloc: freed as what strdup(3) makes.
        guard let memory = malloc(bytes.count + 1) else { return nil }
        UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        return memory.assumingMemoryBound(to: CChar.self)
    }

    private static func inherited(setting variables: [String: String?]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !variables.keys.contains(where: { text.hasPrefix($0 + "=") }) { entries.append(strdup(entry)) }
            next += 1
        }
        return entries + variables.compactMap { name, value in value.flatMap { strdup("\(name)=\($0)") } } + [
            nil
        ]
    }

    /// Seconds of the monotonic clock, which nobody can set.
    static var monotonicSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
