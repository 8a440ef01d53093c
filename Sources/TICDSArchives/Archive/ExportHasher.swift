import Crypto
import Dispatch
import KeyedArchive
import Synchronization
import SystemCalls
import TICDSCore

/// A file that has been read once: what the manifest says of it, and its bytes where these were small.
struct HashedFile: Sendable {
    var digest: [UInt8]
    /// Bytes in the archive.
    var size: Int64
    /// The file as it was then.
    var status: FileStatus
    var isDecrypted: Bool
    /// Nil where the file has to be read again.
    var bytes: SharedBytes?
}

/// Reads every file once, on all cores, for the digests that stand at the head of the archive. Small files stay in
/// memory, as far as the budget goes, so that they need not be opened a second time.
struct ExportHasher: Sendable {
    let source: ExportSource
    /// Bytes that may stay in memory.
    var budget = 128 << 20
    /// Larger files do not stay.
    var smallFile = 1 << 20
    /// Called with the number of files done.
    var progress: @Sendable (Int) -> Void = { _ in }

    /// What came of each entry; nil for folders.
    func hash(_ entries: [ArchivedEntry]) -> [Result<HashedFile, FileProblem>?] {
        let state = Mutex(State(results: Array(repeating: nil, count: entries.count), budget: budget))
        let workers = min(Cores.count, max(1, entries.count))
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while let position = state.withLock({ $0.takeNext() }) {
                let entry = entries[position]
                if entry.isFolder { continue }
                let isKept = state.withLock { $0.reserve(entry.size, limit: smallFile) }
                let result = Result { () throws(FileProblem) in try hash(entry.path, isKept: isKept) }
                let done = state.withLock { $0.finish(position, result) }
                progress(done)
            }
        }
        return state.withLock { $0.results }
    }

    private struct State {
        var results: [Result<HashedFile, FileProblem>?]
        var budget: Int
        private var next = 0
        private var done = 0

        init(results: [Result<HashedFile, FileProblem>?], budget: Int) {
            self.results = results
            self.budget = budget
        }

        mutating func takeNext() -> Int? {
            guard next < results.count else { return nil }
            defer { next += 1 }
            return next
        }

        mutating func reserve(_ size: Int64, limit: Int) -> Bool {
            guard size <= limit, size <= budget else { return false }
            budget -= Int(size)
            return true
        }

        mutating func finish(_ position: Int, _ result: Result<HashedFile, FileProblem>) -> Int {
            results[position] = result
            done += 1
            return done
        }
    }

    private func hash(_ path: RemotePath, isKept: Bool) throws(FileProblem) -> HashedFile {
        let isDecrypted = try source.isDecrypted(path)
        var hash = SHA256()
        var size: Int64 = 0
        var kept: [UInt8] = []
        let status = try source.read(path, isDecrypted: isDecrypted) { piece in
            hash.update(bufferPointer: piece)
            size += Int64(piece.count)
            if isKept, kept.count + piece.count <= smallFile { kept += piece }
        }
        let isWhole = isKept && kept.count == size
        return HashedFile(
            digest: Array(hash.finalize()), size: size, status: status, isDecrypted: isDecrypted,
            bytes: isWhole ? SharedBytes(kept) : nil)
    }
}
