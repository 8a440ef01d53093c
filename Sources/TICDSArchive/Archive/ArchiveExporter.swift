import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Writes a remote, or a part of it, as one archive. Leaves the remote unchanged.
public struct ArchiveExporter: Sendable {
    /// The settings of an export.
    public struct Settings: Sendable {
        /// The form of the archive.
        public var form: ArchiveForm
        /// The level of compression, one of `ArchiveForm.levels`.
        public var level: Int
        /// Threads that read and compress, at most one for each processor. The bytes of the archive do not depend on
        /// their number.
        public var threads: Int
        /// The part of the remote to write.
        public var scope: ArchiveScope
        /// Name and version of the program, for the manifest.
        public var program: String
        /// The identifier of the remote, for the manifest of a snapshot.
        public var remote: String?
        /// The earlier archive on which the new one depends; nil for an archive that contains everything.
        public var earlier: EarlierArchive?
        /// The folder for the times of the files of archives, by which files that have not changed since the earlier archive
        /// are not read again; nil to read all and keep no times.
        public var cache: FilePath?
        /// Whether all files are read, whatever the cache says.
        public var readsAll = false
        /// The seconds after which a file keeps the time of its last change: a program that has mapped a file into its
        /// memory writes to it for up to half a minute after this time was set.
        var settlingTime: Int64 = 60
        /// The limits of memory, for tests; nil for the usual ones.
        var limits: ExportReader.Limits?

