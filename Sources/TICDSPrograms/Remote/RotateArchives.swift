import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSArchive
import TICDSCore

struct RotateArchives: SuiteCommand {
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
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --keep-daily 7 --keep-weekly 5 --keep-monthly 12
            """)

    @Argument(
        help: ArgumentHelp(
            "The application folder of the remote, and the folder of the snapshots. Without the remote: TICDS_REMOTE.",
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
        let root = try found.resolved() ?? found
        let application = RemoteName(root.lastComponent?.bytes ?? [])
        let folder = try RotationFolder(Environment.path(argument: rest[0]), for: root)
        let state = RemoteState(root: root, stateHome: try Environment.stateHome)
        form.prepareWriting()
        if isDryRun {
            var identity = try RemoteIdentity.looked(up: state)
            for adoption in try adoptions(in: folder, application) { identity.adopt(adoption) }
            let new = DatedArchiveName(application, identity.identifier, .now, archiveForm)
            let keys = try exporter(of: root, new) { _ in }.integrityKeys()
            let choice = try choice(in: folder, identity, new, keys)
            let isWhole = report(choice)
            try RotationView(root, folder, new, isDryRun: true).print(choice, output)
            return isWhole ? .success : .partial
        }
        let lock = try folder.lock(command: Self.command, wait: lockWait?.seconds ?? 0)
        defer { withExtendedLifetime(lock) {} }
        let identity = try RemoteIdentity.kept(for: state, adopting: adoptions(in: folder, application))
        let new = try folder.newName(application, identity, archiveForm)
        var view = RotationView(root, folder, new, isDryRun: false)
        let manifest = try write(new, of: root, folder)
        view.manifest = manifest
        let isRecovered = recover(folder)
        var choice = try choice(in: folder, identity, new, manifest.keys)
        if !isRecovered { choice.keepAll() }
        if !manifest.leftOut.isEmpty, !choice.pruned.isEmpty {
            output.warn("no old snapshot is removed, because the new one is incomplete")
            choice.keepAll()
        }
        for entry in manifest.leftOut { output.warn("\(entry.path) is not in the archive: \(entry.problem)") }
        let isWhole = report(choice)
        let isDone = prune(&choice, in: folder, &view)
        try view.print(choice, output)
        return manifest.leftOut.isEmpty && isRecovered && isWhole && isDone ? .success : .partial
    }

    private static let command = "ticds-remote snapshot"

    private func adoptions(
        in folder: RotationFolder, _ application: RemoteName
    ) throws(FileProblem) -> [RemoteIdentity.Adoption] {
        try keep.adopt.map { (named) throws(FileProblem) in
            try folder.adoption(Environment.path(argument: named), of: application)
        }
    }

    private func exporter(
        of root: FilePath, _ new: DatedArchiveName,
        progress: @escaping @Sendable (ArchiveExporter.Step) -> Void
    ) -> ArchiveExporter {
        ArchiveExporter(
            OpenRemote.storage(at: root),
            .init(
                form: new.form, level: form.level, threads: form.threads,
                program: "ticds \(SuiteVersion.current)", remote: new.identifier), progress: progress)
    }

    private func write(
        _ new: DatedArchiveName, of root: FilePath, _ folder: RotationFolder
    ) throws(FileProblem) -> ArchiveManifest {
        let writing = ArchiveProgress("archiving", output)
        defer { writing.end() }
        let exporter = exporter(of: root, new) { writing.show($0) }
        return try folder.write(exporter, as: new) { writing.show($0, $1) }
    }

    /// What stays and what goes, the new dated archive among the others. Without a `--keep` option no archive is
    /// opened.
    private func choice(
        in folder: RotationFolder, _ identity: RemoteIdentity, _ new: DatedArchiveName, _ keys: Set<String>
    ) throws(FileProblem) -> RotationDecision {
        let reading = ArchiveProgress("checking", output)
        defer { reading.end() }
        let keepsAll = keep.retention.keepsAll
        let archives = try DatedArchives(folder, identity, new: new, keys: keepsAll ? nil : keys)
        return RotationDecision(archives, new, keep.retention) { file in
            folder.problem(of: file) { reading.show($0, $1) }
        }
    }

    /// Says what is not counted. False where something could not be read.
    private func report(_ choice: RotationDecision) -> Bool {
        for left in choice.leftAlone {
            if let problem = left.problem { output.report(problem) }
        }
        for reason in DatedArchives.Reason.allCases {
            let names = choice.leftAlone.filter { $0.reason == reason }.map { $0.archive.name.description }
            guard !names.isEmpty, let advice = reason.advice else { continue }
            let more = names.count > 10 ? " and \(names.count - 10) more" : ""
            let list = names.prefix(10).joined(separator: ", ")
            output.warn("left alone (\(reason.text)): \(list)\(more). \(advice)")
        }
        return choice.leftAlone.allSatisfy { $0.reason != .unreadable }
    }

    /// Ends what an earlier command began to remove, since what is in the folder is known only then. False where that
    /// failed: it is reported.
    private func recover(_ folder: RotationFolder) -> Bool {
        if keep.retention.keepsAll { return true }
        do throws(FileProblem) {
            try folder.recover(stateHome: try Environment.stateHome, lockWait: lockWait?.seconds ?? 0)
            return true
        } catch {
            output.report(error)
            return false
        }
    }

    /// Removes what goes. False where that failed: it is reported, and everything stays.
    private func prune(
        _ choice: inout RotationDecision, in folder: RotationFolder, _ view: inout RotationView
    ) -> Bool {
        do throws(FileProblem) {
            if choice.pruned.isEmpty { return true }
            let stateHome = try Environment.stateHome
            let pruned = choice.pruned
            let wait = lockWait?.seconds ?? 0
            view.operation = try ChangeWatch("removing", output).run { (watch) throws(FileProblem) in
                try folder.remove(
                    pruned, command: Self.command, keepsTrash: !keep.hasNoTrash, stateHome: stateHome,
                    lockWait: wait, watch: watch)
            }
            view.keepsTrash = !keep.hasNoTrash
            return true
        } catch {
            output.report(error)
            choice.keepAll()
            return false
        }
    }
}

extension DatedArchives.Reason {
    /// What to do about those that are left alone for this reason; nil where that is as it should be, or where an error
    /// has said it.
    fileprivate var advice: String? {
        switch self {
        case .otherRemote, .unreadable: nil
        case .unidentified: "Count an archive with --adopt, or remove it by hand"
        case .future: "Check the clock, and rename or remove the archives with wrong times in their names"
        case .notAFile: "Find out what put it there"
        case .misnamed: "Find out where the archive comes from"
        case .otherKeys:
            "If an archive belongs to this remote, count it with --adopt; otherwise remove it by hand"
        case .incomplete: "It is never counted; remove it by hand when nobody needs it"
        }
    }

    /// The reason in a few words.
    var text: String {
        switch self {
        case .otherRemote: "another remote"
        case .unidentified: "no remote in its name"
        case .future: "from the future"
        case .notAFile: "not a plain file"
        case .misnamed: "manifest of another remote"
        case .otherKeys: "no integrity key in common"
        case .incomplete: "not complete"
        case .unreadable: "cannot be read"
        }
    }
}
