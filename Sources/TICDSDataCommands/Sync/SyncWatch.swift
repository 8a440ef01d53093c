import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages
import TICDSSync

struct SyncWatch: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Synchronises whenever something has changed, here or in the remote.",
        discussion: """
            Runs once at the start, then whenever clients have sent something or the store was edited, until a signal \
            ends it. Where the system does not report changes, as on network drives, it looks again at each interval.

            Examples:
              ticds-sync watch Notes
              ticds-sync watch Notes --interval 5m --exec 'make -C reports'
              ticds-sync watch Notes --once && echo "something has changed"
              ticds-sync watch Notes --on-failure 'logger -t ticds "$TICDS_PROBLEM"'
            """)

    @OptionGroup var replica: ReplicaOptions

    @Option(
        help: .value(
            "command",
            "Run a command line with /bin/sh after each synchronisation; TICDS_SETS_APPLIED and other "
                + "variables show what was done."),
        completion: .commandLine)
    var exec: String?

    @Option(help: .value("duration", "Look at everything again after this time, such as 5m. Default: 60s."))
    var interval: DurationArgument?

    @Flag(help: "End after the first synchronisation that was caused by a change.")
    var once = false

    @OptionGroup var settings: RunSettings
    @OptionGroup var password: PasswordOptions
    @OptionGroup var hooks: HookOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let interval, !(1...86_400).contains(interval.seconds) {
            throw ValidationError("--interval takes a duration from 1s to 24h.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let folder = try replica.folder
        return try Interruption.catching {
            var watcher = ReplicaWatcher(
                folder, settings, password, context, interval: interval?.seconds ?? 60, command: exec,
                hooks: hooks)
            do throws(FileProblem) {
                return try watcher.run(once: once)
            } catch {
                watcher.runHooks(nil, error)
                throw error
            }
        }
    }
}

/// Synchronises a replica repeatedly.
struct ReplicaWatcher {
    private let folder: ReplicaFolder
    private let settings: RunSettings
    private let password: PasswordOptions
    private let context: CommandContext
    private let interval: Int64
    private let command: String?
    private let hooks: HookOptions
    /// The keyring for a salt, so that the command asks for the password only once.
    private var opened: (salt: [UInt8]?, keyring: RemoteKeyring)?
    private var hasWarnedOfDrive = false

    init(
        _ folder: ReplicaFolder, _ settings: RunSettings, _ password: PasswordOptions,
        _ context: CommandContext, interval: Int64, command: String?, hooks: HookOptions
    ) {
        self.folder = folder
        self.settings = settings
        self.password = password
        self.context = context
        self.interval = interval
        self.command = command
        self.hooks = hooks
    }

    /// Returns after a signal, or with `once` after the first synchronisation that a change caused.
    /// - Throws: the error of the first synchronisation; a later one only if the password has become wrong.
    mutating func run(once: Bool) throws(FileProblem) -> ExitStatus {
        var watch = try begin()
        guard try beginPatiently() else { return .success }
        while !Interruption.isWanted {
            guard let causes = try watch.next(isInterrupted: { Interruption.isWanted }) else { break }
            context.beginRound()
            context.inform("changed: \(causes.map(\.rawValue).sorted().joined(separator: ", "))")
            if causes.contains(.configuration) { watch = try begin() }
            do throws(FileProblem) {
                if causes == [.store], try !hasEdits() { continue }
                let status = try synchronise()
                if once { return status }
            } catch {
                if once || [.encrypted, .wrongPassword].contains(error.kind) { throw error }
                context.report(error)
                runCommand(nil, ErrorReport(error).status)
                runHooks(nil, error)
                watch.tryAgain()
            }
        }
        return .success
    }

    /// The first synchronisation, which waits while another command is active. Returns false if a signal came first.
    private mutating func beginPatiently() throws(FileProblem) -> Bool {
        var isWaiting = false
        // ends: when the other command has finished, or at a signal; it waits as long as watch runs
        while true {
            do throws(FileProblem) {
                _ = try synchronise()
                return true
            } catch {
                guard error.isBusy else { throw error }
                if Interruption.isWanted { return false }
                if !isWaiting {
                    context.warn("waiting: \(error.problem)\(error.found.map { " (\($0))" } ?? "")")
                }
                isWaiting = true
                Deadline(seconds: 1).pause()
            }
        }
    }

