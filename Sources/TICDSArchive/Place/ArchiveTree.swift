import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// The folders of a remote in an archive, and the entries that an archive lacks because they were left out.
struct ArchiveTree: Sendable {
    /// The entries of the remote, sorted by path.
    let entries: BackupEntries
    private let root: FilePath
    private var folders: [RemotePath: FolderContents] = [.root: FolderContents()]
    private var modified = FileTime(seconds: 0)
    /// What the archive lacks, by its path.
    private var gaps: [RemotePath: FileProblem] = [:]

    /// - Parameters:
    ///   - entries: sorted by path, each path once.
    ///   - root: the remote in the archive, for errors.
    /// - Throws: `.damaged` for a file that is also a folder.
    init(
        _ entries: BackupEntries, leftOut: [ArchiveManifest.LeftOut] = [], root: FilePath, archive: FilePath
    ) throws(FileProblem) {
        self.entries = entries
        self.root = root
        for position in entries.indices { try add(entries[position], archive) }
        for folder in folders.keys { folders[folder]?.listing.sort() }
        for entry in leftOut { add(entry) }
    }

    private mutating func add(_ entry: BackupEntry, _ archive: FilePath) throws(FileProblem) {
        guard let name = entry.path.last else {
            guard entry.isFolder else { throw Self.twofold(entry.path, archive) }
            modified = entry.modified
            return
        }
        let parent = entry.path.parent
        if folders[parent] == nil { try addParents(of: entry, archive) }
        let isAdded = name.bytes.withUnsafeBytes { bytes in
            folders[parent]?.listing.append(name: bytes, entry.kind, entry.size, entry.modified) ?? false
        }
        guard isAdded else {
            throw FileProblem(
                .limit, path: archive, "contains more names than fit into memory", expected: "at most 4 GiB")
        }
        if entry.isFolder { folders[entry.path] = FolderContents() }
    }

    /// Adds the folders around an entry, since archives of other programs need not name them.
    private mutating func addParents(of entry: BackupEntry, _ archive: FilePath) throws(FileProblem) {
        for folder in entry.path.parent.lineage where folders[folder] == nil {
            guard let name = folder.last, entries.sortedPosition(of: folder) == nil else {
                throw Self.twofold(folder, archive)
            }
            _ = name.bytes.withUnsafeBytes { bytes in
                folders[folder.parent]?.listing.append(name: bytes, .folder, 0, entry.modified)
            }
            folders[folder] = FolderContents()
        }
    }

    private static func twofold(_ path: RemotePath, _ archive: FilePath) -> FileProblem {
        .damagedArchive(archive, expected: "a folder at \(path)", found: "a file")
    }

    /// An entry that was left out is a problem of the folder around it, or of itself if it is a folder.
    private mutating func add(_ leftOut: ArchiveManifest.LeftOut) {
        let problem = FileProblem(
            .unreadable, path: leftOut.path.filePath(under: root),
            "was left out when the archive was made", found: leftOut.problem,
            advice: "Look for it in the remote, or in another archive")
        gaps[leftOut.path] = problem
        let place = leftOut.path.lineage.reversed().first { folders[$0] != nil } ?? .root
        folders[place]?.problems.append(problem)
    }

    /// The entries of a folder.
    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        guard let contents = folders[folder] else { throw absent(folder) }
        if contents.listing.isEmpty, let problem = gaps[folder] { throw problem }
        return contents
    }

    /// The change sets of a folder; nil if it has other entries, or lacks one.
    func countSets(in folder: RemotePath) -> CountedSets? {
        guard let contents = folders[folder], contents.problems.isEmpty else { return nil }
        let listing = contents.listing
        var counted = CountedSets()
        for position in listing.indices {
            let status = FileStatus(
                kind: listing.kind(at: position), size: listing.size(at: position),
                modified: listing.modified(at: position))
            let isOrdinary = listing.withName(at: position) { name in
                CountedSets.isOrdinary(name) && counted.add(name, status)
            }
            guard isOrdinary else { return nil }
        }
        return counted
    }

    /// Kind, size and time of an entry.
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        guard let name = path.last else { return FileStatus(kind: .folder, size: 0, modified: modified) }
        guard let entry = folders[path.parent]?.listing[name] else { throw absent(path) }
        return FileStatus(kind: entry.kind, size: entry.size, modified: entry.modified)
    }

    /// The position of a file among the entries.
    func position(of file: RemotePath) throws(FileProblem) -> Int {
        guard let position = entries.sortedPosition(of: file) else {
            let status = try status(of: file)
            throw .notRegular(status.kind, path: file.filePath(under: root))
        }
        let kind = entries[position].kind
        guard kind == .file else { throw .notRegular(kind, path: file.filePath(under: root)) }
        return position
    }

    /// The reason why the archive lacks an entry: it, or a folder above it, was left out; otherwise it does not exist.
    private func absent(_ path: RemotePath) -> FileProblem {
        let gap = gaps.isEmpty ? nil : path.lineage.lazy.compactMap { gaps[$0] }.first
        return gap ?? FileProblem(.noSuchFileOrDirectory, path: path.filePath(under: root))
    }
}

extension BackupEntry {
    /// The kind of entry, which its role implies.
    var kind: FileKind {
        switch role {
        case .folder: .folder
        case .symbolicLink: .symbolicLink
        case .special: .special
        default: .file
        }
    }
}
