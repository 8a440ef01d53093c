import Base
import Cryptography
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads files of a remote out of an archive and the earlier ones on which it depends. Each archive is read from its
/// beginning, as far as it must be, and the members that are passed go into a spool if they are small or announced; an
/// archive is read again for a member that was passed and is not in the spool. A member is believed when its size and its
/// SHA-256 are those of the manifest.
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
    private var passCount = 0

    private struct Source {
        /// The reader of the present pass, positioned after the manifest or a later member; nil before and after a pass.
        var reader: (any MemberReader)?
        /// The archive that is read, for errors.
        var path: FilePath
        var totals: UnpackedTotals
        /// The position after the entry that was passed last.
        var next = 0
        /// The pass in which it was used last.
        var lastUse = 0
        var end = End.unknown
    }

    /// The end of an archive, known after the first pass that reached it.
    private enum End {
        case unknown
        case complete
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
        /// Whether the present pass is behind its member.
        static let passed = Marks(rawValue: 2)
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
        sources = (0...baseCount).map { _ in
            Source(path: archive.path, totals: UnpackedTotals(UnpackLimits(), path: archive.path))
        }
        sources[0].reader = reader
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
        switch sources[number].end {
        case .unknown: break
        case .complete: if !marks[position].contains(.reached) { throw missing(position, number) }
        case .damaged(let problem): if !marks[position].contains(.reached) { throw problem }
        case .refused(let problem): throw problem
        }
        if sources[number].reader == nil || marks[position].contains(.passed) { try restart(number) }
        try pass(number, to: position)
        guard let bytes = spool.bytes(of: position, size: size) else { throw wrong(position) }
        return bytes
    }

    // MARK: Passing over an archive

    /// Opens an archive at its beginning, and closes the one that was not used for the longest time if too many are
    /// open.
    private func restart(_ number: Int) throws(FileProblem) {
        sources[number].reader = nil
        for position in marks.indices where source(of: position) == number {
            marks[position].remove(.passed)
        }
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
        sources[number].totals = UnpackedTotals(UnpackLimits(), path: sources[number].path)
        sources[number].next = 0
    }

    /// Reads an archive on until the member of an entry was passed.
    private func pass(_ number: Int, to target: Int) throws(FileProblem) {
        guard let reader = sources[number].reader else { return }
        passCount += 1
        sources[number].lastUse = passCount
        do throws(FileProblem) {
            while let member = try next(reader, number) {
                guard let position = try position(of: member, number) else { continue }
                marks[position].formUnion([.reached, .passed])
                guard position == target || isKept(position) else { continue }
                try keep(member, position, reader, number)
                if position == target { return }
            }
        } catch {
            sources[number].reader = nil
            throw error
        }
        sources[number].reader = nil
        if case .unknown = sources[number].end { sources[number].end = .complete }
        throw missing(target, number)
    }

    /// The next member; nil at the end.
    private func next(_ reader: any MemberReader, _ number: Int) throws(FileProblem) -> ArchiveMember? {
        do throws(FileProblem) {
            return try reader.next()
        } catch {
            if number == 0 { try archive.checkUnchanged() }
            if error.kind == .damaged {
                sources[number].end = .damaged(error)
            } else if !error.isUnread {
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
        let isTwice = marks[position].contains(.passed) && !entries.isFolder(at: position)
        if isTwice { return try refuse("a member that occurs twice") }
        sources[number].next = position + 1  // bounded: a position
        let kind = entries[position].kind
        let isSame: Bool
        switch member.kind {
        case .file: isSame = kind == .file
        case .folder: isSame = kind == .folder
        case .other(let text):
            if archive.hasManifest { return try refuse(text) }
            isSame = kind == .special
        }
        guard isSame else { return try refuse("a member of another kind than the manifest says") }
        if kind == .folder { marks[position].formUnion([.reached, .passed]) }
        return kind == .file ? position : nil
    }

    /// Puts a member into the spool. A member that is damaged, or has other bytes than the manifest says, is marked, and
    /// the pass goes on behind it.
    private func keep(
        _ member: ArchiveMember, _ position: Int, _ reader: any MemberReader, _ number: Int
    ) throws(FileProblem) {
        let entry = tree.entries[position]
        if let size = member.size, size != entry.size { return mark(wrong: position) }
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
            mark(wrong: position)
            // The reader is in the middle of a member.
            if isTooLong { throw error }
        }
    }

    private func mark(wrong position: Int) { marks[position].insert(.wrong) }

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