    private mutating func begin() throws(FileProblem) -> ReplicaWatch {
        var times = ReplicaWatch.Settings()
        times.interval = .seconds(interval)
        let configuration = try ReplicaConfiguration.read(folder.configuration)
        let remote = try OpenReplica.address(of: configuration)
        var elsewhere: ReplicaWatch.ListRemote?
        if case .elsewhere = remote {
            elsewhere = { () throws(FileProblem) in try remote.storage() }
        }
        var watch = ReplicaWatch(
            folder, configuration, try InotifyWatcher(), times, elsewhere: elsewhere)
        watch.begin()
        if elsewhere != nil, !hasWarnedOfDrive {
            hasWarnedOfDrive = true
            context.inform("\(remote.root) is looked at every \(interval) s")
        }
        if let unwatched = watch.unwatched.first, !hasWarnedOfDrive {
            hasWarnedOfDrive = true
            let drive = NetworkFileSystem.name(of: unwatched).map { " (a \($0) drive)" } ?? ""
            context.warn(
                "the system does not report changes in \(unwatched)\(drive); the program looks there every \(interval) s"
            )
        }
        return watch
    }

    /// Whether there are edits to send; a synchronisation also writes to the store.
    private func hasEdits() throws(FileProblem) -> Bool {
        let session = try ReplicaSession(folder, lockWait: settings.lockWait?.seconds ?? 5)
        let report = try session.commit(isDryRun: true)
        return report.editsRecorded > 0 || report.changesWaiting > 0 || !report.tidied.isEmpty
    }

    private mutating func synchronise() throws(FileProblem) -> ExitStatus {
        let done = try synchronised()
        runCommand(done.report, done.status)
        return hooks.run(after: done.status, variables(done.report, done.status), context)
    }

    /// Unlocks the replica before it returns.
    private mutating func synchronised() throws(FileProblem) -> (report: RunReport, status: ExitStatus) {
        var open = try OpenReplica(folder, lockWait: settings.lockWait, password, context)
        let salt = try PasswordCheck.salt(of: open.storage)
        var remote: ReplicaRemote
        if let opened, opened.salt == salt, salt != nil {
            remote = try open.remote(opened.keyring)
        } else {
            remote = try open.remote()
            opened = (salt, remote.keyring)
        }
        remote = try open.registered(remote, settings.lockWait)
        let result = SyncResult(open, remote, settings.options)
        let report = try result.run()
        try show(report, result)
        return (report, result.status(report))
    }

    private func show(_ report: RunReport, _ result: SyncResult) throws(FileProblem) {
        for problem in report.problems { context.report(problem) }
        if context.json {
            var json = context.lines()
            json.document((result, report), SyncResult.schema)
            try json.flush()
        } else {
            var text = context.text()
            text.append("\(context.style.second(FileTime.now))  ")
            result.add(report, to: &text, context)
            try text.flush()
        }
    }

    /// Runs the command line for the end of a synchronisation that failed.
    func runHooks(_ report: RunReport?, _ problem: FileProblem) {
        let error = ErrorReport(problem)
        _ = hooks.run(
            after: error.status, variables(report, error.status) + [("TICDS_PROBLEM", error.line)], context)
    }

    /// The results, for the user's command lines.
    private func variables(
        _ report: RunReport?, _ status: ExitStatus
    ) -> [(name: String, value: String)] {
        let numbers = [
            ("TICDS_SETS_APPLIED", report?.setsApplied), ("TICDS_CHANGES_APPLIED", report?.changesApplied),
            ("TICDS_CHANGES_SENT", report?.sent?.changes), ("TICDS_CONFLICTS", report?.conflicts),
            ("TICDS_WARNINGS", report?.warnings), ("TICDS_STATUS", Int(status.rawValue)),
        ]
        return [("TICDS_REPLICA", folder.path.string)] + numbers.map { ($0.0, "\($0.1 ?? 0)") }
    }

    private func runCommand(_ report: RunReport?, _ status: ExitStatus) {
        guard let command else { return }
        switch ShellCommand.run(command, mask: context.fileMask, adding: variables(report, status)) {
        case .success(0): break
        case .success(let status): context.warn("the command of --exec ended with status \(status)")
        case .failure(let number): context.warn("the command of --exec cannot be run: \(number)")
        }
    }
}
