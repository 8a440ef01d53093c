import CSystemCalls
import KeyedArchive
import Synchronization
public import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Works through a shard of a run: each remote in a child process, with limits of time, memory and output.
public struct FleetWorker: Sendable {
    /// The first argument of a child process; then the number of its parent, its memory, the digest of the last result or
    /// a hyphen, the remote to list or a hyphen, the file for its output or a hyphen, the program, and its arguments.
    public static let marker = "--one-of-a-fleet"

    /// Which results of earlier runs are not good enough.
    public enum Again: String, Sendable, CaseIterable {
        /// Those of remotes that have changed, and those that the state `retry` asks for.
        case changed
        /// Those that would fail again, too.
        case never
        /// All.
        case all
    }

    /// What became of a shard.
    public struct Outcome: Sendable {
        public var remotes = 0
        public var ran = 0
        public var unchanged = 0
        public var failed = 0
        public var findings = 0
        /// Failures but for plans that no longer fit.
        public var unexpected = 0
        /// Whether too many failed.
        public var hasGivenUp = false
        /// Whether a signal stopped it.
        public var wasInterrupted = false
        /// The first result that could not be written.
        public var problem: FileProblem?

        var dealt: Int { ran + unchanged }

        public init() {}
    }

    private let run: FleetRun
    private let shard: Shard
    private let stage: FleetRun.Stage
    private let jobs: Int
    private let again: Again
    private let command: FleetCommand
    private let report: @Sendable (Outcome) -> Void

    /// - Parameter report: called now and then with what was done so far, on any thread.
    public init(
        _ run: FleetRun, _ shard: Shard, stage: FleetRun.Stage = .envelopes, jobs: Int,
        again: Again = .changed,
        report: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) throws(FileProblem) {
        self.run = run
        self.shard = shard
        self.stage = stage
        self.jobs = jobs
        self.again = again
        self.report = report
        command = try run.command()
    }

    /// Works until all is done, too much has failed, or `shouldStop`.
    /// - Parameter remotes: the remotes of the run that are to be looked at; nil for all.
    /// - Throws: `.refused` if another worker does the same shard.
    public func work(
        on remotes: [FleetRemote]? = nil, shouldStop: @escaping @Sendable () -> Bool
    ) throws(FileProblem) -> Outcome {
        let mine: [FleetRemote]
        if let remotes {
            mine = remotes
        } else {
            mine = try Self.concerned(in: run, stage).filter(shard.contains)
        }
        let lock = try takeLock()
        defer { _ = lock }
        try makeFolders(mine)
        let isChanging = stage != .envelopes
        let limit = run.order.settings.failureLimit(of: mine.count) ?? (isChanging ? 0 : nil)
        var first = Outcome()
        first.remotes = mine.count
        let state = Mutex(first)
        let next = Atomic(0)
        let begun = FileTime.now
        let lastNote = Mutex(ContinuousClock.now)
        let start = ContinuousClock.now
        note(state.withLock(\.self), begun, start, hasEnded: false)
        WorkerThreads.run(min(jobs, max(1, mine.count))) { _ in
            while true {
                let hasGivenUp = state.withLock { $0.hasGivenUp || $0.problem != nil }
                guard !hasGivenUp, !shouldStop() else { return }
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < mine.count else { return }
                let result = self.treat(mine[number], shouldStop)
                let now = state.withLock { outcome in
                    outcome.add(result)
                    if let limit, (isChanging ? outcome.unexpected : outcome.failed) > limit {
                        outcome.hasGivenUp = true
                    }
                    return outcome
                }
                report(now)
                let isDue = lastNote.withLock { last in
                    guard last.duration(to: .now) > .seconds(1) else { return false }
                    last = .now
                    return true
                }
                if isDue { note(now, begun, start, hasEnded: false) }
            }
        }
        var outcome = state.withLock(\.self)
        outcome.wasInterrupted = shouldStop()
        note(outcome, begun, start, hasEnded: true)
        // Once for all results: a machine that loses its power loses at most those of the last seconds, and does them again.
        try OwnedDescriptor.folder(run.folder.appending(stage.rawValue)).syncVolume()
        if let problem = outcome.problem { throw problem }
        return outcome
    }

