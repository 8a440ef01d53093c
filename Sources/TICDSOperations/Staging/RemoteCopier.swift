import Base
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Copies a remote, or some entries of it, into a ``CopyFolder``, with all times. Entries that are already there with
/// the same bytes stay.
public struct RemoteCopier {
    private let tree: RemoteTree
    private let storage: any RemoteStorage
    private let place: CopyFolder
    private let choice: Choice
    private let progress: (Int64, Int64) -> Void
    private var written: [(path: RemotePath, digest: [UInt8])] = []
    private var done: Int64 = 0
    private var total: Int64 = 0

    /// - Parameters:
    ///   - tree: the tree of the remote that is copied.
    ///   - entries: the entries that are copied with everything below; nil for all.
    ///   - progress: called with the copied bytes and the total.
    public init(
        _ tree: RemoteTree, from storage: any RemoteStorage, to place: CopyFolder,
        only entries: [RemotePath]? = nil, progress: @escaping (Int64, Int64) -> Void
    ) {
        self.tree = tree
        self.storage = storage
        self.place = place
        self.progress = progress
        choice = Choice(entries)
    }

    /// - Throws: `.refused` before anything is copied if the volume cannot keep the time of a file;
    ///   `.changedWhileReading` if the remote changes during the copy. Copied entries stay for the next time.
    public mutating func copy() throws(FileProblem) {
        total = size(below: .root)
        // A part of a file, where an earlier copy ended.
        try PrivateDirectory.remove(CopyFolder.part, in: try place.open())
        try checkTimes()
        storage.prepareToRead {
            var files: [RemoteFile] = []
            tree.forEachFile(below: .root) { if choice.includes($0.path) { files.append($0) } }
            return files
        }
        try copyFolder(.root, to: try OwnedDescriptor.folder(place.tree), by: try place.open())
        let root = try storage.status(of: .root)
        try OwnedDescriptor.folder(place.tree).adopt(like: place.model)
        try OwnedDescriptor.folder(place.tree).syncVolume()
        try place.open().setTime(root.modified, of: "tree")
        try readAgain()
        try checkUnchanged()
    }

    /// Tests the times of all files on a file of its own.
    private func checkTimes() throws(FileProblem) {
        let probe = try TimeProbe(CopyFolder.part, in: try place.open())
        var last: FileTime?
        var problem: FileProblem?
        tree.forEachFile(below: .root) { file in
            guard problem == nil, file.modified != last, choice.includes(file.path) else { return }
            last = file.modified
            do throws(FileProblem) {
                guard let found = try probe.findsOther(than: file.modified) else { return }
                problem = FileProblem(
                    .refused, path: file.path.filePath(under: tree.root),
                    "the volume of the copy cannot keep the modification time of this file, which decides "
                        + "the order of changes",
                    expected: file.modified.iso, found: found,
                    advice:
                        "Copy to a volume that can, or make an archive with ticds-archive export, which keeps every time"
                )
            } catch {
                problem = error
            }
        }
        try probe.end()
        guard let problem else { return }
        // The copy cannot continue later.
        if problem.kind == .refused { try place.discard() }
        throw problem
    }

    private func size(below folder: RemotePath) -> Int64 {
        var sum: Int64 = 0
        tree.forEachFile(below: folder) { if choice.includes($0.path) { sum +|= $0.size } }
        return sum
    }

    private mutating func copyFolder(
        _ path: RemotePath, to: borrowing OwnedDescriptor, by around: borrowing OwnedDescriptor
    ) throws(FileProblem) {
        let from = storage.openFolder(path)
        let entries = try tree.listing(path).whole.filter { choice.includes(path.appending($0.name)) }
        let names = Set(entries.map(\.name.bytes))
        // No other process writes here; what an earlier copy left is known from one listing.
        var left: Set<[UInt8]> = []
        for name in try DirectoryReader.names(in: to) {
            if names.contains(name.bytes) {
                left.insert(name.bytes)
            } else {
                try PrivateDirectory.remove(name, in: to)
            }
        }
        for entry in entries {
            let name = FilePath(nameBytes: entry.name.bytes)
            var isThere = left.contains(entry.name.bytes)
            if isThere, try to.status(of: name).kind != entry.kind {
                try PrivateDirectory.remove(name, in: to)
                isThere = false
            }
            let inner = path.appending(entry.name)
            if entry.kind == .file {
                try copyFile(inner, entry, in: from, to: to, by: around, isThere: isThere)
                continue
            }
            if !isThere { try to.makeFolder(name, mode: 0o700) }
            let target = try to.folder(name)
            try copyFolder(inner, to: target, by: around)
            try target.adopt(like: place.model)
            try to.setTime(entry.modified, of: name)
        }
    }

