import CSystemCalls
import Dispatch
import Glibc
import Synchronization

/// A thread of the system. Dispatch, in contrast, waits forever for a thread that a limit of the process forbids.
public struct SystemThread: Sendable {
    private let identifier: pthread_t

    /// Runs `body` on a new thread, which `join` or `detach` must release; nil if the system has no thread left.
    public init?(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var new = pthread_t()
        let code = pthread_create(
            &new, nil,
            { work in
                guard let work else { return nil }
                Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        identifier = new
    }

    /// Makes the stacks of threads that start from now on at most 2 MiB large, as they are without a limit of the process
    /// (`ulimit -s`). Many threads otherwise need more addresses than a process with little memory has (`ulimit -v`).
    public static func limitStacks() { ticds_limit_stacks(2 << 20) }

    /// Waits for its end.
    public func join() { pthread_join(identifier, nil) }

    /// Lets it end by itself.
    public func detach() { pthread_detach(identifier) }

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// Threads that live as long as their work.
public enum WorkerThreads {
    /// Calls `body` with each number below `count`, at the same time on this thread and on new ones, and returns when all
    /// calls have returned. More threads than cores are useful for work that waits. The calls for which the system has no
    /// thread follow one after another.
    public static func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            let threads = (1..<max(1, count)).map { number in SystemThread { body(number) } }
            body(0)
            for (number, thread) in zip(1..., threads) {
                if let thread { thread.join() } else { body(number) }
            }
        }
    }
}

/// Threads that take work from one queue, in order. If the system has no thread for it, each piece of work is done at once.
public final class WorkQueue<Memory: ~Copyable>: Sendable {
    /// - Parameter memory: what earlier work has left on the thread.
    public typealias Work = @Sendable (_ memory: inout Memory?) -> Void

    private let queue = Mutex<[Work]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let threads = Atomic(0)

    /// Starts the threads, which live until `close`.
    public init(threads count: Int) {
        for _ in 0..<count {
            guard let thread = SystemThread({ self.serve() }) else { return }
            thread.detach()
            threads.add(1, ordering: .relaxed)
        }
    }

    private func serve() {
        var memory: Memory?
        // ends: after `close`
        while true {
            waiting.wait()
            // The queue is empty only after `close`.
            guard let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            work(&memory)
        }
    }

    /// Adds work.
    public func run(_ work: @escaping Work) {
        guard threads.load(ordering: .relaxed) > 0 else {
            var memory: Memory?
            return work(&memory)
        }
        queue.withLock { $0.append(work) }
        waiting.signal()
    }

    /// Ends the threads; drops work that has not begun.
    public func close() {
        queue.withLock { $0 = [] }
        for _ in 0..<threads.load(ordering: .relaxed) { waiting.signal() }
    }
}
