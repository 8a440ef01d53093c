import ArchiveCommandLine
import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSArchives
import TICDSCommandLine
import TICDSCore

struct SnapshotRemote: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Writes a dated archive of a remote into a folder, and removes old ones.",
        discussion: """
            Made for cron. The archive is called like the app, with the time in UTC, and gets its name when it is on disk \
            and has been read again. Only then do snapshots of the same app go that no --keep option keeps; without these \
            options none goes. Encrypted files stay encrypted, and need no password.

            Examples:
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --keep-daily 7 --keep-weekly 5 --keep-monthly 12
            """)

    @Argument(
        help: ArgumentHelp(
            "The application folder of the remote, and the folder that takes the snapshots. Without the remote: TICDS_REMOTE.",
            valueName: "remote> <folder"),
        completion: .directory)
    var places: [String]

    @OptionGroup var form: ArchiveFormOptions
    @OptionGroup var keep: KeepOptions

    @Flag(name: .customLong("dry-run"), help: "Show what would be written and removed, and change nothing.")
    var isDryRun = false

    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp(
            "Wait this long, such as 1h, for another snapshot that is being written to the folder.",
            valueName: "time"))
    var lockWait: DurationArgument?

    @OptionGroup var output: OutputOptions

    func validate() throws { _ = try RemoteOptions.separate(places, before: 1, named: "FOLDER") }

    func execute() throws -> ExitStatus {
        let (named, rest) = try RemoteOptions.separate(places, before: 1, named: "FOLDER")
        let archiveForm = try form.form(forFile: nil)
        let found = try RemoteLocation.find(named)
        let root = found.resolved() ?? found
        let application = RemoteName(root.lastComponent?.bytes ?? [])
        let folder = try SnapshotFolder(Environment.path(argument: rest[0]), for: root)
        form.prepareWriting()
        if isDryRun {
            let new = SnapshotName(application, .now, archiveForm)
            let page = SnapshotPage(root, folder, new, isDryRun: true)
            try page.print(try choice(in: folder, with: new), output)
            return .success
        }
        let lock = try folder.lock(command: "ticds-remote snapshot", wait: lockWait?.seconds ?? 0)
        defer { withExtendedLifetime(lock) {} }
        let new = try folder.newName(application, archiveForm)
        var page = SnapshotPage(root, folder, new, isDryRun: false)
        page.manifest = try write(LocalStorage(root: root), new, folder)
        var choice = try choice(in: folder, with: new)
        let leftOut = page.manifest?.leftOut ?? []
        if !leftOut.isEmpty, !choice.pruned.isEmpty {
            output.warn("no old snapshot is removed, since the new one is not complete")
            choice.keepAll()
        }
        for entry in leftOut { output.warn("\(entry.path) is not in the archive: \(entry.problem)") }
        let isDone = choice.prune(folder, output)
        try page.print(choice, output)
        return leftOut.isEmpty && isDone ? .success : .partial
    }

    private func write(
        _ storage: LocalStorage, _ new: SnapshotName, _ folder: SnapshotFolder
    ) throws(FileProblem) -> ArchiveManifest {
        let writing = ArchiveProgress("archiving", output)
        defer { writing.end() }
        let exporter = ArchiveExporter(
            storage,
            .init(
                form: new.form, level: form.level, threads: form.threads,
                program: "ticds \(SuiteVersion.current)")
        ) { writing.show($0) }
        return try folder.write(exporter, as: new) { writing.show($0, $1) }
    }

    /// What stays and what goes, the new snapshot among the others.
    private func choice(
        in folder: SnapshotFolder, with new: SnapshotName
    ) throws(FileProblem) -> SnapshotChoice {
        SnapshotChoice(try folder.snapshots(of: new.application), new, keep.retention)
    }
}
