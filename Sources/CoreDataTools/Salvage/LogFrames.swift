import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// Every frame of a write-ahead log: those that SQLite reads, and those from before its last commit or its last reset.
final class LogFrames {
    struct Frame {
        var page: Int
        var state: State
        /// Whether the checksum is right, continued from the frame before.
        var isSound: Bool
    }

    /// The state of a frame for SQLite.
    enum State: String, Sendable {
        /// Committed and valid.
        case committed
        /// Valid, but after the last commit.
        case uncommitted
        /// From before the last reset of the log: the salt differs.
        case earlier
        /// The checksum is wrong.
        case broken
    }

    let path: FilePath
    private(set) var frames: [Frame] = []
    /// The last committed frame of each page; frames count from 1.
    private(set) var current: [Int: Int] = [:]
    /// The number of pages of the database after the last commit; nil without one.
    private(set) var pageCount: Int?
    private(set) var problems: [FileProblem] = []
    /// Whether the log ends within a transaction or within a frame, as after a crash or in an incomplete copy.
    private(set) var isCutOff = false
    let file: OpenedFile
    private let pageSize: Int
    private let isHeaderSound: Bool

    /// The largest number of frames that are read.
    private static let frameLimit = 1 << 23
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Reads a log; nil if it does not exist or is empty.
    init?(_ path: FilePath, pageSize: Int) throws(FileProblem) {
        guard let (opened, size) = try OpenedFile.beside(path) else { return nil }
        self.path = path
        self.pageSize = pageSize
        file = opened
        let head = try opened.descriptor.bytes(in: 0..<Self.headerSize).array
        guard size > Self.headerSize, head.count == Self.headerSize else { return nil }
        let magic = BigEndian.number(head, at: 0)
        var sum = LogChecksum(isBigEndian: magic & 1 == 1)
        head.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<24])) }
        let isSound =
            magic & ~1 == 0x377F_0682 && BigEndian.number(head, at: 8) == pageSize
            && sum.matches(head, at: 24)
        isHeaderSound = isSound
        if !isSound {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: 0, "the header of the write-ahead log is damaged",
                    found: head.prefix(8).hexadecimalText,
                    advice: "Its pages are shown as old versions, none as the present one"))
        }
        try readFrames(size, head, sum, isSound)
    }

    private func readFrames(
        _ size: Int, _ head: [UInt8], _ start: LogChecksum, _ isSound: Bool
    ) throws(FileProblem) {
        var sum = start
        let whole = Self.frameHeaderSize + pageSize
        var (isChained, hasBroken, lastCommit, lastOfNow) = (isSound, false, 0, -1)
        var before: [UInt8] = []
        let magic = BigEndian.number(head, at: 0)
        let frame = try PrivateBytes(count: whole, path: path)
        let bytes = UnsafeRawBufferPointer(frame.memory)
        let count = (size - Self.headerSize) / whole
        for number in 0..<min(count, Self.frameLimit) {
            guard
                try file.descriptor.read(into: frame.memory, at: Self.headerSize + number * whole) == whole
            else { break }
            let fields = Array(bytes[..<Self.frameHeaderSize])
            let page = BigEndian.number(fields, at: 0)
            let isOfNow = fields[8..<16] == head[16..<24]
            // A frame that SQLite does not reach continues the checksum of the frame before, if both are from the same
            // time.
            var isSound = false
            if number > 0, before[8..<16] == fields[8..<16] {
                var own = LogChecksum(isBigEndian: magic & 1 == 1, continuing: before)
                own.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
                own.add(UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderSize...]))
                isSound = own.matches(fields, at: 16)
            }
            before = fields
            var state = isOfNow ? (isSound ? State.uncommitted : .broken) : .earlier
            if isChained, isOfNow, page != 0 {
                state = .broken
                sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
                sum.add(UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderSize...]))
                isSound = sum.matches(fields, at: 16)
                if isSound {
                    state = .uncommitted
                    let pages = BigEndian.number(fields, at: 4)
                    if pages != 0 {
                        lastCommit = number + 1
                        pageCount = pages
                    }
                }
            }
            if state != .uncommitted { isChained = false }
            hasBroken = hasBroken || state == .broken
            frames.append(Frame(page: page, state: state, isSound: isSound))
            if isOfNow { lastOfNow = number }
        }
        // The frames from before a reset all come after the present ones.
        for number in 0..<max(0, lastOfNow) where frames[number].state == .earlier {
            frames[number].state = .broken
            hasBroken = true
        }
        for number in 0..<lastCommit {
            frames[number].state = .committed
            if frames[number].page <= pageCount ?? 0 { current[frames[number].page] = number + 1 }
        }
        let isPartial = (size - Self.headerSize) % whole != 0
        isCutOff = !hasBroken && (isPartial || frames.contains { $0.state == .uncommitted })
        if hasBroken, isSound {
            problems.append(
                FileProblem(
                    .damaged, path: path, "frames of the write-ahead log have wrong checksums",
                    found: "\(frames.count { $0.state == .broken }) of \(frames.count) frames",
                    advice: "Their pages are shown as old versions that are only probable"))
        }
        if count > Self.frameLimit {
            problems.append(
                FileProblem(
                    .limit, path: path, "has more frames than are read", expected: "\(Self.frameLimit)",
                    found: "\(count)"))
        }
    }

    /// The frames of each page, in their order; computed when needed.
    private lazy var versions: [Int: [Int]] = {
        var versions: [Int: [Int]] = [:]
        for number in frames.indices { versions[frames[number].page, default: []].append(number + 1) }
        return versions
    }()

    /// The last frame of a page up to a frame; nil if there is none.
    func version(of page: Int, before frame: Int) -> Int? {
        guard let frames = versions[page] else { return nil }
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle] <= frame { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? frames[low - 1] : nil
    }

    /// Whether a frame is after the last readable commit, so that its rows may be the present ones.
    func mayBePresent(_ frame: Int) -> Bool {
        !isHeaderSound || [.uncommitted, .broken].contains(frames[frame - 1].state)
    }

    /// The offset of the page in a frame.
    func offset(_ frame: Int) -> Int {
        Self.headerSize + (frame - 1) * (Self.frameHeaderSize + pageSize) + Self.frameHeaderSize
    }

    /// The page in a frame; frames count from 1.
    func page(_ frame: Int) throws(FileProblem) -> [UInt8] {
        let start = offset(frame)
        return try file.descriptor.bytes(in: start..<start + pageSize).array
    }
}

