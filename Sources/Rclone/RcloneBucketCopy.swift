import Synchronization
package import SystemCalls
package import SystemPackage
package import TICDSCore
import TICDSOperations

/// Puts a copy of a remote into a bucket. A bucket moves nothing, so each file is uploaded to its place, on the
/// condition that nothing is there (`If-None-Match: *`), which the server itself checks. The files appear one by one:
/// first the files of documents, then their descriptions, then the clients, without which there is no remote. The
/// remains of an interrupted copy are files that the next one would upload; it continues from there.
package struct RcloneBucketCopy: Sendable {
    private let target: RcloneTarget
    private let tree: RemoteTree

    private var engine: RcloneEngine { target.engine }
    private var address: RcloneAddress { target.address }

    /// - Parameter tree: the tree that is copied.
    /// - Throws: `.refused` if the bucket cannot store it, or has a different content.
    package init(_ tree: RemoteTree, to target: RcloneTarget) throws(FileProblem) {
        self.tree = tree
        self.target = target
        try Self.check(target)
        try checkNames()
        _ = try missing()
    }

    /// Refuses a bucket without times, or without conditions.
    static func check(_ target: RcloneTarget) throws(FileProblem) {
        guard target.features.keepsTimes else {
            throw FileProblem(
                .refused, path: target.address.root,
                "this storage keeps no modification times, on which the order of change sets rests",
                advice: "Copy to a storage that keeps them; ticds-remotes(7) lists some")
        }
    }

    private func checkNames() throws(FileProblem) {
        for (folder, listing) in tree.folders {
            for entry in listing where !entry.name.isUTF8 {
                throw .unrepresentable(folder.appending(entry.name).filePath(under: address.root))
            }
            guard listing.isEmpty, !target.features.holdsEmptyFolders else { continue }
            throw FileProblem(
                .refused, path: folder.filePath(under: address.root),
                "this storage has no empty folders, which clients expect",
                advice:
                    "Set directory_markers = true for the storage: rclone config update NAME directory_markers true"
            )
        }
    }

    // MARK: Comparison

    /// The missing entries.
    /// - Throws: `.refused` if an entry exists that does not belong to this copy.
    private func missing() throws(FileProblem) -> (files: [RemoteFile], folders: [RemotePath]) {
        var there: [RemotePath: FolderListing] = [:]
        let top = try RcloneTarget.entriesIfPresent(address, engine)
        if top != nil {
            guard let listing = try engine.list(address, withDigests: false) else {
                throw FileProblem(.unreadable, path: address.root, "cannot be listed as a whole")
            }
            if let problem = listing.problems.first { throw problem }
            there = listing.folders.mapValues { FolderListing($0) }
        }
        for (folder, listing) in there {
            for entry in listing {
                let path = folder.appending(entry.name)
                guard let mine = try tree[path].whole, mine.kind == entry.kind,
                    mine.kind == .folder || mine.size == entry.size && isTime(entry.modified, of: mine)
                else {
                    throw FileProblem(
                        .refused, path: path.filePath(under: address.root),
                        "there is something else of that name already",
                        advice:
                            "Name another place. If it is what an interrupted copy of an earlier state left: rclone purge"
                    )
                }
            }
        }
        var files: [RemoteFile] = []
        tree.forEachFile(below: .root) { file in
            let name = file.path.last ?? RemoteName("")
            if there[file.path.parent]?[name] == nil { files.append(file) }
        }
        let folders = tree.folders.filter { folder, listing in
            guard let name = folder.last, listing.isEmpty else { return false }
            return there[folder.parent]?[name] == nil
        }.map(\.key)
        return (files, folders)
    }

    private func isTime(_ time: FileTime, of entry: FolderEntry) -> Bool {
        time.isRounding(of: entry.modified, to: target.features.precision)
    }

    // MARK: Upload

    /// The order in which files appear.
    private enum Stage: CaseIterable {
        case others, documents, descriptions, clients

        init(_ path: RemotePath) {
            switch path.names.first {
            case RemoteLayout.clientDevices: self = .clients
            case RemoteLayout.documents:
                self =
                    path.names.count == 3 && path.names[2] == RemoteLayout.documentInfo
                    ? .descriptions : .documents
            default: self = .others
            }
        }
    }

    /// Uploads the missing files, then lists and reads everything again.
    /// - Parameters:
    ///   - local: the local folder with the tree, which no other process changes.
    ///   - progress: called with the number of uploaded files and the total.
    /// - Throws: `.interrupted` if `isInterrupted` says so. Uploaded files stay, and the next copy continues.
    package func run(
        from local: FilePath, isInterrupted: @escaping @Sendable () -> Bool,
        _ progress: @escaping @Sendable (Int, Int) -> Void
    ) throws(FileProblem) {
        try checkConditions()
        let (files, folders) = try missing()
        let total = files.count
        let done = Atomic<Int>(0)
        for stage in Stage.allCases {
            let folders = folders.filter { Stage($0) == stage }
            try each(folders, isInterrupted) { (folder) throws(FileProblem) in
                try engine.makeFolder(RclonePlace(address: address, path: folder).folder)
            }
            let files = files.filter { Stage($0.path) == stage }
            try each(files, isInterrupted) { (file) throws(FileProblem) in
                try upload(file, from: local)
                progress(done.wrappingAdd(1, ordering: .relaxed).newValue, total)
            }
        }
        try compare(with: local, isInterrupted)
    }

    private func upload(_ file: RemoteFile, from local: FilePath) throws(FileProblem) {
        let place = RclonePlace(address: address, path: file.path)
        do throws(FileProblem) {
            try engine.uploadIfAbsent(file.path.filePath(under: local), to: place)
        } catch {
            // An answer was lost, and the second attempt finds the file of the first one. `compare` reads it.
            guard let its = try engine.status(of: place), its.kind == .file, its.size == file.size,
                its.modified.isRounding(of: file.modified, to: target.features.precision)
            else { throw error }
        }
    }

    /// Uploads two files to one place, beside the new copy: the server must refuse the second one.
    private func checkConditions() throws(FileProblem) {
        guard let parent = address.parent, !parent.path.isEmpty else {
            throw FileProblem(
                .refused, path: address.root, "a copy needs a folder of its own",
                expected: "rclone:NAME:BUCKET/FOLDER", advice: "Name a folder in the bucket")
        }
        let folder = parent.appending(".ticds-" + RandomName.make())
        let place = RclonePlace(address: folder, path: [RemoteName("probe")])
        let local = try TemporaryFolder()
        let (first, second) = (local.path.appending("first"), local.path.appending("second"))
        try NewFile.write(Array("one".utf8), to: first)
        try NewFile.write(Array("two and more".utf8), to: second)
        try engine.uploadIfAbsent(first, to: place)
        var answer: FileProblem?
        do throws(FileProblem) {
            try engine.uploadIfAbsent(second, to: place)
        } catch {
            answer = error
        }
        let size = try engine.status(of: place)?.size
        try engine.removeFolder(RclonePlace(address: parent, path: [RemoteName(folder.name)]))
        // Any other error proves nothing.
        if let answer, answer.kind != .refused { throw answer }
        guard answer != nil, size == 3 else {
            throw FileProblem(
                .refused, path: address.root,
                "this storage replaces files even if it is asked not to, so a copy could damage another one",
                expected: "an answer to If-None-Match", advice: "Copy to another storage, or to this machine")
        }
    }

    // MARK: Afterwards

    /// Lists everything again, and reads every byte.
    private func compare(
        with local: FilePath, _ isInterrupted: @escaping @Sendable () -> Bool
    ) throws(FileProblem) {
        let (files, folders) = try missing()
        if let path = files.first?.path ?? folders.first {
            throw FileProblem(
                .writeFailed, path: path.filePath(under: address.root),
                "what was uploaded is not there", advice: "Run the command again to continue")
        }
        var all: [RemoteFile] = []
        tree.forEachFile(below: .root) { all.append($0) }
        try each(all, isInterrupted) { (file) throws(FileProblem) in
            let digest = try FileHasher.digest(of: OwnedDescriptor.file(file.path.filePath(under: local)))
            let place = RclonePlace(address: address, path: file.path)
            guard try engine.digest(of: place, size: file.size) == digest else {
                throw FileProblem(
                    .writeFailed, path: file.path.filePath(under: address.root),
                    "what arrived is not what was uploaded", expected: "the same bytes",
                    advice: "Look at the file, remove it with rclone deletefile, and run the command again")
            }
        }
    }

    /// Processes many items at a time, until the first error.
    private func each<Item: Sendable>(
        _ items: [Item], _ isInterrupted: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (Item) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let root = address.root
        try ParallelWork.tryForEach(below: items.count, workers: RcloneEngine.transfers) {
            (number) throws(FileProblem) in
            if isInterrupted() {
                throw FileProblem(
                    .interrupted, path: root, "interrupted; what was uploaded stays there",
                    advice: "Run the command again to continue, or remove it with rclone purge")
            }
            try body(items[number])
        }
    }
}
