public import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A remote in an archive, for reading only. Its entries and their times are those of the manifest; their contents are
/// read when they are needed, into private files of limited size, and compared with the manifest before they are used.
/// In an archive without a manifest, the members themselves are the list.
public final class ArchiveStorage: RemoteStorage {
    /// The remote in the archive: the path of the archive, and the application identifier.
    public let root: FilePath
    /// The archive.
    public let archive: FilePath
    /// The number of threads that may read at once.
    public let workers: Int
    /// The part of a remote that the archive contains; everything if it has no manifest.
    public let scope: ArchiveScope
    /// Whether the archive has a manifest.
    public let hasManifest: Bool

    private let tree: ArchiveTree
    private let passes: ArchivePasses

    /// Opens an archive, and reads its manifest, or all of an archive without one.
    /// - Parameters:
    ///   - named: the archive, or a link to it.
    ///   - inside: the remote in the archive, or a folder around it; needed in an archive with several remotes.
    ///   - workers: the number of threads that may read at once, at least 1.
    /// - Throws: `.notARemote` for an archive without a remote; `.damaged`, `.refused`, `.unsupported` for one that is
    ///   damaged, hostile, or no archive.
    public convenience init(
        _ named: FilePath, inside: RemotePath = .root, workers: Int = Cores.count
    ) throws(FileProblem) {
        try self.init(named, inside: inside, workers: workers, spoolBound: nil)
    }

    /// - Parameter spoolBound: the bytes that are kept of what was read; nil for the usual number.
    init(
        _ named: FilePath, inside: RemotePath = .root, workers: Int, spoolBound: Int64?
    ) throws(FileProblem) {
        var open = try OpenArchive(named)
        archive = named
        self.workers = workers
        let reader = try open.reader()
        let first = try reader.next()
        let index: ManifestIndex? =
            if let first { try ManifestIndex.read(first, reader, path: named) } else { nil }
        hasManifest = index != nil
        open.hasManifest = hasManifest
        var chain: ArchiveChain?
        if let manifest = index?.manifest {
            guard manifest.application.isSafe else {
                throw .damagedArchive(
                    named, expected: "an application identifier", found: "\(manifest.application)")
            }
            open.prefix = [manifest.application]
            root = RemotePath(open.prefix).filePath(under: named)
            scope = manifest.scope
            tree = try ArchiveTree(
                manifest.entries.sortedByPath(), leftOut: manifest.leftOut, root: root, archive: named)
            if !manifest.bases.isEmpty { chain = try ArchiveChain(manifest, of: .file(named)) }
            guard inside.names.isEmpty || inside.names == open.prefix else {
                guard inside.names.starts(with: open.prefix) else {
                    throw FileProblem(.noSuchFileOrDirectory, path: inside.filePath(under: named))
                }
                _ = try tree.status(of: RemotePath(Array(inside.names.dropFirst(open.prefix.count))))
                throw Self.noRemote(named, inside)
            }
            guard RemoteLocation.isRemote(try tree.list(.root).listing) else { throw Self.noRemote(named) }
        } else {
            let (members, unknown) = try open.members(limit: UnpackLimits().entries)
            let place = try Self.remote(in: members, inside, named)
            if let member = unknown.first(where: { $0.path.names.starts(with: place.names) }) {
                throw member.problem
            }
            open.prefix = place.names
            root = place.filePath(under: named)
            scope = ArchiveScope()
            tree = try ArchiveTree(Self.below(place, members), root: root, archive: named)
        }
        passes = ArchivePasses(
            tree, of: open, chain, baseCount: index?.manifest.bases.count ?? 0,
            reader: hasManifest ? reader : nil, spoolBound: spoolBound)
    }

