import Dispatch
import Synchronization

/// Values that one thread produces ahead of the thread that uses them.
public enum ReadAhead {
    /// Calls `use` with every value that `make` gives, in that order. `make` runs on another thread; when it has given
    /// four pieces that `use` has not taken, it waits. Returns when both have ended. If the system has no thread, `use` gets
    /// each value at once.
    /// - Parameters:
    ///   - weight: the share of a piece that a value takes; a piece with a weight of 1 is full.
    ///   - make: gets a function that takes the next value. If this returns false, `use` has failed, and `make` should
    ///     return.
    /// - Throws: the error of `use`.
    public static func forEach<Value: Sendable, Failure>(
        weight: @escaping @Sendable (Value) -> Double,
        _ make: @escaping @Sendable ((Value) -> Bool) -> Void, use: (Value) throws(Failure) -> Void
    ) throws(Failure) {
        let pieces = Pieces<Value>()
        let thread = SystemThread {
            var piece: [Value] = []
            var sum = 0.0
            make { value in
                piece.append(value)
                sum += weight(value)
                guard sum >= 1 else { return true }
                defer { (piece, sum) = ([], 0) }
                return pieces.put(piece)
            }
            if !piece.isEmpty { _ = pieces.put(piece) }
            _ = pieces.put(nil)
        }
        guard let thread else { return try forEachAtOnce(make, use) }
        defer {
            pieces.stop()
            thread.join()
        }
        while let piece = pieces.take() {
            for value in piece { try use(value) }
        }
    }

    private static func forEachAtOnce<Value, Failure>(
        _ make: ((Value) -> Bool) -> Void, _ use: (Value) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        withoutActuallyEscaping(use) { use in
            make { value in
                do throws(Failure) { try use(value) } catch { failure = error }
                return failure == nil
            }
        }
        if let failure { throw failure }
    }
}

/// The pieces between the two threads.
private final class Pieces<Value: Sendable>: Sendable {
    private struct State {
        /// The pieces; nil is the end.
        var waiting: [[Value]?] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    init() {
        for _ in 0..<4 { room.signal() }
    }

    /// Waits for space; returns false if pieces are no longer taken.
    func put(_ piece: [Value]?) -> Bool {
        room.wait()
        let isTaken = state.withLock { state in
            if !state.isStopped { state.waiting.append(piece) }
            return !state.isStopped
        }
        if isTaken { filled.signal() } else { room.signal() }
        return isTaken
    }

    /// Waits for the next piece; nil after the last one.
    func take() -> [Value]? {
        filled.wait()
        defer { room.signal() }
        return state.withLock { $0.waiting.removeFirst() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
