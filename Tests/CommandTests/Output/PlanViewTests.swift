import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCommandLine

/// Plans on terminals of 80 and 200 columns: rows show the differences, sentences break between words, and `-v` shows
/// all.
@Suite struct PlanViewTests {
    private static let commands: [[String]] = [
        ["ticds-vacuum", "ROOT", "--leftovers", "--max-delete", "100%"],
        ["ticds-client", "delete", "ROOT", "Børge", "--all-documents"],
        ["ticds-document", "delete", "ROOT", "pantry"],
        ["ticds-integrity", "reset", "ROOT", "--document", "pantry", "--key", "7FA1-42B0-9C"],
    ]

    @Test(arguments: [80, 200]) func everyLineFits(_ columns: Int) throws {
        let remote = try JournaledDemo(changeSets: 30)
        for command in Self.commands {
            let words = command.map { $0 == "ROOT" ? remote.root.string : $0 } + ["--dry-run"]
            let screen = try Self.screen(words, columns, remote.environment)
            let piped = try Program.run(words[0], Array(words.dropFirst()), environment: remote.environment)
            let plan = Self.plan(screen)
            for line in plan where !line.hasPrefix("in /") && line.contains(" ") {
                let isLongWord = line.split(separator: " ").contains { $0.count > columns - 8 }
                #expect(DisplayWidth.of(line) <= columns || isLongWord, "\(command): \(line)")
            }
            // The sentences equal those of the pipe, complete.
            let prose = plan.joined(separator: " ").split(separator: " ").joined(separator: " ")
            for line in Self.plan(piped.output)
            where line.hasPrefix("  then: ") || line.hasPrefix("  warning: ") {
                #expect(prose.contains(line.drop { $0 == " " }), "\(columns), \(command): \(line)")
            }
            let rows = plan.filter { $0.hasPrefix("  to the trash  ") || $0.hasPrefix("  write  ") }
            let paths = rows.map { $0.dropFirst(16).prefix { $0 != " " } }
            #expect(!rows.isEmpty && Set(paths).count == rows.count, "\(command): \(paths)")
        }
    }

    /// A reason is printed once below the table, in full, and the totals name clients.
    @Test func reasonsAndSums() throws {
        let remote = try JournaledDemo(changeSets: 30)
        let words = ["ticds-vacuum", remote.root.string, "--max-delete", "100%", "--dry-run"]
        let screen = try Self.screen(words, 80, remote.environment)
        #expect(
            screen.contains("\n  why: every client and every whole store that counts has it\n"), "\(screen)")
        #expect(screen.contains(/to the trash: \d+ change sets of Anna’s MacBook Pro, \d+ kB/), "\(screen)")
        let whole = try Self.screen(words + ["-v"], 80, remote.environment)
        let piped = try Program.run(words[0], Array(words.dropFirst()), environment: remote.environment)
        for row in Self.plan(piped.output) where row.hasPrefix("  to the trash  ") {
            #expect(whole.contains(row), "\(row)")
        }
    }

    @Test func encryption() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 12)
        let new = try demo.scratch.write("new", Array("other".utf8))
        for (words, reason) in [
            (["decrypt"], "decrypted"),
            (
                ["change-password", "--new-password-file", new],
                "decrypted with the old password, and encrypted with the new one"
            ),
        ] {
            let run = ["ticds-remote", words[0], demo.root.string] + words.dropFirst() + demo.passwordOptions
            let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
            let screen = try Self.screen(run + ["--dry-run"], 80, environment)
            #expect(screen.contains(try Regex("\n  \\d: \(reason)\n")), "\(screen)")
            #expect(!screen.contains(/\n  \d: .*encrypted again/), "\(screen)")
        }
    }

    @Test func shortPaths() {
        let long = "8FFDB291-4FC5-73F8-735A-6C7218DABD69-19988"
        let like = "8FFDB291-4FC5-73F8-735A-6C7218DABD70-19988"
        let paths = ["A/b/\(long)/x.plist", "A/b/\(like)/x.plist", "A/c/\(long)/x.plist", "top"]
        let shown = ShortPaths(paths).shown { _ in 52 }
        #expect(Set(shown).count == 4 && shown.allSatisfy { $0.count <= 52 }, "\(shown)")
        #expect(
            shown[0] == "A/b/8FFDB291-4FC5-73F8-735A-6C7218DABD6…/x.plist"
                || shown[0].hasPrefix("A/b/\(long.prefix(35))"))
        // Suffixes distinguish names with equal beginnings.
        let kinds = ShortPaths(["f/\(long).plist", "f/\(long).recentsync", "f/\(long)"]).shown { _ in 25 }
        #expect(kinds == ["f/8FFDB291….plist", "f/8FFDB291….recentsync", "f/8FFDB291…"], "\(kinds)")
        // Nothing fits, and no loop is endless.
        for width in 0..<12 {
            #expect(ShortPaths(paths).shown { _ in width }.allSatisfy { $0.count <= max(width, 1) })
        }
    }

    private static func screen(_ words: [String], _ columns: Int, _ environment: [String: String]) throws
        -> String
    {
        var run = TerminalScreen.Run(
            words[0], Array(words.dropFirst()), environment.merging(["NO_COLOR": "1"]) { $1 })
        run.columns = columns
        let screen = try TerminalScreen.of(run)
        #expect(screen.status == 0, "\(screen.text)")
        return screen.text
    }

    /// The lines of the plan, without the output of the command before it.
    private static func plan(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines.drop { !$0.hasPrefix("in /") })
    }
}
