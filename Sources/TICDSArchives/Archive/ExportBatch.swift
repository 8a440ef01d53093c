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

    /// Cuts the entries of an archive into batches. That depends on their names and sizes only, and so does the
    /// archive.
    /// - Parameter limit: bytes of a batch; a single file may take as many without its header.
    static func cut(_ entries: [ArchivedEntry], of application: RemoteName, limit: Int) -> [ExportBatch] {
        var batches: [ExportBatch] = []
        for (position, entry) in entries.enumerated() {
            let isLarge = entry.size > limit
            let nameCount = entry.path.names.reduce(application.bytes.count + 1) { $0 + $1.bytes.count + 1 }
            let header = TarMember.headerLimit(nameCount: nameCount)
            let size = header + TarMember.padded(Int(entry.size))
            if let last = batches.last, !isLarge, !last.isLarge, last.size + size <= limit {
                batches[batches.count - 1].entries = last.entries.lowerBound..<position + 1
                batches[batches.count - 1].size += size
            } else {
                batches.append(ExportBatch(entries: position..<position + 1, size: size, isLarge: isLarge))
            }
        }
        return batches
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
