import Synchronization

/// Notifies readers that a store was replaced, so that they open it again.
///
/// A reader keeps the number from its start and compares, or waits for changes. A reader in another process detects the
/// replaced file (`SQLiteStoreFile.checkUnchanged`).
public final class StoreGeneration: Sendable {
    private struct State {
        var number: UInt64 = 0
        var listeners: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    private let state = Mutex(State())

    /// A store that was not replaced: number 0.
    public init() {}

    /// The number of replacements.
    public var number: UInt64 { state.withLock { $0.number } }

    /// The numbers of later replacements. A slow reader gets only the latest.
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
