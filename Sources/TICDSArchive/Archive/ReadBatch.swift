import Base
import SystemCalls
import TICDSCore

/// A batch whose files were read. The entries and their digests are elsewhere, so that a batch needs 9 bytes for each.
struct ReadBatch: Sendable {
    /// The positions of its entries: first in the list from which it was read, then in the manifest.
    private(set) var entries: Range<Int>
    /// What was read of each entry.
    private var reads: [Read] = []
    /// The inode numbers of the entries; 0 for folders.
    private var inodes: [UInt64] = []
    /// The times of the last change of the entries, as in the marks of files; empty unless they are wanted.
    private var changeTimes: [FileTime?] = []
    /// Files whose size or time differs from the list, by their places in `reads`.
    private var changes: [Int: (size: Int64, modified: FileTime)] = [:]
    /// The sizes on disk that differ from those in the archive, by the places of the files in `reads`.
    private var sizes: [Int: Int64] = [:]
    /// The states of the files, which usually differ only in size, time and inode: each state of consecutive files with
    /// the place of the first one.
    private var states: [(first: Int, state: FileStatus)] = []
    private(set) var leftOut: [ArchiveManifest.LeftOut] = []
    private let hasMarks: Bool
    var content = Content.gone

    /// The bytes that stay in memory.
    enum Content: Sendable {
        case packed(SharedBytes)
        case loaded([SharedBytes])
        case gone
    }

    private enum Read: UInt8, Sendable { case file, decryptedFile, folder, leftOut }

    /// - Parameters:
    ///   - isRead: whether its entries are added at once.
    ///   - hasMarks: whether the marks of files are kept.
    init(_ entries: Range<Int>, isRead: Bool = false, hasMarks: Bool = false) {
        self.entries = entries
        self.hasMarks = hasMarks
        guard isRead else { return }
        reads.reserveCapacity(entries.count)
        inodes.reserveCapacity(entries.count)
        if hasMarks { changeTimes.reserveCapacity(entries.count) }
    }

    var fileCount: Int { reads.count { $0 == .file || $0 == .decryptedFile } }

    /// The marks of the entries; nil for folders, and for files whose marks are unknown.
    var marks: some Sequence<ChangeMark?> {
        reads.indices.lazy.map { place in
            hasMarks ? changeTimes[place].map { ChangeMark(inode: inodes[place], changed: $0) } : nil
        }
    }

    mutating func addFolder() { add(.folder) }

    private mutating func add(_ read: Read, inode: UInt64 = 0, changed: FileTime? = nil) {
        reads.append(read)
        inodes.append(inode)
        if hasMarks { changeTimes.append(changed) }
    }

    mutating func leaveOut(_ entry: BackupEntry, _ problem: String) {
        add(.leftOut)
        leftOut.append(.init(path: entry.path, problem: problem))
    }

    /// - Parameters:
    ///   - size: the number of bytes in the archive.
    ///   - mark: the mark from before the file was read; nil if it is unknown.
    mutating func add(_ file: ReadFile, of entry: BackupEntry, size: Int64, mark: ChangeMark? = nil) {
        let modified = file.status.modified
        if size != entry.size || modified != entry.modified { changes[reads.count] = (size, modified) }
        var state = file.status
        state.inode = 0
        state.size = 0
        state.modified = FileTime(seconds: 0)
        if states.last?.state != state { states.append((reads.count, state)) }
        if file.status.size != size { sizes[reads.count] = file.status.size }
        let changed = mark?.inode == file.status.inode ? mark?.changed : nil
        add(file.isDecrypted ? .decryptedFile : .file, inode: file.status.inode, changed: changed)
    }

    /// The file of an entry of the manifest; nil for a folder.
    func file(of entry: BackupEntry, at position: Int) -> ReadFile? {
        let place = position - entries.lowerBound
        let after = states.endOfPrefix { $0.first <= place }
        guard reads[place] != .folder, after > 0 else { return nil }
        var status = states[after - 1].state
        status.inode = inodes[place]
        status.size = sizes[place] ?? entry.size
        status.modified = entry.modified
        return ReadFile(status: status, isDecrypted: reads[place] == .decryptedFile)
    }

    /// The positions of the entries that are in the archive itself.
    func stored(in manifest: BackupEntries) -> [Int] { entries.filter { manifest.base(at: $0) == nil } }

    /// Drops the content if an earlier archive contains a part of it.
    mutating func leaveOut(unstoredIn manifest: BackupEntries) {
        if entries.contains(where: { manifest.base(at: $0) != nil }) { content = .gone }
    }

    /// Makes the entries for the manifest of a list: adds what was read of them, and removes entries that could not be
    /// read. From then on the batches are parts of these.
    /// - Parameter digests: the digests of the files, by their positions in the list.
    static func merge(
        _ batches: inout [ReadBatch], _ digests: consuming BackupDigests, into list: inout BackupEntries
    ) {
        var lost: Set<Int> = []
        list.set(digests)
        for number in batches.indices { batches[number].move(to: &list, &lost) }
        if lost.isEmpty { return }
        var start = 0
        for number in batches.indices {
            batches[number].removeLeftOut()
            let end = start + batches[number].reads.count
            batches[number].entries = start..<end
            start = end
        }
        let all = list
        list = BackupEntries(all.indices.lazy.filter { !lost.contains($0) }.map { all[$0] })
    }

    private mutating func removeLeftOut() {
        let all = self
        let kept = reads.indices.filter { reads[$0] != .leftOut }
        reads = kept.map { all.reads[$0] }
        inodes = kept.map { all.inodes[$0] }
        if hasMarks { changeTimes = kept.map { all.changeTimes[$0] } }
        sizes = [:]
        for (place, former) in kept.enumerated() {
            if let size = all.sizes[former] { sizes[place] = size }
        }
        states = all.states.map { first, state in (kept.endOfPrefix { $0 < first }, state) }
    }

    private mutating func move(to list: inout BackupEntries, _ lost: inout Set<Int>) {
        for (place, read) in reads.enumerated() {
            let position = entries.lowerBound + place
            switch read {
            case .folder: break
            case .leftOut: lost.insert(position)
            case .file, .decryptedFile:
                list.confirmDigest(at: position)
                if let change = changes[place] {
                    list.set(size: change.size, modified: change.modified, at: position)
                }
            }
        }
        changes = [:]
    }
}

/// The state of a file when it was read.
struct ReadFile: Sendable {
    var status: FileStatus
    var isDecrypted: Bool
}
