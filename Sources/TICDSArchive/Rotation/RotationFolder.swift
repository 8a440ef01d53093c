public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A folder that takes the dated archives of remotes, and lies in no remote.
public struct RotationFolder: Sendable {
    /// A file that is called like a dated archive.
    public struct File: Sendable, Hashable {
        /// What the name says.
        public let archive: DatedArchiveName
        /// As it was when the folder was listed.
        public let status: FileStatus
        /// Bytes.
        public var size: Int64 { status.size }
    }

    /// Absolute and without links.
    public let path: FilePath

    /// The file that keeps two processes from writing dated archives to one folder; it stays.
    static let lockName = ".ticds-snapshot.lock"
    /// Of the private folders in which archives grow.
    static let prefix = ".ticds-snapshot"

    /// - Parameter root: the remote, in which the folder must not lie.
    /// - Throws: `.missing` where there is no folder: it may be on a volume that is not mounted, so that none is made.
    public init(_ named: FilePath, for root: FilePath) throws(FileProblem) {
        guard let path = try named.resolved(), try FileStatus.of(path).kind == .folder else {
            throw FileProblem(
                .missing, path: named, "no such folder",
                advice: "Create it first, or mount the volume that it is on")
        }
        self.path = path
        let inner = try root.resolved().flatMap { path.starts(with: $0) ? $0 : nil }
        var remote = inner
        if remote == nil { remote = try RemoteLocation.remote(around: path.appending("file")) }
        if let remote {
            throw FileProblem(
                .refused, path: named, "the snapshots would lie inside a remote", found: "\(remote)",
                advice: "Foreign files harm the clients; name a folder elsewhere")
        }
    }

    /// Everything that is called exactly like a dated archive of an application, from the oldest to the newest.
    func entries(
        of application: RemoteName
    ) throws(FileProblem) -> [(archive: DatedArchiveName, status: Result<FileStatus, Errno>)] {
        var entries: [(archive: DatedArchiveName, status: Result<FileStatus, Errno>)] = []
        try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(path)) { name, status in
            guard let archive = DatedArchiveName(RemoteName(name), of: application) else { return }
            entries.append((archive, status))
        }
        return entries.sorted { $0.archive < $1.archive }
    }

    /// Keeps other processes from writing dated archives here, and removes what an earlier one left that was killed.
    /// - Throws: `.refused` where another process is at it.
    public func lock(command: String, wait seconds: Int64) throws(FileProblem) -> FileLock {
        let file = path.appending(Self.lockName)
        let lock = try FileLock(file, wait: seconds) { holder in
            FileProblem(
                .refused, path: file, "another command is writing a snapshot to this folder", found: holder,
                advice: "Wait until it has ended, or use --lock-wait 1h")
        }
        lock.write(holder: Machine.holder(command))
        try TemporaryFolder.removeLeft(in: try OwnedDescriptor.folder(path), prefix: Self.prefix)
        return lock
    }

    /// The name of a dated archive that is written now. Names tell whole seconds: after another dated archive of the same
    /// second the next one is waited for.
    /// - Throws: `.refused` where dated archives of the next seconds are there as well.
    public func newName(
        _ application: RemoteName, _ identity: RemoteIdentity, _ form: ArchiveForm
    ) throws(FileProblem) -> DatedArchiveName {
        for _ in 0..<5 {
            let name = DatedArchiveName(application, identity.identifier, .now, form)
            guard try isTaken(name) else { return name }
            FileTime.awaitNextSecond()
        }
        let name = DatedArchiveName(application, identity.identifier, .now, form)
        guard try isTaken(name) else { return name }
        throw FileProblem(
            .refused, path: path(of: name), "there is already a snapshot of this second",
            advice: "Check the clock, which may have been set back, and run the command again")
    }

    private func isTaken(_ name: DatedArchiveName) throws(FileProblem) -> Bool {
        try OwnedDescriptor.folder(path).exists(FilePath(nameBytes: name.name.bytes))
    }

    /// Where a dated archive lies.
    public func path(of archive: DatedArchiveName) -> FilePath {
        path.pushing(FilePath(nameBytes: archive.name.bytes))
    }

    /// Writes a dated archive. It gets its name when it is on disk and has been read again and compared with its manifest.
    /// - Parameter progress: called with the bytes of files that were read again, and all of them.
    public func write(
        _ exporter: ArchiveExporter, as archive: DatedArchiveName, progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) -> ArchiveManifest {
        let file = path(of: archive)
        return try ArchiveFile.export(exporter, to: file, prefix: Self.prefix) {
            (aside) throws(FileProblem) in
            let check = try ArchiveCheck(.file(aside), progress: progress)
            if check.isWhole, check.manifest != nil { return }
            throw FileProblem(
                .damaged, path: file, "the archive differs from what was written",
                found: check.end?.problem ?? check.findings.first?.problem,
                advice: "Check the disk; no snapshot was made, and none removed")
        }
    }

    /// Ends what an earlier process began to remove and did not end, forward or back. From then on the folder has a
    /// journal.
    public func recover(stateHome: FilePath, lockWait: Int64) throws(FileProblem) {
        let state = try RemoteState.archives(in: path, stateHome: stateHome)
        if try Recovery.unfinished(state).isEmpty { return }
        _ = try Recovery.recover(state, lockWait: lockWait)
    }

    /// Moves dated archives to the trash of this folder, all or none; those that have changed since they were listed stay,
    /// and the others with them.
    /// - Parameter keepsTrash: false where they go for good.
    /// - Returns: the number of the operation in the journal of this folder.
    public func remove(
        _ files: [File], command: String, keepsTrash: Bool, stateHome: FilePath, lockWait: Int64,
        watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> Int64 {
        let names = files.count == 1 ? "1 snapshot" : "\(files.count) snapshots"
        let application = files.first?.archive.application.description ?? ""
        var plan = Plan(root: path, command: command, summary: "Remove \(names) of \(application)")
        for file in files {
            let seen = EntryState(kind: file.status.kind, size: file.size, modified: file.status.modified)
            plan.add(.moveToTrash(path: [file.archive.name], seen: seen))
        }
        let state = try RemoteState.archives(in: path, stateHome: stateHome)
        return try Executor(state, keepsTrash: keepsTrash, lockWait: lockWait).run(plan, watch: watch)
    }
}
