import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// Asks the user about conflicts, on the terminal.
final class ConflictQuestion {
    private let open: OpenReplica
    private let keyring: RemoteKeyring
    private let isDryRun: Bool
    private let style: TextStyle
    /// The answer for all following conflicts.
    private var answer: SyncResolution?

    init(_ open: OpenReplica, _ keyring: RemoteKeyring, isDryRun: Bool, _ style: TextStyle) {
        self.style = style
        self.open = open
        self.keyring = keyring
        self.isDryRun = isDryRun
    }

    /// - Throws: `.refused` without a terminal, and if the user stops.
    func ask(_ conflict: OpenConflict) throws(FileProblem) -> SyncResolution {
        if isDryRun { return .undecided }
        if let answer { return answer }
        var preface = OutputBuffer.preface()
        show(conflict, to: &preface)
        // ends: with an answer, or with the input
        while true {
            let line = TerminalQuestion.line(Self.question, preface: preface.collectedText)
            preface = OutputBuffer.preface()
            switch line {
            case "l": return .local
            case "r": return .remote
            case "L": return remember(.local)
            case "R": return remember(.remote)
            case "q": throw refusal("stopped at a conflict", nil)
            case nil:
                throw refusal(
                    "there is a conflict to decide, and no terminal to ask on",
                    "Decide with --conflicts, or with a rule in Replica.json")
            default: continue
            }
        }
    }

    private static let question: TerminalText =
        "Whose value counts? l = here, r = elsewhere, L/R = for all, q = stop [l/r/L/R/q]"

    private func remember(_ resolution: SyncResolution) -> SyncResolution {
        answer = resolution
        return resolution
    }

    private func show(_ open: OpenConflict, to text: inout OutputBuffer) {
        let conflict = open.conflict
        let name = self.open.name(of: open.client, keyring)
        text.line("\(conflict.key) of \(conflict.entity) \(conflict.syncID) was changed here and elsewhere:")
        text.line("  here:      \(style.line(of: conflict.local))\(time(conflict.localTime))")
        text.line("  elsewhere: \(style.line(of: conflict.remote))\(time(conflict.remoteTime)), by \(name)")
    }

    private func time(_ seconds: Double?) -> String {
        seconds.flatMap { FileTime(secondsSince2001: $0) }.map { ", \(style.second($0))" } ?? ""
    }

    private func refusal(_ problem: String, _ advice: String?) -> FileProblem {
        FileProblem(.refused, path: open.folder.store, "\(problem): nothing was changed", advice: advice)
    }
}
