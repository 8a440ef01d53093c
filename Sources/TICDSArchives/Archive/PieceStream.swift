import Dispatch
import KeyedArchive
import Synchronization
import SystemCalls

/// Pieces of an archive that are made on several threads, and written in the order in which they were asked for.
final class PieceStream {
    typealias Work = @Sendable () throws(FileProblem) -> SharedBytes

    private let sink: ArchiveSink
    private let makers: PieceMakers
    private var pending: ArraySlice<PendingPiece> = []
    /// How many of them were yet to be made when they were added.
    private var made = 0
    /// More are not begun before the first of them is written: each takes memory.
    private let limit: Int

    init(_ sink: ArchiveSink, threads: Int) {
        self.sink = sink
        makers = PieceMakers(threads)
        limit = threads + 2
    }

    deinit { makers.close() }

    /// Adds a piece that is yet to be made.
    func append(_ work: @escaping Work) throws(FileProblem) {
        while made >= limit { try writeFirst() }
        let piece = PendingPiece(isReady: false)
        pending.append(piece)
        made += 1
        makers.run { piece.set(Result { () throws(FileProblem) in try work() }) }
    }

    /// Adds a piece that was made before.
    func append(_ bytes: SharedBytes) {
        let piece = PendingPiece(isReady: true)
        piece.set(.success(bytes))
        pending.append(piece)
    }

    /// Writes all that was added.
    func finish() throws(FileProblem) {
        while !pending.isEmpty { try writeFirst() }
    }

    private func writeFirst() throws(FileProblem) {
        guard let piece = pending.popFirst() else { return }
        if !piece.isReady { made -= 1 }
        try sink.write(try piece.take().get())
    }
}

/// A piece that somebody waits for.
private final class PendingPiece: Sendable {
    /// Whether it was there from the beginning.
    let isReady: Bool
    private let result = Mutex<Result<SharedBytes, FileProblem>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    init(isReady: Bool) { self.isReady = isReady }

    func set(_ value: Result<SharedBytes, FileProblem>) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    /// Waits for it. To be called once.
    func take() -> Result<SharedBytes, FileProblem> {
        isSet.wait()
        return result.withLock { $0.take() } ?? .success(SharedBytes([]))
    }
}

/// Threads that do one thing after the other, first come, first served.
private final class PieceMakers: Sendable {
    private let queue = Mutex<ArraySlice<@Sendable () -> Void>>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let threads: Int

    init(_ threads: Int) {
        self.threads = threads
        for _ in 0..<threads {
            DispatchQueue.global().async { self.work() }
        }
    }

    private func work() {
        while true {
            waiting.wait()
            // Nothing is there only when this is the end.
            guard let work = queue.withLock({ $0.popFirst() }) else { return }
            work()
        }
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        queue.withLock { $0.append(work) }
        waiting.signal()
    }

    /// Ends the threads; what was not begun is forgotten.
    func close() {
        queue.withLock { $0 = [] }
        for _ in 0..<threads { waiting.signal() }
    }
}
