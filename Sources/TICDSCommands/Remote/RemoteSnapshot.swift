import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages

struct RemoteSnapshotCommand: HookedCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Writes a dated archive of a remote into a folder, and removes old ones.",
        discussion: """
            Made for cron. The name of the archive consists of the app's identifier, an identifier of the \
            remote and the time in UTC; the archive gets it when it is on disk and has been read again. Only \
            then does the command move to the trash the snapshots of the same remote that no --keep option \
            keeps; without these options it moves none. Encrypted files stay encrypted, and no password is \
            needed.

            Examples:
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup
              ticds-remote snapshot rclone:dropbox:Apps/com.example.app /srv/backup
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --keep-daily 7 --keep-weekly 5 --keep-monthly 12
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --tag before-update
            """)

    @Argument(
        help: .value(
            "remote> <folder",
            "The application folder of the remote, and the folder of the snapshots. Without the remote: "
                + "TICDS_REMOTE."),
        completion: LiveCompletion.remotes.kind)
    var places: [String]

    @Option(
        help: .value(
            "count",
            "Write only files that neither the last snapshot nor those it depends on contain; once it depends on COUNT "
                + "others, write everything."))
    var incremental: Int?

    @Option(
        help: .value(
            "tag",
            "Put a tag behind the time in the name of the snapshot: 1 to 64 letters a-z and A-Z, digits, '.', '_' and "
                + "'-'."))
    var tag: TagArgument?

    @OptionGroup var form: ArchiveFormOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var keep: KeepOptions

    @Flag(name: .dryRun, help: "Show what would be written and removed, and change nothing.")
    var isDryRun = false

    @Option(
        help: .value(
            "duration",
            "Wait this long, such as 1h, for another snapshot that is being written to the folder."))
    var lockWait: DurationArgument?

    @OptionGroup var hooks: HookOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try RemoteOptions.separate(places, named: "FOLDER")
        if let incremental, !(1..<ArchiveBase.limit).contains(incremental) {
            throw ValidationError("--incremental takes a number from 1 to \(ArchiveBase.limit - 1).")
        }
        if tag?.tag.description == SnapshotFolder.latest {
            throw ValidationError("--tag latest is taken: FOLDER:latest chooses the newest snapshot.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        transfer.apply()
        let (named, argument) = try RemoteOptions.separate(places, named: "FOLDER")
        let archiveForm = try form.form(forFile: nil)
        // Also for hooks if the remote cannot be opened.
        context.set("TICDS_REMOTE", named.root.string)
        if let archive = named.archive {
            throw FileProblem(
                .refused, path: archive.root, "is an archive, and needs no snapshot",
                advice: "Copy the file; ticds-archive export writes it again in another form")
        }
        let storage = try named.storageWithoutLinks()
        let root = storage.root
        context.set("TICDS_REMOTE", root.string)
        if let unfinished = OpenRemote.unfinished(of: storage) { context.report(short: unfinished) }
        let application = RemoteName(ofRemoteAt: root)
        let folder = try RotationFolder(RemoteAddress(argument: argument).folder, for: root)
        let state = RemoteState(root: named.identity(found: root), stateHome: try Environment.stateHome)
        form.prepareWriting()
        if isDryRun {
            var identity = try RemoteIdentity.looked(up: state)
            for adoption in try adoptions(in: folder, application) { identity.adopt(adoption) }
            let new = DatedArchiveName(application, identity.identifier, .now, archiveForm, tag: tag?.tag)
            try folder.checkLength(of: new)
            let (keys, leftOut) = try exporter(of: storage, new) { _ in }.outline()
            let parent = try parent(in: folder, identity, new, keys, context)
            let choice = try choice(in: folder, identity, new, keys, parent.archive?.names ?? [], context)
            warn(of: leftOut, context)
            let isWhole =
                report(choice, isNewWhole: leftOut.isEmpty, context) && parent.isIntact && leftOut.isEmpty
            try RotationView(root, folder, new, isDryRun: true).print(choice, context)
            return isWhole ? .success : .partial
        }
        let lock = try folder.lock(command: Self.command, wait: lockWait?.seconds ?? 0)
        defer { withExtendedLifetime(lock) {} }
        let identity = try RemoteIdentity.kept(for: state, adopting: adoptions(in: folder, application))
        let new = try folder.newName(application, identity, archiveForm, tag: tag?.tag)
        var view = RotationView(root, folder, new, isDryRun: false)
        let keys = incremental == nil ? [] : try exporter(of: storage, new) { _ in }.outline().keys
        let parent = try parent(in: folder, identity, new, keys, context)
        let manifest = try write(new, of: storage, folder, parent.archive, context)
        view.manifest = manifest
        let isRecovered = recover(folder, context)
        var choice = try choice(
            in: folder, identity, new, manifest.keys, Set(manifest.bases.map(\.name)), context)
        if !isRecovered { choice.keepAll() }
        if !manifest.leftOut.isEmpty, !choice.pruned.isEmpty {
            context.warn("no old snapshot is removed, because the new one is incomplete")
            choice.keepAll()
        }
        if !parent.isIntact, !choice.pruned.isEmpty {
            context.warn("no old snapshot is removed, because one is damaged; the next command removes them")
            choice.keepAll()
        }
        if let problem = choice.damagedBase {
            context.warn(
                "no old snapshot is removed, because the new one depends on a damaged one (\(problem.path)); write a full "
                    + "one, without --incremental")
            choice.keepAll()
        }
        warn(of: manifest.leftOut, context)
        let isWhole = report(choice, isNewWhole: manifest.leftOut.isEmpty, context) && parent.isIntact
        view.onlyShowsRemoval = keep.pruneDryRun
        let isDone = keep.pruneDryRun || prune(&choice, in: folder, &view, context)
        try view.print(choice, context)
        tellHooks(
            new, in: folder, manifest, removed: view.onlyShowsRemoval ? 0 : choice.pruned.count, context)
        return manifest.leftOut.isEmpty && isRecovered && isWhole && isDone ? .success : .partial
    }

    var runsHooks: Bool { !isDryRun }

    private static let command = "ticds-remote snapshot"

    /// Passes the result to the command lines of `--on-success` and `--on-failure`.
    private func tellHooks(
        _ new: DatedArchiveName, in folder: RotationFolder, _ manifest: ArchiveManifest, removed: Int,
        _ context: CommandContext
    ) {
        let files = Quantities.count(manifest.totals.count, "file")
        let size = context.style.size(manifest.totals.bytes)
        context.set("TICDS_ARCHIVE", folder.path(of: new).string)
        context.set("TICDS_FILES", "\(manifest.totals.count)")
        context.set("TICDS_BYTES", "\(manifest.totals.bytes)")
        context.set("TICDS_REMOVED", "\(removed)")
        context.set(
            "TICDS_SUMMARY",
            "\(new.name): \(files), \(size); \(Quantities.count(removed, "old snapshot")) removed")
    }

    private func adoptions(
        in folder: RotationFolder, _ application: RemoteName
    ) throws(FileProblem) -> [RemoteIdentity.Adoption] {
        try keep.adopt.map { (named) throws(FileProblem) in
            try folder.adoption(Environment.path(argument: named), of: application)
        }
    }

    private func exporter(
        of storage: any RemoteStorage, _ new: DatedArchiveName, _ earlier: EarlierArchive? = nil,
        progress: @escaping @Sendable (ArchiveExporter.Step) -> Void
    ) -> ArchiveExporter {
        ArchiveExporter(
            storage, form.settings(new.form, remote: new.identifier, earlier: earlier), progress: progress)
    }

    /// The snapshot on which the new one will depend.
    private struct Parent {
        /// The last snapshot of this remote; nil to write everything.
        var archive: EarlierArchive?
        /// Whether the snapshots of this remote are intact; false if everything is written because some are damaged, or
        /// cannot be read.
        var isIntact = true
    }

    private func parent(
        in folder: RotationFolder, _ identity: RemoteIdentity, _ new: DatedArchiveName, _ keys: Set<String>,
        _ context: CommandContext
    ) throws(FileProblem) -> Parent {
        guard let incremental else { return Parent() }
        let archives = try DatedArchives(folder, identity, new: new, keys: keys)
        let unreadable = archives.leftAlone.last { $0.reason == .unreadable }
        let known = archives.own.last { isDryRun || $0.archive != new }
        guard let last = known?.archive ?? unreadable?.archive
        else {
            return Parent()
        }
        do throws(FileProblem) {
            // The unreadable snapshot may be the last one, and would be the parent.
            if let unreadable, let problem = unreadable.problem, unreadable.archive >= last { throw problem }
            let earlier = try EarlierArchive(folder.path(of: last))
            guard earlier.chainLength < incremental else { return Parent() }
            let bar = ArchiveProgress("checking", context)
            defer { bar.end() }
            if let problem = earlier.problem(progress: { bar.show($0, $1) }) { throw problem }
            return Parent(archive: earlier)
        } catch {
            context.report(error)
            context.warn(
                "a full snapshot is written, because a new one could not be restored from \(last.name)")
            return Parent(isIntact: false)
        }
    }

    private func write(
        _ new: DatedArchiveName, of storage: any RemoteStorage, _ folder: RotationFolder,
        _ earlier: EarlierArchive?, _ context: CommandContext
    ) throws(FileProblem) -> ArchiveManifest {
        let writing = ArchiveProgress("archiving", context)
        defer { writing.end() }
        let exporter = exporter(of: storage, new, earlier) { writing.show($0) }
        return try folder.write(exporter, as: new) { writing.show($0, $1) }
    }

    /// The archives to keep and to prune, including the new one. Without a `--keep` option no archive is opened.
    private func choice(
        in folder: RotationFolder, _ identity: RemoteIdentity, _ new: DatedArchiveName, _ keys: Set<String>,
        _ bases: Set<RemoteName>, _ context: CommandContext
    ) throws(FileProblem) -> RotationDecision {
        let reading = ArchiveProgress("checking", context)
        defer { reading.end() }
        let keepsAll = keep.retention.keepsAll
        let archives = try DatedArchives(
            folder, identity, new: new, keys: keepsAll ? nil : keys, newBases: bases)
        return RotationDecision(archives, new, keep.retention) { file in
            folder.problem(of: file) { reading.show($0, $1) }
        }
    }

    private func warn(of leftOut: [ArchiveManifest.LeftOut], _ context: CommandContext) {
        for entry in leftOut { context.warn("\(entry.path) is not in the archive: \(entry.problem)") }
    }

    /// Reports the archives that do not count. Returns false if one of them could not be read.
    /// - Parameter isNewWhole: false if the new archive lacks a part of the remote, such as keys.
    private func report(
        _ choice: RotationDecision, isNewWhole: Bool, _ context: CommandContext
    ) -> Bool {
        for left in choice.leftAlone {
            if let problem = left.problem { context.report(problem) }
        }
        for reason in DatedArchives.Reason.allCases {
            let names = choice.leftAlone.filter { $0.reason == reason }.map { $0.archive.name.description }
            guard !names.isEmpty, let advice = reason.advice(isNewWhole: isNewWhole) else { continue }
            context.warn("left alone (\(reason.text)): \(names.listed(10)). \(advice)")
        }
        if let problem = choice.problemOfOthers {
            context.report(problem)
            context.warn("no old snapshot is removed, because this archive may depend on it")
        }
        return choice.problemOfOthers == nil && choice.leftAlone.allSatisfy { $0.reason != .unreadable }
    }

    /// Recovers an interrupted removal of an earlier command; the contents of the folder are certain only afterwards.
    /// Reports a failure and returns false.
    private func recover(_ folder: RotationFolder, _ context: CommandContext) -> Bool {
        if keep.retention.keepsAll { return true }
        do throws(FileProblem) {
            try folder.recover(stateHome: try Environment.stateHome, lockWait: lockWait?.seconds ?? 0)
            return true
        } catch {
            context.report(error)
            return false
        }
    }

    /// Removes the pruned archives. On a failure it reports it, keeps everything and returns false.
    private func prune(
        _ choice: inout RotationDecision, in folder: RotationFolder, _ view: inout RotationView,
        _ context: CommandContext
    ) -> Bool {
        do throws(FileProblem) {
            if choice.pruned.isEmpty { return true }
            let stateHome = try Environment.stateHome
            let pruned = choice.pruned
            let wait = lockWait?.seconds ?? 0
            view.operation = try PlanProgress("removing", context).run { (watch) throws(FileProblem) in
                try folder.remove(
                    pruned, command: Self.command, keepsTrash: !keep.noTrash, stateHome: stateHome,
                    lockWait: wait, watch: watch)
            }
            view.keepsTrash = !keep.noTrash
            return true
        } catch {
            context.report(error)
            choice.keepAll()
            return false
        }
    }
}