    private mutating func copyFile(
        _ path: RemotePath, _ entry: FolderEntry, in folder: (any ReadableFolder)?,
        to: borrowing OwnedDescriptor, by around: borrowing OwnedDescriptor, isThere: Bool
    ) throws(FileProblem) {
        let name = FilePath(nameBytes: entry.name.bytes)
        let opened = folder?.open(entry.name)
        let file = if let opened { opened } else { try storage.open(path) }
        let before = try file.statusAtOpening()
        guard before.size == entry.size, before.modified == entry.modified else { throw changed(path) }
        let isDone = isThere ? try isKept(name, entry, file, in: to) : false
        if !isDone {
            let digest = try write(file, before, path, name, to, by: around)
            written.append((path, digest))
        }
        let named = folder?.status(of: entry.name)
        let after = if let named { named } else { try storage.status(of: path) }
        // The entry with the inode number of the open file is that file.
        let open = before.inode != 0 ? after : try file.status()
        guard open == before, after == before else { throw changed(path) }
        done +|= entry.size
        progress(done, total)
    }

    private mutating func write(
        _ file: any ReadableFile, _ status: FileStatus, _ path: RemotePath, _ name: FilePath,
        _ to: borrowing OwnedDescriptor, by around: borrowing OwnedDescriptor
    ) throws(FileProblem) -> [UInt8] {
        var output = try FileWriter(CopyFolder.part, in: around, mode: 0o600)
        var count: Int64 = 0
        let digest = try FileHasher.pump(file, atMost: status.size) { (piece) throws(FileProblem) in
            count += Int64(piece.count)
            if piece.isAllZero { output.skip(piece.count) } else { try output.append(piece) }
            progress(done + count, total)
        }
        guard count == status.size else { throw changed(path) }
        try output.adopt(
            owner: place.model.owner, group: place.model.group, mode: place.model.modeOfFiles)
        try output.finishUnsynced(modified: status.modified)
        try around.move(CopyFolder.part, to: to, as: name)
        return digest
    }

    /// Whether an earlier process copied the file; a different file is removed.
    private func isKept(
        _ name: FilePath, _ entry: FolderEntry, _ source: any ReadableFile,
        in folder: borrowing OwnedDescriptor
    ) throws(FileProblem) -> Bool {
        let there = LocalFile(try folder.file(name))
        let status = try there.status()
        if status.size == entry.size, status.modified == entry.modified,
            try there.hasSameBytes(as: source)
        {
            return true
        }
        try folder.remove(name)
        return false
    }

    private func readAgain() throws(FileProblem) {
        let copy = LocalStorage(root: place.tree)
        let written = written
        let starts = Array(stride(from: 0, to: written.count, by: 64))
        try ParallelWork.tryForEach(below: starts.count, workers: copy.workers) {
            (number) throws(FileProblem) in
            var folder = LatestFolder()
            for (path, digest) in written[starts[number]...].prefix(64) {
                try FileHasher.check(try folder.open(path, in: copy), reads: digest)
            }
        }
    }

    /// Checks that everything that was copied is still there and unchanged.
    private func checkUnchanged() throws(FileProblem) {
        let now = try RemoteScanner.scan(storage.listedAgain())
        var changed: RemotePath?
        tree.forEachFile(below: .root) { file in
            guard changed == nil, choice.includes(file.path) else { return }
            if now[file.path].part.map({ RemoteFile(path: file.path, $0) }) != file { changed = file.path }
        }
        if let changed { throw self.changed(changed) }
    }

    private func changed(_ path: RemotePath) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path.filePath(under: tree.root),
            "the file changed while the remote was copied",
            advice:
                "A client or a cloud service is writing it; run the same command again to continue"
        )
    }
}

/// The selection of entries that are copied.
private struct Choice {
    private let isAll: Bool
    private var chosen: Set<RemotePath> = []
    private var above: Set<RemotePath> = []

    init(_ entries: [RemotePath]?) {
        isAll = entries?.contains(.root) ?? true
        for entry in entries ?? [] {
            chosen.insert(entry)
            var folder = entry.parent
            while !folder.names.isEmpty, above.insert(folder).inserted { folder = folder.parent }
        }
    }

    /// Whether an entry, what is below it, or a folder around it is selected.
    func includes(_ path: RemotePath) -> Bool {
        isAll || above.contains(path) || path.lineage.contains(where: chosen.contains)
    }
}
