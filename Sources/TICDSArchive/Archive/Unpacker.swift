import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// Unpacks an archive into a private folder. Checks every name, kind, size and digest; the first fault ends the unpacking.
struct Unpacker {
    private var reader: any MemberReader
    private var path: FilePath
    /// The number of bytes that were read of earlier archives.
    private var bytesBefore: Int64 = 0
    private let target: OpenFolderCache
    private let writing: FileWriting
    /// The owner and the modes for unpacked entries; during the unpacking, the mode of the enclosing folder keeps other
    /// users out.
    private let model: FileStatus
    private var totals: UnpackedTotals
    /// The members to unpack; nil for all.
    private let selection: UnpackSelection?
    private var index: ManifestIndex?
    /// Folders whose times are set at the end, and those among them that no member has named so far.
    private var folders: [RemotePath: FileTime] = [:]
    private var unnamed: Set<RemotePath> = []
    private(set) var manifest: ArchiveManifest?

    /// - Parameters:
    ///   - folder: private and empty.
    ///   - selection: the members to unpack; nil for all. With a manifest, the reading ends when they are complete.
    ///   - check: checks the manifest before any file is unpacked; an error ends the unpacking.
    static func unpack(
        _ origin: ArchiveOrigin, into folder: FilePath, model: FileStatus, limits: UnpackLimits,
        selection: UnpackSelection? = nil,
        check: (ArchiveManifest) throws(FileProblem) -> Void, progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) -> (manifest: ArchiveManifest?, changedTimes: ChangedTimes) {
        let reader = try origin.open()
        var unpacker = Unpacker(
            reader: reader, path: origin.path, target: OpenFolderCache(folder), model: model,
            totals: UnpackedTotals(limits, path: origin.path), selection: selection)
        do throws(FileProblem) {
            try unpacker.run(origin, check, progress)
        } catch {
            // An error with an earlier member takes precedence.
            try unpacker.writing.finish()
            throw error
        }
        try OwnedDescriptor.folder(folder).syncVolume()
        return (unpacker.manifest, unpacker.writing.changedTimes)
    }

    private init(
        reader: any MemberReader, path: FilePath, target: OpenFolderCache, model: FileStatus,
        totals: UnpackedTotals, selection: UnpackSelection?
    ) {
        self.reader = reader
        self.path = path
        self.target = target
        self.model = model
        self.totals = totals
        self.selection = selection
        writing = FileWriting(archive: path, model: model)
    }

    private mutating func run(
        _ origin: ArchiveOrigin, _ check: (ArchiveManifest) throws(FileProblem) -> Void,
        _ progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) {
        var isFirst = true
        var total: Int64?
        var done: Int64 = 0
        while let member = try next() {
            if isFirst {
                isFirst = false
                index = try ManifestIndex.read(member, reader, path: path)
                manifest = index?.manifest
                if let manifest {
                    try check(manifest)
                    total = manifest.totals.bytes
                    selection?.begin(manifest)
                    if selection?.isComplete == true { break }
                    continue
                }
            }
            try totals.addEntry()
            done += try unpack(member)
            progress(done, total)
            if selection?.isComplete == true { break }
        }
        if selection?.isComplete != true, selection?.damage == nil, let missing = index?.missing.first {
            throw .damagedArchive(
                path, expected: "\(missing.path), which is in the manifest", found: "the end")
        }
        if let manifest, !manifest.bases.isEmpty, selection?.isComplete != true {
            let chain = try ArchiveChain(manifest, of: origin)
            for number in manifest.bases.indices {
                try unpack(from: chain, number, manifest) { count in
                    done += count
                    progress(done, total)
                }
            }
        }
        try writing.finish()
        try setFolderTimes()
    }

    /// Unpacks the files that an earlier archive contains. Its members are checked against the manifest of this
    /// archive.
    private mutating func unpack(
        from chain: ArchiveChain, _ number: Int, _ manifest: ArchiveManifest, _ progress: (Int64) -> Void
    ) throws(FileProblem) {
        var waiting = manifest.entries.count { $0.base == number && isWanted($0) }
        if waiting == 0 { return }
        bytesBefore += reader.bytesRead
        let opened = try chain.open(number)
        reader = opened.reader
        path = opened.path
        while waiting > 0, let member = try nextOfBase(number) {
            guard member.kind == .file, case .success(let place) = MemberPath.path(of: member.name),
                let entry = index?.take(place, fromBase: number), isWanted(entry)
            else { continue }
            try totals.addEntry()
            progress(try write(member, entry, place, entry.modified))
            waiting -= 1
        }
        if waiting > 0 {
            let entry = index?.unmatched.first { $0.base == number && isWanted($0) }
            throw .damagedArchive(
                path,
                expected:
                    "\(entry?.path.description ?? "a file"), which a later archive does not have itself",
                found: "the end")
        }
    }

