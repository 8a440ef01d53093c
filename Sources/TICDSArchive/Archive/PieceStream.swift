import Base
import Dispatch
import Synchronization
import SystemCalls

/// Makes pieces of an archive on several threads, and writes them in the order in which they were added.
final class PieceStream {
    /// Makes a piece. `room` is memory that an earlier piece may have left on the thread.
    typealias Work<Value> = @Sendable (_ room: inout TarPiece?) throws(FileProblem) -> Value

    private let sink: ArchiveSink
    private let workers: WorkQueue<TarPiece>
    private var pending: [PendingPiece] = []
    private var made = 0
    /// The largest number of pending pieces, since each takes memory.
    private let limit: Int

    private struct PendingPiece {
        var isLimited: Bool
        var bytes: () throws(FileProblem) -> SharedBytes
    }

    init(_ sink: ArchiveSink, threads: Int) {
        self.sink = sink
        workers = WorkQueue(threads: threads)
        limit = threads + 2
    }

    deinit { workers.close() }

    func append(_ work: @escaping Work<SharedBytes>) throws(FileProblem) {
        while made >= limit { try writeFirst() }
        let piece = begin(work)
        pending.append(PendingPiece(isLimited: true, bytes: piece.value))
        made += 1
    }

    func append(_ bytes: SharedBytes) { appendLater { bytes } }

    /// Adds a piece that `bytes` produces when it is written.
    func appendLater(_ bytes: @escaping () throws(FileProblem) -> SharedBytes) {
        pending.append(PendingPiece(isLimited: false, bytes: bytes))
    }

    /// Starts work on a thread; later pieces use its result.
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

/// The result of work on a different thread.
final class PromisedValue<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, FileProblem>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    fileprivate func set(_ value: Result<Value, FileProblem>) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    func value() throws(FileProblem) -> Value {
        // ends: when the value is set
        while true {
            if let result = result.withLock({ $0 }) { return try result.get() }
            isSet.wait()
        }
    }
}
