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
    var budget = 96 << 20
    /// Larger files do not stay.
    var smallFile = 1 << 20
    /// Called with the number of files done.
    var progress: @Sendable (Int) -> Void = { _ in }

    /// Bytes of small files that are read into the same piece of memory, which goes when the last of them goes.
    private static let groupSize: Int64 = 4 << 20

    /// What came of each entry; nil for folders.
    func hash(_ entries: [ArchivedEntry]) -> [Result<HashedFile, FileProblem>?] {
        let groups = groups(of: entries)
        let state = Mutex(State(results: Array(repeating: nil, count: entries.count)))
        let workers = min(Cores.count, max(1, groups.count))
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while let number = state.withLock({ $0.takeNext(of: groups.count) }) {
                let group = groups[number]
                let results = hash(entries[group.entries], isKept: group.isKept)
                let done = state.withLock { $0.finish(group.entries, results) }
                progress(done)
            }
        }
        return state.withLock { $0.results }
    }

    /// Entries that follow each other, and are read by one worker.
    private struct Group {
        var entries: Range<Int>
        var isKept: Bool
        var size: Int64 = 0
    }

    private func groups(of entries: [ArchivedEntry]) -> [Group] {
        var groups: [Group] = []
        var kept: Int64 = 0
        for (position, entry) in entries.enumerated() {
            let isKept =
                entry.size <= smallFile && kept + entry.size <= budget && !source.mayDecrypt(entry.path)
            if isKept { kept += entry.size }
            if isKept, let last = groups.last, last.isKept, last.size + entry.size <= Self.groupSize {
                groups[groups.count - 1].entries = last.entries.lowerBound..<position + 1
                groups[groups.count - 1].size += entry.size
            } else {
                groups.append(Group(entries: position..<position + 1, isKept: isKept, size: entry.size))
            }
        }
        return groups
    }

    private struct State {
        var results: [Result<HashedFile, FileProblem>?]
        private var next = 0
        private var done = 0

        init(results: [Result<HashedFile, FileProblem>?]) { self.results = results }

        mutating func takeNext(of count: Int) -> Int? {
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }

        mutating func finish(_ entries: Range<Int>, _ new: [Result<HashedFile, FileProblem>?]) -> Int {
            results.replaceSubrange(entries, with: new)
            done += new.count { $0 != nil }
            return done
        }
    }

    private func hash(
        _ entries: ArraySlice<ArchivedEntry>, isKept: Bool
    ) -> [Result<HashedFile, FileProblem>?] {
        if isKept, let results = try? hashTogether(entries) { return results }
        return entries.map { entry in
            entry.isFolder ? nil : Result { () throws(FileProblem) in try hash(entry.path) }
        }
    }

    /// Reads small files into one piece of memory: many small ones cost the system far more.
    /// - Throws: where there is no memory.
    private func hashTogether(
        _ entries: ArraySlice<ArchivedEntry>
    ) throws(FileProblem) -> [Result<HashedFile, FileProblem>?] {
        let needed = entries.reduce(0) { $0 + Int($1.size) }
        // A whole group has large pages up to its end.
        let count = needed > Self.groupSize / 2 ? Int(Self.groupSize) : needed
        let room = try PrivateBytes(count: count, isAligned: true, path: source.storage.root)
        var results: [Result<HashedFile, FileProblem>?] = []
        results.reserveCapacity(entries.count)
        var ranges: [Range<Int>?] = []
        ranges.reserveCapacity(entries.count)
        var used = 0
        for entry in entries {
            let range = used..<used + Int(entry.size)
            used = range.upperBound
            var isWhole = false
            if entry.isFolder {
                results.append(nil)
            } else {
                let place = UnsafeMutableRawBufferPointer(rebasing: room.memory[range])
                results.append(
                    Result { () throws(FileProblem) in
                        // Listed with another size than it has now.
                        guard let status = try source.read(entry.path, to: place) else {
                            return try hash(entry.path)
                        }
                        isWhole = true
                        let digest = SHA256.hash(data: UnsafeRawBufferPointer(place))
                        return HashedFile(
                            digest: Array(digest), size: entry.size, status: status, isDecrypted: false)
                    })
            }
            ranges.append(isWhole ? range : nil)
        }
        let bytes = room.shared(0..<used)
        for (position, range) in ranges.enumerated() {
            guard let range, case .success(var file) = results[position] else { continue }
            file.bytes = bytes.slice(range)
            results[position] = .success(file)
        }
        return results
    }

    /// Reads a file of any size, and keeps nothing of it.
    private func hash(_ path: RemotePath) throws(FileProblem) -> HashedFile {
        let isDecrypted = try source.isDecrypted(path)
        var hash = SHA256()
        var size: Int64 = 0
        let status = try source.read(path, isDecrypted: isDecrypted) { piece in
            hash.update(bufferPointer: piece)
            size += Int64(piece.count)
        }
        return HashedFile(
            digest: Array(hash.finalize()), size: size, status: status, isDecrypted: isDecrypted)
    }
}