    /// The next member; nil at the end, and at damage after everything that must be extracted.
    private func next() throws(FileProblem) -> ArchiveMember? {
        do throws(FileProblem) {
            return try reader.next()
        } catch {
            guard error.kind == .damaged, let selection, let index else { throw error }
            let unread = index.missing.filter { !$0.isFolder && isWanted($0) }
            if selection.lacksOnlyCompanions(index.missing) {
                if let first = unread.first {
                    selection.damage = Self.unread(first.path, unread.count, error)
                }
                return nil
            }
            throw unread.first.map { Self.unread($0.path, unread.count, error) } ?? error
        }
    }

    /// The next member of an earlier archive.
    private func nextOfBase(_ number: Int) throws(FileProblem) -> ArchiveMember? {
        do throws(FileProblem) {
            return try reader.next()
        } catch {
            guard error.kind == .damaged, let index else { throw error }
            let unread = index.unmatched.filter { $0.base == number && isWanted($0) }
            throw unread.first.map { Self.unread($0.path, unread.count, error) } ?? error
        }
    }

    /// The error for files in the manifest that come after damage.
    private static func unread(_ first: RemotePath, _ count: Int, _ error: FileProblem) -> FileProblem {
        var problem = error
        let others = count > 1 ? " (and \(counted(count - 1, "other")))" : ""  // bounded: above 1
        problem.problem = "\(first)\(others) could not be read, because the archive is damaged before it"
        return problem
    }

    private func isWanted(_ entry: BackupEntry) -> Bool {
        guard let selection, let manifest else { return true }
        let place = RemotePath([manifest.application] + entry.path.names)
        return selection.wants(place, isFolder: false, hasManifest: true)
    }

    private mutating func unpack(_ member: ArchiveMember) throws(FileProblem) -> Int64 {
        if case .other(let kind) = member.kind { throw .hostile(path, member.name, kind) }
        let place: RemotePath
        switch MemberPath.path(of: member.name) {
        case .success(let path): place = path
        case .failure(let refusal): throw .hostile(path, member.name, refusal.problem)
        }
        var entry: BackupEntry?
        switch index?.take(place, member) {
        case .success(let found): entry = found
        case .failure(let refusal): throw .hostile(path, member.name, refusal.problem)
        case nil: break
        }
        if let selection {
            let isFolder = member.kind == .folder
            guard selection.wants(place, isFolder: isFolder, hasManifest: index != nil) else { return 0 }
        }
        if let entry, let fault = reader.timeFault(member, entry) {
            throw .damagedArchive(
                path, expected: "the time of the manifest for \(place)", found: fault)
        }
        let modified = entry?.modified ?? member.modified
        if member.kind == .folder {
            try makeFolder(place, member, modified)
            selection?.add(place, nil, hasManifest: index != nil)
            return 0
        }
        guard !place.names.isEmpty else { throw .hostile(path, member.name, "a file without a name") }
        return try write(member, entry, place, modified)
    }

    private mutating func makeFolder(
        _ place: RemotePath, _ member: ArchiveMember, _ modified: FileTime
    ) throws(FileProblem) {
        if place.names.isEmpty { return }
        if folders[place] != nil {
            guard unnamed.remove(place) != nil else {
                throw .hostile(path, member.name, "a member that occurs twice")
            }
        } else {
            try make(place, member)
        }
        folders[place] = modified
    }

    private mutating func make(_ place: RemotePath, _ member: ArchiveMember) throws(FileProblem) {
        try makeParents(of: place, member)
        let name = FilePath(nameBytes: place.last?.bytes ?? [])
        let parent = try target.folder(place.parent)
        do throws(FileProblem) {
            try parent.open.makeFolder(name, mode: 0o700)
        } catch {
            throw try parent.open.exists(name)
                ? .hostile(path, member.name, "a member that occurs twice") : error
        }
        try parent.open.folder(name).adopt(like: model)
    }

    private mutating func parent(
        of place: RemotePath, _ member: ArchiveMember
    ) throws(FileProblem) -> UnpackedFolder {
        if let last = target.lastFolder(holding: place) { return last }
        try makeParents(of: place, member)
        return try target.folder(place.parent)
    }

    /// Makes the folders around an entry, since archives of other programs need not name them.
    private mutating func makeParents(of place: RemotePath, _ member: ArchiveMember) throws(FileProblem) {
        let parent = place.parent
        guard !parent.names.isEmpty, folders[parent] == nil else { return }
        try make(parent, member)
        folders[parent] = member.modified
        unnamed.insert(parent)
    }

