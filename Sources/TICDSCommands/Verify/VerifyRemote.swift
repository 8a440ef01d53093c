import ArgumentParser
import Base
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSRepair
import TICDSStorages
import TICDSVerification

struct VerifyRemote: HookedCommand, RemoteCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Checks a whole remote, or one document of it. (The word may be left out.)",
        discussion: """
            Levels: names checks the listing only; headers also reads the first bytes of every file; \
            contents opens every file and reads it to its end; deep also compares objects, registers and \
            whole stores across files.

            Examples:
              ticds-verify ~/Dropbox/com.example.app
              ticds-verify ~/Dropbox/com.example.app --level deep --json > findings.jsonl
              ticds-verify ~/sync/com.example.app --state ~/.verified --max-duration 10m --quiet
              ticds-verify ~/Dropbox/com.example.app --as-new-client --variant dropbox
              ticds-verify ~/Dropbox/com.example.app --one-line --on-failure 'mail -s "$TICDS_SUMMARY" root </dev/null'
              ticds-verify ~/Dropbox/com.example.app --repair --dry-run
              ticds-verify ~/Dropbox/com.example.app --repair --only TICDS-0201 --yes
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var options: VerifyOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var simulation: SimulationOptions
    @OptionGroup var findings: FindingOptions

    @Flag(help: "Print only one line with the result, for health checks; the exit status stays the same.")
    var oneLine = false

    @OptionGroup var repairs: RepairOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var hooks: HookOptions
    @OptionGroup var output: OutputOptions

    var runsHooks: Bool { !repairs.isOnlyPlanned }

    private func opened(
        _ address: RemoteAddress, _ context: CommandContext
    ) throws(FileProblem) -> OpenRemote {
        do throws(FileProblem) {
            return try OpenRemote(address, password, context)
        } catch {
            // Other programs have this word as a subcommand.
            guard error.kind == .missing, remote.remote == "fleet" else { throw error }
            var problem = error
            problem.advice = "To verify many remotes: ticds-fleet scan FOLDER, then ticds-fleet run verify"
            throw problem
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        transfer.apply()
        FreedMemory.keep(upTo: 32 << 20)
        let address = try remote.address
        // Also for hooks if the remote cannot be opened.
        context.set("TICDS_REMOTE", address.root.string)
        let open = try opened(address, context)
        if repairs.repair, simulation.isWanted {
            throw ValidationError("--repair and a simulation cannot go together.")
        }
        context.set("TICDS_REMOTE", open.path.string)
        if simulation.isWanted { return try simulate(open, context) }
        let ground = try VerificationContext(open, try keyring(of: open))
        var settings = Verifier.Settings()
        settings.level = options.level
        if documents.document != nil { settings.document = try open.document(documents).identifier }
        let state = try options.statePath(of: open.path)
        // By whatever path the user names the remote.
        let place = open.storage.capabilities == nil ? try open.path.resolved() ?? open.path : open.path
        if let state { settings.known = try VerificationState.read(state, of: place) }
        settings.longestTrust = options.recheckAfter?.seconds
        settings.workers = options.jobs ?? context.workers
        let watch = VerificationWatch(context, limit: options.maxDuration)
        settings.mayContinue = { watch.hasTime }
        settings.onProgress = { watch.show($0) }
        if settings.level >= .contents { open.prepareToRead() }
        let result = Verifier(ground, settings).verify()
        watch.end()
        if let state, try result.known != settings.known || FileStatus.ifPresent(state) == nil {
            try VerificationState.write(result.known, to: state, of: place)
        }
        if repairs.repair {
            return try repair(result.report, of: open, document: settings.document, ground, context)
        }
        return try show(result.report, of: open, document: settings.document, context)
    }

    /// Asks for the password if the level needs it, unless `--without-password` was given.
    private func keyring(of open: OpenRemote) throws(FileProblem) -> RemoteKeyring {
        if options.withoutPassword { return try open.keyringWithoutPassword() }
        return try open.keyringForVerification(asks: simulation.isWanted || options.level >= .contents)
    }

    func validate() throws {
        if options.withoutPassword, password.file != nil || password.command != nil {
            throw ValidationError("--without-password and a password contradict each other.")
        }
        if oneLine, output.json || repairs.repair || simulation.isWanted {
            throw ValidationError("--one-line cannot go together with --json, --repair or a simulation.")
        }
    }

    private func simulate(_ open: OpenRemote, _ context: CommandContext) throws -> ExitStatus {
        // Clients continue without the password that is missing or wrong here, and fail at a damaged salt.
        var locked: FileProblem?
        var keyring = RemoteKeyring(.locked)
        do throws(FileProblem) { keyring = try self.keyring(of: open) } catch { locked = error }
        if let locked {
            guard [.damaged, .wrongPassword].contains(locked.kind) else { throw locked }
            context.report(locked)
        }
        let ground = try VerificationContext(open, keyring)
        let client = try simulation.client(of: open)
        let chosen = try simulatedDocuments(open, ground, context)
        let model = try simulation.givenModel
        var runs = chosen.flatMap {
            SyncSimulator.runs(
                client: client, document: $0, variant: simulation.variant.variant, model: model,
                refusesPassword: locked?.kind == .wrongPassword, ground)
        }
        try noteLateRepairs(in: &runs, open, context)
        let isWell = !runs.isEmpty && runs.allSatisfy { $0.outcome == .done && !$0.mayLackEdits }
        if context.json {
            var json = context.lines()
            for run in runs { json.document((run, open.path), Simulation.schema) }
            try json.flush()
        } else if !context.isSilent(isWell && open.gaps.isEmpty ? .success : .findings) {
            var text = context.longText()
            let verifier = isWell ? nil : FileVerifier(ground)
            let view = SimulationView(
                names: FindingNames(open), colour: context.colour(), style: context.style,
                isWhole: context.verbose,
                // try?: the end of the command reports what lacked
                findings: { (try? verifier?.findings(of: $0)) ?? [] }
            ) { client, document in
                open.snapshot.document(document)?.recentSync(of: client)?.file.modified
            }
            view.show(runs, to: &text)
            if documents.document == nil {
                view.showLimits(open.snapshot.deletedDocuments.map(\.identifier), to: &text)
            }
            if runs.contains(where: { ![.done, .unknown].contains($0.outcome) }) {
                let remote = ShellWord.quoted(open.path)
                text.line("What is wrong: ticds-verify \(remote)")
                text.line("To repair it: ticds-verify \(remote) --repair")
            }
            if !isWell,
                runs.contains(where: { $0.client != nil && ($0.outcome != .unknown || $0.mayLackEdits) })
            {
                text.line(
                    "What the client has skipped already it does not read again: ticds help recipes reset")
            }
            try text.flush()
        }
        for problem in ground.unreadFiles { context.report(problem) }
        let status = open.reportGaps(context, isWell ? .success : .findings)
        if locked?.kind == .wrongPassword { return .password }
        if !ground.scarcities.isEmpty { return .failed }
        return status == .success && !ground.unreadFiles.isEmpty ? .partial : status
    }

    /// Adds to each simulation the sets that were repaired too late for the client.
    private func noteLateRepairs(
        in runs: inout [Simulation], _ open: OpenRemote, _ context: CommandContext
    ) throws(FileProblem) {
        let lost: LostChangeSets
        do throws(FileProblem) {
            guard let state = try OpenRemote.journalState(of: open.storage) else { return }
            lost = try LostChangeSets(state)
        } catch {
            return context.warn("the journal cannot be read: \(error)")
        }
        for position in runs.indices {
            let run = runs[position]
            guard run.standing == .member || run.standing == .orphaned, let client = run.client,
                let document = open.snapshot.document(run.document)
            else { continue }
            let lacking = lost.lacking(client, in: document, open.snapshot.tree)
            (runs[position].repairedLate, runs[position].perhapsLacking) = lacking
        }
    }

    /// The document that was named, even if it is gone; otherwise all that the remote shows.
    private func simulatedDocuments(
        _ open: OpenRemote, _ ground: VerificationContext, _ context: CommandContext
    ) throws(FileProblem) -> [RemoteName] {
        let all = SyncSimulator.documents(ground)
        guard let name = documents.document else { return all }
        // The identifier of a missing document may be a part of a different document's description.
        let gone = all + open.snapshot.deletedDocuments.map(\.identifier)
        if let identifier = gone.first(where: { $0 == RemoteName(name) }) { return [identifier] }
        do throws(FileProblem) {
            let named = try documents.some(of: open.documents(), in: open.path)
            return named.map(\.identifier)
        } catch {
            let document = RemoteName(name)
            guard error.kind == .unknownName, !name.isEmpty, !name.contains("/") else { throw error }
            let wasDeleted = open.snapshot.deletedDocuments.contains { $0.identifier == document }
            if !wasDeleted, !all.contains(document) { context.report(error) }
            return [document]
        }
    }

    /// The files and folders of the findings.
    static func paths(of findings: [Finding], _ open: OpenRemote) -> Set<FilePath> {
        Set(findings.map { $0.path.filePath(under: open.path) })
    }

    /// The exit status as far as the report determines it.
    private func verdict(_ report: VerificationReport, _ chosen: [Finding]) -> ExitStatus {
        if !report.scarcities.isEmpty { return .failed }
        if report.lacksPassword, !options.withoutPassword { return .password }
        let status = findings.status(chosen)
        let lacks = report.lacksTime || report.lacksChangedFiles || findings.leaveOutUnread(report.findings)
        return status == .success && lacks ? .partial : status
    }

    private func show(
        _ report: VerificationReport, of open: OpenRemote, document: RemoteName?, _ context: CommandContext
    ) throws -> ExitStatus {
        let chosen = findings.choose(report.findings)
        if context.json {
            var json = context.lines()
            for finding in findings.shown(chosen) {
                json.document((finding, open.path, false), Finding.schema)
            }
            json.document((report, chosen, open, findings.failOn), VerificationReport.schema)
            try json.flush()
        } else if !oneLine, !context.isSilent(open.gaps.isEmpty ? verdict(report, chosen) : .partial) {
            var text = context.text()
            let view = FindingsView(
                root: open.path, names: FindingNames(open), colour: context.colour(), style: context.style,
                isQuiet: context.quiet, document: document, isVerbose: context.verbose)
            view.show(
                report, chosen, shown: findings.shown(chosen),
                isWhole: open.gaps.isEmpty && !report.lacksChangedFiles && report.scarcities.isEmpty,
                to: &text)
            try text.flush()
        }
        for problem in report.scarcities { context.report(problem) }
        var status = open.reportGaps(
            context, verdict(report, chosen), besides: Self.paths(of: chosen, open))
        // A remote that has lost its encryption would be a finding.
        if status == .success, open.unreadState != nil { status = .partial }
        let line = VerificationLine(report, chosen, status, of: open, document: document, context.style)
        line.tellHooks(context)
        if oneLine {
            var text = context.text()
            text.row(TerminalText(line.text))
            try text.flush()
        }
        return status
    }
}

extension VerificationContext {
    /// A remote that a command has opened, at the present time.
    convenience init(_ open: OpenRemote, _ keyring: RemoteKeyring) throws(FileProblem) {
        self.init(
            storage: open.storage, snapshot: open.snapshot, keyring: keyring, now: .now,
            wasEncrypted: try open.remembersEncryption())
    }
}

extension VerifyRemote {
    /// Plans a repair of the findings, lists the remaining ones, and carries the plan out.
    func repair(
        _ report: VerificationReport, of open: OpenRemote, document: RemoteName?,
        _ ground: VerificationContext, _ context: CommandContext
    ) throws -> ExitStatus {
        let ignored = Set(findings.ignore.map(\.kind))
        let all = report.findings.filter { !ignored.contains($0.kind) }
        let names = ClientNames(open.clientNames().part)
        let chosen = findings.choose(report.findings)
        let leftOut = report.findings.count -| chosen.count
        let wanted = chosen.filter { document == nil || $0.document == document }
        let outside = chosen.filter { document != nil && $0.document != document }
        let repair = try RepairPlanner.plan(
            wanted, among: all, ground,
            root: try open.root, command: "ticds-verify --repair", names: names,
            allowing: repairs.change.allowedMissing)
        let reason = "it belongs to no document; the command repairs it without --document"
        let leftFindings = outside.map { LeftFinding(finding: $0, reason: reason) } + repair.left
        let left = leftFindings.map(\.finding)
        let isMute = context.quiet && repairs.change.doesNotShow && findings.status(left) == .success
        let isListed = !context.json && !isMute && !left.isEmpty
        if isListed { try showLeft(leftFindings, of: open, context) }
        let runner = PlanRunner(
            repairs.change, context, names: names, printed: isListed ? repair.leftNotes : [],
            nothing: left.isEmpty
                ? "Nothing was found that needs a repair, so nothing was changed"
                    + (leftOut > 0 ? "; \(VerificationLine.leftOut(leftOut))." : ".")
                : "The command can repair none of these findings, so nothing was changed.")
        let status = try runner.run(repair.plan, on: nil, snapshot: open.snapshot, recoder: repair.recoder)
        guard status == .success else { return status }
        return open.reportGaps(
            context, ending(report, left, ground), besides: Self.paths(of: report.findings, open))
    }

    private func ending(
        _ report: VerificationReport, _ left: [Finding], _ ground: VerificationContext
    ) -> ExitStatus {
        if repairs.isOnlyPlanned {
            return report.lacksFiles || !ground.unreadFiles.isEmpty ? .partial : .success
        }
        if report.lacksPassword, !options.withoutPassword { return .password }
        if report.lacksTime { return .partial }
        let status = findings.status(left)
        return status == .success && findings.leaveOutUnread(report.findings) ? .partial : status
    }

    private func showLeft(_ left: [LeftFinding], of open: OpenRemote, _ context: CommandContext) throws {
        var text = context.text()
        let colour = context.colour()
        text.line(colour.paint("Not repaired: \(Quantities.count(left.count, "finding"))", .bold))
        let view = FindingsView(
            root: open.path, names: FindingNames(open), colour: colour, style: context.style,
            isQuiet: context.quiet,
            reasons: Dictionary(left.map { ($0.finding, $0.reason) }) { first, _ in first })
        let all = left.map(\.finding)
        view.show(findings.shown(all), of: all.count, to: &text)
        text.line("")
        try text.flush()
    }
}

/// Shows the progress of a verification, on a terminal and after each SIGUSR1, and watches its time limit.
final class VerificationWatch: Sendable {
    private struct State: ~Copyable {
        var bar: Progress?
        var last: VerificationProgress?
    }

    private let state: Mutex<State>
    private let start = ContinuousClock.now
    private let style: TextStyle
    private let limit: Duration?
    private let signals: StatusSignal

    init(_ context: CommandContext, limit: DurationArgument?) {
        state = Mutex(State(bar: Progress("verifying", context)))
        style = context.style
        self.limit = limit.map { .seconds($0.seconds) }
        signals = StatusSignal()
        signals.listen { [weak self] in self?.report() }
    }

    /// Whether there is time left.
    var hasTime: Bool { limit.map { start.duration(to: .now) < $0 } ?? true }

    func show(_ progress: VerificationProgress) {
        state.withLock {
            $0.last = progress
            $0.bar?.update(Self.state(progress))
        }
    }

    /// Removes the line from the terminal.
    func end() {
        signals.stop()
        state.withLock { $0.bar = nil }
    }

    private func report() {
        let last = state.withLock { $0.last }
        let seconds = start.duration(to: .now).components.seconds
        let text = last.map { Self.text($0, style) } ?? "listing the remote"
        Messages.line("\(text), after \(Quantities.count(Int(seconds), "second"))")
    }

    private static func files(_ progress: VerificationProgress) -> String {
        "\(Quantities.count(progress.files)) of \(Quantities.count(progress.filesInAll, "file"))"
    }

    private static func state(_ progress: VerificationProgress) -> ProgressState {
        ProgressState(
            progress.bytes, of: progress.bytesInAll, .bytes,
            details: "\(files(progress)), \(Quantities.count(progress.findings, "finding"))")
    }

    private static func text(_ progress: VerificationProgress, _ style: TextStyle) -> String {
        let bytes = "\(style.size(progress.bytes)) of \(style.size(progress.bytesInAll))"
        return "\(files(progress)), \(bytes), \(Quantities.count(progress.findings, "finding"))"
    }
}
