import KeyedArchive
import SystemCalls
import TICDSCore

/// Consecutive entries of an archive that form one piece, or one file that needs several pieces.
struct ExportBatch: Sendable {
    var entries: Range<Int>
    /// The most bytes that it takes in the archive before compression.
    var size: Int
    /// Whether it is a single file that is too large to be in memory as a whole.
    var isLarge: Bool

    /// Divides the entries of an archive into batches, which depend on names and sizes alone, so that the bytes of the
    /// archive do as well. The last batches are smaller, so that no thread waits long for another at the end.
    /// - Parameters:
    ///   - limit: bytes of a batch; a single file may have as many without its header.
    ///   - isEnd: whether these are the last entries of the archive. Use false to divide one batch again: it stays whole
    ///     unless its files have grown.
    static func cut(
        _ entries: [ArchivedEntry], of application: RemoteName, limit: Int, isEnd: Bool = true
    ) -> [ExportBatch] {
        let sizes = entries.map { size(of: $0, application) }
        var rest = sizes.reduce(0, +|)
        var batches: [ExportBatch] = []
        for (position, (entry, size)) in zip(entries, sizes).enumerated() {
            let isLarge = entry.size > limit
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

    /// The most bytes that an entry takes in the archive. A file of more than 1 TiB counts as 1 TiB, since sparse files
    /// can claim any size.
    private static func size(of entry: ArchivedEntry, _ application: RemoteName) -> Int {
        let nameCount = entry.path.names.reduce(application.bytes.count + 1) { $0 + $1.bytes.count + 1 }
        let size = TarMember.padded(Int(min(entry.size, 1 << 40)))
        return TarMember.headerLimit(nameCount: nameCount) + size
    }
}

/// A batch whose files were read, with their digests.
struct ReadBatch: Sendable {
    /// The entries as they were when they were read, without those that could not be read.
    var entries: [ArchivedEntry] = []
    /// One for each entry; nil for folders.
    var files: [ReadFile?] = []
    var leftOut: [ArchiveManifest.LeftOut] = []
    var content = Content.gone

    /// The bytes that stay in memory.
    enum Content: Sendable {
        /// Compressed.
        case packed(SharedBytes)
        /// Pieces of a tar archive; a large file has several.
        case loaded([SharedBytes])
        /// None: the files must be read again.
        case gone
    }

    /// Adds an entry that was read.
    mutating func add(_ entry: ArchivedEntry, _ file: ReadFile, size: Int64, digest: [UInt8]) {
        var entry = entry
        entry.size = size
        entry.modified = file.status.modified
        entry.digest = digest
        entries.append(entry)
        files.append(file)
    }
}

/// A file as it was when it was read.
struct ReadFile: Sendable {
    var status: FileStatus
    var isDecrypted: Bool
}
