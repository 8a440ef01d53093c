import Base
import SystemCalls
import TICDSCore

/// A batch whose files were read, with their digests. The entries stay in the list, so that a batch needs about 60 bytes
/// for each.
struct ReadBatch: Sendable {
    /// The positions of its entries: first in the list from which it was read, then in the manifest.
    private(set) var entries: Range<Int>
    /// What was read of each entry.
    private var reads: [Read] = []
    /// The digests of the files among them, end to end, until the manifest has them.
    private var digests: [UInt8] = []
    /// Files whose size or time differs from the list, by their places in `reads`.
    private var changes: [Int: (size: Int64, modified: FileTime)] = [:]
    /// The states of the files, which usually differ only in what `Read` has.
    private var states: [FileStatus] = []
    private(set) var leftOut: [ArchiveManifest.LeftOut] = []
    var content = Content.gone

    /// The bytes that stay in memory.
    enum Content: Sendable {
        case packed(SharedBytes)
        case loaded([SharedBytes])
        case gone
    }

    private struct Read: Sendable {
        enum Kind: Sendable { case file, decryptedFile, folder, leftOut }

        var kind: Kind
        var state: UInt32 = 0
        var inode: UInt64 = 0
        /// The size on disk.
        var size: Int64 = 0
    }

    /// - Parameter isRead: whether its entries are added at once.
    init(_ entries: Range<Int>, isRead: Bool = false) {
        self.entries = entries
        guard isRead else { return }
        reads.reserveCapacity(entries.count)
        digests.reserveCapacity(entries.count *| BackupEntries.digestCount)
    }

    var fileCount: Int { reads.count { $0.kind == .file || $0.kind == .decryptedFile } }

    mutating func addFolder() { reads.append(Read(kind: .folder)) }

    mutating func leaveOut(_ entry: BackupEntry, _ problem: String) {
        reads.append(Read(kind: .leftOut))
        leftOut.append(.init(path: entry.path, problem: problem))
    }

    mutating func add(_ file: ReadFile, of entry: BackupEntry, size: Int64, digest: [UInt8]) {
        let modified = file.status.modified
        if size != entry.size || modified != entry.modified { changes[reads.count] = (size, modified) }
        var state = file.status
        state.inode = 0
        state.size = 0
        state.modified = FileTime(seconds: 0)
        if states.last != state { states.append(state) }
        reads.append(
            Read(
                kind: file.isDecrypted ? .decryptedFile : .file, state: UInt32(clamping: states.count - 1),
                inode: file.status.inode, size: file.status.size))
        digests += digest
    }

    /// The file of an entry of the manifest; nil for a folder.
    func file(of entry: BackupEntry, at position: Int) -> ReadFile? {
        let read = reads[position - entries.lowerBound]
        guard read.kind != .folder else { return nil }
        var status = states[Int(read.state)]
        status.inode = read.inode
        status.size = read.size
        status.modified = entry.modified
        return ReadFile(status: status, isDecrypted: read.kind == .decryptedFile)
    }

    /// The positions of the entries that are in the archive itself.
    func stored(in manifest: BackupEntries) -> [Int] { entries.filter { manifest.base(at: $0) == nil } }

    /// Drops the content if an earlier archive contains a part of it.
    mutating func leaveOut(unstoredIn manifest: BackupEntries) {
        if entries.contains(where: { manifest.base(at: $0) != nil }) { content = .gone }
    }

    /// Makes the entries for the manifest of a list: adds what was read of them, and removes entries that could not be
    /// read. From then on the batches are parts of these.
    static func merge(_ batches: inout [ReadBatch], into list: inout BackupEntries) {
        var lost: Set<Int> = []
        for number in batches.indices { batches[number].move(to: &list, &lost) }
        if lost.isEmpty { return }
        var start = 0
        for number in batches.indices {
            batches[number].reads.removeAll { $0.kind == .leftOut }
            let end = start + batches[number].reads.count
            batches[number].entries = start..<end
            start = end
        }
        let all = list
        list = BackupEntries(all.indices.lazy.filter { !lost.contains($0) }.map { all[$0] })
    }

    private mutating func move(to list: inout BackupEntries, _ lost: inout Set<Int>) {
        var rest = digests[...]
        for (place, read) in reads.enumerated() {
            let position = entries.lowerBound + place
            switch read.kind {
            case .folder: break
            case .leftOut: lost.insert(position)
            case .file, .decryptedFile:
                list.set(rest.prefix(BackupEntries.digestCount), at: position)
                rest = rest.dropFirst(BackupEntries.digestCount)
                if let change = changes[place] {
                    list.set(size: change.size, modified: change.modified, at: position)
                }
            }
        }
        rest = []
        digests = []
        changes = [:]
    }
}

/// The state of a file when it was read.
struct ReadFile: Sendable {
    var status: FileStatus
    var isDecrypted: Bool
}
