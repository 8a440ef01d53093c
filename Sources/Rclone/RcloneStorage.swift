package import Base
import Cryptography
import Synchronization
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A remote in a storage that rclone reaches. One listing of all folders, made at the beginning, shows the entries and
/// their times; contents are fetched into a private cache when they are read.
package final class RcloneStorage: RemoteStorage {
    /// `rclone:NAME:path`, without the values of options.
    package let root: FilePath
    /// The address of the remote.
    package let address: RcloneAddress
    /// The capabilities of the storage.
    package let features: RcloneFeatures

    /// The capabilities in the form for code that is independent of rclone.
    package var capabilities: ReadingCapabilities? {
        ReadingCapabilities(
            timeResolution: features.keepsTimes ? features.precision : nil, digests: features.hashes,
            ignoresCase: features.ignoresCase, allowsTwins: features.allowsTwins,
            refusal: WritableRclone.refusal(of: self), hasLastingName: address.isConfigured)
    }

    private let engine: LazyEngine
    private let mirror: ContentCache
    private let listing: Listing

    fileprivate struct Listing {
        var folders: [RemotePath: FolderContents] = [:]
        var digests: [RemotePath: String] = [:]
        var lacksFolderTimes = false
        let begun = FileTime.now
        /// A name that no other listing has.
        let name = RandomName.make()

        /// A value that changes with the key of an encrypted remote: after another encryption, its files have the same
        /// sizes and times.
        var era: String {
            let salt = RemoteLayout.saltPath
            guard let entry = folders[salt.parent]?.listing[RemoteLayout.salt] else { return "" }
            return "\(entry.size) \(entry.modified.seconds).\(entry.modified.nanoseconds)"
        }
    }

    /// Lists all folders.
    /// - Throws: the error if the folder itself cannot be listed; errors of folders in it come when they are listed.
    package init(_ address: RcloneAddress, _ engine: RcloneEngine) throws(FileProblem) {
        self.address = address
        self.engine = LazyEngine(engine)
        root = address.root
        features = try engine.features(of: address)
        mirror = try ContentCache()
        var listing = try Self.list(address, engine, withDigests: features.hasReadyHashes)
        if features.isBucket || listing.lacksFolderTimes { listing.timeFolders(all: features.isBucket) }
        self.listing = listing
    }

    /// A remote that was listed before; rclone is started only if a file must be fetched.
    init(_ address: RcloneAddress, _ listing: RcloneListing) throws(FileProblem) {
        self.address = address
        engine = LazyEngine(nil)
        root = address.root
        features = .unknown
        mirror = try ContentCache()
        var listed = Listing(listing, root: address.root)
        if listed.lacksFolderTimes { listed.timeFolders(all: false) }
        self.listing = listed
    }

    // MARK: Listing

    private static func list(
        _ address: RcloneAddress, _ engine: RcloneEngine, withDigests: Bool
    ) throws(FileProblem) -> Listing {
        if let whole = try engine.list(address, withDigests: withDigests) {
            return Listing(whole, root: address.root)
        }
        // A folder could not be listed: listed one by one, each folder has its own error.
        var found = Listing()
        var level = [RemotePath.root]
        for depth in 0...RemoteScanner.deepestFolder where !level.isEmpty {
            let results = ParallelWork.results(below: level.count, workers: RcloneEngine.transfers) {
                [level] (number) throws(FileProblem) in
                try engine.listOnly(level[number], of: address, withDigests: withDigests)
            }
            var next: [RemotePath] = []
            for (folder, result) in zip(level, results) {
                switch result {
                case .success(let listing):
                    let contents = Listing(listing, root: address.root)
                    found.folders[folder] = contents.folders[folder]
                    found.digests.merge(contents.digests) { $1 }
                    if contents.lacksFolderTimes { found.lacksFolderTimes = true }
                    next += listing[folder].filter { $0.kind == .folder }.map { folder.appending($0.name) }
                case .failure(let problem):
                    if depth == 0 { throw problem }
                    found.folders[folder] = FolderContents(problems: [problem])
                }
            }
            level = next
        }
        return found
    }

    /// The entries of a folder, as they were listed at the beginning.
    package func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        guard let contents = listing.folders[folder] else { throw absent(folder) }
        if contents.listing.isEmpty, let problem = contents.problems.first { throw problem }
        return contents
    }

    /// Kind, size and time, as they were listed at the beginning. No listing contains the time of the root: the latest
    /// time of its entries replaces it.
    package func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        guard let name = path.last else {
            let latest = listing.folders[.root]?.listing.map(\.modified).max()
            return FileStatus(kind: .folder, size: 0, modified: latest ?? FileTime(seconds: 0))
        }
        guard let entry = try list(path.parent).listing[name] else { throw absent(path) }
        return FileStatus(kind: entry.kind, size: entry.size, modified: entry.modified)
    }

    /// This remote with a new listing.
    package func listedAgain() throws(FileProblem) -> any RemoteStorage {
        try RcloneStorage(address, engine.get())
    }

    /// The reason why the listing lacks an entry: the recorded error of it, or of a folder above it; otherwise it does
    /// not exist.
    private func absent(_ path: RemotePath) -> FileProblem {
        var above = path
        while !above.names.isEmpty {
            let place = above.filePath(under: root)
            for folder in [above, above.parent, .root] {
                let problems = listing.folders[folder]?.problems ?? []
                if let problem = problems.first(where: { $0.path == place }) { return problem }
            }
            above = above.parent
        }
        return FileProblem(.noSuchFileOrDirectory, path: path.filePath(under: root))
    }

    // MARK: Reading

    /// The seconds before the listing within which a changed file may be changed again without a different time. A copy
    /// of such a file is used only by this command.
    private static let recent: Int64 = 3
    /// The size above which files are fetched with rclone's own functions: several pieces at a time, with the digest
    /// checked.
    private static let large = 8 << 20

    /// All bytes of a file.
    package func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        let bytes = try readPrivately(file, limit: limit)
        let count = bytes.memory.count
        return bytes.shared(0..<count)
    }

    /// All bytes of a file, in memory that may be changed.
    package func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        try limit.check(try plain(file).size, file.filePath(under: root))
        return try fetched(file).privateBytes()
    }

    /// A part of a file. For a large file that is not in the cache, only this part is fetched, and only its head is
    /// kept.
    package func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let plain = try plain(file)
        if plain.size == 0 { return try fetched(file).bytes(in: 0..<0) }
        let range = range.clamped(to: 0..<Int(plain.size))
        if range.isEmpty { return SharedBytes([]) }
        if !plain.isSmall, RcloneEngine.servesRanges(of: file, in: address),
            try mirror.open(place(plain), size: plain.size) == nil
        {
            let head = RemoteFile(path: file, size: Int64(range.upperBound), modified: plain.modified)
            guard range.lowerBound == 0, head.isSmall else {
                return SharedBytes(try get(plain, range: Int64(range.lowerBound)..<Int64(range.upperBound)))
            }
            let place = place(head, version: "head ")
            if let copy = try mirror.open(place, size: head.size) { return try copy.bytes(in: range) }
            return try mirror.add(place, try get(plain, range: 0..<head.size)).bytes(in: range)
        }
        return try fetched(file).bytes(in: range)
    }

    /// Opens the copy of a file.
    package func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile {
        MirroredFile(try fetched(file), path: file.filePath(under: root), status: try status(of: file))
    }

    /// Fetches many files at a time into the cache, as far as it has space; errors come when they are read.
    package func prepareToRead(_ files: () -> [RemoteFile]) {
        var room = mirror.bound
        let wanted = files().filter { file in
            room = room -| file.size
            return room >= 0
        }
        ParallelWork.forEach(below: wanted.count, workers: RcloneEngine.transfers) { number in
            let file = wanted[number]
            // try?: the read reports the error
            if let has = try? mirror.has(place(file), size: file.size), has { return }
            _ = try? fetched(file.path)  // try?: as above
        }
    }

    private func plain(_ file: RemotePath) throws(FileProblem) -> RemoteFile {
        let status = try status(of: file)
        guard status.kind == .file else { throw .notRegular(status.kind, path: file.filePath(under: root)) }
        return RemoteFile(path: file, size: status.size, modified: status.modified)
    }

    /// - Parameter version: "head " for the copy of a part at the beginning, which has the size of the part.
    private func place(_ file: RemoteFile, version: String = "") -> FilePath {
        if let digest = listing.digests[file.path] {
            return mirror.place(file, version: version + digest, of: address)
        }
        let isRecent = file.modified >= listing.begun.adding(seconds: -Self.recent)
        return mirror.place(
            file, version: version + listing.era + (isRecent ? listing.name : ""), of: address)
    }

    private func fetched(_ path: RemotePath) throws(FileProblem) -> MirrorCopy {
        let file = try plain(path)
        let place = place(file)
        if let copy = try mirror.open(place, size: file.size) { return copy }
        // An answer of HTTP without bytes does not show whether the file has any; rclone's own copy does.
        if file.size > Self.large || file.size == 0 || !RcloneEngine.servesRanges(of: path, in: address) {
            return try mirror.add(place, size: file.size) { (new) throws(FileProblem) in
                let engine = try engine.get()
                try engine.repeating { () throws(FileProblem) in try engine.copy(file, of: address, to: new) }
                let copy = try FileStatus.of(new)
                guard copy.size == file.size else { throw try difference(file, "\(copy.size) bytes") }
            }
        }
        return try mirror.add(place, try get(file, range: nil))
    }

    /// The error for a file that differs from the listing: it has changed in the meantime, or the storage gives wrong
    /// information. That is not a temporary state, and the file counts as unreadable.
    private func difference(_ file: RemoteFile, _ found: String) throws(FileProblem) -> FileProblem {
        let path = file.path.filePath(under: root)
        let now = try engine.get().status(of: file.path, in: address)
        guard let now, now.kind == .file, now.size == file.size, now.modified == file.modified else {
            return RangeReader.changed(path)
        }
        return FileProblem(
            .unreadable, path: path, "the storage sends something else than it lists",
            expected: listing.digests[file.path].map { "\(file.size) bytes with \($0)" }
                ?? "\(file.size) bytes",
            found: found,
            advice: "The server, or what lies before it, is wrong; compare with: rclone lsl, rclone copyto")
    }

    /// The bytes of a range, which must be in the file; nil for all. Without a range, an answer that is longer or
    /// shorter than the listed size is an error. An interrupted transfer is tried again, but only once if it ends at
    /// the same position.
    private func get(_ file: RemoteFile, range: Range<Int64>?) throws(FileProblem) -> [UInt8] {
        let count = range?.count ?? Int(file.size)
        if count == 0 { return [] }
        var bytes: [UInt8] = []
        var end: Int?
        let engine = try engine.get()
        let modified = try engine.repeating { () throws(FileProblem) in
            bytes = []
            do throws(FileProblem) {
                return try engine.read(file.path, in: address, range: range) { piece in
                    bytes += piece
                    return bytes.count <= count
                }
            } catch {
                guard error.problem == RcloneEngine.cut else { throw error }
                // Rclone omits the end of a longer answer, or everything.
                guard end == bytes.count || bytes.count > count else { end = bytes.count; throw error }
                let isShort = 0 < bytes.count && bytes.count < count
                throw try difference(file, isShort ? "\(bytes.count) bytes" : "another number of bytes")
            }
        }
        // The answer has whole seconds.
        let isOther = features.keepsTimes && modified.map { $0.seconds != file.modified.seconds } ?? false
        guard bytes.count == count, !isOther else {
            throw try difference(
                file, isOther ? "another time, \(modified?.iso ?? "")" : "\(bytes.count) bytes")
        }
        if range == nil, let digest = listing.digests[file.path]?.split(separator: " "),
            let own = StorageDigest(rawValue: String(digest[0]))?.hash(bytes)
        {
            let isSame = digest.count == 2 && digest[1].lowercased() == hexadecimalDigits(of: own)
            guard isSame else { throw try difference(file, hexadecimalDigits(of: own)) }
        }
        return bytes
    }
}

