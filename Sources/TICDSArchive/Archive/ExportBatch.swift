import KeyedArchive
import SystemCalls
import TICDSCore

/// Entries that follow each other in an archive, and go into one piece of it; or one file that needs several.
struct ExportBatch: Sendable {
    var entries: Range<Int>
    /// Bytes that it takes in the archive at most, before it is compressed.
    var size: Int
    /// Whether it is a single file that is not to lie in memory as a whole.
    var isLarge: Bool

    /// Cuts the entries of an archive into batches. That depends on their names and sizes only, and so does the archive.
    /// The last ones are smaller, so that in the end no thread waits long for another.
    /// - Parameters:
    ///   - limit: bytes of a batch; a single file may take as many without its header.
    ///   - isEnd: whether these are the last entries of the archive. A batch that is cut again stays whole without it,
    ///     unless its files have grown.
    static func cut(
        _ entries: [ArchivedEntry], of application: RemoteName, limit: Int, isEnd: Bool = true
    ) -> [ExportBatch] {
        let sizes = entries.map { size(of: $0, application) }
        var rest = sizes.reduce(0, +)
        var batches: [ExportBatch] = []
        for (position, (entry, size)) in zip(entries, sizes).enumerated() {
            let isLarge = entry.size > limit
            let room = !isEnd || rest > 2 * limit ? limit : limit / 4
            rest -= size
            // bounded: a TiB for each of some million entries
            if let last = batches.last, !isLarge, !last.isLarge, last.size + size <= room {
                batches[batches.count - 1].entries = last.entries.lowerBound..<position + 1
                batches[batches.count - 1].size += size
            } else {
                batches.append(ExportBatch(entries: position..<position + 1, size: size, isLarge: isLarge))
            }
        }
        return batches
    }

    /// Bytes that an entry takes in the archive at most; a file of more than 1 TiB counts as one of so many, since sparse
    /// files can claim any size.
    private static func size(of entry: ArchivedEntry, _ application: RemoteName) -> Int {
        let nameCount = entry.path.names.reduce(application.bytes.count + 1) { $0 + $1.bytes.count + 1 }
        let size = TarMember.padded(Int(min(entry.size, 1 << 40)))
        return TarMember.headerLimit(nameCount: nameCount) + size
    }
}

/// A batch whose files were read, with their digests.
struct ReadBatch: Sendable {
    /// As they were when they were read; without those that could not be.
    var entries: [ArchivedEntry] = []
    /// As many; nil for folders.
    var files: [ReadFile?] = []
    var leftOut: [ArchiveManifest.LeftOut] = []
    var content = Content.gone

    /// What is left of the bytes.
    enum Content: Sendable {
        /// Compressed.
        case packed(SharedBytes)
        /// Pieces of a tar archive; a large file has several.
        case loaded([SharedBytes])
        /// Nothing: the files have to be read again.
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
