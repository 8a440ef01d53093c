import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore
public import TICDSOperations

/// A folder for the snapshots of remotes, outside any remote.
public struct RotationFolder: Sendable {
    /// A file with the name of a snapshot.
    public struct File: Sendable, Hashable {
        /// The parsed name.
        public let archive: DatedArchiveName
        /// The status when the folder was listed.
        public let status: FileStatus
        /// The size in bytes.
        public var size: Int64 { status.size }
    }

    /// The absolute path, without symbolic links.
    public let path: FilePath

    /// The lock file, which keeps two processes from writing snapshots to one folder; it is not removed.
    static let lockName = ".ticds-snapshot.lock"
    /// The prefix of the private folders in which archives are written.
    static let prefix = ".ticds-snapshot"

    /// - Parameter root: the remote, which must not contain the folder.
    /// - Throws: `.missing` if the folder does not exist (it is not created, since its volume may not be mounted);
    ///   `.refused` if it is inside a remote.
    public init(_ named: FilePath, for root: FilePath) throws(FileProblem) {
        guard let path = try named.resolved(), try FileStatus.of(path).kind == .folder else {
            throw .noFolder(named)
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
        // Commands that are given the folder would take it for the remote, or for the folder of snapshots.
        // try?: if there are several remotes, commands ask for one of them
        if try root.resolved()?.removingLastComponent() == path, let only = try? RemoteLocation.find(path),
            only != path
        {
            throw FileProblem(
                .refused, path: named,
                "the snapshots would lie beside the remote, in the folder that contains it",
                found: "\(root)", advice: "Name a folder for the snapshots alone")
        }
    }

    /// All entries with the name of a snapshot of an app, from the oldest to the newest.
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

    /// Locks the folder, and removes the private folders of processes that were killed.
    public func lock(command: String, wait seconds: Int64) throws(FileProblem) -> FileLock {
        let file = path.appending(Self.lockName)
        let lock = try FileLock(file, wait: seconds) { holder in
            FileProblem(
                .refused, path: file, "another command is writing a snapshot to this folder", found: holder,
                advice: "Wait until it has ended, or use --lock-wait 1h")
        }
        lock.write(holder: HostIdentity.holder(command))
        try TemporaryFolder.removeAbandoned(in: try OwnedDescriptor.folder(path), prefix: Self.prefix)
        return lock
    }

    /// The name of a snapshot with the present time. If an archive of that second exists, with any form and tag, waits
    /// for the next second.
    /// - Throws: `.refused` if archives of the next seconds also exist, or if no file can have such a name.
    public func newName(
        _ application: RemoteName, _ identity: RemoteIdentity, _ form: ArchiveForm, tag: ArchiveTag? = nil
    ) throws(FileProblem) -> DatedArchiveName {
        for _ in 0..<5 {
            let name = DatedArchiveName(application, identity.identifier, .now, form, tag: tag)
            try checkLength(of: name)
            guard try isTaken(name, identity) else { return name }
            FileTime.awaitNextSecond()
        }
        let name = DatedArchiveName(application, identity.identifier, .now, form, tag: tag)
        guard try isTaken(name, identity) else { return name }
        throw FileProblem(
            .refused, path: path(of: name), "there is already a snapshot of this second",
            advice: "Check the clock, which may have been set back, and run the command again")
    }

    /// - Throws: `.refused` for a name that is too long for a file.
    public func checkLength(of archive: DatedArchiveName) throws(FileProblem) {
        let longest = FilePath.Component.longest
        guard archive.name.bytes.count > longest else { return }
        throw FileProblem(
            .refused, path: path(of: archive), "the name of the snapshot would be too long",
            expected: "at most \(longest) bytes", found: "\(archive.name.bytes.count)",
            advice: archive.tag == nil ? nil : "Choose a shorter tag")
    }

    private func isTaken(_ name: DatedArchiveName, _ identity: RemoteIdentity) throws(FileProblem) -> Bool {
        // A folder that ignores case may contain the name in different case.
        if try OwnedDescriptor.folder(path).exists(FilePath(nameBytes: name.name.bytes)) { return true }
        return try entries(of: name.application).contains {
            $0.archive.time == name.time && identity.claims($0.archive)
        }
    }

    /// The path of a snapshot.
    public func path(of archive: DatedArchiveName) -> FilePath {
        path.pushing(FilePath(nameBytes: archive.name.bytes))
    }

    /// Writes a snapshot. It gets its name once it is on disk and has been read again and compared with its manifest.
    public func write(
        _ exporter: ArchiveExporter, as archive: DatedArchiveName, progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) -> ArchiveManifest {
        let file = path(of: archive)
        return try ArchiveFile.export(exporter, to: file, prefix: Self.prefix) {
            (aside) throws(FileProblem) in
            let check = try ArchiveCheck(
                .file(aside), bases: self.path, readsBases: false, progress: progress)
            let hasManifest = check.manifest != nil
            guard let problem = hasManifest ? check.problem(of: aside) : .damagedArchive(aside, found: nil)
            else { return }
            throw FileProblem(
                .damaged, path: file, "the archive differs from what was written",
                found: problem.found ?? problem.problem,
                advice: "Check the disk; no snapshot was made, and none removed")
        }
    }

    /// The names of archives in this folder on which others depend, according to every archive in the folder except
    /// those in `others`. A damaged archive depends on none, since nothing can be extracted from it.
    /// - Throws: the error of reading an archive.
    func names(onWhichOthersRest others: Set<RemoteName>) throws(FileProblem) -> Set<RemoteName> {
        var names: [RemoteName] = []
        var problem: FileProblem?
        try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(path)) { name, status in
            let name = RemoteName(name)
            guard !others.contains(name), ArchiveForm.ending(of: name) != nil else { return }
            switch status {
            case .success(let status): if status.kind == .file { names.append(name) }
            case .failure(.noSuchFileOrDirectory): break
            case .failure(let number):
                let file = path.pushing(FilePath(nameBytes: name.bytes))
                problem = FileProblem(number, path: file)
            }
        }
        if let problem { throw problem }
        var bases: Set<RemoteName> = []
        for name in names {
            let file = path.pushing(FilePath(nameBytes: name.bytes))
            let manifest =
                try unlessInvalid { () throws(FileProblem) -> ArchiveManifest? in
                    let reader = try ArchiveOrigin.plainFile(file).open()
                    guard let member = try reader.next() else { return nil }
                    return try ManifestIndex.read(member, reader, path: file)?.manifest
                } ?? nil
            bases.formUnion(manifest?.bases.map(\.name) ?? [])
        }
        return bases
    }