extension RcloneStorage.Listing {
    /// Sets the times of folders. Folders of buckets have no times, and those of other storages only if they give them:
    /// the latest time of their files replaces it; for a folder without files it is unknown.
    fileprivate mutating func timeFolders(all: Bool) {
        let latest = folders.compactMapValues { contents in
            contents.listing.filter { $0.kind == .file }.map(\.modified).max()
        }
        for (folder, contents) in folders {
            let entries = contents.listing.map { entry in
                guard entry.kind == .folder, all || entry.modified.isOfNothing else { return entry }
                let time = latest[folder.appending(entry.name)]
                let other = entry.modified.isOfNothing ? FileTime(seconds: 0) : entry.modified
                return FolderEntry(name: entry.name, kind: .folder, size: 0, modified: time ?? other)
            }
            folders[folder]?.listing = FolderListing(entries)
        }
    }

    fileprivate init(_ listing: RcloneListing, root: FilePath) {
        digests = listing.digests
        lacksFolderTimes = listing.lacksFolderTimes
        for (folder, entries) in listing.folders {
            var contents = FolderContents(listing: entries)
            for name in entries.repeatedNames {
                contents.problems.append(
                    FileProblem(
                        .ambiguous, path: folder.appending(name).filePath(under: root),
                        "the storage has several files of this name",
                        advice: "Remove all but one: rclone dedupe"))
            }
            folders[folder] = contents
        }
        for problem in listing.problems {
            folders[listing.start, default: FolderContents()].problems.append(problem)
        }
    }
}

