import Synchronization
package import SystemCalls
import SystemPackage
package import TICDSCommandLine

/// The problems of showing a remote or store as a mount. The command prints them on standard error, and `--exec` ends with
/// another status because of them: programs that read the files end well.
package final class MountProblems: Sendable {
    private let context: CommandContext
    private let found = Atomic(false)
    private let lacking = Mutex<Set<Lack>>([])

    private struct Lack: Hashable {
        let place: FilePath
        let what: String
    }

    /// No problems yet.
    package init(_ context: CommandContext) { self.context = context }

    /// Whether there was none.
    package var areNone: Bool { !found.load(ordering: .sequentiallyConsistent) }

    /// Prints a problem; not twice.
    package func report(_ problem: FileProblem) {
        found.store(true, ordering: .sequentiallyConsistent)
        context.report(problem)
    }

    /// Says once that what programs read of a document or store is less than there is.
    /// - Parameters:
    ///   - what: what lacks something.
    ///   - advice: where the reasons stand.
    func report(lackAt place: FilePath, of what: String, advice: String) {
        guard lacking.withLock({ $0.insert(Lack(place: place, what: what)).inserted }) else { return }
        report(
            FileProblem(
                .damaged, path: place, "\(what) in the mount lack what could not be read or applied",
                advice: advice))
    }
}
