import Synchronization
import TICDSCommandLine
import TICDSVerification

/// Shows how far a verification is, on a terminal and whenever the process gets SIGUSR1, and keeps its time.
final class VerificationWatch: Sendable {
    private struct State: ~Copyable {
        var bar: Progress?
        var last: VerificationProgress?
    }

    private let state: Mutex<State>
    private let start = ContinuousClock.now
    private let limit: Duration?
    private let signals: StatusSignal

    init(_ output: OutputOptions, limit: DurationArgument?) {
        state = Mutex(State(bar: Progress("verifying", output)))
        self.limit = limit.map { .seconds($0.seconds) }
        signals = StatusSignal()
        signals.listen { [weak self] in self?.report() }
    }

    /// False once the time is over.
    var hasTime: Bool { limit.map { start.duration(to: .now) < $0 } ?? true }

    func show(_ progress: VerificationProgress) {
        state.withLock {
            $0.last = progress
            $0.bar?.update(Self.state(progress))
        }
    }

    /// Takes the line off the terminal.
    func end() {
        signals.stop()
        state.withLock { $0.bar = nil }
    }

    private func report() {
        let last = state.withLock { $0.last }
        let seconds = start.duration(to: .now).components.seconds
        let text = last.map(Self.text) ?? "listing the remote"
        Messages.line("\(text), after \(Quantities.count(Int(seconds), "second"))")
    }

    private static func state(_ progress: VerificationProgress) -> ProgressState {
        let files = "\(Quantities.count(progress.files)) of \(Quantities.count(progress.filesInAll, "file"))"
        return ProgressState(
            progress.bytes, of: progress.bytesInAll, .bytes,
            details: "\(files), \(Quantities.count(progress.findings, "finding"))")
    }

    private static func text(_ progress: VerificationProgress) -> String {
        let files = "\(Quantities.count(progress.files)) of \(Quantities.count(progress.filesInAll, "file"))"
        let bytes =
            "\(Quantities.size(progress.bytes)) of \(Quantities.size(progress.bytesInAll))"
        return "\(files), \(bytes), \(Quantities.count(progress.findings, "finding"))"
    }
}
