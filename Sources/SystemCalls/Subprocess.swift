import Glibc
public import SystemPackage

/// A program that runs to its end, with limits of time and output. It runs in a separate session, so that it has no
/// terminal, and that all programs that it starts can be ended with it.
public enum Subprocess {
    /// The limits of a run.
    public struct Limits: Sendable {
        /// The seconds after which the program is killed.
        public var seconds: Double
        /// The bytes of standard output above which the program is killed.
        public var output: Int

        /// The seconds between SIGTERM and the kill, in which the program may end by itself.
        public var grace: Double

        /// Limits of a run.
        public init(seconds: Double, output: Int, grace: Double = 0) {
            self.seconds = seconds
            self.output = output
            self.grace = grace
        }
    }

    /// The end of a run.
    public enum Ending: Sendable, Hashable {
        /// The program ended by itself, with this status.
        case exited(CInt)
        /// The program was killed by a signal that this process did not send.
        case signalled(CInt)
        /// The program was killed: it took too long, wrote too much, or `shouldStop` returned true.
        case timedOut, wroteTooMuch, stopped
    }

    /// The result of a run.
    public struct Result: Sendable {
        /// The end of the run.
        public var ending: Ending
        /// Its standard output.
        public var output: [UInt8]
        /// The end of its standard error, at most 16 KiB.
        public var messages: [UInt8]
        /// The largest resident memory in bytes.
        public var peakMemory: Int64
        /// The seconds from start to end.
        public var seconds: Double
    }

    /// The part of standard error that is kept.
    static let keptMessages = 16 << 10

    /// Runs `program`; `arguments` begin with the name by which it is called. Its environment is that of this process,
    /// changed by `variables` (nil removes one), and its standard input is empty.
    /// - Parameter shouldStop: called about ten times a second.
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
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        do throws(Errno) {
            var start = ProgramStart(program, arguments)
            start.variables = variables
            start.isDetached = true
            start.input = input
            if input == nil {
                let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
                guard nothing >= 0 else { throw Errno(rawValue: errno) }
                opened.append(nothing)
                start.input = nothing
            }
            let output = try ProgramStart.pipe()
            opened += [output.reading, output.writing]
            let errors = try ProgramStart.pipe()
            opened += [errors.reading, errors.writing]
            start.output = output.writing
            start.errors = errors.writing
            let number = try start.begin()
            opened.removeAll { $0 == output.reading || $0 == errors.reading }
            return ChildProcess(number: number, output: output.reading, errors: errors.reading)
        } catch {
            throw FileProblem(.unreadable, path: program, "cannot be started", found: "\(error)")
        }
    }

    /// The seconds of the monotonic clock, which cannot be set.
    static var monotonicSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
