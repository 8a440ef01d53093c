import Base
import Cryptography
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads files of a remote out of an archive and the earlier ones on which it depends. Each archive is read from its
/// beginning, as far as it must be, and the members that are passed go into a spool if they are small or announced;
/// an archive is read again for a member that was passed and is not in the spool. In an archive of many frames,
/// reading begins at the frame of a member, unless a large share of the archive was announced; behind damage always.
/// A member is believed when its size and its SHA-256 are those of the manifest.
final class ArchivePasses: @unchecked Sendable {
    // Everything that changes is used under the lock.
    private let lock = Mutex(())
    private let tree: ArchiveTree
    private let archive: OpenArchive
    private let chain: ArchiveChain?
    private let spool: MemberSpool
    /// The archive itself, and those on which it depends, in the order of their numbers.
    private var sources: [Source]
    private var marks: [Marks]
    /// The number of the last pass that passed the member of an entry.
    private var passes: [UInt32]
    private var lastPass: UInt32 = 0
    private var useCount = 0
    /// The frames of the archive itself; nil before they were looked up.
    private var index: FrameIndex?
    private var mayBeginElsewhere = true
    private var lastFrame = 0
    private var failures = 0
    /// The bytes of the files in the archive, and of those that were announced.
    private let total: Int64
    private var announced: Int64 = 0

    private struct Source {
        /// The reader of the present pass, positioned after the manifest or a later member; nil before and after a pass.
        var reader: (any MemberReader)?
        /// The archive that is read, for errors.
        var path: FilePath
        var totals: UnpackedTotals
        /// The position after the entry that was passed last.
        var next = 0
        /// The number of the present pass, which no other pass has.
        var pass: UInt32 = 0
        /// When it was used last.
        var lastUse = 0
        var end = End.unknown
        /// Whether the present pass began at the beginning.
        var isWhole = true
    }

    /// The end of an archive, known after the first pass that reached it.
    private enum End {
        case unknown, complete
        /// Members behind this damage cannot be reached.
        case damaged(FileProblem)
        /// Nothing more of the archive is believed.
        case refused(FileProblem)
    }

