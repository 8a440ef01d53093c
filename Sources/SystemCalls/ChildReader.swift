import Base
import CSystemCalls
import Glibc

/// A running program, and the ends of its pipes.
struct ChildProcess {
    let number: pid_t
    let output: CInt
    let errors: CInt

    func close() {
        for descriptor in [output, errors] { closeDescriptor(descriptor) }
    }
}

private func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }

/// Reads the output of a program, and ends the program if it exceeds its limits.
struct ChildReader {
    private let child: ChildProcess
    private let limits: Subprocess.Limits
    private let start: Double
    private var bytes: [UInt8] = []
    private var messages: [UInt8] = []
    private(set) var killed: Subprocess.Ending?
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var process: pid_t { child.number }

    init(_ child: ChildProcess, _ limits: Subprocess.Limits, _ start: Double) {
        self.child = child
        self.limits = limits
        self.start = start
    }

    /// Reads until the program has closed both pipes, has ended, or had to be killed.
    mutating func readToTheEnd(_ shouldStop: () -> Bool) {
        var open = [child.output, child.errors]
        var polls = 0
        while !open.isEmpty, killed == nil {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&waiting, nfds_t(waiting.count), 100)
            check(shouldStop)
            if ready < 0, errno != EINTR { break }
            if ready <= 0 {
                // Programs that it started may keep the pipes open after its end.
                polls = hasEnded ? polls + 1 : 0
                if polls > 2 { break }
                continue
            }
            for entry in waiting where entry.revents != 0 {
                if !take(from: entry.fd) { open.removeAll { $0 == entry.fd } }
            }
        }
        var pause: UInt32 = 50
        while killed == nil, !hasEnded {
            usleep(pause)
            pause = min(2 * pause, 2_000)
            check(shouldStop)
        }
    }

    /// Reads until a complete answer in one line comes through `socket`.
    /// - Returns: the line; nil if the program has closed the socket, which it does by ending, or had to be killed.
    mutating func readToTheAnswer(_ socket: CInt, _ shouldStop: () -> Bool) -> [UInt8]? {
        var open = [socket, child.output, child.errors]
        var answer: [UInt8] = []
        while killed == nil {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&waiting, nfds_t(waiting.count), 100)
            check(shouldStop)
            if ready < 0, errno != EINTR { return nil }
            for entry in waiting where ready > 0 && entry.revents != 0 {
                guard entry.fd == socket else {
                    if !take(from: entry.fd) { open.removeAll { $0 == entry.fd } }
                    continue
                }
                let count = uninterrupted { read(socket, &buffer, buffer.count) }
                guard count > 0 else { return nil }
                answer += buffer[..<count]
                guard answer.last == 0x0A else { continue }
                // The program wrote the rest before the answer.
                takeWhatIsThere()
                return killed == nil ? answer : nil
            }
        }
        return nil
    }

    private mutating func takeWhatIsThere() {
        for descriptor in [child.output, child.errors] {
            var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            while killed == nil, poll(&waiting, 1, 0) > 0, take(from: descriptor) {}
        }
    }

    /// The output so far, of a program that continues to run.
    func result(_ status: CInt, peakMemory: Int64) -> Subprocess.Result {
        Subprocess.Result(
            ending: .exited(status), output: bytes, messages: messages, peakMemory: peakMemory,
            seconds: Subprocess.monotonicSeconds - start)
    }

    private mutating func check(_ shouldStop: () -> Bool) {
        if Subprocess.monotonicSeconds - start > limits.seconds {
            end(.timedOut)
        } else if shouldStop() {
            end(.stopped)
        }
    }

    private mutating func end(_ ending: Subprocess.Ending) {
        if killed == nil { killed = ending }
        if limits.grace > 0 {
            kill(process, SIGTERM)
            let end = Subprocess.monotonicSeconds + limits.grace  // bounded: real numbers
            while !hasEnded, Subprocess.monotonicSeconds < end { usleep(20_000) }
        }
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
    }

    /// Whether the program has ended; it is not reaped, so that no other process gets its number.
    private var hasEnded: Bool { ticds_has_ended(process) != 0 }

    /// Reads a piece; returns false at the end.
    private mutating func take(from descriptor: CInt) -> Bool {
        let count = uninterrupted { read(descriptor, &buffer, buffer.count) }
        guard count > 0 else { return false }
        if descriptor == child.errors {
            messages = (messages + buffer[..<count]).suffix(Subprocess.keptMessages)
        } else if bytes.count + count > limits.output {
            end(.wroteTooMuch)
        } else {
            bytes += buffer[..<count]
        }
        return true
    }

    /// Ends the remains of its session, and takes its status.
    mutating func reap() -> Subprocess.Result {
        kill(-process, SIGKILL)
        var status: CInt = 0
        var usage = rusage()
        // ends: with the program, which was killed; each round waits for a signal
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let peak = Int64(usage.ru_maxrss) *| 1024
        return Subprocess.Result(
            ending: killed ?? (signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)),
            output: bytes, messages: messages, peakMemory: peak,
            seconds: Subprocess.monotonicSeconds - start)
    }
}