/// A copy in the cache under the name of its original.
private final class MirroredFile: ReadableFile {
    let path: FilePath
    private let copy: MirrorCopy
    private let original: FileStatus

    init(_ copy: MirrorCopy, path: FilePath, status: FileStatus) {
        self.copy = copy
        self.path = path
        original = status
    }

    func status() throws(FileProblem) -> FileStatus { original }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        try copy.read(into: buffer, at: offset)
    }
}

extension RcloneStorage {
    /// The remote at `named`: the folder itself, or the only remote among its subfolders. Other folders are not listed
    /// as a whole: a storage can be large.
    /// - Throws: `.ambiguous` if several subfolders are remotes, `.notARemote` if none is.
    package static func find(_ named: RcloneAddress, _ engine: RcloneEngine) throws(FileProblem)
        -> RcloneStorage
    {
        try RcloneStorage(place(named, engine), engine)
    }

    /// The entries of one folder of a storage, which need not be a remote.
    package static func entries(
        of folder: RcloneAddress, _ engine: RcloneEngine
    ) throws(FileProblem) -> FolderListing {
        try engine.listOnly(.root, of: folder, withDigests: false)[.root]
    }

    /// The address of the folder that was found.
    static func place(_ named: RcloneAddress, _ engine: RcloneEngine) throws(FileProblem) -> RcloneAddress {
        func contents(_ folder: RemotePath) throws(FileProblem) -> FolderListing {
            try engine.listOnly(folder, of: named, withDigests: false)[folder]
        }
        let found = try RemoteLocation.find(in: named.root, contents(.root), contents)
        return found.names.reduce(named) { $0.appending($1.text) }
    }
}

/// The rclone of a storage, which starts when it is needed.
private final class LazyEngine: Sendable {
    private let started: Mutex<RcloneEngine?>

    init(_ engine: RcloneEngine?) { started = Mutex(engine) }

    func get() throws(FileProblem) -> RcloneEngine {
        if let engine = started.withLock(\.self) { return engine }
        let engine = try RcloneEngine.running()
        started.withLock { $0 = engine }
        return engine
    }
}
