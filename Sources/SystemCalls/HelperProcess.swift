import CSystemCalls
import Dispatch
import Glibc
import Synchronization
public import SystemPackage

/// A helper process that is killed when this process exits (prctl(2), PR_SET_PDEATHSIG).
public final class HelperProcess: Sendable {
    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)
    private static let keptMessages = 4096

    private struct State {
        var number: pid_t = 0
        var hasEnded = false
        var messages: [UInt8] = []
    }

    /// Starts `program` with a separate environment, without input; its standard output is dropped.
    /// - Parameters:
    ///   - arguments: the arguments, without the name of the program.
    ///   - environment: variables of the form `NAME=value`.
    public init(
        _ program: FilePath, _ arguments: [String], environment: [String]
    ) throws(FileProblem) {
        let (input, output): (CInt, CInt)
        do throws(Errno) { (input, output) = try ProgramStart.pipe() } catch {
            throw Self.failure(program, error)
        }
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<Errno?>(nil)
        let starter = Starter(
            program: program, arguments: [program.string] + arguments, environment: environment)
        // The thread that starts a program must live as long as it does.
        let thread = SystemThread { [self] in
            let (number, error) = starter.run(errors: output)
            state.withLock { $0.number = number }
            close(output)
            if number < 0 { failure.withLock { $0 = error } }
            started.signal()
            guard number > 0 else {
                close(input)
                return
            }
            // Programs that it started may keep its standard error open after its end.
            let drained = DispatchSemaphore(value: 0)
            let reader = SystemThread { [self] in
                keepMessages(from: input)
                close(input)
                drained.signal()
            }
            if let reader { reader.detach() } else { close(input) }
            awaitEnd(drained)
        }
        guard let thread else {
            close(input)
            close(output)
            throw Self.failure(program, .resourceTemporarilyUnavailable)
        }
        thread.detach()
        started.wait()
        if let error = failure.withLock(\.self) { throw Self.failure(program, error) }
    }

    /// The bytes that the program has read so far from files, sockets and pipes; nil if the system does not report it
    /// (proc(5), `/proc/PID/io`).
    public var bytesRead: Int64? {
        let number = state.withLock { $0.hasEnded ? 0 : $0.number }
        let path = FilePath("/proc/\(number)/io")
        // The kernel reports a size of 0 for this file.
        var buffer = [UInt8](repeating: 0, count: 1024)
        // try?: other systems have no such file
        guard number > 0, let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec),
            let count = try? file.closeAfter({  // try?: the process has ended
                try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            }),
            let line = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first,
            line.hasPrefix("rchar: ")
        else { return nil }
        return Int64(line.dropFirst("rchar: ".count))
    }

    /// Whether the program has ended.
    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The last lines that it wrote to its standard error, at most 4 KiB.
    public var messages: String { state.withLock { String(decoding: $0.messages, as: UTF8.self) } }

    /// Ends the program by SIGTERM, after ten seconds by SIGKILL, and waits for its end.
    public func stop() {
        guard send(SIGTERM), end.wait(timeout: .now() + 10) == .timedOut else { return }
        if send(SIGKILL) { end.wait() }
    }

    /// Sends a signal; returns whether the program was still running. A different program may have the number of one
    /// that has ended.
    private func send(_ signal: CInt) -> Bool {
        state.withLock { state in
            guard state.number > 0, !state.hasEnded else { return false }
            kill(state.number, signal)
            return true
        }
    }

    /// Reads the standard error until the program has closed it.
    private func keepMessages(from input: CInt) {
        var buffer = [UInt8](repeating: 0, count: Self.keptMessages)
        // ends: when the program closes its output
        while true {
            let count = uninterrupted { read(input, &buffer, buffer.count) }
            guard count > 0 else { return }
            state.withLock { $0.messages = ($0.messages + buffer[..<count]).suffix(Self.keptMessages) }
        }
    }

    /// - Parameter drained: signalled after the last message; the wait for it is short.
    private func awaitEnd(_ drained: DispatchSemaphore) {
        let number = state.withLock { $0.number }
        var information = siginfo_t()
        // The process is not reaped before its end is recorded, so that no other process has its number until then.
        // ends: with the program; each round waits for a signal
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        _ = drained.wait(timeout: .now() + 0.2)
        state.withLock { state in
            state.hasEnded = true
            // try?: it has ended
            _ = try? ProgramStart.end(of: number)
        }
        end.signal()
    }

    private static func failure(_ program: FilePath, _ error: Errno) -> FileProblem {
        FileProblem(.unreadable, path: program, "cannot be started", found: "\(error)")
    }

    private struct Starter {
        var program: FilePath
        var arguments: [String]
        var environment: [String]

        func run(errors: CInt) -> (pid_t, Errno) {
            var arguments = arguments.map { ProgramStart.copy(Array($0.utf8)) } + [nil]
            var environment = environment.map { ProgramStart.copy(Array($0.utf8)) } + [nil]
            defer { for text in arguments + environment { free(text) } }
            let number = program.withPlatformString {
                ticds_start_bound($0, &arguments, &environment, errors)
            }
            return (number, Errno(rawValue: errno))
        }
    }
}
