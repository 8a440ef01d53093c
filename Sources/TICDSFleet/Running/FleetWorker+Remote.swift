import Base
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The processing of one remote.
extension FleetWorker {
    /// The outcome for one remote.
    enum Treatment {
        case unchanged(RunResultHeader)
        case ran(RunResultHeader)
        case stopped
        /// The former result cannot be read, so that the remote is left as it is; the states of the run name the problem.
        case blocked
        case failed(FileProblem)
    }

    func treat(
        _ remote: FleetRemote, _ children: inout FleetChildren, _ shouldStop: () -> Bool
    ) -> Treatment {
        let former: RunResultHeader?
        do throws(FileProblem) {
            former = try run.result(of: remote.identifier, stage)
        } catch {
            return .blocked
        }
        do throws(FileProblem) {
            let path = run.envelope(remote.identifier, stage)
            let words = try arguments(remote)
            let shown = [program] + words.map { String(decoding: $0, as: UTF8.self) }
            // The command and the version of ticds must be the same.
            let comparable = former.flatMap {
                $0.command == shown && $0.version == SuiteVersion.current ? $0 : nil
            }
            // A completed change is never repeated, not even by a different version or with different limits.
            if stage != .envelopes, let former, former.state == .done { return .unchanged(former) }
            let known = known(comparable)
            let newPlan = run.newPlan(remote.identifier)
            if command.isChanging, stage == .envelopes { try QuickFile.remove(newPlan) }
            let printed = run.output(remote.identifier, stage)
            if stage != .envelopes, let adopted = try adopt(remote, printed, shown) { return .ran(adopted) }
            let started = FileTime.now
            let settings = run.order.settings
            let request = FleetRequest(
                program: program, known: known, remote: stage == .envelopes ? remote.location : nil,
                output: stage == .envelopes ? nil : printed)
            let result = try children.run(
                request, words,
                mayShare: stage == .envelopes && command.sharesProcesses && remote.password == nil,
                Subprocess.Limits(
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
            if let documents = RunResult.documents(in: output) {
                payload = documents
            } else {
                output = []
                head.reason = .unreadable
            }
            ExitClassifier(result, memory: settings.memory, attempts: settings.attempts).judge(&head)
            if command.isChanging, stage == .envelopes {
                let isWanted = try head.state == .done ? Self.isPlan(newPlan) : false
                try QuickFile.replace(run.plan(remote.identifier), by: newPlan, isWanted: isWanted)
            }
            try QuickFile.write(RunResult(head, payload: payload).bytes, to: path)
            return .ran(head)
        } catch {
            return .failed(error)
        }
    }

    /// Whether a command has saved a plan with actions.
    private static func isPlan(_ path: FilePath) throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(path) == nil ? false : !PlanFile.read(path).actions.isEmpty
    }

    func head(of remote: FleetRemote, _ shown: [String]) -> RunResultHeader {
        var head = RunResultHeader()
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

    /// The digest for which a former result is good enough; nil to run the command in any case.
    private func known(_ former: RunResultHeader?) -> String? {
        guard stage == .envelopes, let former, let digest = former.digest else { return nil }
        switch (former.state, again) {
        case (_, .all), (.retry, _), (.never, .never): return nil
        case (.done, _), (.never, .changed): return digest
        }
    }
}