    /// The remotes of a run that a stage is about: all, those with a plan, or those whose plan was carried out.
    static func concerned(in run: FleetRun, _ stage: FleetRun.Stage) throws(FileProblem) -> [FleetRemote] {
        let all = try run.remotes()
        switch stage {
        case .envelopes: return all
        case .applied:
            return try chosen(all) { remote throws(FileProblem) in
                try FileStatus.ifPresent(run.plan(remote.identifier)) != nil
            }
        case .undone:
            return try chosen(all) { remote throws(FileProblem) in
                try EnvelopeHead.read(run.envelope(remote.identifier, .applied))?.state == .done
            }
        }
    }

    private static func chosen(
        _ remotes: [FleetRemote], _ isWanted: (FleetRemote) throws(FileProblem) -> Bool
    ) throws(FileProblem) -> [FleetRemote] {
        var chosen: [FleetRemote] = []
        for remote in remotes where try isWanted(remote) { chosen.append(remote) }
        return chosen
    }

    /// The remotes for which a stage has no result yet.
    public static func waiting(in run: FleetRun, _ stage: FleetRun.Stage) throws(FileProblem) -> [FleetRemote]
    {
        try chosen(concerned(in: run, stage)) { remote throws(FileProblem) in
            try EnvelopeHead.read(run.envelope(remote.identifier, stage))?.state != .done
        }
    }

    private func takeLock() throws(FileProblem) -> AdvisoryLock {
        let path = run.folder.appending("shards")
            .appending(".lock-\(stage.rawValue)-\(shard.index)-\(shard.count)")
        if try FileStatus.ifPresent(path) == nil {
            do throws(FileProblem) {
                try NewFile.write([], to: path)
            } catch {
                // Another worker may have made it.
                guard try FileStatus.ifPresent(path) != nil else { throw error }
            }
        }
        switch try AdvisoryLock.take(path) {
        case .held(let lock), .unsupported(let lock): return lock
        case .taken:
            throw FileProblem(
                .refused, path: run.folder, "another worker does shard \(shard.text) of this run",
                advice: "Wait until it has finished; see: ticds-fleet status")
        }
    }

    /// Makes the folders for results, so that no remote costs a call for that.
    private func makeFolders(_ remotes: [FleetRemote]) throws(FileProblem) {
        let beginnings = Set(remotes.map { String($0.identifier.prefix(2)) })
        let names = [stage.rawValue] + (command.isChanging ? ["plans"] : [])
        for name in names {
            for beginning in beginnings.sorted() {
                try Folders.make(run.folder.appending(name).appending(beginning))
            }
        }
    }

    private func note(_ outcome: Outcome, _ begun: FileTime, _ start: ContinuousClock.Instant, hasEnded: Bool)
    {
        let length = start.duration(to: .now).components
        let progress = ShardProgress(
            shard: shard.text, stage: stage.rawValue, host: Environment.hostName,
            process: Int(Environment.processNumber),
            begun: begun.iso, updated: FileTime.now.iso, remotes: outcome.remotes, dealt: outcome.dealt,
            ran: outcome.ran, unchanged: outcome.unchanged, failed: outcome.failed, hasEnded: hasEnded,
            stoppedEarly: hasEnded && (outcome.hasGivenUp || outcome.wasInterrupted),
            // bounded: a time that was measured here
            seconds: Double(length.seconds) + (Double(length.attoseconds) / 1e18 * 1000).rounded() / 1000)
        // try?: the next one may be written, and results do not depend on it
        try? progress.write(run)
    }

    /// What became of one remote.
    fileprivate enum Treatment {
        case unchanged(EnvelopeHead)
        case ran(EnvelopeHead)
        case stopped
        case failed(FileProblem)
    }

