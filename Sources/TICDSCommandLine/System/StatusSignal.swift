import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SIGUSR1, by which people ask a running program how far it is. Unless it is listened to, it ends the process.
public final class StatusSignal: Sendable {
    /// Dispatch sources may be used from any thread, but do not say so.
    private nonisolated(unsafe) let source: any DispatchSourceSignal

    public init() {
        source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
    }

    /// Calls `answer` for each signal, on a thread of its own, until `stop`.
    public func listen(_ answer: @escaping @Sendable () -> Void) {
        signal(SIGUSR1, SIG_IGN)
        source.setEventHandler(handler: answer)
        source.activate()
    }

    public func stop() { source.cancel() }
}