    private mutating func write(
        _ member: ArchiveMember, _ entry: BackupEntry?, _ place: RemotePath, _ modified: FileTime
    ) throws(FileProblem) -> Int64 {
        let parent = try parent(of: place, member)
        let name = FilePath(nameBytes: place.last?.bytes ?? [])
        try writing.add(.begin(.init(folder: parent, name: name, member: member.name)))
        var hash = try SHA256(for: path)
        var size: Int64 = 0
        let hasDigest = entry != nil
        do throws(FileProblem) {
            try reader.sharedContent { (piece) throws(FileProblem) in
                size += Int64(piece.count)
                if let expected = entry?.size ?? member.size, size > expected {
                    throw .hostile(path, member.name, "more bytes than were announced")
                }
                let isZero = piece.withUnsafeBytes { bytes in
                    if hasDigest { hash.update(bytes) }
                    return bytes.isAllZero
                }
                try totals.add(piece.count, isZero: isZero, bytesRead: bytesBefore + reader.bytesRead)
                try writing.add(isZero ? .skip(piece.count) : .append(piece))
            }
        } catch {
            guard error.kind == .damaged else { throw error }
            var problem = error
            problem.problem =
                "\(entry?.path ?? place) could not be read, because the archive is damaged in it"
            throw problem
        }
        if let expected = entry?.size ?? member.size, size != expected {
            throw .damagedArchive(path, expected: "\(expected) bytes of \(place)", found: "\(size)")
        }
        if let digest = entry?.digest, hash.finalize() != digest {
            throw .damagedArchive(
                path, expected: "the SHA-256 of the manifest for \(place)", found: "other bytes")
        }
        try writing.add(.end(modified))
        selection?.add(place, size, hasManifest: index != nil)
        return size
    }

    /// Sets the times of folders once all their entries exist, since each new entry changes the time of its folder.
    private func setFolderTimes() throws(FileProblem) {
        for (place, modified) in folders.sorted(by: { $0.key > $1.key }) {
            try target.folder(place.parent).open.setTime(
                modified, of: FilePath(nameBytes: place.last?.bytes ?? []))
        }
    }
}

/// Keeps the folder of the last file open for the next one.
final class OpenFolderCache {
    private let root: FilePath
    private var last: (path: RemotePath, folder: UnpackedFolder)?

    init(_ root: FilePath) { self.root = root }

    /// The last folder, if it contains `path` directly; nil otherwise.
    func lastFolder(holding path: RemotePath) -> UnpackedFolder? {
        guard let last, last.path.names.elementsEqual(path.names.dropLast()) else { return nil }
        return last.folder
    }

    func folder(_ path: RemotePath) throws(FileProblem) -> UnpackedFolder {
        if let last, last.path == path { return last.folder }
        let folder = UnpackedFolder(try path.open(below: OwnedDescriptor.folder(root)))
        last = (path, folder)
        return folder
    }
}

/// An open folder into which files are unpacked.
final class UnpackedFolder: @unchecked Sendable {
    let open: OwnedDescriptor
    /// Whether the owner and mode of new files must be set; nil before the first file. Used only by the writing thread.
    var needsAdoption: Bool?

    init(_ open: consuming OwnedDescriptor) { self.open = open }
}

/// The limits on the growth of an archive. Zeros become holes in files and do not count: a whole store may have many.
public struct UnpackLimits: Sendable {
    /// Bytes of all files, including zeros.
    public var total: Int64
    /// Unpacked bytes, without zeros, for each byte of the archive; checked above `harmless` bytes.
    public var ratio: Int64
    /// Bytes up to which the ratio does not matter: 256 MiB.
    public var harmless: Int64 = 256 << 20
    /// The number of files and folders.
    public var entries = 10_000_000

    /// Limits of `total` bytes, a tebibyte by default, and `ratio` times the size of the archive, 200 by default.
    public init(total: Int64 = 1 << 40, ratio: Int64 = 200) {
        self.total = total
        self.ratio = ratio
    }
}

/// Counts the unpacked bytes and entries, and enforces the limits.
struct UnpackedTotals {
    let limits: UnpackLimits
    let path: FilePath
    private var all: Int64 = 0
    private var written: Int64 = 0
    private var entries = 0

    init(_ limits: UnpackLimits, path: FilePath) {
        self.limits = limits
        self.path = path
    }

    mutating func addEntry() throws(FileProblem) {
        entries += 1
        guard entries <= limits.entries else { throw bomb("too many files", "at most \(limits.entries)") }
    }

    /// - Parameter bytesRead: bytes of the archive that were read so far.
    mutating func add(_ count: Int, isZero: Bool, bytesRead: Int64) throws(FileProblem) {
        all += Int64(count)
        guard all <= limits.total else {
            throw bomb(
                "the archive contains more than it may", "at most \(limits.total) bytes; see --max-size")
        }
        if isZero { return }
        written += Int64(count)
        let (allowed, overflow) = bytesRead.multipliedReportingOverflow(by: limits.ratio)
        guard overflow || written <= max(limits.harmless, allowed) else {
            throw bomb(
                "the archive grows too much when it is unpacked",
                "at most \(limits.ratio) times its size; see --max-ratio")
        }
    }

    private func bomb(_ problem: String, _ expected: String) -> FileProblem {
        FileProblem(
            .refused, path: path, problem, expected: expected,
            advice: "Nothing was taken from the archive; it looks like a bomb, not like a remote")
    }
}
