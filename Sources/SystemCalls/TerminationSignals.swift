import Glibc
import Synchronization

/// Handles the signals that would end the process and leave temporary folders behind.
///
/// A signal handler may call only async-signal-safe functions (signal-safety(7)). The handler therefore writes the
/// number of the signal into a pipe; a thread reads it, removes the folders, and raises the signal again with its
/// default action. Signals that the process ignores or handles stay as they are. Unlike `sigwait`, a handler works for
/// any receiving thread, and other code can replace it temporarily.
public enum TerminationSignals {
    /// Returns at once; does not return if a signal is about to end the process, and the signal then ends it.
    public static func waitIfTerminating() {
        while isTerminating { pause() }
    }

    /// Runs `body`; a signal that ends the process during the run first prints a line on standard error about what is
    /// left and how to continue.
    public static func saying<Result, Failure: Error>(
        _ line: String, during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        listen()
        farewell.withLock { $0 = line }
        defer { farewell.withLock { $0 = "" } }
        return try body()
    }

    private static let farewell = Mutex("")

    private static let numbers = [
        SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGABRT, SIGALRM, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM,
    ]

    static func listen() { _ = isListening }

    private static let isListening: Bool = {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
        guard startThread() else { return false }
        numbers.forEach(install)
        return true
    }()

    private static func startThread() -> Bool {
        var thread = pthread_t()
        return pthread_create(&thread, nil, { _ in TerminationSignals.wait() }, nil) == 0
    }

    private static func install(_ number: CInt) {
        var before = sigaction()
        guard sigaction(number, nil, &before) == 0, isDefault(before) else { return }
        var action = sigaction()
        action.sa_flags = CInt(SA_RESTART)
        action.__sigaction_handler.sa_handler = forwardSignal
        sigaction(number, &action, nil)
    }

    private static func isDefault(_ action: sigaction) -> Bool {
        action.__sigaction_handler.sa_handler == nil
    }

    private static func wait() -> Never {
        // The other signals must not interrupt this thread while it removes the folders.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        var number: UInt8 = 0
        while read(readEnd, &number, 1) != 1 {}
        let line = farewell.withLock { $0 }
        if !line.isEmpty {
            _ = Array("\n\(line)\n".utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
        }
        TemporaryFolder.removeAllAtEnd {
            signal(CInt(number), SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &all, nil)
            raise(CInt(number))
            _exit(128 + CInt(number))
        }
    }
}

nonisolated(unsafe) private var readEnd: CInt = -1
nonisolated(unsafe) private var writeEnd: CInt = -1
nonisolated(unsafe) private var isTerminating = false

/// The signal handler. A thread that received SIGPIPE or SIGABRT stays in it, so that the thread neither reports an
/// error nor ends the process before the folders are removed.
private let forwardSignal: @convention(c) (CInt) -> Void = { number in
    let before = errno
    isTerminating = true
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd, &byte, 1)
    while number == SIGPIPE || number == SIGABRT { pause() }
    errno = before
}
