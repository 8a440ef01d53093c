/// The exit status of every ticds program.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// Findings: a check found problems, or a comparison found differences.
    case findings = 1
    case failed = 2
    /// Refused for safety.
    case refused = 3
    /// Password missing or wrong.
    case password = 4
    /// Done in part.
    case partial = 5
    case usage = 64
    case interrupted = 130
}
