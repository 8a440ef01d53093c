import Synchronization

/// Tells readers of a store that it was replaced: what they have open is the old one, and they have to start anew.
///
/// Readers keep the number from when they began, and compare; or they wait for changes. A reader in another program
/// notices that the file is another one (`SQLiteStoreFile.checkUnchanged`).
public final class StoreGeneration: Sendable {
    private struct State {
        var number: UInt64 = 0
        var listeners: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The first generation: number 0.
    public init() {}

    /// Grows with every replacement.
    public var number: UInt64 { state.withLock { $0.number } }

    /// The numbers of replacements from now on; of several that nobody has taken yet, the last.
    public func changes() -> AsyncStream<UInt64> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
        let listener = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
        }
        return stream
    }

    func advance() {
        let (number, listeners) = state.withLock { state in
            state.number += 1
            return (state.number, Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(number) }
    }
}
