import Foundation
import TestSupport
import Testing

/// The output of the programs changes only on purpose: it is compared with the files in `Snapshots`, which `make
/// snapshots` writes again.
@Suite struct ScreenTests {
    /// Terminals of 80 columns and, if the output differs, of 40 and 200.
    @Test func everyCommand() throws {
        let scenes = try Scenes()
        let usual = try scenes.screens(columns: 80)
        try Screen("screens-80").compare(usual.joined(separator: "\n"))
        for columns in [40, 200] {
            let screens = try zip(usual, scenes.screens(columns: columns)).filter { $0 != $1 }.map(\.1)
            try Screen("screens-\(columns)").compare(screens.joined(separator: "\n"))
            let wide = screens.flatMap { Self.wideLines(of: $0, columns) }
            #expect(wide.isEmpty, "at \(columns) columns: \(wide)")
        }
        let wide = usual.flatMap { Self.wideLines(of: $0, 80) }
        #expect(wide.isEmpty, "\(wide)")
    }

    /// The lines that a terminal breaks inside a word although a space comes before. Commands stay whole.
    private static func wideLines(of screen: String, _ columns: Int) -> [Substring] {
        screen.split(separator: "\n").dropFirst().filter { line in
            guard line.count > columns else { return false }
            let text = line.drop { $0 == " " }
            let start = text.prefix { $0 != " " }
            // The table of a diagram is for another program.
            let isWhole = ["$ ", "ticds-"].contains(where: text.hasPrefix)
            if isWhole || [": ticds-", "<TABLE"].contains(where: { text.contains($0) }) { return false }
            // A word that fits no line is not moved to the next.
            let rest = text.dropFirst(start.count).split(separator: " ")
            return rest.allSatisfy { $0.count < columns / 2 } && start.count < columns / 2
        }
    }

    /// No line breaks inside a word on any terminal: each word of a screen is a word of a very wide screen, except in
    /// cells that end with an ellipsis, and in notes that a column was left out, was shortened or became a line.
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"))
    func linesBreakBetweenWords() throws {
        let scenes = try Scenes()
        func words(_ screen: String) -> [Substring] {
            screen.replacing(/\((left out|shortened):[^)]*\)/, with: "").split(whereSeparator: \.isWhitespace)
        }
        let wide = try scenes.screens(columns: 2_000)
        for columns in [60, 80, 200] {
            for (narrow, whole) in zip(try scenes.screens(columns: columns), wide) {
                let known = Set(words(whole))
                let broken = words(narrow).filter { word in
                    !known.contains(word) && word != "why:" && !word.contains("…") && !Self.isDrawn(word)
                }
                let title = narrow.prefix { $0 != "\n" }
                #expect(broken.isEmpty, "\(title) at \(columns) columns: \(broken)")
            }
        }
    }

    /// Whether a word is a part of a picture, whose form depends on the width.
    private static func isDrawn(_ word: Substring) -> Bool {
        word.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
    }

    @Test(arguments: ManualTests.programs)
    func help(program: String) throws {
        let dump = try HelpDump.of(program)
        let commands = [[]] + (dump.hasSubcommands ? dump.usableCommands.map { [$0.commandName] } : [])
        let pages = try commands.map { words in
            let result = try Program.run(program, words + ["--help"])
            return "$ \(([program] + words).joined(separator: " ")) --help\n\(result.output)"
        }
        try Screen("help-\(program)").compare(pages.joined(separator: "\n"))
    }

    /// The lines of examples are complete on every terminal, so that they can be copied; sentences fit the width.
    @Test(arguments: ManualTests.programs)
    func examplesAreWhole(program: String) throws {
        let dump = try HelpDump.of(program)
        let commands =
            [(words: [String](), command: dump.command)]
            + (dump.hasSubcommands ? dump.usableCommands.map { (words: [$0.commandName], command: $0) } : [])
        for (words, command) in commands {
            let discussion = (command.discussion ?? "").components(separatedBy: "\n")
            let examples = discussion.filter { $0.hasPrefix("  ticds") || $0.hasPrefix("$ ") }
            for columns in LongTests.areWanted || words.isEmpty ? [30, 80, 200] : [30] {
                var run = TerminalScreen.Run(program, words + ["--help"], ["COLUMNS": "\(columns)"])
                run.columns = max(columns, 400)
                let piped = try Program.run(
                    program, words + ["--help"], environment: ["COLUMNS": "\(columns)"])
                let shown = piped.output.components(separatedBy: "\n")
                for example in examples {
                    #expect(shown.contains(example), "\(program) \(words) at \(columns): \(example)")
                }
                let overview = shown.prefix { !$0.hasPrefix("USAGE: ") }.filter { !$0.hasPrefix("  ") }
                #expect(
                    overview.allSatisfy { $0.count <= max(40, columns) }, "\(program) \(words) \(columns)")
                if columns == 80, words.isEmpty {
                    let screen = try TerminalScreen.of(run).text.components(separatedBy: "\n")
                    #expect(examples.allSatisfy { screen.contains($0) }, "\(program): \(screen)")
                }
            }
        }
    }
}

/// A file with the expected text.
struct Screen {
    private let file: URL

    init(_ name: String) {
        file = ManualPage.package.appending(path: "Tests/CommandTests/Snapshots").appending(
            path: "\(name).txt")
    }

    /// Compares the text with the file; with `TICDS_SNAPSHOTS=write` in the environment it writes the file instead.
    func compare(_ text: String) throws {
        if ProcessInfo.processInfo.environment["TICDS_SNAPSHOTS"] == "write" {
            return try Data(text.utf8).write(to: file)
        }
        let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(text == expected || Self.record(Self.difference(from: expected, to: text), file))
    }

    private static func record(_ lines: [String], _ file: URL) -> Bool {
        let shown = lines.prefix(40).joined(separator: "\n")
        let rest = lines.count > 40 ? "\n… and \(lines.count - 40) more lines" : ""
        Issue.record("\(file.lastPathComponent) differs; if that is meant: make snapshots\n\(shown)\(rest)")
        return true
    }

    /// The removed and the added lines, with their numbers, in order.
    private static func difference(from old: String, to new: String) -> [String] {
        let changes = new.components(separatedBy: "\n").difference(from: old.components(separatedBy: "\n"))
        return changes.map { change in
            switch change {
            case .remove(let line, let text, _): (line, "-\(line + 1)\t\(text)")
            case .insert(let line, let text, _): (line, "+\(line + 1)\t\(text)")
            }
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