    /// Recovers an interrupted removal. Creates the journal of the folder if there is none.
    public func recover(stateHome: FilePath, lockWait: Int64) throws(FileProblem) {
        let state = try RemoteState.archives(in: path, stateHome: stateHome)
        if try OperationRecovery.unfinished(state).isEmpty { return }
        _ = try OperationRecovery.recover(state, lockWait: lockWait)
    }

    /// Moves snapshots to the trash of this folder, all or none: if one has changed since it was listed, none is
    /// removed.
    /// - Parameter keepsTrash: false to delete them permanently.
    /// - Returns: the number of the operation in the journal of this folder.
    public func remove(
        _ files: [File], command: String, keepsTrash: Bool, stateHome: FilePath, lockWait: Int64,
        watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> Int64 {
        let application = files.first?.archive.application.description ?? ""
        var plan = Plan(
            root: path, command: command,
            summary: "Remove \(counted(files.count, "snapshot")) of \(application)")
        for file in files {
            let seen = EntryState(kind: file.status.kind, size: file.size, modified: file.status.modified)
            plan.add(.moveToTrash(path: [file.archive.name], seen: seen))
        }
        let state = try RemoteState.archives(in: path, stateHome: stateHome)
        return try Executor(state, keepsTrash: keepsTrash, lockWait: lockWait).run(plan, watch: watch)
    }
}