/// The pages in a rollback journal: their state before the last transaction.
final class JournalPages {
    struct Record {
        var page: Int
        var offset: Int
        /// Whether the checksum is right.
        var isSound: Bool
    }

    let path: FilePath
    private(set) var records: [Record] = []
    /// The record of each page; records count from 1.
    private(set) var byPage: [Int: Int] = [:]
    private(set) var problems: [FileProblem] = []
    let file: OpenedFile
    private let pageSize: Int

    private static let recordLimit = 1 << 22

    /// Reads a journal; nil if it does not exist or is empty.
    init?(_ path: FilePath, pageSize: Int) throws(FileProblem) {
        guard let (opened, size) = try OpenedFile.beside(path) else { return nil }
        self.path = path
        self.pageSize = pageSize
        file = opened
        let head = try opened.descriptor.bytes(in: 0..<28).array
        guard size > 512, head.count == 28 else { return nil }
        let isHot = Array(head[..<8]) == RollbackJournal.magic
        // A program may leave the journal after its transaction, with zeros in place of the header.
        let sector = isHot ? BigEndian.number(head, at: 20) : 512
        guard sector >= 28, sector <= 65_536 else { return }
        var nonce: UInt32?
        if isHot { nonce = UInt32(truncatingIfNeeded: BigEndian.number(head, at: 12)) }
        var offset = sector
        while offset + pageSize + 8 <= size, records.count < Self.recordLimit {
            let record = try opened.descriptor.bytes(in: offset..<offset + pageSize + 8).array
            guard record.count == pageSize + 8 else { break }
            let page = BigEndian.number(record, at: 0)
            guard page > 0, page <= PageSource.pageLimit else { break }
            var sum = UInt32(truncatingIfNeeded: BigEndian.number(record, at: pageSize + 4))
            for place in stride(from: pageSize - 200, to: 0, by: -200) {
                sum &-= UInt32(truncatingIfNeeded: record[4 + place])
            }
            if nonce == nil { nonce = sum }
            guard sum == nonce || isHot else { break }
            records.append(Record(page: page, offset: offset + 4, isSound: sum == nonce && isHot))
            byPage[page] = records.count
            offset += pageSize + 8
        }
        if isHot, !records.isEmpty {
            problems.append(
                FileProblem(
                    .damaged, path: path, "a transaction was not finished, and was not rolled back",
                    found: "\(records.count) pages",
                    advice: "The present rows are those of the database; the rows before are old versions"))
        }
    }

    /// The page in a record; records count from 1.
    func page(_ record: Int) throws(FileProblem) -> [UInt8] {
        let start = records[record - 1].offset
        return try file.descriptor.bytes(in: start..<start + pageSize).array
    }
}
