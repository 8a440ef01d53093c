import Base
import Cryptography
import Synchronization
import SystemCalls
import TICDSCore

/// Reads every file once, on several threads, for the digests in the manifest at the beginning of the archive. Files
/// stay in memory as long as there is space, so that small files are not opened again: the last ones uncompressed, to
/// be compressed while the disk writes, and the earlier ones compressed.
struct ExportReader: Sendable {
    let source: ExportSource
    /// The first name of every member.
    let application: RemoteName
    let compressor: PieceCompressor?
    let threads: Int
    /// The files of an earlier archive, of which those that have not changed need not be read; nil to read all.
    var earlier: EarlierFiles?
    /// The limits of memory; nil for those that fit the size.
    var limits: Limits?
    var progress: @Sendable (Int) -> Void = { _ in }

    /// The numbers of uncompressed and of compressed bytes that may stay in memory.
    struct Limits: Sendable {
        let loaded: Int
        let packed: Int

        /// Of a remote of more bytes than this hardly anything would fit.
        private static let large = 256 << 20

        /// The limits for this number of bytes of all batches.
        static func forTotal(_ total: Int) -> Limits {
            total > large
                ? Limits(loaded: 8 << 20, packed: 8 << 20) : Limits(loaded: 24 << 20, packed: 28 << 20)
        }
    }

    /// - Returns: the batches, and the digests of the files by their positions in `entries`.
    func read(
        _ entries: BackupEntries, _ batches: [ExportBatch]
    ) -> (batches: [ReadBatch], digests: BackupDigests) {
        let limits = limits ?? .forTotal(batches.reduce(0) { $0 +| $1.size })
        let state = Mutex(State(batches: batches.map { ReadBatch($0.entries) }, limits.packed))
        let firstLoaded = firstLoaded(batches, limits.loaded)
        let largest = batches.lazy.filter { !$0.isLarge }.map(\.size).max() ?? 0
        WorkerThreads.run(min(threads, batches.count)) { _ in
            // Reused for the next batch, since allocating memory takes time.
            var piece: TarPiece?
            while let number = state.withLock({ $0.takeNext() }) {
                let batch = batches[number]
                let entries = entries[batch.entries]
                let isLoaded = compressor != nil && (!batch.isLarge || number >= firstLoaded)
                let room = batch.isLarge ? batch.size : largest
                var digests: [(position: Int, digest: [UInt8])] = []
                var read = isLoaded ? load(entries, room, into: &piece, &digests) : nil
                if number >= firstLoaded {
                    if let full = piece.take() {
                        read?.content = .loaded(divide(full.finish(), isLarge: batch.isLarge))
                    }
                } else if read != nil, state.withLock({ $0.reserve(batch.size) }) {
                    read?.content = pack(&piece)
                    state.withLock { $0.release(batch.size, for: read) }
                }
                let result = read ?? digest(entries, &digests)
                progress(state.withLock { [digests] in $0.finish(number, result, digests) })
            }
        }
        return state.withLock { ($0.batches, $0.digests) }
    }

