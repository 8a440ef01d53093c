#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import Synchronization

/// Lets SIGINT, SIGTERM and SIGHUP ask for an orderly end instead of ending the process. A second one does what it did
/// before. Signals that the process ignores stay ignored.
public enum Interruption {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// True once a signal has come.
    public static var isWanted: Bool { wasAsked.load(ordering: .relaxed) }

    /// Runs `body`, in which signals only ask. Within such a body this does nothing more: the outermost one decides, so
    /// that no signal is lost between two pieces of its work.
    public static func catching<Result, Failure: Error>(
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
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = askOrEnd
        #else
            action.__sigaction_u.__sa_handler = askOrEnd
        #endif
        return sigaction(number, &action, nil) == 0
    }

    private static func putBack(_ number: CInt) { sigaction(number, formerActions + Int(number), nil) }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

private let wasAsked = Atomic(false)
/// Whether the handlers are in place. Commands catch signals on one thread only.
private let isCatching = Atomic(false)

/// What the signals did before, by number.
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
