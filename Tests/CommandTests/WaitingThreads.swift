import Foundation
import Testing

/// Threads for tests that mostly wait for clocks, locks and servers. The pool of all other tests has one thread for
/// each core, and each of them should be busy.
private final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads()

    private let queue = OperationQueue()

    init() { queue.maxConcurrentOperationCount = 3 }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Runs a test on a thread beside the pool.
struct Waiting: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == Waiting {
    static var waiting: Waiting { Waiting() }
}
