import CSystemCalls
import KeyedArchive
import Synchronization
public import SystemCalls
import SystemPackage
import TICDSCommandLine
public import TICDSCore

/// Works through a shard of a run: each remote in a child process, with limits of time, memory and output.
public struct FleetWorker: Sendable {
    /// The first argument of a child process; then the number of its parent, its memory, the digest of the last result or
    /// a hyphen, the remote to list or a hyphen, the program, and its arguments.
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
        if let remotes { mine = remotes } else { mine = try run.remotes().filter(shard.contains) }
        let lock = try takeLock()
        defer { _ = lock }
        try makeFolders(mine)
        let limit = run.order.settings.failureLimit(of: mine.count)
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
                    if let limit, outcome.failed > limit { outcome.hasGivenUp = true }
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
                try StateFolder.make(run.folder.appending(name).appending(beginning))
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
            let words = arguments(remote)
            let shown = [command.program] + words.map { String(decoding: $0, as: UTF8.self) }
            // The same command, in the same version of the suite.
            let comparable = former.flatMap {
                $0.command == shown && $0.version == SuiteVersion.current ? $0 : nil
            }
            if stage != .envelopes, let comparable, comparable.state == .done {
                return .unchanged(comparable)
            }
            let known = known(comparable)
            let started = FileTime.now
            let settings = run.order.settings
            let result = try LimitedProcess.run(
                "/proc/self/exe", childArguments(remote, words, known: known),
                // A process that crashes says why, and ends: what the runtime prints besides is long.
                setting: ["TICDS_REMOTE": nil, "SWIFT_BACKTRACE": "enable=no"],
                LimitedProcess.Limits(
                    seconds: Double(settings.timeout), output: Int(clamping: settings.output) +| 4_096),
                shouldStop: shouldStop)
            if result.ending == .stopped { return .stopped }
            var (header, output) = ChildHeader.split(result.output)
            if header.isUnchanged, let comparable { return .unchanged(comparable) }
            var head = EnvelopeHead()
            head.identifier = remote.identifier
            head.location = remote.location
            head.application = remote.application
            head.tags = remote.tags
            head.run = run.order.name
            head.command = shown
            head.version = SuiteVersion.current
            head.host = Environment.hostName
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
            try QuickFile.write(Envelope(head, payload: payload).bytes, to: path)
            return .ran(head)
        } catch {
            return .failed(error)
        }
    }

    private func arguments(_ remote: FleetRemote) -> [[UInt8]] {
        let plan = run.plan(remote.identifier).bytes
        switch stage {
        case .envelopes:
            let saving = command.isChanging ? [Array("--save-plan".utf8), plan] : []
            return command.arguments(for: remote) + saving
        case .applied: return [Array("apply".utf8), plan] + ["--yes", "--json"].map { Array($0.utf8) }
        case .undone: return []
        }
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
        let program = stage == .envelopes ? command.program : "ticds-journal"
        let texts = [
            program, Self.marker, "\(Environment.processNumber)", "\(run.order.settings.memory)",
            known ?? "-",
        ]
        return texts.map { Array($0.utf8) } + [stage == .envelopes ? remote.location.bytes : [0x2D]]
            + [Array(program.utf8)] + words
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
        if head.state == .done, head.exitStatus == 1 { findings += 1 }
    }
}

/// The line that a child process writes before its command begins.
public struct ChildHeader: Sendable, Hashable {
    /// Of the listing; nil if a part could not be listed.
    public var digest: String?
    /// Nil if nothing could be listed.
    public var files: FileTotals?
    /// Whether the digest is the one that the parent knows, so that the command did not run.
    public var isUnchanged = false

    public init() {}

    /// The line.
    public var line: [UInt8] {
        let files = files.map { "\($0.count) \($0.bytes)" } ?? "- -"
        return Array("fleet \(digest ?? "-") \(files) \(isUnchanged ? "unchanged" : "runs")\n".utf8)
    }

    /// Separates the line from what the command printed.
    static func split(_ output: [UInt8]) -> (header: ChildHeader, output: [UInt8]) {
        var header = ChildHeader()
        guard let end = output.prefix(200).firstIndex(of: 0x0A) else { return (header, output) }
        let words = String(decoding: output[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 5, words[0] == "fleet" else { return (header, output) }
        header.digest = words[1] == "-" ? nil : String(words[1])
        if let count = Int(words[2]), let bytes = Int64(words[3]) {
            header.files = FileTotals(count: count, bytes: bytes)
        }
        header.isUnchanged = words[4] == "unchanged"
        return (header, Array(output[(end + 1)...]))
    }
}

/// Decides what the end of a child process means.
struct Judgement {
    private let result: LimitedProcess.Result
    private let memory: Int64
    private let attempts: Int

    init(_ result: LimitedProcess.Result, memory: Int64, attempts: Int) {
        self.result = result
        self.memory = memory
        self.attempts = attempts
    }

    /// Kinds of errors that stay as long as the remote does.
    private static let lasting: Set<String> = [
        "damaged", "unsupported", "notARemote", "ambiguous", "unknownName", "limit", "missing", "usage",
    ]

    func judge(_ head: inout EnvelopeHead) {
        let isUnreadable = head.reason == .unreadable
        head.reason = nil
        head.problem = lastMessage
        switch result.ending {
        case .exited(let status):
            head.exitStatus = Int(status)
            (head.state, head.reason) = judge(status)
            if isUnreadable, head.state == .done { (head.state, head.reason) = (.never, .unreadable) }
        case .signalled(let number):
            head.signal = Int(number)
            // A process without memory ends by a signal of its own.
            (head.state, head.reason) = (.retry, result.peakMemory > memory / 2 ? .memory : .crash)
        case .timedOut: (head.state, head.reason) = (.retry, .timeout)
        case .wroteTooMuch: (head.state, head.reason) = (.never, .output)
        case .stopped: (head.state, head.reason) = (.retry, .failed)
        }
        if head.state == .done { head.problem = nil }
        if head.state == .retry, head.attempts >= attempts { head.state = .never }
    }

    private func judge(_ status: CInt) -> (EnvelopeHead.State, EnvelopeHead.Reason?) {
        switch status {
        case 0, 1: return (.done, nil)
        case 3: return (.never, .refused)
        case 4: return (.retry, .password)
        case 5: return (.retry, .partial)
        case 64: return (.never, .failed)
        default:
            let kind = errorKind
            if kind == "limit", result.peakMemory > memory / 2 { return (.retry, .memory) }
            return (kind.map(Self.lasting.contains) == true ? .never : .retry, .failed)
        }
    }

    /// The kind of the last error that the command printed as JSON.
    private var errorKind: String? {
        for line in lines.reversed() where line.starts(with: "{\"schema\":\"ticds.error/1\"".utf8) {
            var kind: String?
            var scanner = JSONScanner(Array(line))
            // try?: the line may be cut
            try? scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                if key == "kind" { kind = try scanner.text() } else { try scanner.skip() }
            }
            return kind
        }
        return nil
    }

    private var lastMessage: String? {
        let texts = lines.filter { !$0.isEmpty && $0.first != UInt8(ascii: "{") }
        return texts.last.map { String(String(decoding: $0, as: UTF8.self).prefix(1_000)) }
    }

    private var lines: [ArraySlice<UInt8>] { result.messages.split(separator: 0x0A) }
}
