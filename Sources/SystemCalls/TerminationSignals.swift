#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that would end the process and leave temporary folders behind.
///
/// A signal handler may hardly do anything. So a handler only passes the number of its signal on through a pipe, and a
/// thread of its own behind it removes the folders and lets the signal do what it did before: end the process.
/// Signals that the process ignores, or handles otherwise, stay as they are. A handler, unlike `sigwait`, reaches the
/// process whichever thread gets the signal, and lets others take its place for a while.
public enum TerminationSignals {
    /// Returns at once, but never where a signal is about to end the process: so no other end overtakes it.
    public static func waitIfTerminating() {
        while isTerminating { pause() }
    }

    private static let numbers = [
        SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
        SIGVTALRM,
    ]

    /// Begins to listen, once in the life of the process.
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
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let result = pthread_create(&thread, nil, { _ in TerminationSignals.wait() }, nil)
        return result == 0
    }

    private static func install(_ number: CInt) {
        var before = sigaction()
        guard sigaction(number, nil, &before) == 0, isDefault(before) else { return }
        var action = sigaction()
        action.sa_flags = CInt(SA_RESTART)
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = passOn
        #else
            action.__sigaction_u.__sa_handler = passOn
        #endif
        sigaction(number, &action, nil)
    }

    private static func isDefault(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler == nil
        #else
            action.__sigaction_u.__sa_handler == nil
        #endif
    }

    /// Waits for a signal, removes the folders and ends the process by that signal.
    private static func wait() -> Never {
        // This thread must not be the one that waits for the end below.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        var number: UInt8 = 0
        while read(readEnd, &number, 1) != 1 {}
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
/// Set by the handler.
nonisolated(unsafe) private var isTerminating = false

/// The signal handler. A thread that wrote into a closed pipe, or gave up, has nothing more to do, so that it complains of
/// nothing, and ends nothing before the folders are gone.
private let passOn: @convention(c) (CInt) -> Void = { number in
    let before = errno
    isTerminating = true
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd, &byte, 1)
    while number == SIGPIPE || number == SIGABRT { pause() }
    errno = before
}
