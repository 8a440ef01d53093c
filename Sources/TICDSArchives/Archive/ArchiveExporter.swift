import KeyedArchive
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Writes a remote, or a part of it, as one archive. The remote is only read.
public struct ArchiveExporter: Sendable {
    public struct Settings: Sendable {
        public var form: ArchiveForm
        public var level: Int
        public var threads: Int
        public var scope: ArchiveScope
        /// Name and version of the program, for the manifest.
        public var program: String

        public init(
            form: ArchiveForm, level: Int? = nil, threads: Int? = nil, scope: ArchiveScope = .init(),
            program: String
        ) {
            self.form = form
            self.level = level ?? form.standardLevel
            self.threads = threads ?? form.standardThreads
            self.scope = scope
            self.program = program
        }
    }

    /// What is going on, for a progress line.
    public enum Step: Sendable {
        /// Files read for their digests.
        case reading(files: Int, of: Int)
        /// Bytes of files written to the archive.
        case writing(bytes: Int64, of: Int64)
    }

    private let storage: any RemoteStorage
    private let vault: RemoteVault?
    private let settings: Settings
    private let progress: @Sendable (Step) -> Void

    /// - Parameter vault: for a plain archive of an encrypted remote; nil where files go in as they are.
    public init(
        _ storage: any RemoteStorage, decryptingWith vault: RemoteVault? = nil, _ settings: Settings,
        progress: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.storage = storage
        self.vault = vault
        self.settings = settings
        self.progress = progress
    }

    /// Lists the remote, reads what is to go into the archive, and writes it.
    /// - Parameters:
    ///   - descriptor: what takes the archive; nothing in it is to be believed when this throws.
    ///   - path: its name, for errors.
    ///   - avoiding: files that changed under earlier attempts, and are left out.
    ///   - listing: the remote as it was listed just before; nil where it is to be listed anew.
    /// - Returns: the manifest that the archive begins with.
    /// - Throws: `.changedWhileReading` where a file is no longer what the manifest says of it.
    public func write(
        to descriptor: FileDescriptor, path: FilePath, avoidingFiles avoiding: Set<FilePath> = [],
        listing: RemoteSnapshot? = nil
    ) throws(FileProblem) -> ArchiveManifest {
        let snapshot: RemoteSnapshot
        if let listing { snapshot = listing } else { snapshot = try RemoteSnapshot.take(storage) }
        let isDecrypting = vault != nil
        let selection = ExportSelection(settings.scope, of: snapshot, isDecrypting: isDecrypting)
        let list = ExportList(snapshot, selection, modified: try storage.status(of: .root).modified)
        let source = ExportSource(storage, snapshot, decryptingWith: vault)
        let isAvoided = { (entry: ArchivedEntry) in
            !avoiding.isEmpty && avoiding.contains(entry.path.filePath(under: storage.root))
        }
        let entries = list.entries.filter { !isAvoided($0) }
        let fileCount = entries.count { !$0.isFolder }
        var hasher = ExportHasher(source: source)
        hasher.progress = { [progress] in progress(.reading(files: $0, of: fileCount)) }
        var hashed = hasher.hash(entries)
        var manifest = ArchiveManifest(
            program: settings.program, application: snapshot.applicationIdentifier,
            isEncrypted: snapshot.isEncrypted && !isDecrypting,
            wasDecrypted: snapshot.isEncrypted && isDecrypting, scope: settings.scope,
            leftOut: list.leftOut, entries: [])
        var files: [HashedFile?] = []
        for entry in list.entries where isAvoided(entry) {
            manifest.leftOut.append(.init(path: entry.path, problem: "changed while it was read"))
        }
        manifest.entries.reserveCapacity(entries.count)
        files.reserveCapacity(entries.count)
        for (position, var entry) in entries.enumerated() {
            switch hashed[position] {
            case nil: files.append(nil)
            case .success(let file):
                entry.size = file.size
                entry.modified = file.status.modified
                entry.digest = file.digest
                files.append(file)
            case .failure(let problem):
                manifest.leftOut.append(.init(path: entry.path, problem: problem.problem))
                continue
            }
            manifest.entries.append(entry)
        }
        hashed = []
        manifest.leftOut.sort { ($0.path, $0.problem) < ($1.path, $1.problem) }
        let output = try ArchiveOutput(
            settings.form, level: settings.level, threads: settings.threads, to: descriptor, path: path)
        try write(manifest, &files, source, output)
        try output.finish()
        return manifest
    }

    /// - Parameter files: as many as the manifest has entries; each goes when it has been written.
    private func write(
        _ manifest: ArchiveManifest, _ files: inout [HashedFile?], _ source: ExportSource,
        _ output: ArchiveOutput
    ) throws(FileProblem) {
        let text = SharedBytes(ManifestText(manifest).bytes)
        // No time of now, and one that sorts well.
        let newest = manifest.entries.map(\.modified).max() ?? FileTime(seconds: 0)
        try output.begin(
            Array(ArchiveManifest.memberName.utf8), isFolder: false, size: Int64(text.count), modified: newest
        )
        try text.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
        let total = manifest.totals.bytes
        var done: Int64 = 0
        for (position, entry) in manifest.entries.enumerated() {
            var name = RemotePath([manifest.application] + entry.path.names).bytes
            if entry.isFolder { name.append(UInt8(ascii: "/")) }
            try output.begin(name, isFolder: entry.isFolder, size: entry.size, modified: entry.modified)
            guard let file = files[position] else { continue }
            files[position] = nil
            if let bytes = file.bytes {
                try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
                done += file.size
            } else {
                try copy(entry, file, source) { (piece) throws(FileProblem) in
                    try output.write(piece)
                    done += Int64(piece.count)
                    progress(.writing(bytes: done, of: total))
                }
            }
            progress(.writing(bytes: done, of: total))
        }
    }

    /// Reads a file a second time; it must be what it was the first time.
    private func copy(
        _ entry: ArchivedEntry, _ file: HashedFile, _ source: ExportSource,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let changed = FileProblem(
            .changedWhileReading, path: entry.path.filePath(under: storage.root),
            "the file changed while it was archived",
            advice: "A client or a cloud service is writing it; try again")
        var count: Int64 = 0
        let status: FileStatus
        do throws(FileProblem) {
            status = try source.read(entry.path, isDecrypted: file.isDecrypted) {
                (piece) throws(FileProblem) in
                count += Int64(piece.count)
                guard count <= file.size else { throw changed }
                try sink(piece)
            }
        } catch  where error.kind == .missing || error.kind == .changedWhileReading {
            throw changed
        }
        guard count == file.size, status == file.status else { throw changed }
    }
}