    /// What is known of an entry.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// Whether a pass reached its member.
        static let reached = Marks(rawValue: 1)
        /// Whether its member has other bytes than the manifest says, or is damaged.
        static let wrong = Marks(rawValue: 4)
        /// Whether it will be read, so that it is kept although it is large.
        static let announced = Marks(rawValue: 8)
    }

    /// Members up to this size are kept when they are passed.
    private static let smallSize: Int64 = 1 << 20
    /// The archives of a chain that are open at the same time, each with a buffer and a thread.
    private static let mostReaders = 4

    /// - Parameter reader: positioned after the manifest; nil for an archive without one.
    init(
        _ tree: ArchiveTree, of archive: OpenArchive, _ chain: ArchiveChain?, baseCount: Int,
        reader: (any MemberReader)?, spoolBound: Int64?
    ) {
        self.tree = tree
        self.archive = archive
        self.chain = chain
        spool = MemberSpool(count: tree.entries.count, archive: archive.path, bound: spoolBound)
        marks = Array(repeating: [], count: tree.entries.count)
        passes = Array(repeating: 0, count: tree.entries.count)
        sources = (0...baseCount).map { _ in
            Source(path: archive.path, totals: UnpackedTotals(UnpackLimits(), path: archive.path))
        }
        sources[0].reader = reader
        total = tree.entries.totals { tree.entries.base(at: $0) == nil }.bytes
        if reader != nil { begin(0) }
    }

    /// The bytes of a file.
    /// - Throws: an error of a kind that says that the file could not be examined, whatever is wrong with the archive.
    func bytes(of position: Int, path: FilePath) throws(FileProblem) -> SpooledBytes {
        try lock.withLock { _ throws(FileProblem) in
            do throws(FileProblem) {
                return try fetch(position)
            } catch {
                throw Self.unread(error, path)
            }
        }
    }

    /// Announces files that will be read, as far as the spool has room for them.
    func announce(_ files: [(position: Int, size: Int64)]) {
        lock.withLock { _ in
            var room = spool.bound / 2
            for file in files where !marks[file.position].contains(.announced) {
                room = room -| file.size
                announced +|= file.size
                guard room >= 0 else { return }
                marks[file.position].insert(.announced)
            }
        }
    }

    private static func unread(_ error: FileProblem, _ path: FilePath) -> FileProblem {
        if error.isScarcity || error.kind == .interrupted { return error }
        return FileProblem(
            error.isUnread ? error.kind : .unreadable, path: path,
            "cannot be read from the archive: \(error.problem)", expected: error.expected,
            found: error.found, advice: error.advice)
    }

    /// The number of the archive that has the member of an entry.
    private func source(of position: Int) -> Int {
        (tree.entries.base(at: position) ?? -1) + 1  // bounded: the number of earlier archives
    }

    private func fetch(_ position: Int) throws(FileProblem) -> SpooledBytes {
        let size = tree.entries.size(at: position)
        if let bytes = spool.bytes(of: position, size: size) { return bytes }
        if marks[position].contains(.wrong) { throw wrong(position) }
        let number = source(of: position)
        if number == 0, let bytes = try fetchFromFrame(position) { return bytes }
        switch sources[number].end {
        case .unknown: break
        case .complete: if !marks[position].contains(.reached) { throw missing(position, number) }
        case .damaged(let problem): if !marks[position].contains(.reached) { throw problem }
        case .refused(let problem): throw problem
        }
        if sources[number].reader == nil || !sources[number].isWhole || hasPassed(position, number) {
            try restart(number)
        }
        try pass(number, to: position)
        guard let bytes = spool.bytes(of: position, size: size) else { throw wrong(position) }
        return bytes
    }

    // MARK: Beginning at a frame

    /// The bytes of a file, read from the frame of its member on; nil if a pass must look for it.
    private func fetchFromFrame(_ position: Int) throws(FileProblem) -> SpooledBytes? {
        guard archive.hasManifest, mayBeginElsewhere else { return nil }
        switch sources[0].end {
        case .unknown, .complete: if announced >= total / Self.largeShare { return nil }
        case .damaged: break
        case .refused: return nil
        }
        do throws(FileProblem) {
            let frame = try frame(of: position)
            guard frame > 0 else { return nil }
            let isNear = lastFrame == frame || lastFrame + 1 == frame  // bounded: a number of frames
            if sources[0].reader == nil || !isNear || hasPassed(position, 0) {
                sources[0].reader = try archive.reader(from: index?.frames.starts[frame] ?? 0)
                begin(0, isWhole: false)
            }
            lastFrame = frame
            try pass(0, to: position)
        } catch {
            sources[0].reader = nil
            // Damage, or an archive that another program packed again.
            guard [.damaged, .unsupported].contains(error.kind) else { throw error }
            failures += 1
            mayBeginElsewhere = mayBeginElsewhere && failures < Self.mostFailures
            return nil
        }
        if marks[position].contains(.wrong) { throw wrong(position) }
        return spool.bytes(of: position, size: tree.entries.size(at: position))
    }

    /// The frame at which to begin for an entry; 0 if there are few, or if it is in none.
    private func frame(of position: Int) throws(FileProblem) -> Int {
        var index = if let index { index } else { FrameIndex(try archive.frames()) }
        defer { self.index = index }
        let starts = index.frames.starts
        mayBeginElsewhere = starts.count > Self.fewFrames
        guard mayBeginElsewhere else { return 0 }
        return try index.frame(of: position) { (frame) throws(FileProblem) in
            try firstEntry(ofFrameAt: starts[frame])
        }
    }

    /// The position of the entry with whose member the frame at an offset begins; nil if it begins with something else.
    private func firstEntry(ofFrameAt offset: Int) throws(FileProblem) -> Int? {
        let member: ArchiveMember?
        do throws(FileProblem) {
            member = try archive.reader(from: offset, count: Self.headCount).next()
        } catch {
            guard [.damaged, .unsupported].contains(error.kind) else { throw error }
            return nil
        }
        guard let member, case .success(let path) = MemberPath.path(of: member.name),
            path.names.starts(with: archive.prefix)
        else { return nil }
        return tree.entries.sortedPosition(of: RemotePath(Array(path.names.dropFirst(archive.prefix.count))))
    }

    /// An archive of which this share was announced is read from its beginning; so is one of few frames.
    private static let largeShare: Int64 = 4
    private static let fewFrames = 8
    /// The compressed bytes that have the headers of a member.
    private static let headCount = 64 << 10
    /// The times that a member may be missing behind the beginning of its frame.
    private static let mostFailures = 100

    // MARK: Passing over an archive

    /// Opens an archive at its beginning, and closes the one that was not used for the longest time if too many are
    /// open.
    private func restart(_ number: Int) throws(FileProblem) {
        sources[number].reader = nil
        let open = sources.indices.filter { sources[$0].reader != nil }
        if open.count >= Self.mostReaders,
            let oldest = open.min(by: { sources[$0].lastUse < sources[$1].lastUse })
        {
            sources[oldest].reader = nil
        }
        if number == 0 {
            sources[0].reader = try archive.readerAfterManifest()
        } else if let opened = try chain?.open(number - 1) {
            sources[number].reader = opened.reader
            sources[number].path = opened.path
        }
        begin(number)
    }

    /// Begins a pass with the reader that was opened.
    private func begin(_ number: Int, isWhole: Bool = true) {
        sources[number].totals = UnpackedTotals(UnpackLimits(), path: sources[number].path)
        sources[number].next = 0
        sources[number].isWhole = isWhole
        lastPass += 1  // bounded: by the bytes that are read
        sources[number].pass = lastPass
    }

    /// Whether the present pass is behind the member of an entry.
    private func hasPassed(_ position: Int, _ number: Int) -> Bool {
        passes[position] == sources[number].pass
    }

    private func pass(_ position: Int, _ number: Int) {
        marks[position].insert(.reached)
        passes[position] = sources[number].pass
    }

    /// Reads an archive on until the member of an entry was passed.
    private func pass(_ number: Int, to target: Int) throws(FileProblem) {
        guard let reader = sources[number].reader else { return }
        useCount += 1
        sources[number].lastUse = useCount
        do throws(FileProblem) {
            while let member = try next(reader, number) {
                guard let position = try position(of: member, number) else { continue }
                pass(position, number)
                guard position == target || isKept(position) else { continue }
                try keep(member, position, reader, number)
                if position == target { return }
            }
        } catch {
            sources[number].reader = nil
            throw error
        }
        sources[number].reader = nil
        if case .unknown = sources[number].end, sources[number].isWhole { sources[number].end = .complete }
        if !sources[number].isWhole { mayBeginElsewhere = false }  // The members are in another order.
        throw missing(target, number)
    }

    /// The next member; nil at the end.
    private func next(_ reader: any MemberReader, _ number: Int) throws(FileProblem) -> ArchiveMember? {
        do throws(FileProblem) {
            return try reader.next()
        } catch {
            if number == 0 { try archive.checkUnchanged() }
            if error.kind == .damaged {
                if sources[number].isWhole { sources[number].end = .damaged(error) }
            } else if !error.isUnread, sources[number].isWhole || error.kind == .refused {
                sources[number].end = .refused(error)
            }
            throw error
        }
    }

    private func isKept(_ position: Int) -> Bool {
        if spool.bytes(of: position, size: 0) != nil || marks[position].contains(.wrong) { return false }
        return marks[position].contains(.announced) || tree.entries.size(at: position) <= Self.smallSize
    }

    /// The position of the entry of a member; nil for a member that is not one of the remote's files.
    private func position(of member: ArchiveMember, _ number: Int) throws(FileProblem) -> Int? {
        let isBase = number > 0
        func refuse(_ problem: String) throws(FileProblem) -> Int? {
            // The members of an earlier archive that the later one does not use may be anything.
            if isBase { return nil }
            let refusal = FileProblem.hostile(sources[number].path, member.name, problem)
            sources[number].end = .refused(refusal)
            throw refusal
        }
        let path: RemotePath
        switch MemberPath.path(of: member.name) {
        case .success(let found): path = found
        case .failure(let refusal): return try refuse(refusal.problem)
        }
        guard path.names.starts(with: archive.prefix) else {
            return archive.hasManifest ? try refuse("a member that is not in the manifest") : nil
        }
        let inside = RemotePath(Array(path.names.dropFirst(archive.prefix.count)))
        let entries = tree.entries
        let next = sources[number].next
        let isNext = next < entries.count && entries.has(inside, at: next)
        guard let position = isNext ? next : entries.sortedPosition(of: inside) else {
            return archive.hasManifest ? try refuse("a member that is not in the manifest") : nil
        }
        guard source(of: position) == number else {
            return try refuse("a member that is in an earlier archive, according to the manifest")
        }
        let isTwice = hasPassed(position, number) && !entries.isFolder(at: position)
        if isTwice { return try refuse("a member that occurs twice") }
        sources[number].next = position + 1  // bounded: a position
        let kind = entries[position].kind
        let isSame: Bool
        switch member.kind {
        case .file: isSame = kind == .file
        case .folder: isSame = kind == .folder
        case .other(let text):
            if archive.hasManifest { return try refuse(text) }
            isSame = kind == .special || kind == .symbolicLink
        }
        guard isSame else { return try refuse("a member of another kind than the manifest says") }
        if kind == .folder { pass(position, number) }
        return kind == .file ? position : nil
    }

    /// Puts a member into the spool. A member that is damaged, or has other bytes than the manifest says, is marked, and
    /// the pass goes on behind it.
    private func keep(
        _ member: ArchiveMember, _ position: Int, _ reader: any MemberReader, _ number: Int
    ) throws(FileProblem) {
        let entry = tree.entries[position]
        if let size = member.size, size != entry.size {
            marks[position].insert(.wrong)
            return
        }
        var hash = try SHA256(for: sources[number].path)
        var size: Int64 = 0
        var isTooLong = false
        let wrong = wrong(position)
        try sources[number].totals.addEntry()
        do throws(FileProblem) {
            try spool.keep(position, size: entry.size) { (append) throws(FileProblem) in
                try reader.content { (piece) throws(FileProblem) in
                    size +|= Int64(piece.count)
                    isTooLong = size > entry.size
                    if isTooLong { throw wrong }
                    hash.update(piece)
                    try sources[number].totals.add(
                        piece.count, isZero: piece.isAllZero, bytesRead: reader.bytesRead)
                    try append(piece)
                }
                guard size == entry.size, hash.finalize() == entry.digest else { throw wrong }
            }
        } catch {
            if number == 0 { try archive.checkUnchanged() }
            if error.kind == .refused { sources[number].end = .refused(error) }
            guard error.kind == .damaged else { throw error }
            marks[position].insert(.wrong)
            // The reader is in the middle of a member.
            if isTooLong { throw error }
        }
    }

    private func wrong(_ position: Int) -> FileProblem {
        let number = source(of: position)
        return .damagedArchive(
            sources[number].path, expected: "the size and the SHA-256 of the manifest",
            found: "other bytes, or damage in them")
    }

    private func missing(_ position: Int, _ number: Int) -> FileProblem {
        .damagedArchive(
            sources[number].path, expected: "\(tree.entries.path(at: position)), which is in the manifest",
            found: "no such member")
    }
}
