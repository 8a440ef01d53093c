import Glibc
import Synchronization
import SystemCalls

/// The treatment of signals, and the end of the process.
package enum Signals {
    /// Sets the actions of two signals, whatever the parent chose. A closed pipe ends the process silently, as `| head`
    /// expects. Exceeding the file size limit of the process (`ulimit -f`) is an error of the write, which the command
    /// reports.
    package static func prepare() {
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the process, after the pager if it runs.
    static func exit(_ status: ExitStatus) -> Never {
        Pager.finish()
        TerminationSignals.waitIfTerminating()
        Glibc.exit(status.rawValue)
    }
}

/// SIGUSR1, by which a user requests the progress of a running program. A program without a listener ignores it from its
/// start.
package final class StatusSignal: Sendable {
    private let isStopped = Atomic(false)

    package init() {}

    /// Calls `answer` for each signal, on a thread of its own, until `stop`.
    package func listen(_ answer: @escaping @Sendable () -> Void) {
        sem_init(statusRequest, 0, 0)
        let thread = SystemThread {
            SignalMask.unblock([SIGUSR1])
            // ends: after `stop`
            while true {
                guard sem_wait(statusRequest) == 0 else { continue }
                if self.isStopped.load(ordering: .relaxed) { return }
                answer()
            }
        }
        guard let thread else { return }
        thread.detach()
        var action = sigaction()
        action.sa_flags = CInt(SA_RESTART)
        action.__sigaction_handler.sa_handler = requestStatus
        sigaction(SIGUSR1, &action, nil)
    }

    package func stop() {
        signal(SIGUSR1, SIG_IGN)
        isStopped.store(true, ordering: .relaxed)
        sem_post(statusRequest)
    }
}

/// Counts signals that were not answered yet.
nonisolated(unsafe) private let statusRequest = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

/// The signal handler. The global has been used before it is installed.
private let requestStatus: @convention(c) (CInt) -> Void = { _ in
    let before = errno
    sem_post(statusRequest)
    errno = before
}

/// Makes SIGINT, SIGTERM and SIGHUP request an orderly end instead of ending the process. A second signal has its
/// former effect. Ignored signals stay ignored.
package enum Interruption {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Whether a signal has requested the end.
    package static var isWanted: Bool { wasAsked.load(ordering: .relaxed) }

    /// Runs `body`, during which signals only set ``isWanted``. Only the outermost call has an effect, so that no
    /// signal is lost between two pieces of work.
    package static func catching<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard !isCatching.exchange(true, ordering: .relaxed) else { return try body() }
        defer { isCatching.store(false, ordering: .relaxed) }
        wasAsked.store(false, ordering: .relaxed)
        let replaced = numbers.filter(replaceHandler)
        defer { replaced.forEach(putBack) }
        return try body()
    }

    private static func replaceHandler(of number: CInt) -> Bool {
        let before = formerActions + Int(number)
        guard sigaction(number, nil, before) == 0, !isIgnored(before.pointee) else { return false }
        var action = sigaction()
        action.sa_flags = CInt(SA_RESTART)
        action.__sigaction_handler.sa_handler = askOrEnd
        return sigaction(number, &action, nil) == 0
    }

    private static func putBack(_ number: CInt) { sigaction(number, formerActions + Int(number), nil) }

    private static func isIgnored(_ action: sigaction) -> Bool {
        let handler = action.__sigaction_handler.sa_handler
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

private let wasAsked = Atomic(false)
/// Whether the handlers are installed. Commands catch signals on one thread only.
private let isCatching = Atomic(false)

/// The former actions of signals, by number.
nonisolated(unsafe) private let formerActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
    actions.initialize(repeating: sigaction(), count: 32)
    return actions
}()

/// The signal handler. Both globals have been used before it is installed.
private let askOrEnd: @convention(c) (CInt) -> Void = { number in
    guard wasAsked.exchange(true, ordering: .relaxed), number < 32 else { return }
    sigaction(number, formerActions + Int(number), nil)
    raise(number)
}
