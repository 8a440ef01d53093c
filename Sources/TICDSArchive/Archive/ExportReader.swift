import Cryptography
import Dispatch
import KeyedArchive
import Synchronization
import SystemCalls
import TICDSCore

/// Reads every file once, on several threads, for the digests in the manifest at the beginning of the archive. Files stay
/// in memory as long as there is room, so that small files are not opened again: the last ones uncompressed, to be
/// compressed while the disk writes, and those before them compressed.
struct ExportReader: Sendable {
    let source: ExportSource
    /// The first name of every member.
    let application: RemoteName
    /// Nil to keep nothing in memory.
    let compressor: PieceCompressor?
    let threads: Int
    /// Called with the number of files done.
    var progress: @Sendable (Int) -> Void = { _ in }

    /// How many uncompressed and how many compressed bytes may stay in memory.
    private static let loadedLimit = 24 << 20
    private static let packedLimit = 28 << 20

    /// Reads the files of all batches.
    func read(_ entries: [ArchivedEntry], _ batches: [ExportBatch]) -> [ReadBatch] {
        let state = Mutex(State(batches: Array(repeating: ReadBatch(), count: batches.count)))
        let firstLoaded = firstLoaded(batches)
        let largest = batches.lazy.filter { !$0.isLarge }.map(\.size).max() ?? 0
        DispatchQueue.concurrentPerform(iterations: min(threads, max(1, batches.count))) { _ in
            // Reused for the next batch, since allocating memory takes time.
            var piece: TarPiece?
            while let number = state.withLock({ $0.takeNext() }) {
                let batch = batches[number]
                let entries = entries[batch.entries]
                let isLoaded = compressor != nil && (!batch.isLarge || number >= firstLoaded)
                let room = batch.isLarge ? batch.size : largest
                var read = isLoaded ? load(entries, room, into: &piece) : nil
                if number >= firstLoaded {
                    if let full = piece.take() {
                        read?.content = .loaded(divide(full.finish(), isLarge: batch.isLarge))
                    }
                } else if read != nil, state.withLock({ $0.reserve(batch.size) }) {
                    read?.content = pack(&piece)
                    state.withLock { $0.release(batch.size, for: read) }
                }
                let result = read ?? digest(entries)
                progress(state.withLock { $0.finish(number, result) })
            }
        }
        return state.withLock { $0.batches }
    }

    /// The pieces of a batch in memory.
    private func divide(_ bytes: SharedBytes, isLarge: Bool) -> [SharedBytes] {
        guard isLarge, let size = compressor?.pieceSize else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: size).compactMap {
            bytes.slice($0..<min($0 + size, bytes.count))
        }
    }

    /// The first of the last batches, which stay uncompressed.
    private func firstLoaded(_ batches: [ExportBatch]) -> Int {
        var first = batches.count
        var size = 0
        while first > 0, size + batches[first - 1].size <= Self.loadedLimit {
            first -= 1
            size += batches[first].size
        }
        return first
    }

    private struct State {
        var batches: [ReadBatch]
        private var next = 0
        private var packed = 0
        private var done = 0

        init(batches: [ReadBatch]) { self.batches = batches }

        mutating func takeNext() -> Int? {
            guard next < batches.count else { return nil }
            defer { next += 1 }
            return next
        }

        mutating func reserve(_ size: Int) -> Bool {
            guard packed + size <= ExportReader.packedLimit else { return false }
            packed += size
            return true
        }

        /// Returns the reserved bytes, except those that `batch` takes.
        mutating func release(_ size: Int, for batch: ReadBatch?) {
            packed -= size
            if case .packed(let bytes) = batch?.content { packed += bytes.count }
        }

        mutating func finish(_ number: Int, _ batch: ReadBatch) -> Int {
            batches[number] = batch
            done += batch.files.count { $0 != nil }
            return done
        }
    }

    /// Reads small files into a piece of a tar archive.
    /// - Returns: nil if there is no memory, if a file must be decrypted, or if one differs from the listing.
    private func load(
        _ entries: ArraySlice<ArchivedEntry>, _ capacity: Int, into room: inout TarPiece?
    ) -> ReadBatch? {
        if entries.contains(where: { source.mayDecrypt($0.path) }) { return nil }
        let path = source.storage.root
        // try?: without memory the files are read one by one
        guard var piece = try? TarPiece.empty(reusing: &room, capacity: capacity, path: path) else {
            return nil
        }
        let batch = load(entries, into: &piece)
        room = consume piece
        return batch
    }

    private func load(_ entries: ArraySlice<ArchivedEntry>, into piece: inout TarPiece) -> ReadBatch? {
        var folder = LatestFolder()
        var batch = ReadBatch()
        batch.entries.reserveCapacity(entries.count)
        batch.files.reserveCapacity(entries.count)
        for entry in entries {
            let start = piece.count
            piece.begin(entry.member(of: application))
            if entry.isFolder {
                batch.entries.append(entry)
                batch.files.append(nil)
                continue
            }
            do throws(FileProblem) {
                let read = try piece.fill(Int(entry.size)) { (room) throws(FileProblem) -> Read? in
                    guard let status = try source.read(entry.path, in: &folder, to: room) else { return nil }
                    return Read(status: status, digest: SHA256.hash(UnsafeRawBufferPointer(room)))
                }
                guard let read, read.status.modified == entry.modified else { return nil }
                let file = ReadFile(status: read.status, isDecrypted: false)
                batch.add(entry, file, size: entry.size, digest: read.digest)
            } catch {
                piece.cut(to: start)
                batch.leftOut.append(.init(path: entry.path, problem: error.problem))
            }
        }
        return batch
    }

    private struct Read {
        var status: FileStatus
        var digest: [UInt8]
    }

    /// Reads files of any size for their digests, and keeps nothing in memory.
    private func digest(_ entries: ArraySlice<ArchivedEntry>) -> ReadBatch {
        var batch = ReadBatch()
        for entry in entries {
            if entry.isFolder {
                batch.entries.append(entry)
                batch.files.append(nil)
                continue
            }
            do throws(FileProblem) {
                let isDecrypted = try source.isDecrypted(entry.path)
                var hash = SHA256()
                var size: Int64 = 0
                let status = try source.read(entry.path, isDecrypted: isDecrypted) { piece in
                    hash.update(piece)
                    size += Int64(piece.count)
                }
                let file = ReadFile(status: status, isDecrypted: isDecrypted)
                batch.add(entry, file, size: size, digest: hash.finalize())
            } catch {
                batch.leftOut.append(.init(path: entry.path, problem: error.problem))
            }
        }
        return batch
    }

    /// Compresses a piece; after an error the files are read again when the archive is written.
    private func pack(_ room: inout TarPiece?) -> ReadBatch.Content {
        guard let compressor, let piece = room.take() else { return .gone }
        let packed = try? compressor.compress(piece.bytes)  // try?: tried again when it is written
        room = consume piece
        return packed.map { .packed($0) } ?? .gone
    }
}
