public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Writes a remote, or a part of it, as one archive. Does not change the remote.
public struct ArchiveExporter: Sendable {
    /// How to write an archive.
    public struct Settings: Sendable {
        /// The form of the archive.
        public var form: ArchiveForm
        /// The level of compression, one of `ArchiveForm.levels`.
        public var level: Int
        /// Threads that read and compress, at most one for each processor. The bytes of the archive do not depend on it.
        public var threads: Int
        /// Which part of the remote to write.
        public var scope: ArchiveScope
        /// Name and version of the program, for the manifest.
        public var program: String
        /// The identifier of the remote, for the manifest of a snapshot.
        public var remote: String?

        /// By default the standard level of the form, all processors and the whole remote. The manifest names `program`.
        public init(
            form: ArchiveForm, level: Int? = nil, threads: Int? = nil, scope: ArchiveScope = .init(),
            program: String, remote: String? = nil
        ) {
            self.form = form
            self.level = level ?? form.standardLevel
            self.threads = max(1, min(threads ?? .max, Cores.count))
            self.scope = scope
            self.program = program
            self.remote = remote
        }
    }

    /// A step of the export, for a progress line.
    public enum Step: Sendable {
        /// Files whose digests were computed.
        case reading(files: Int, of: Int)
        /// Bytes of files written to the archive.
        case writing(bytes: Int64, of: Int64)
    }

    private let storage: any RemoteStorage
    private let keyring: RemoteKeyring?
    private let settings: Settings
    private let progress: @Sendable (Step) -> Void

    /// - Parameter keyring: decrypts the files for a plain archive; nil to archive files unchanged.
    public init(
        _ storage: any RemoteStorage, decryptingWith keyring: RemoteKeyring? = nil, _ settings: Settings,
        progress: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.storage = storage
        self.keyring = keyring
        self.settings = settings
        self.progress = progress
    }

    /// Lists the remote, reads its files, and writes the archive.
    /// - Parameters:
    ///   - descriptor: the open file. After an error it contains an incomplete archive.
    ///   - path: its name, for errors.
    ///   - avoiding: files to leave out because they changed during earlier attempts.
    ///   - listing: a recent listing of the remote; nil to list it.
    /// - Returns: the manifest of the archive.
    /// - Throws: `.changedWhileReading` if a file no longer matches the manifest.
    public func write(
        to descriptor: FileDescriptor, path: FilePath, avoidingFiles avoiding: Set<FilePath> = [],
        listing: RemoteSnapshot? = nil
    ) throws(FileProblem) -> ArchiveManifest {
        let snapshot: RemoteSnapshot
        if let listing { snapshot = listing } else { snapshot = try RemoteSnapshot.take(storage) }
        let isDecrypting = keyring != nil
        let selection = ExportSelection(settings.scope, of: snapshot, isDecrypting: isDecrypting)
        let list = ExportList(snapshot, selection, modified: try storage.status(of: .root).modified)
        let source = ExportSource(storage, snapshot, decryptingWith: keyring)
        let isAvoided = { (entry: ArchivedEntry) in
            avoiding.contains(entry.path.filePath(under: storage.root))
        }
        let entries = avoiding.isEmpty ? list.entries : list.entries.filter { !isAvoided($0) }
        let batches = read(entries, snapshot.applicationIdentifier, source, path)
        var manifest = ArchiveManifest(
            program: settings.program, application: snapshot.applicationIdentifier, remote: settings.remote,
            isEncrypted: snapshot.isEncrypted && !isDecrypting,
            wasDecrypted: snapshot.isEncrypted && isDecrypting, scope: settings.scope,
            leftOut: list.leftOut, entries: [])
        for entry in list.entries where !avoiding.isEmpty && isAvoided(entry) {
            manifest.leftOut.append(.init(path: entry.path, problem: "changed while it was read"))
        }
        manifest.entries.reserveCapacity(entries.count)
        for batch in batches {
            manifest.entries += batch.entries
            manifest.leftOut += batch.leftOut
        }
        manifest.leftOut.sort { ($0.path, $0.problem) < ($1.path, $1.problem) }
        let sink = ArchiveSink(descriptor, path: path)
        if settings.form == .zip {
            let output = try ZipOutput(level: settings.level, to: sink, path: path)
            try ZipExport(source: source, output: output, progress: writing(manifest))
                .write(manifest, batches)
        } else {
            let stream = PieceStream(sink, threads: settings.threads)
            try TarExport(source: source, compressor: compressor(path), progress: writing(manifest))
                .write(manifest, batches, to: stream)
        }
        return manifest
    }

    /// The integrity keys that the manifest will contain. Lists the remote and opens no file.
    public func integrityKeys() throws(FileProblem) -> Set<String> {
        let snapshot = try RemoteSnapshot.take(storage)
        let selection = ExportSelection(settings.scope, of: snapshot, isDecrypting: keyring != nil)
        let list = ExportList(snapshot, selection, modified: try storage.status(of: .root).modified)
        return RemoteIdentity.keys(of: list.entries)
    }

    private func compressor(_ path: FilePath) -> PieceCompressor {
        PieceCompressor(form: settings.form, level: settings.level, path: path)
    }

    /// Reads every file once.
    private func read(
        _ entries: [ArchivedEntry], _ application: RemoteName, _ source: ExportSource, _ path: FilePath
    ) -> [ReadBatch] {
        let limit = settings.form.pieceSize(level: settings.level)
        let fileCount = entries.count { !$0.isFolder }
        let reader = ExportReader(
            source: source, application: application,
            compressor: settings.form == .zip ? nil : compressor(path),
            threads: settings.threads
        ) { [progress] in progress(.reading(files: $0, of: fileCount)) }
        return reader.read(entries, ExportBatch.cut(entries, of: application, limit: limit))
    }

    /// A function that adds up written bytes and reports the progress.
    private func writing(_ manifest: ArchiveManifest) -> (Int64) -> Void {
        let total = manifest.totals.bytes
        var done: Int64 = 0
        return { [progress] count in
            done += count
            progress(.writing(bytes: done, of: total))
        }
    }
}
