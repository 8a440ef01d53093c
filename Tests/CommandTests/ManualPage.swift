import Foundation

/// The parts of a manual page that tests compare with programs.
struct ManualPage {
    /// One usage in the synopsis: its subcommands and their options, without hyphens before short ones and with one
    /// before long ones.
    struct Usage {
        var commands: [String]
        var options: Set<String>
        var hasOutputOptions: Bool
    }

    /// An entry of the section OPTIONS.
    struct Option {
        var names: [String]
        var text: String

        /// The subcommands in parentheses, if it lists them.
        var subcommands: Set<String>? {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(".Pq Cm ") }) else {
                return nil
            }
            return Set(line.split(separator: " ").dropFirst(2).map(String.init)).subtracting([","])
        }
    }

    /// The folder of the package.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let lines: [String]
    /// The name of the program, for programs without subcommands.
    private let program: String

    /// - Parameter name: the name with the section: `ticds.1`.
    init(_ name: String) throws {
        program = String(name.prefix { $0 != "." })
        let file = Self.package.appending(path: "man").appending(path: name)
        lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    var usages: [Usage] {
        let parts = parts(of: section("SYNOPSIS"), beginningWith: ".Nm")
        let hasCommands = parts.joined().contains { $0.hasPrefix(".Cm ") }
        return parts.compactMap { part in
            let names = part.first { $0.hasPrefix(".Cm ") }
            if names == nil, hasCommands { return nil }
            return Usage(
                commands: names.map { words($0).filter { $0 != "|" } } ?? [program],
                options: Set(part.flatMap(Self.flags)),
                hasOutputOptions: part.contains(".Op Ar output-options"))
        }
    }

    /// The subcommands in the description.
    var describedCommands: [String] {
        section("DESCRIPTION").filter { $0.hasPrefix(".It Cm ") }.compactMap { words($0).dropFirst().first }
    }

    var options: [Option] {
        parts(of: section("OPTIONS"), beginningWith: ".It ").map { part in
            Option(names: part.first.map(Self.flags) ?? [], text: part.joined(separator: "\n"))
        }
    }

    /// Subsections by title.
    var subsections: [String: [String]] {
        let parts = parts(of: section("DESCRIPTION"), beginningWith: ".Ss ")
        return Dictionary(parts.map { (String($0[0].dropFirst(4)), $0) }) { one, _ in one }
    }

    /// Titles of the sections, in their order.
    var sections: [String] { lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) } }

    /// Displays of the page, without their markup: examples of commands and files.
    var displays: [String] {
        parts(of: lines, beginningWith: ".Bd ").map { part in
            part.dropFirst().prefix { $0 != ".Ed" }.joined(separator: "\n")
        }
    }

    /// The lines of displays and of `.Dl`, without indentation, in printed form.
    var displayedLines: [(text: String, isOutput: Bool)] {
        var shown: [(text: String, isOutput: Bool)] = []
        var isDisplay = false
        // The lines after a command in a display are its output, unless the line of the command continues.
        var (hasCommand, goesOn) = (false, false)
        for line in lines {
            if line.hasPrefix(".Bd ") || line == ".Ed" {
                isDisplay = line != ".Ed"
                (hasCommand, goesOn) = (false, false)
            } else if line.hasPrefix(".Dl ") {
                shown.append((Self.printed(line.dropFirst(4)), false))
            } else if isDisplay {
                let isCommand = line.hasPrefix("$ ") || goesOn
                hasCommand = hasCommand || isCommand
                goesOn = line.hasSuffix("\\e")
                shown.append((Self.printed(line[...]), hasCommand && !isCommand))
            }
        }
        return shown
    }

    /// A line of a display without indentation and the escapes of roff.
    private static func printed(_ line: Substring) -> String {
        let escapes = [
            ("\\&", ""), ("\\(dq", "\""), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\(ga", "`"),
            ("\\-", "-"), ("\\e", "\\"),
        ]
        return escapes.reduce(String(line.drop { $0 == " " })) { $0.replacing($1.0, with: $1.1) }
    }

    /// The lines of the first two displays of the examples that show the output of a command: the rest needs files or
    /// programs that may be missing.
    var shownExamples: [[String]] {
        parts(of: section("EXAMPLES"), beginningWith: ".Bd ").prefix(2).map { part in
            part.dropFirst().prefix { $0 != ".Ed" }.map { String($0) }
        }.filter { display in
            Recipe.steps(of: display).contains { !$0.output.isEmpty }
        }
    }

    /// Commands of the examples, each on one line, in the form after the prompt or in cron.
    var examples: [String] {
        let lines = section("EXAMPLES").map { line in
            (line.hasPrefix(".Dl ") ? String(line.dropFirst(4)) : line)
                .replacingOccurrences(of: "\\(dq", with: "\"").replacingOccurrences(of: "\\(aq", with: "'")
        }
        return Recipe.steps(of: lines).map { $0.command.replacingOccurrences(of: "\\\n", with: " ") }
    }

    private func section(_ title: String) -> [String] {
        parts(of: lines, beginningWith: ".Sh ").first { $0[0] == ".Sh \(title)" } ?? []
    }

    private func parts(of lines: [String], beginningWith macro: String) -> [[String]] {
        var parts: [[String]] = []
        for line in lines {
            if line.hasPrefix(macro) { parts.append([]) }
            if !parts.isEmpty { parts[parts.count - 1].append(line) }
        }
        return parts
    }

    /// The words after the first macro of a line.
    private func words(_ line: String) -> [String] { line.split(separator: " ").dropFirst().map(String.init) }

    private static func flags(_ line: String) -> [String] {
        line.matches(of: /Fl (\S+)/).map { String($0.1) }
    }
}
