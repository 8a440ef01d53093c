import Dispatch
import Synchronization

/// Lets one thread at a time through.
public final class OneAtATime: Sendable {
    private let lock = Mutex(())

    /// A gate that is open.
    public init() {}

    /// Runs `body` when no other thread is inside.
    public func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { lock.withLock { _ in body() } }
}

/// Work on many items at once, on as many threads as asked for.
public enum ParallelWork {
    /// Calls `body` with every number below `count`, in any order and at the same time on `workers` threads, until
    /// `mayContinue` says no. Returns when all calls have returned.
    public static func forEach(
        below count: Int, workers: Int, while mayContinue: @Sendable () -> Bool = { true },
        _ body: @Sendable (Int) -> Void
    ) {
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: min(max(workers, 1), max(count, 1))) { _ in
            while mayContinue() {
                let item = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard item < count else { return }
                body(item)
            }
        }
    }
}
