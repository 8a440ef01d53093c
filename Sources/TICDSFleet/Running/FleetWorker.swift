import CSystemCalls
import Synchronization
package import SystemCalls
import SystemPackage
import TICDSOperations

/// Works through a shard of a run: each remote in a child process, with limits of time, memory and output.
package struct FleetWorker: Sendable {
    /// The earlier results to recompute.
    package enum Again: String, Sendable, CaseIterable {
        /// The results of remotes that have changed, and results in the state `retry`.
        case changed
        /// Also the results that would fail again.
        case never
        /// All results.
        case all
    }

    /// Progress of a shard.
    package struct Outcome: Sendable {
        package var remotes = 0
        package var ran = 0
        package var unchanged = 0
        package var failed = 0
        package var findings = 0
        /// The number of failures, except plans that no longer match.
        package var unexpected = 0
        /// Whether too many remotes failed.
        package var hasGivenUp = false
        /// Whether a signal stopped the worker.
        package var wasInterrupted = false
        /// The first result that could not be written.
        package var problem: FileProblem?

        var dealt: Int { ran + unchanged }

        package init() {}
    }

    let run: FleetRun
    let shard: Shard
    let stage: FleetRun.Stage
    private let jobs: Int
    let again: Again
    let command: FleetCommand
    private let report: @Sendable (Outcome) -> Void

    /// - Parameter report: called from time to time with the progress, on any thread.
    package init(
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

    /// Works until everything is done, too many remotes have failed, or `shouldStop` returns true.
    /// - Parameter remotes: the remotes of the run to process; nil for all.
    /// - Throws: `.refused` if another worker processes the same shard.
    package func work(
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
        let threads = min(jobs, max(1, mine.count))
        WorkerThreads.run(threads) { _ in
            var children = FleetChildren(
                memory: run.order.settings.memory, cores: max(1, Cores.count / max(1, threads)))
            // ends: after the last remote
            while true {
                let hasGivenUp = state.withLock { $0.hasGivenUp || $0.problem != nil }
                guard !hasGivenUp, !shouldStop() else { return }
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < mine.count else { return }
                let result = self.treat(mine[number], &children, shouldStop)
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
        // Syncs once for all results: a power failure loses at most the results of the last seconds, which are then
        // computed again.
        try OwnedDescriptor.folder(run.folder.appending(stage.rawValue)).syncVolume()
        if let problem = outcome.problem { throw problem }
        return outcome
    }

    /// The remotes of a run that a stage concerns: all, those with a plan, or those whose plan was carried out.
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
                try run.result(of: remote.identifier, .applied)?.state == .done
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
    package static func waiting(in run: FleetRun, _ stage: FleetRun.Stage) throws(FileProblem)
        -> [FleetRemote]
    {
        try chosen(concerned(in: run, stage)) { remote throws(FileProblem) in
            try run.result(of: remote.identifier, stage)?.state != .done
        }
    }

    private func takeLock() throws(FileProblem) -> AdvisoryLock {
        let path = run.folder.appending("shards")
            .appending(".lock-\(stage.rawValue)-\(shard.index)-\(shard.count)")
        if try FileStatus.ifPresent(path) == nil {
            do throws(FileProblem) {
                try NewFile.write([], to: path)
            } catch {
                // Another worker may have created it.
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

    /// Creates the folders for results in advance, so that no remote needs a system call for that.
    private func makeFolders(_ remotes: [FleetRemote]) throws(FileProblem) {
        let beginnings = Set(remotes.map { String($0.identifier.prefix(2)) })
        let names = [stage.rawValue] + (command.isChanging ? ["plans"] : [])
        for name in names {
            for beginning in beginnings.sorted() {
                try PrivateDirectory.make(run.folder.appending(name).appending(beginning))
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
}

extension FleetWorker.Outcome {
    mutating func add(_ treatment: FleetWorker.Treatment) {
        switch treatment {
        case .unchanged(let head):
            unchanged += 1
            count(head)
        case .ran(let head):
            ran += 1
            count(head)
        case .stopped: break
        case .blocked:
            failed += 1
            unexpected += 1
        case .failed(let error): problem = problem ?? error
        }
    }

    private mutating func count(_ head: RunResultHeader) {
        if head.state != .done { failed += 1 }
        if head.state != .done, head.reason != .refused { unexpected += 1 }
        if head.state == .done, head.exitStatus == 1 { findings += 1 }
    }
}
