import Dispatch
import KeyedArchive
import Synchronization
import SystemCalls

/// Pieces of an archive that are made on several threads, and written in the order in which they were asked for.
final class PieceStream {
    /// What makes a piece. It gets room that the piece before may have left on its thread.
    typealias Work<Value> = @Sendable (_ room: inout TarPiece?) throws(FileProblem) -> Value

    private let sink: ArchiveSink
    private let workers: WorkerThreads
    private var pending: [PendingPiece] = []
    /// How many of them were yet to be made when they were added.
    private var made = 0
    /// More are not begun before the first of them is written: each takes memory.
    private let limit: Int

    private struct PendingPiece {
        /// Whether it counts in ``limit``.
        var isLimited: Bool
        /// Waits for it, where that is needed.
        var bytes: () throws(FileProblem) -> SharedBytes
    }

    init(_ sink: ArchiveSink, threads: Int) {
        self.sink = sink
        workers = WorkerThreads(threads)
        limit = threads + 2
    }

    deinit { workers.close() }

    /// Adds a piece that is yet to be made.
    func append(_ work: @escaping Work<SharedBytes>) throws(FileProblem) {
        while made >= limit { try writeFirst() }
        let piece = begin(work)
        pending.append(PendingPiece(isLimited: true, bytes: piece.value))
        made += 1
    }

    /// Adds a piece that was made before.
    func append(_ bytes: SharedBytes) { appendLater { bytes } }

    /// Adds a piece that is made, or waited for, when its turn comes to be written.
    func appendLater(_ bytes: @escaping () throws(FileProblem) -> SharedBytes) {
        pending.append(PendingPiece(isLimited: false, bytes: bytes))
    }

    /// Begins work whose outcome the pieces need.
    func begin<Value>(_ work: @escaping Work<Value>) -> PromisedValue<Value> {
        let promised = PromisedValue<Value>()
        workers.run { room in
            do throws(FileProblem) {
                promised.set(.success(try work(&room)))
            } catch {
                promised.set(.failure(error))
            }
        }
        return promised
    }

    /// Writes all that was added.
    func finish() throws(FileProblem) {
        while !pending.isEmpty { try writeFirst() }
    }

    private func writeFirst() throws(FileProblem) {
        guard !pending.isEmpty else { return }
        let piece = pending.removeFirst()
        if piece.isLimited { made -= 1 }
        try sink.write(try piece.bytes())
    }
}

/// What another thread works on.
final class PromisedValue<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, FileProblem>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    fileprivate func set(_ value: Result<Value, FileProblem>) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    /// Waits for it.
    func value() throws(FileProblem) -> Value {
        while true {
            if let result = result.withLock({ $0 }) { return try result.get() }
            isSet.wait()
        }
    }
}

/// Threads that do one thing after the other, first come, first served.
private final class WorkerThreads: Sendable {
    typealias Work = @Sendable (_ room: inout TarPiece?) -> Void

    private let queue = Mutex<[Work]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let threads: Int

    init(_ threads: Int) {
        self.threads = threads
        for _ in 0..<threads {
            DispatchQueue.global().async { self.work() }
        }
    }

    private func work() {
        var room: TarPiece?
        while true {
            waiting.wait()
            // Nothing is there only when this is the end.
            guard let work = queue.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            work(&room)
        }
    }

    func run(_ work: @escaping Work) {
        queue.withLock { $0.append(work) }
        waiting.signal()
    }

    /// Ends the threads; what was not begun is forgotten.
    func close() {
        queue.withLock { $0 = [] }
        for _ in 0..<threads { waiting.signal() }
    }
}
