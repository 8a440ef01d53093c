import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// Notes of a command, from all its threads: warnings, variables of hooks, and whether the result may be incomplete.
final class CommandNotes: Sendable {
    /// The largest number of warnings that are held.
    private static let mostWarnings = 1_000
    /// The largest number of messages that are remembered.
    private static let mostMessages = 10_000

    /// Errors of one file that are printed at most without `--verbose`.
    private static let mostErrorsOfFile = 10

    private struct State {
        var variables: [(name: String, value: String)] = []
        var warnings: [String] = []
        var messages: Set<String> = []
        var errors: [FilePath: Int] = [:]
        var isShort = false
        var listing: RemoteTree?
        var log: LogFile?
    }

    private let state: Mutex<State>

    /// - Parameter listing: the listing that the process has made before the command.
    init(listing: RemoteTree?, log: LogFile?) { state = Mutex(State(listing: listing, log: log)) }

    /// Appends a line to the log file, if there is one.
    /// - Returns: the first failure; after it, nothing more is written.
    func log(_ level: LogFile.Level, _ message: () -> String) -> FileProblem? {
        guard let log = state.withLock(\.log) else { return nil }
        do throws(FileProblem) {
            try log.add(level, message())
            return nil
        } catch {
            return state.withLock { state in
                defer { state.log = nil }
                return state.log == nil ? nil : error
            }
        }
    }

    /// Sets a variable for the command lines of ``HookOptions``.
    func set(_ name: String, _ value: String) {
        state.withLock { state in
            state.variables.removeAll { $0.name == name }
            state.variables.append((name, value))
        }
    }

    /// The variables so far.
    var variables: [(name: String, value: String)] { state.withLock(\.variables) }

    /// Whether a message is new. Two parts of a command may report the same file; the repetition adds nothing.
    func isNew(_ message: String) -> Bool {
        state.withLock { $0.messages.count >= Self.mostMessages || $0.messages.insert(message).inserted }
    }

    /// Counts an error of a file; false after the first ten, since damage can make an error of each object in a file.
    func isAmongFirst(of path: FilePath) -> Bool {
        state.withLock { state in
            guard state.errors.count < Self.mostMessages || state.errors[path] != nil else { return true }
            state.errors[path, default: 0] += 1
            return state.errors[path, default: 0] <= Self.mostErrorsOfFile
        }
    }

    /// Files with more errors than were printed since the last call, and how many more.
    func takeUnprintedErrors() -> [(path: FilePath, count: Int)] {
        state.withLock { state in
            defer { state.errors = [:] }
            return state.errors.filter { $0.value > Self.mostErrorsOfFile }
                .map { ($0.key, $0.value - Self.mostErrorsOfFile) }.sorted { $0.path.string < $1.path.string }
        }
    }

    /// Forgets which messages there were.
    func forgetMessages() { state.withLock { $0.messages = [] } }

    /// Holds a warning until the command has ended: with `--quiet` it is printed only if there was a problem.
    func hold(_ warning: String) {
        state.withLock { if $0.warnings.count < Self.mostWarnings { $0.warnings.append(warning) } }
    }

    /// The warnings that were held since the last call.
    func takeWarnings() -> [String] {
        state.withLock { state in
            defer { state.warnings = [] }
            return state.warnings
        }
    }

    /// Records that data that the command reads may be shorter than the truth.
    func noteShortAnswer() { state.withLock { $0.isShort = true } }

    /// Whether an incomplete result was recorded.
    var isShort: Bool { state.withLock(\.isShort) }

    /// The listing of the remote at `root`, if the process has made one; only once, since the remote may change.
    func takeListing(of root: FilePath) -> RemoteTree? {
        state.withLock { state in
            guard state.listing?.root == root else { return nil }
            defer { state.listing = nil }
            return state.listing
        }
    }
}