        /// By default the standard level of the form, all processors and the whole remote. The manifest names
        /// `program`.
        public init(
            form: ArchiveForm, level: Int? = nil, threads: Int? = nil, scope: ArchiveScope = .init(),
            program: String, remote: String? = nil, earlier: EarlierArchive? = nil
        ) {
            self.form = form
            self.level = level ?? form.standardLevel
            self.threads = max(1, min(threads ?? .max, Cores.count))
            self.scope = scope
            self.program = program
            self.remote = remote
            self.earlier = earlier
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

    /// - Parameter keyring: decrypts the files for an unencrypted archive; nil to archive files unchanged.
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
    ///   - avoiding: files to leave out because they changed during earlier attempts.
    ///   - listing: the listing of the remote; nil to list it again.
    /// - Throws: `.changedWhileReading` if a file no longer matches the manifest.
    public func write(
        to descriptor: FileDescriptor, path: FilePath, avoidingFiles avoiding: Set<FilePath> = [],
        listing: ExportListing? = nil
    ) throws(FileProblem) -> ArchiveManifest {
        let listing = listing?.take()
        let storage = if listing == nil { try storage.listedAgain() } else { storage }
        let snapshot = if let listing { listing } else { try RemoteSnapshot.take(storage) }
        let (application, isEncrypted) = (snapshot.applicationIdentifier, snapshot.isEncrypted)
        let isDecrypting = keyring != nil
        let selection = ExportSelection(settings.scope, of: snapshot, isDecrypting: isDecrypting)
        let modified = try storage.status(of: .root).modified
        let source = ExportSource(storage, snapshot, decryptingWith: keyring)
        // Changing a list of which there is a copy would take twice the memory.
        var (entries, leftOut) = ExportList(snapshot, selection, modified: modified).parts
        if !avoiding.isEmpty {
            let all = entries
            let isAvoided = { (entry: BackupEntry) in
                avoiding.contains(entry.path.filePath(under: storage.root))
            }
            entries = BackupEntries(all.lazy.filter { !isAvoided($0) })
            for entry in all where isAvoided(entry) {
                leftOut.append(.init(path: entry.path, problem: "changed while it was read"))
            }
        }
        // The list of entries has the names of the files as well.
        _ = consume snapshot
        prepareToRead(entries, storage)
        let known = try earlierFiles(in: storage)
        var (batches, digests) = read(entries, application, source, known, path)
        for batch in batches { leftOut += batch.leftOut }
        leftOut.sort { ($0.path, $0.problem) < ($1.path, $1.problem) }
        ReadBatch.merge(&batches, digests, into: &entries)
        var manifest = ArchiveManifest(
            program: settings.program, application: application, remote: settings.remote,
            isEncrypted: isEncrypted && !isDecrypting, wasDecrypted: isEncrypted && isDecrypting,
            scope: settings.scope,
            leftOut: leftOut, entries: entries)
        if let earlier = settings.earlier {
            entries = []
            manifest.rest(on: earlier)
            for number in batches.indices { batches[number].leaveOut(unstoredIn: manifest.entries) }
        }
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
        if let known, let cache = settings.cache {
            // try?: without marks the next archive reads all files
            try? known.keep(batches.flatMap(\.marks), of: manifest, in: cache)
        }
        return manifest
    }

    /// The files of the earlier archive, if files that have not changed since then need not be read.
    private func earlierFiles(in storage: any RemoteStorage) throws(FileProblem) -> EarlierFiles? {
        guard let earlier = settings.earlier, let cache = settings.cache, keyring == nil,
            ChangeMark.isReliable(in: storage.root)
        else { return nil }
        return EarlierFiles(
            earlier, marks: settings.readsAll ? nil : earlier.marks(in: cache),
            device: try storage.status(of: .root).device,
            settled: FileTime(seconds: FileTime.now.seconds -| settings.settlingTime))
    }

    /// The integrity keys in the future manifest, and the entries that it will leave out, as far as a listing of the
    /// remote shows them. Opens no file.
    public func outline() throws(FileProblem) -> (keys: Set<String>, leftOut: [ArchiveManifest.LeftOut]) {
        let snapshot = try RemoteSnapshot.take(storage)
        let selection = ExportSelection(settings.scope, of: snapshot, isDecrypting: keyring != nil)
        let list = ExportList(snapshot, selection, modified: try storage.status(of: .root).modified)
        return (RemoteIdentity.keys(of: list.entries), list.leftOut)
    }

    private func prepareToRead(_ entries: BackupEntries, _ storage: any RemoteStorage) {
        storage.prepareToRead {
            entries.lazy.filter { !$0.isFolder }.map {
                RemoteFile(path: $0.path, size: $0.size, modified: $0.modified)
            }
        }
    }

    private func compressor(_ path: FilePath) -> PieceCompressor {
        PieceCompressor(form: settings.form, level: settings.level, path: path)
    }

    private func read(
        _ entries: BackupEntries, _ application: RemoteName, _ source: ExportSource, _ earlier: EarlierFiles?,
        _ path: FilePath
    ) -> (batches: [ReadBatch], digests: BackupDigests) {
        let limit = settings.form.pieceSize(level: settings.level)
        let fileCount = entries.totals().count
        let reader = ExportReader(
            source: source, application: application,
            // Most files of an incremental archive are only compared.
            compressor: settings.form == .zip || settings.earlier != nil ? nil : compressor(path),
            threads: settings.threads, earlier: earlier, limits: settings.limits
        ) { [progress] in progress(.reading(files: $0, of: fileCount)) }
        return reader.read(entries, ExportBatch.cut(entries, of: application, limit: limit))
    }

    private func writing(_ manifest: ArchiveManifest) -> (Int64) -> Void {
        let total = manifest.stored.bytes
        var done: Int64 = 0
        return { [progress] count in
            done += count
            progress(.writing(bytes: done, of: total))
        }
    }
}

/// The forms in which archives are written. A reader recognises the form by the bytes, and reads more forms.
public enum ArchiveForm: String, Sendable, CaseIterable {
    /// Pax archives, compressed by zstd, xz or gzip, and a zip.
    case zstd, xz, gzip, zip

    /// The form for the name of a file: `.tar.xz`, `.txz`, `.tar.gz`, `.tgz`, `.zip`; zstd for all other names.
    public init(ofName name: String) {
        let name = name.lowercased()
        self = Self.endings.first { ending in name.hasSuffix(ending.text) }?.form ?? .zstd
    }

    private static let endings: [(text: String, form: ArchiveForm)] = [
        (".xz", .xz), (".txz", .xz), (".gz", .gzip), (".tgz", .gzip), (".zip", .zip), (".zst", .zstd),
        (".tzst", .zstd),
    ]

    /// Endings of archives in forms that are not written, such as a pax archive without compression.
    private static let otherEndings = [
        ".tar", ".bz2", ".tbz", ".tbz2", ".lz", ".lz4", ".lzma", ".7z", ".rar",
    ]

    /// The ending of a name that promises a form other than this one; nil for all other names.
    public func wrongEnding(ofName name: String) -> String? {
        let name = name.lowercased()
        return Self.endings.first { name.hasSuffix($0.text) && $0.form != self }?.text
            ?? Self.otherEndings.first { name.hasSuffix($0) }
    }

    /// The levels of compression, from fast to small.
    public var levels: ClosedRange<Int> {
        switch self {
        case .zstd: 1...19
        case .xz, .zip: 0...9
        case .gzip: 1...9
        }
    }