    /// The remote among the members of an archive that another program made: the folder itself, or the only one below it.
    private static func remote(
        in members: BackupEntries, _ inside: RemotePath, _ archive: FilePath
    ) throws(FileProblem) -> RemotePath {
        let all = try ArchiveTree(members, root: archive, archive: archive)
        guard try all.status(of: inside).kind == .folder else { throw noRemote(archive, inside) }
        func entries(_ folder: RemotePath) throws(FileProblem) -> FolderListing {
            try all.list(RemotePath(inside.names + folder.names)).listing
        }
        do throws(FileProblem) {
            let found = try RemoteLocation.find(
                in: inside.filePath(under: archive), entries(.root), entries)
            return RemotePath(inside.names + found.names)
        } catch {
            guard error.kind == .notARemote else { throw error }
        }
        let remotes = try RemoteLocation.remotes(below: .root, entries).map {
            RemotePath(inside.names + $0.names)
        }
        guard let only = remotes.first else { throw noRemote(archive, inside) }
        guard remotes.count > 1 else { return only }
        throw FileProblem(
            .ambiguous, path: archive, "contains several remotes", expected: "one remote",
            found: remotes.map(\.description).listed(10),
            advice: "Name one of them: \(ShellWord.quoted(only.filePath(under: archive)))")
    }

    private static func below(_ place: RemotePath, _ members: BackupEntries) -> BackupEntries {
        BackupEntries(
            members.lazy.filter { $0.path.names.starts(with: place.names) }.map { member in
                var entry = member
                entry.path = RemotePath(Array(member.path.names.dropFirst(place.names.count)))
                if entry.role == .unknown { entry.role = FileRole(of: entry.path, kind: .file) }
                return entry
            })
    }

    private static func noRemote(_ archive: FilePath, _ inside: RemotePath = .root) -> FileProblem {
        FileProblem(
            .notARemote, path: inside.filePath(under: archive),
            inside.names.isEmpty ? "there is no remote in the archive" : "is not a remote",
            expected: "a folder with ClientDevices and Documents in it",
            advice: "ticds-archive list shows what the archive contains")
    }

    /// The refusal of changes.
    public static func refusal(of archive: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: archive, "an archive is never changed",
            advice:
                "Import it first, and work on that remote: ticds-archive import \(ShellWord.quoted(archive))")
    }

    /// Times to the nanosecond, SHA-256, and no changes. Nothing about an archive is stored elsewhere.
    public var capabilities: ReadingCapabilities? {
        ReadingCapabilities(
            timeResolution: 1, digests: ["sha256"], ignoresCase: false, allowsTwins: false,
            refusal: Self.refusal(of: archive), hasLastingName: false)
    }

    /// The entries of a folder.
    public func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { try tree.list(folder) }

    /// Counts the sets of the listing.
    public func countSets(in folder: RemotePath) -> CountedSets? { tree.countSets(in: folder) }

    /// Kind, size and time of an entry.
    public func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try tree.status(of: path) }

    /// All bytes of a file.
    public func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        let bytes = try readPrivately(file, limit: limit)
        let count = bytes.memory.count
        return bytes.shared(0..<count)
    }

    /// All bytes of a file, in memory that may be changed.
    public func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        let path = file.filePath(under: root)
        let position = try tree.position(of: file)
        try limit.check(tree.entries.size(at: position), path)
        return try passes.bytes(of: position, path: path).privateBytes(path: path)
    }

    /// A part of a file. The whole file is unpacked and compared first.
    public func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let path = file.filePath(under: root)
        return try passes.bytes(of: tree.position(of: file), path: path).bytes(in: range, path: path)
    }

    /// Opens a file. Its bytes stay as long as it is open.
    public func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile {
        let path = file.filePath(under: root)
        let bytes = try passes.bytes(of: tree.position(of: file), path: path)
        return ArchivedFile(path: path, bytes: bytes, original: try status(of: file))
    }

    /// Announces files that will be read, so that one pass over the archive suffices for all.
    public func prepareToRead(_ files: () -> [RemoteFile]) {
        passes.announce(
            files().compactMap { file in
                // try?: the read reports the error
                guard let position = try? tree.position(of: file.path) else { return nil }
                return (position, tree.entries.size(at: position))
            })
    }
}

/// An open file of an archive.
private struct ArchivedFile: ReadableFile {
    let path: FilePath
    let bytes: SpooledBytes
    let original: FileStatus

    func status() throws(FileProblem) -> FileStatus { original }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        try bytes.read(into: buffer, at: offset)
    }
}