    private func treat(_ remote: FleetRemote, _ shouldStop: () -> Bool) -> Treatment {
        do throws(FileProblem) {
            let path = run.envelope(remote.identifier, stage)
            let former = try EnvelopeHead.read(path)
            let words = try arguments(remote)
            let shown = [program] + words.map { String(decoding: $0, as: UTF8.self) }
            // The same command, in the same version of the suite.
            let comparable = former.flatMap {
                $0.command == shown && $0.version == SuiteVersion.current ? $0 : nil
            }
            // What was changed once is not changed again, also by another version or with other limits.
            if stage != .envelopes, let former, former.state == .done { return .unchanged(former) }
            let known = known(comparable)
            let newPlan = run.newPlan(remote.identifier)
            if command.isChanging, stage == .envelopes { try QuickFile.remove(newPlan) }
            let printed = run.output(remote.identifier, stage)
            if stage != .envelopes, let adopted = try adopt(remote, printed, shown) { return .ran(adopted) }
            let started = FileTime.now
            let settings = run.order.settings
            let result = try LimitedProcess.run(
                "/proc/self/exe", childArguments(remote, words, known: known),
                // A process that crashes says why, and ends: what the runtime prints besides is long.
                setting: ["TICDS_REMOTE": nil, "SWIFT_BACKTRACE": "enable=no"],
                LimitedProcess.Limits(
                    seconds: Double(settings.timeout), output: Int(clamping: settings.output) +| 4_096,
                    grace: stage == .envelopes ? 0 : 120),
                shouldStop: shouldStop)
            if result.ending == .stopped { return .stopped }
            var (header, output) = ChildHeader.split(result.output)
            if stage != .envelopes { output = try Self.printed(printed) }
            if header.isUnchanged, let comparable { return .unchanged(comparable) }
            var head = head(of: remote, shown)
            head.started = started
            // bounded: a time that was measured here
            head.seconds = (result.seconds * 1000).rounded() / 1000
            head.peakMemory = result.peakMemory
            head.digest = header.digest
            head.files = header.files
            let isSame = comparable?.digest == header.digest
            head.attempts = isSame && comparable?.state != .done ? (comparable?.attempts ?? 0) +| 1 : 1
            var payload: [String] = []
            if let documents = Envelope.documents(in: output) {
                payload = documents
            } else {
                output = []
                head.reason = .unreadable
            }
            Judgement(result, memory: settings.memory, attempts: settings.attempts).judge(&head)
            if command.isChanging, stage == .envelopes {
                try QuickFile.replace(run.plan(remote.identifier), by: newPlan, isWanted: head.state == .done)
            }
            try QuickFile.write(Envelope(head, payload: payload).bytes, to: path)
            return .ran(head)
        } catch {
            return .failed(error)
        }
    }

    /// The program that does the stage.
    private var program: String { stage == .envelopes ? command.program : "ticds-journal" }

