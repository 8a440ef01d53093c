import Base
import Mounting
import SystemCalls
import SystemPackage
import TICDSCore

/// `raw` and the folders below: the files of the remote as they are, decrypted.
struct RawFolder: VirtualFolder {
    let remote: MountedRemote
    let path: RemotePath

    var modified: FileTime {
        // try?: the time of a folder that cannot be listed does not matter
        let entry = path.last.flatMap { name in
            (try? remote.now())?.snapshot.tree.listing(path.parent).part[name]  // try?: as above
        }
        if let entry { return entry.modified }
        // try?: as above
        let top = (try? remote.now())?.snapshot.tree.listing(path).part ?? FolderListing()
        return top.indices.map { top.modified(at: $0) }.max() ?? FileTime(seconds: 0)
    }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        guard moment.snapshot.tree.folders[path] != nil else {
            if let gap = moment.snapshot.gap(at: path) { throw gap }
            throw FileProblem(.noSuchFileOrDirectory, path: path.filePath(under: moment.storage.root))
        }
        return moment.folder(path, remote)
    }

    /// The entries of a folder under names that every file system can show.
    static func listing(_ path: RemotePath, at moment: RemoteMoment, _ remote: MountedRemote)
        -> VirtualListing
    {
        let entries = moment.snapshot.tree.listing(path).part
        var names = VirtualNames()
        var shown: [String?] = entries.indices.map { position in
            let name = entries.withName(at: position) { Array($0) }
            let text = String(decoding: name, as: UTF8.self)
            // A name that needs no escape stays as it is.
            guard RemoteName(name).isSafe, name.count <= VirtualNames.longest, escapedName(name) == text,
                !text.contains("\\")
            else { return nil }
            names.reserve(text)
            return text
        }
        for position in shown.indices where shown[position] == nil {
            let name = entries[position].name
            shown[position] = names.next(escapedName(name.bytes), or: String(position))
        }
        return VirtualListing(
            shown.map { $0 ?? "_" }, problem: moment.snapshot.gap(inNamesOf: path),
            isFolder: { entries.kind(at: $0) == .folder }
        ) { position in
            let entry = entries[position]
            let place = path.appending(entry.name)
            if entry.kind == .folder { return .folder(RawFolder(remote: remote, path: place)) }
            return .file(RawFile(remote: remote, path: place, entry: entry))
        }
    }
}

/// A file of the remote, decrypted if clients encrypt it.
private struct RawFile: VirtualFile {
    let remote: MountedRemote
    let path: RemotePath
    let entry: FolderEntry

    var modified: FileTime { entry.modified }

    /// Larger files are not read into memory.
    private static let memory: Int64 = 4 << 20
    /// The limit for files that were not larger a moment ago.
    private static let small = ReadLimit(16 << 20, "file that was small a moment ago")

    var knownSize: Int64? {
        !remote.keyring.isEncrypted || isNeverEncrypted ? entry.size : nil
    }

    private var isNeverEncrypted: Bool {
        [.readMe, .salt, .integrityKey, .recentSync, .register].contains(FileRole(of: path, kind: .file))
    }

    func open() throws(FileProblem) -> any VirtualContent {
        let storage = try remote.now().storage
        let place = path.filePath(under: storage.root)
        guard entry.kind == .file else {
            throw FileProblem(
                .unreadable, path: place, "is no plain file, and is not followed",
                advice: "Look at it in the remote itself")
        }
        if knownSize == nil {
            let head = try storage.head(path, count: PlainSignature.headSize)
            if remote.keyring.needsDecryption(head) {
                do throws(FileProblem) {
                    return try decrypted(storage)
                } catch {
                    // A file that clients do not know need not be encrypted.
                    guard FileRole(of: path, kind: .file) == .unknown, !error.isUnread else { throw error }
                }
            }
        }
        let file = try storage.open(path)
        let status = try file.statusAtOpening()
        if status.size > Self.memory { return RawContent(file: file, status: status) }
        return try storage.read(path, limit: Self.small)
    }

    private func decrypted(_ storage: any RemoteStorage) throws(FileProblem) -> any VirtualContent {
        let key = ContentCache.Key(path: path, size: entry.size, modified: entry.modified, form: 2)
        if entry.size <= Self.memory {
            return try remote.contents.content(key) { () throws(FileProblem) in
                try remote.keyring.read(storage, path, limit: Self.small)
            }
        }
        var hasher = Hasher()
        hasher.combine(key)
        let name = StateCache.Key(kind: .raw, path: path, fingerprint: hasher.finalize())
        return try remote.states.get(name) { () throws(FileProblem) in
            try DiskContent { (output) throws(FileProblem) in
                try remote.keyring.decryptPrivately(RangeReader(storage, path)) {
                    (bytes) throws(FileProblem) in
                    try output.write(bytes)
                }
            }
        }
    }
}

/// A large file of the remote, which is refused as soon as another program changes it.
private struct RawContent: VirtualContent {
    let file: any ReadableFile
    let status: FileStatus

    var size: Int64 { status.size }

    func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let range = range.clamped(to: 0..<Int(size))
        let bytes = try PrivateBytes(count: range.count, path: file.path)
        let count = try file.read(into: bytes.memory, at: range.lowerBound)
        guard try file.status() == status else { throw .changing(file.path) }
        return bytes.shared(0..<count)
    }
}

/// A content in a file without a name.
final class DiskContent: VirtualContent, KeptOnDisk {
    let size: Int64
    private let file: UnnamedFile
    private let open: LocalFile

    /// The content that `write` writes.
    init(_ write: (PrivateFile) throws(FileProblem) -> Void) throws(FileProblem) {
        file = try UnnamedFile()
        try PrivateFile.write(file.path, write)
        open = LocalFile(try OwnedDescriptor.file(file.path))
        size = try open.status().size
    }

    func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let range = range.clamped(to: 0..<Int(size))
        let bytes = try PrivateBytes(count: range.count, path: open.path)
        let count = try open.read(into: bytes.memory, at: range.lowerBound)
        return bytes.shared(0..<count)
    }
}