    /// The level of compression that is used by default.
    public var standardLevel: Int { self == .zstd ? 3 : 6 }

    /// The number of bytes of a pax archive that are compressed separately, so that several threads can work: at least
    /// the window of the compressor, and for fast levels no more than fits into the cache of a processor. A different
    /// size changes the bytes of archives.
    func pieceSize(level: Int) -> Int {
        switch self {
        case .zstd: level < 4 ? 2 << 20 : level < 10 ? 4 << 20 : 24 << 20
        case .xz: 24 << 20
        case .gzip, .zip: 4 << 20
        }
    }

    /// The suffix of the names of snapshots.
    public var ending: String {
        switch self {
        case .zstd: ".tar.zst"
        case .xz: ".tar.xz"
        case .gzip: ".tar.gz"
        case .zip: ".zip"
        }
    }

    /// The suffix of a name that ends like the name of a snapshot; nil for other names.
    static func ending(of name: RemoteName) -> String? {
        allCases.lazy.map(\.ending).first { name.bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
}

/// Writes an archive into a private folder, forces it to disk with fsync(2), and then gives it its name with rename(2).
public enum ArchiveFile {
    /// The number of attempts of an export when files change during the reading.
    private static let attempts = 3

    /// Exports to the file `path`. After an error a file of that name is unchanged, and no new one exists. The last
    /// attempt leaves out files that keep changing, and the manifest names them.
    /// - Parameters:
    ///   - prefix: the beginning of the name of the private folder beside it.
    ///   - check: checks the complete archive before it gets its name; an error ends the export.
    public static func export(
        _ exporter: ArchiveExporter, to path: FilePath, isReplacing: Bool = false,
        prefix: String = ".ticds-archive", listing: ExportListing? = nil,
        check: (FilePath) throws(FileProblem) -> Void = { _ in }
    ) throws(FileProblem) -> ArchiveManifest {
        guard let name = path.lastComponent, name.kind == .regular else {
            throw FileProblem(
                .writeFailed, path: path, "cannot be used as the name of a file", advice: "Give another name")
        }
        try path.requireParent()
        let folder = try OwnedDescriptor.folder(path.parent)
        let final = FilePath(nameBytes: name.bytes)
        if try folder.exists(final) {
            let kind = try folder.status(of: final).kind
            guard isReplacing, kind == .file else { throw taken(path, kind) }
        }
        let aside = try TemporaryFolder(in: path.parent, prefix: prefix)
        defer { withExtendedLifetime(aside) {} }
        let made = aside.path.appending("archive")
        aside.represent(path, as: "archive")
        let place = try OwnedDescriptor.folder(aside.path)
        let manifest = try write(exporter, made, named: path, listing)
        try check(made)
        if isReplacing {
            try place.replaceKeepingMode(final, in: folder, by: "archive")
        } else {
            try place.move("archive", to: folder, as: final)
        }
        try folder.sync()
        return manifest
    }

    private static func write(
        _ exporter: ArchiveExporter, _ file: FilePath, named path: FilePath, _ listing: ExportListing?
    ) throws(FileProblem) -> ArchiveManifest {
        var changed: Set<FilePath> = []
        for _ in 1..<attempts {
            do throws(FileProblem) {
                return try writeOnce(exporter, file, named: path, listing: listing)
            } catch  where error.kind == .changedWhileReading { changed.insert(error.path) }
        }
        return try writeOnce(exporter, file, named: path, avoiding: changed)
    }

    private static func writeOnce(
        _ exporter: ArchiveExporter, _ file: FilePath, named path: FilePath, avoiding: Set<FilePath> = [],
        listing: ExportListing? = nil
    ) throws(FileProblem) -> ArchiveManifest {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                file, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666))
        } catch { throw .writing(error as? Errno ?? .ioError, path: path) }
        defer { try? descriptor.close() }  // try?: forced to disk before, below
        let manifest = try exporter.write(
            to: descriptor, path: path, avoidingFiles: avoiding, listing: listing)
        try OwnedDescriptor.file(file).sync()
        return manifest
    }

    private static func taken(_ path: FilePath, _ kind: FileKind) -> FileProblem {
        FileProblem(
            .refused, path: path, kind == .file ? "a file with that name already exists" : "not a file",
            advice: kind == .file ? "Choose another name, or replace it with --force" : nil)
    }
}