    private func arguments(_ remote: FleetRemote) throws(FileProblem) -> [[UInt8]] {
        func bytes(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
        switch stage {
        case .envelopes:
            let saving =
                command.isChanging ? bytes("--save-plan") + [run.newPlan(remote.identifier).bytes] : []
            return command.arguments(for: remote) + saving
        case .applied:
            return bytes("apply") + [run.plan(remote.identifier).bytes] + bytes("--yes", "--json")
                + (run.order.settings.maxDelete.map { bytes("--max-delete", $0) } ?? [])
        case .undone:
            let path = run.envelope(remote.identifier, .applied)
            guard let applied = try EnvelopeHead.read(path) else {
                throw FileProblem(.missing, path: path, "there is no operation to undo")
            }
            guard applied.host == Environment.hostName else {
                throw FileProblem(
                    .refused, path: remote.location, "the journal of its operation lies on another machine",
                    found: applied.host, advice: "Run ticds-fleet undo there")
            }
            let number = try Self.operation(in: FileBytes.read(path, limit: Envelope.limit).array)
            guard let number else {
                throw FileProblem(.damaged, path: path, "does not name the operation to undo")
            }
            return bytes("undo") + [remote.location.bytes] + bytes("\(number)", "--yes", "--json")
        }
    }

    /// The number of the operation in what a command printed, or in an envelope that contains that; nil if there is none.
    private static func operation(in bytes: [UInt8]) -> Int64? {
        var found: Int64?
        func read(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "operation":
                    if scanner.null() { return }
                    found = try scanner.integer()
                case "payload":
                    try scanner.array { (scanner) throws(JSONScanner.Problem) in try read(&scanner) }
                default: try scanner.skip()
                }
            }
        }
        var scanner = JSONScanner(bytes, deepest: 220)
        do throws(JSONScanner.Problem) {
            try read(&scanner)
            try scanner.end()
        } catch {
            return nil
        }
        return found
    }

    /// What a child process wrote into its file.
    private static func printed(_ path: FilePath) throws(FileProblem) -> [UInt8] {
        let bytes = try unlessMissing { () throws(FileProblem) in try FileBytes.read(path, limit: .plan) }
        return bytes?.array ?? []
    }

    /// The result of a child process that has outlived its worker; nil if there is none.
    /// - Throws: `.refused` while it runs.
    private func adopt(
        _ remote: FleetRemote, _ printed: FilePath, _ shown: [String]
    ) throws(FileProblem) -> EnvelopeHead? {
        guard try FileStatus.ifPresent(printed) != nil else { return nil }
        if case .taken = try AdvisoryLock.take(printed) {
            throw FileProblem(
                .refused, path: remote.location, "an earlier attempt on this remote still runs",
                advice: "Wait until it has finished")
        }
        let output = try Self.printed(printed)
        guard Self.operation(in: output) != nil, let documents = Envelope.documents(in: output) else {
            return nil
        }
        var head = head(of: remote, shown)
        head.exitStatus = 0
        head.started = try FileStatus.of(printed).modified
        try QuickFile.write(
            Envelope(head, payload: documents).bytes, to: run.envelope(remote.identifier, stage))
        return head
    }

    private func head(of remote: FleetRemote, _ shown: [String]) -> EnvelopeHead {
        var head = EnvelopeHead()
        head.identifier = remote.identifier
        head.location = remote.location
        head.application = remote.application
        head.tags = remote.tags
        head.run = run.order.name
        head.command = shown
        head.version = SuiteVersion.current
        head.host = Environment.hostName
        return head
    }

    /// The digest with which a former result is good enough; nil to run the command anyhow.
    private func known(_ former: EnvelopeHead?) -> String? {
        guard stage == .envelopes, let former, let digest = former.digest else { return nil }
        switch (former.state, again) {
        case (_, .all), (.retry, _), (.never, .never): return nil
        case (.done, _), (.never, .changed): return digest
        }
    }

    private func childArguments(_ remote: FleetRemote, _ words: [[UInt8]], known: String?) -> [[UInt8]] {
        let isCommand = stage == .envelopes
        let texts = [
            program, Self.marker, "\(Environment.processNumber)", "\(run.order.settings.memory)",
            known ?? "-",
        ]
        return texts.map { Array($0.utf8) }
            + [isCommand ? remote.location.bytes : [0x2D]]
            + [isCommand ? [0x2D] : run.output(remote.identifier, stage).bytes] + [Array(program.utf8)]
            + words
    }
}

extension FleetWorker.Outcome {
    fileprivate mutating func add(_ treatment: FleetWorker.Treatment) {
        switch treatment {
        case .unchanged(let head):
            unchanged += 1
            count(head)
        case .ran(let head):
            ran += 1
            count(head)
        case .stopped: break
        case .failed(let error): problem = problem ?? error
        }
    }

    private mutating func count(_ head: EnvelopeHead) {
        if head.state != .done { failed += 1 }
        if head.state != .done, head.reason != .refused { unexpected += 1 }
        if head.state == .done, head.exitStatus == 1 { findings += 1 }
    }
}
