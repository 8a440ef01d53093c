import CSystemCalls
import Glibc
import Synchronization

/// A lock that lets one thread at a time run a piece of code.
public final class ExclusiveSection: Sendable {
    private let lock = Mutex(())

    /// A lock that no thread holds.
    public init() {}

    /// Waits for the other threads, then runs `body`.
    public func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { lock.withLock { _ in body() } }
}

/// Work on many items, on several threads.
public enum ParallelWork {
    /// Calls `body` with each number below `count` on `workers` threads, until `mayContinue` returns false.
    public static func forEach(
        below count: Int, workers: Int, while mayContinue: @Sendable () -> Bool = { true },
        _ body: @Sendable (Int) -> Void
    ) {
        let next = Atomic<Int>(0)
        WorkerThreads.run(min(workers, count)) { _ in
            while mayContinue() {
                let item = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard item < count else { return }
                body(item)
            }
        }
    }

    /// The results of `body` for each number below `count`, or its error, in order.
    public static func results<Value: Sendable>(
        below count: Int, workers: Int, _ body: @Sendable (Int) throws(FileProblem) -> Value
    ) -> [Result<Value, FileProblem>] {
        let results = Mutex<[Result<Value, FileProblem>?]>(Array(repeating: nil, count: count))
        forEach(below: count, workers: workers) { number in
            let result = Result { () throws(FileProblem) in try body(number) }
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Calls `body` until it throws, and throws the first error.
    public static func tryForEach(
        below count: Int, workers: Int, _ body: @Sendable (Int) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let problem = Mutex<FileProblem?>(nil)
        forEach(below: count, workers: workers, while: { problem.withLock { $0 == nil } }) { number in
            do throws(FileProblem) {
                try body(number)
            } catch {
                problem.withLock { $0 = $0 ?? error }
            }
        }
        if let problem = problem.withLock(\.self) { throw problem }
    }
}

/// The processors that this process may use, as nproc(1) counts them: a scheduler, taskset(1) or a container may allow
/// it fewer than the machine has.
public enum Cores {
    /// The number of processors, at least 1.
    public static var count: Int { max(1, Int(ticds_cores())) }
}
