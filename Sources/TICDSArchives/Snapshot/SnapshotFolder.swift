public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A folder that takes the snapshots of remotes, and is none of a remote's own.
public struct SnapshotFolder: Sendable {
    /// A file that is called like a snapshot.
    public struct File: Sendable, Hashable {
        /// What the name says.
        public let snapshot: SnapshotName
        /// Bytes.
        public let size: Int64
    }

    /// Absolute and without links.
    public let path: FilePath

    /// The file that keeps two processes from writing snapshots to one folder; it stays.
    static let lockName = ".ticds-snapshot.lock"
    /// Of the private folders in which archives grow.
    static let prefix = ".ticds-snapshot"

    /// - Parameter root: the remote, in which the folder must not lie.
    /// - Throws: `.missing` where there is no folder: it may be on a volume that is not mounted, so that none is made.
    public init(_ named: FilePath, for root: FilePath) throws(FileProblem) {
        guard let path = named.resolved(), try FileStatus.of(path).kind == .folder else {
            throw FileProblem(
                .missing, path: named, "no such folder",
                advice: "Make it first, or mount the volume that it is on")
        }
        self.path = path
        let inner = root.resolved().flatMap { path.starts(with: $0) ? $0 : nil }
        if let remote = inner ?? RemoteLocation.remote(around: path.appending("file")) {
            throw FileProblem(
                .refused, path: named, "the snapshots would lie inside a remote", found: "\(remote)",
                advice: "Clients choke on foreign files; name a folder elsewhere")
        }
    }

    /// The snapshots of an application, from the oldest to the newest. Only plain files of exactly such names count.
    public func snapshots(of application: RemoteName) throws(FileProblem) -> [File] {
        var files: [File] = []
        try DirectoryReader.forEachEntry(of: try OpenFile.folder(path)) { name, status in
            guard case .success(let status) = status, status.kind == .file,
                let snapshot = SnapshotName(RemoteName(name), of: application)
            else { return }
            files.append(File(snapshot: snapshot, size: status.size))
        }
        return files.sorted { $0.snapshot < $1.snapshot }
    }

    /// Keeps other processes from writing snapshots here, and removes what an earlier one left that was killed.
    /// - Throws: `.refused` where another process is at it.
    public func lock(command: String, wait seconds: Int64) throws(FileProblem) -> FileLock {
        let file = path.appending(Self.lockName)
        let lock = try FileLock(file, wait: seconds) { holder in
            FileProblem(
                .refused, path: file, "another command is writing a snapshot to this folder", found: holder,
                advice: "Wait until it has ended, or use --lock-wait 1h")
        }
        lock.write(holder: Machine.holder(command))
        try TemporaryFolder.removeLeft(in: try OpenFile.folder(path), prefix: Self.prefix)
        return lock
    }

    /// The name of a snapshot that is written now. Names tell whole seconds: after another snapshot of the same second
    /// the next one is waited for.
    /// - Throws: `.refused` where snapshots of the next seconds are there as well.
    public func newName(
        _ application: RemoteName, _ form: ArchiveForm
    ) throws(FileProblem) -> SnapshotName {
        for _ in 0..<5 {
            let name = SnapshotName(application, .now, form)
            guard try isTaken(name) else { return name }
            FileTime.awaitNextSecond()
        }
        let name = SnapshotName(application, .now, form)
        guard try isTaken(name) else { return name }
        throw FileProblem(
            .refused, path: path(of: name), "there is a snapshot of this very second already",
            advice: "Check the clock, which may have been set back, and run the command again")
    }

    private func isTaken(_ name: SnapshotName) throws(FileProblem) -> Bool {
        try OpenFile.folder(path).exists(FilePath(nameBytes: name.name.bytes))
    }

    /// Where a snapshot lies.
    public func path(of snapshot: SnapshotName) -> FilePath {
        path.pushing(FilePath(nameBytes: snapshot.name.bytes))
    }

    /// Writes a snapshot. It gets its name when it is on disk and has been read again and compared with its manifest.
    /// - Parameter progress: called with the bytes of files that were read again, and all of them.
    public func write(
        _ exporter: ArchiveExporter, as snapshot: SnapshotName, progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) -> ArchiveManifest {
        let file = path(of: snapshot)
        return try ArchiveFile.export(exporter, to: file, prefix: Self.prefix) {
            (aside) throws(FileProblem) in
            let check = try ArchiveCheck(.file(aside), progress: progress)
            if check.isWhole, check.manifest != nil { return }
            throw FileProblem(
                .damaged, path: file, "the archive does not read as it was written",
                found: check.end?.problem ?? check.findings.first?.problem,
                advice: "Check the disk; no snapshot was made, and none removed")
        }
    }

    /// Removes a snapshot for good; one that is gone already is no matter.
    public func remove(_ snapshot: SnapshotName) throws(FileProblem) {
        let folder = try OpenFile.folder(path)
        let name = FilePath(nameBytes: snapshot.name.bytes)
        do throws(FileProblem) {
            guard try folder.status(of: name).kind == .file else { return }
            try folder.remove(name)
        } catch  where error.kind == .missing {
            return
        }
        try folder.sync()
    }
}
