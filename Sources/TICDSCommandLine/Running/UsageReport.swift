package import ArgumentParser
import Base
import SystemCalls
import TICDSStorages

/// A program that can give advice about missing arguments.
package protocol ArgumentAdvisor: ParsableCommand {
    /// The advice on a problem such as "the option --database <file> is missing"; nil if there is none.
    static func advice(about problem: String) -> String?
}

/// A report of wrong usage for people: the problem, after the name of the program and its subcommand, and the usage.
struct UsageReport {
    private let name: String
    /// The problem, without the usage.
    private let problem: String
    private let hint: [String]
    private let help: [String]
    private let usage: [String]

    /// - Parameters:
    ///   - command: the command that refuses.
    ///   - invocation: nil before the words are known to name a command.
    init(_ error: any Error, of command: any ParsableCommand.Type, _ invocation: Invocation? = nil) {
        let root = invocation?.root ?? command
        let definitions = invocation.flatMap { CommandDefinitions(of: $0.root, $0.arguments) }
        name = definitions?.name ?? Environment.programName
        // The parser has accepted arguments that a command itself refuses, so the words may be those of a different
        // command.
        let unknown =
            error is ValidationError
            ? nil : definitions.flatMap { Self.unknownOption(invocation?.arguments ?? [], $0) }
        problem = StorageSchemes.hidden(in: unknown ?? Self.reworded(command.message(for: error)))
        let lines = command.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.drop { !$0.hasPrefix("Usage: ") }.map(String.init)
        let isRoot = ObjectIdentifier(root) == ObjectIdentifier(command)
        usage =
            isRoot
            ? rest
            : ["Usage: \(root.usageString(for: command))", "  See '\(name) --help' for more information."]
        let advice = (root as? any ArgumentAdvisor.Type)?.advice(about: problem)
        hint = [ValueForms.hint(problem), advice].compactMap(\.self)
        help = unknown == nil ? lines.filter { $0.hasPrefix("Help:  ") }.map(String.init) : []
    }

    /// Prints the report, with the usage itself in text, and ends the process.
    func end(json: Bool) -> Never {
        if json {
            ErrorReport(usage: ([problem] + hint).joined(separator: ". ")).printJSON()
            Signals.exit(.usage)
        }
        let lines = [problem] + hint + help + usage
        let text = lines.map { TerminalText($0) }.joined(separator: "\n")
        ErrorReport.printText(text, name: name)
        Signals.exit(.usage)
    }

    /// The parser's message in the wording of ticds.
    private static func reworded(_ problem: String) -> String {
        let problem = problem.replacing("\n  - ", with: ", ").replacing(":, ", with: ": ")
        let missing = "Missing expected argument '"
        guard problem.hasPrefix(missing), problem.hasSuffix("'") else { return problem }
        let argument = problem.dropFirst(missing.count).dropLast()
        return "\(argument.hasPrefix("-") ? "the option" : "the argument") \(argument) is missing"
    }

    /// The first option that the command does not have, which is more helpful than a missing argument. The parser takes
    /// a negative number for an option.
    private static func unknownOption(
        _ arguments: [String], _ definitions: CommandDefinitions
    ) -> String? {
        let known = definitions.optionNames
        var last = ""
        for argument in arguments.prefix(while: { $0 != "--" }) {
            defer { last = argument }
            let option = String(argument.prefix { $0 != "=" })
            if last.hasPrefix("--"), known.contains(last), Int(option).map({ $0 < 0 }) == true {
                return "\(last) takes no negative number, such as \(option)"
            }
            let isLong = option.hasPrefix("--") && option.count > 2
            let isShort = option.hasPrefix("-") && option.count == 2 && option != "--"
            guard isLong || isShort, !known.contains(option) else { continue }
            let nearest = EditDistance.nearest(to: option, among: known.filter { $0.count > 2 })
            return "Unknown option '\(option)'" + (nearest.map { ". Did you mean '\($0)'?" } ?? "")
        }
        return nil
    }
}
