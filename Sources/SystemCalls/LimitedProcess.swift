import CSystemCalls
import Dispatch
import KeyedArchive
import Synchronization
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that runs to its end, and at most for so long and with so much output. It is in a session of its own, so
/// that it has no terminal, and that all the programs it starts can be ended with it.
public enum LimitedProcess {
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
        /// By a signal that nobody here sent.
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
    private static let keptMessages = 16 << 10
    /// Between a pipe and its flag, or the start of a program, no other thread may start one: it would inherit the pipe.
    private static let starting = Mutex(())

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
        let (process, output, errors) = try spawn(program, arguments, variables)
        var reader = Reader(process: process, output: output, errors: errors, limits: limits, start: start)
        reader.readToTheEnd(shouldStop)
        close(output)
        close(errors)
        return reader.reap()
    }

    private static func spawn(
        _ program: FilePath, _ arguments: [[UInt8]], _ variables: [String: String?]
    ) throws(FileProblem) -> (process: pid_t, output: CInt, errors: CInt) {
        var words = arguments.map { terminated($0) } + [nil]
        var environment = inherited(setting: variables)
        defer { for text in words + environment { free(text) } }
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
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
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
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
        return (process, output[0], errors[0])
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
    fileprivate static var monotonicSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private struct Reader {
        let process: pid_t
        let output: CInt
        let errors: CInt
        let limits: Limits
        let start: Double
        private var bytes: [UInt8] = []
        private var messages: [UInt8] = []
        private var killed: Ending?
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)

        init(process: pid_t, output: CInt, errors: CInt, limits: Limits, start: Double) {
            self.process = process
            self.output = output
            self.errors = errors
            self.limits = limits
            self.start = start
        }

        /// Reads until the program has closed both pipes, has ended, or had to be killed.
        mutating func readToTheEnd(_ shouldStop: () -> Bool) {
            var open = [output, errors]
            var polls = 0
            while !open.isEmpty, killed == nil {
                var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                let ready = poll(&waiting, nfds_t(waiting.count), 100)
                check(shouldStop)
                if ready < 0, errno != EINTR { break }
                if ready <= 0 {
                    // Programs that it started may keep the pipes open for longer than it lives.
                    polls = hasEnded ? polls + 1 : 0
                    if polls > 2 { break }
                    continue
                }
                for entry in waiting where entry.revents != 0 {
                    if !take(from: entry.fd) { open.removeAll { $0 == entry.fd } }
                }
            }
            while killed == nil, !hasEnded {
                usleep(2_000)
                check(shouldStop)
            }
        }

        private mutating func check(_ shouldStop: () -> Bool) {
            if LimitedProcess.monotonicSeconds - start > limits.seconds {
                end(.timedOut)
            } else if shouldStop() {
                end(.stopped)
            }
        }

        private mutating func end(_ ending: Ending) {
            if killed == nil { killed = ending }
            if limits.grace > 0 {
                kill(process, SIGTERM)
                let end = LimitedProcess.monotonicSeconds + limits.grace  // bounded: real numbers
                while !hasEnded, LimitedProcess.monotonicSeconds < end { usleep(20_000) }
            }
            kill(-process, SIGKILL)
            kill(process, SIGKILL)
        }

        /// Whether it has ended; it is not reaped, so that nobody else has its number.
        private var hasEnded: Bool { ticds_has_ended(process) != 0 }

        /// Reads a piece; false at the end.
        private mutating func take(from descriptor: CInt) -> Bool {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { return true }
            guard count > 0 else { return false }
            if descriptor == errors {
                messages = (messages + buffer[..<count]).suffix(LimitedProcess.keptMessages)
            } else if bytes.count + count > limits.output {
                end(.wroteTooMuch)
            } else {
                bytes += buffer[..<count]
            }
            return true
        }

        /// Ends what is left of its session, and takes its status.
        mutating func reap() -> Result {
            kill(-process, SIGKILL)
            var status: CInt = 0
            var usage = rusage()
            while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
            let signal = status & 0x7F
            #if canImport(Glibc)
                let peak = Int64(usage.ru_maxrss) *| 1024
            #else
                let peak = Int64(usage.ru_maxrss)
            #endif
            return Result(
                ending: killed ?? (signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)),
                output: bytes, messages: messages, peakMemory: peak,
                seconds: LimitedProcess.monotonicSeconds - start)
        }
    }
}

/// What a process does to itself before it touches anything foreign.
public enum OwnLimits {
    /// Limits the address space of this process (setrlimit(2), RLIMIT_AS), and lets it write no core file.
    /// - Returns: false if the system refuses.
    public static func set(memory: Int64) -> Bool {
        ticds_limit_memory(UInt64(clamping: max(memory, 64 << 20))) == 0
    }

    /// Has the system kill this process when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG).
    /// - Returns: false if `parent` has ended already.
    public static func endWith(parent: Int32) -> Bool { ticds_end_with_parent(parent) == 0 }
}

/// Standard output in a file, of a process whose result must outlive the process that reads it.
public enum OutputFile {
    /// Makes `path` the standard output of this process, and locks it as long as the process lives.
    /// - Throws: `.refused` if another process writes there.
    public static func become(_ path: FilePath) throws(FileProblem) {
        let opened = path.withPlatformString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        defer { close(opened) }
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno != EWOULDBLOCK { break }
            throw FileProblem(
                .refused, path: path, "another process writes its result here",
                advice: "Wait until it has finished")
        }
        guard ftruncate(opened, 0) == 0, dup2(opened, STDOUT_FILENO) >= 0 else {
            throw .writing(Errno(rawValue: errno), call: "ftruncate", path: path)
        }
    }
}

/// Threads that live as long as their work.
public enum WorkerThreads {
    /// Calls `body` on `count` threads, with the number of each, and returns when all calls have returned. More threads
    /// than cores are useful for work that waits.
    public static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<max(1, count) {
            group.enter()
            let isRunning = BoundProcess.onThread {
                body(number)
                group.leave()
            }
            if !isRunning {
                body(number)
                group.leave()
            }
        }
        group.wait()
    }
}