    private func divide(_ bytes: SharedBytes, isLarge: Bool) -> [SharedBytes] {
        guard isLarge, let size = compressor?.pieceSize else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: size).compactMap {
            bytes.slice($0..<min($0 + size, bytes.count))
        }
    }

    /// The first of the last batches, which stay uncompressed.
    private func firstLoaded(_ batches: [ExportBatch], _ limit: Int) -> Int {
        var first = batches.count
        var size = 0
        while first > 0, size + batches[first - 1].size <= limit {
            first -= 1
            size += batches[first].size
        }
        return first
    }

    private struct State {
        var batches: [ReadBatch]
        private(set) var digests = BackupDigests()
        private var next = 0
        private var packed = 0
        private var done = 0

        private let packedLimit: Int

        init(batches: [ReadBatch], _ packedLimit: Int) {
            self.batches = batches
            self.packedLimit = packedLimit
        }

        mutating func takeNext() -> Int? {
            guard next < batches.count else { return nil }
            defer { next += 1 }
            return next
        }

        mutating func reserve(_ size: Int) -> Bool {
            guard packed + size <= packedLimit else { return false }
            packed += size
            return true
        }

        /// Returns the reserved bytes, except those that `batch` takes.
        mutating func release(_ size: Int, for batch: ReadBatch?) {
            packed -= size
            if case .packed(let bytes) = batch?.content { packed += bytes.count }
        }

        mutating func finish(
            _ number: Int, _ batch: ReadBatch, _ digests: [(position: Int, digest: [UInt8])]
        ) -> Int {
            batches[number] = batch
            for (position, digest) in digests { _ = self.digests.set(digest, at: position) }
            done += batch.fileCount
            return done
        }
    }

    /// Reads small files into a piece of a tar archive.
    /// - Returns: the batch; nil if there is no memory, if a file must be decrypted, or if a file differs from the
    ///   listing.
    private func load(
        _ entries: Slice<BackupEntries>, _ capacity: Int, into room: inout TarPiece?,
        _ digests: inout [(position: Int, digest: [UInt8])]
    ) -> ReadBatch? {
        if entries.contains(where: { source.mayDecrypt($0.path) }) { return nil }
        let path = source.storage.root
        // try?: without memory the files are read one by one
        guard var piece = try? TarPiece.empty(reusing: &room, capacity: capacity, path: path) else {
            return nil
        }
        digests = []
        let batch = load(entries, into: &piece, &digests)
        room = consume piece
        return batch
    }

    private func load(
        _ entries: Slice<BackupEntries>, into piece: inout TarPiece,
        _ digests: inout [(position: Int, digest: [UInt8])]
    ) -> ReadBatch? {
        var folder = LatestFolder()
        var batch = ReadBatch(entries.indices, isRead: true)
        for position in entries.indices {
            let entry = entries[position]
            let start = piece.count
            piece.begin(entry.member(of: application))
            if entry.isFolder {
                batch.addFolder()
                continue
            }
            do throws(FileProblem) {
                let read = try piece.fill(Int(entry.size)) { (room) throws(FileProblem) -> Read? in
                    guard let status = try source.read(entry.path, in: &folder, to: room) else { return nil }
                    return Read(status: status, digest: SHA256.hash(UnsafeRawBufferPointer(room)))
                }
                guard let read, read.status.modified == entry.modified else { return nil }
                let file = ReadFile(status: read.status, isDecrypted: false)
                batch.add(file, of: entry, size: entry.size)
                digests.append((position, read.digest))
            } catch {
                piece.cut(to: start)
                batch.leaveOut(entry, error.problem)
            }
        }
        return batch
    }

    private struct Read {
        var status: FileStatus
        var digest: [UInt8]
    }

    /// Reads files of any size for their digests, and keeps nothing in memory.
    private func digest(
        _ entries: Slice<BackupEntries>, _ digests: inout [(position: Int, digest: [UInt8])]
    ) -> ReadBatch {
        var batch = ReadBatch(entries.indices, isRead: true, hasMarks: earlier != nil)
        digests = []
        var folder = LatestFolder()
        var next = 0
        for position in entries.indices {
            let entry = entries[position]
            if entry.isFolder {
                batch.addFolder()
                continue
            }
            // Before the file is read, so that a later change gives another mark.
            let known = earlier == nil ? nil : folder.mark(of: entry.path, in: source.storage)
            if let known,
                let digest = earlier?.digest(of: entry.path, known.status, known.mark, next: &next)
            {
                let file = ReadFile(status: known.status, isDecrypted: false)
                batch.add(file, of: entry, size: known.status.size, mark: known.mark)
                digests.append((position, digest))
                continue
            }
            do throws(FileProblem) {
                let isDecrypted = try source.isDecrypted(entry.path)
                var hash = try SHA256(for: entry.path.filePath(under: source.storage.root))
                var size: Int64 = 0
                let status = try source.read(entry.path, isDecrypted: isDecrypted) { piece in
                    hash.update(piece)
                    size += Int64(piece.count)
                }
                let file = ReadFile(status: status, isDecrypted: isDecrypted)
                batch.add(file, of: entry, size: size, mark: earlier?.lasting(known))
                digests.append((position, hash.finalize()))
            } catch { batch.leaveOut(entry, error.problem) }
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

/// Consecutive entries of an archive that form one piece, or one file that needs several pieces.
struct ExportBatch: Sendable {
    var entries: Range<Int>
    /// The largest number of bytes that the batch takes in the archive before compression.
    var size: Int
    /// Whether the batch is a single file that is too large to be in memory as a whole.
    var isLarge: Bool

    /// Divides the entries of an archive into batches, which depend on names and sizes alone, so that the bytes of the
    /// archive also depend only on these. The last batches are smaller, so that threads wait only briefly for each
    /// other at the end.
    /// - Parameters:
    ///   - limit: bytes of a batch; a single file may have this size without its header.
    ///   - isEnd: whether these are the last entries of the archive. Use false to divide one batch again: it stays whole
    ///     unless its files have grown.
    static func cut(
        _ entries: some Sequence<BackupEntry>, of application: RemoteName, limit: Int, isEnd: Bool = true
    ) -> [ExportBatch] {
        var large: Set<Int> = []
        let sizes = entries.enumerated().map { position, entry in
            if entry.size > limit { large.insert(position) }
            return size(of: entry, application)
        }
        var rest = sizes.reduce(0, +|)
        var batches: [ExportBatch] = []
        for (position, size) in sizes.enumerated() {
            let isLarge = large.contains(position)
            let room = !isEnd || rest > 2 * limit ? limit : limit / 4
            rest -= size
            // bounded: at most `limit` and a TiB
            if let last = batches.last, !isLarge, !last.isLarge, last.size + size <= room {
                batches[batches.count - 1].entries = last.entries.lowerBound..<position + 1
                batches[batches.count - 1].size += size
            } else {
                batches.append(ExportBatch(entries: position..<position + 1, size: size, isLarge: isLarge))
            }
        }
        return batches
    }

    /// The largest number of bytes that an entry takes in the archive; at most 1 TiB, since sparse files can claim any
    /// size.
    private static func size(of entry: BackupEntry, _ application: RemoteName) -> Int {
        let nameCount = entry.path.names.reduce(application.bytes.count + 1) { $0 + $1.bytes.count + 1 }
        let size = TarMember.padded(Int(min(entry.size, 1 << 40)))
        return TarMember.headerLimit(nameCount: nameCount) + size
    }
}
