import Synchronization
public import SystemCalls
import TICDSCore

/// The files that somebody could not read during a verification. What was not read is not well, whoever wanted to read
/// it: each makes a finding, and leaves a repair undone that would rest on it.
final class UnreadFiles: Sendable {
    private let found = Mutex<[RemotePath: FileProblem]>([:])

    /// Keeps a problem that leaves a file unread; others are for the checks.
    func note(_ problem: FileProblem, at path: RemotePath) {
        guard problem.isUnread else { return }
        found.withLock { if $0[path] == nil { $0[path] = problem } }
    }

    /// By path.
    var problems: [(path: RemotePath, problem: FileProblem)] {
        found.withLock { $0.sorted { $0.key < $1.key }.map { (path: $0.key, problem: $0.value) } }
    }
}

extension VerificationContext {
    /// What `body` gives of a file; nil where it fails, for whatever reason. A file that could not be read is noted.
    func attempt<Result>(
        _ path: RemotePath, _ body: () throws(FileProblem) -> Result
    ) -> Result? {
        do throws(FileProblem) {
            return try body()
        } catch {
            unread.note(error, at: path)
            return nil
        }
    }

    /// What could not be read until now, in the order of paths.
    public var unreadFiles: [FileProblem] { unread.problems.map(\.problem) }

    /// A finding for each file that could not be read, unless there is one of it.
    func unreadFindings(besides findings: [Finding]) -> [Finding] {
        let known = Set(
            findings.filter { $0.kind == .cannotBeRead || $0.kind == .changedMeanwhile }.map(\.path))
        return unread.problems.filter { !known.contains($0.path) }.map { path, problem in
            finding(.cannotBeRead, problem, at: path, document: RemotePlace(of: path).document)
        }
    }
}
