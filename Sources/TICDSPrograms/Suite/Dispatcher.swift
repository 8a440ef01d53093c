import SystemCalls
import SystemPackage
import TICDSCommandLine

/// Finds out what the first argument means, and becomes that program.
struct Dispatcher {
    /// What the names of the programs of the suite begin with.
    static let prefix = "ticds-"

    /// The commands that `ticds` has itself.
    let own: [String]

    /// The arguments to go on with, when the command is one of the own ones. Otherwise does not return.
    func run(_ arguments: [String]) -> [String] {
        guard let name = arguments.first, !name.hasPrefix("-"), !own.contains(name) else { return arguments }
        if let program = Programs.find(Self.prefix + name) { exec(program) }
        let command = resolve(name)
        if own.contains(command) { return [command] + arguments.dropFirst() }
        if let program = Programs.find(Self.prefix + command) { exec(program) }
        return arguments
    }

    /// The full name of the one command that begins with `name`; ends the process when there is no such one.
    func resolve(_ name: String) -> String {
        let names = allNames
        if names.contains(name) { return name }
        let fitting = names.filter { $0.hasPrefix(name) }
        if let only = fitting.first, fitting.count == 1 { return only }
        CommandRunner.endForUsage(fitting.isEmpty ? unknown(name, among: names) : ambiguous(name, fitting))
    }

    /// Everything that can follow `ticds`, sorted.
    var allNames: [String] {
        let programs = Programs.names(beginningWith: Self.prefix).map {
            String($0.dropFirst(Self.prefix.count))
        }
        return Set(programs + own).sorted()
    }

    private func exec(_ program: FilePath) -> Never {
        let arguments = (2..<max(2, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
        let reason = Programs.exec(program, arguments.map { UnsafePointer($0) })
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }

    private func ambiguous(_ name: String, _ fitting: [String]) -> String {
        "the command '\(escapedText(name))' can mean \(fitting.joined(separator: ", "))"
    }

    private func unknown(_ name: String, among names: [String]) -> String {
        let near = names.filter { EditDistance.between(name, $0) <= max(1, $0.count / 3) }
        let advice =
            near.isEmpty
            ? "The commands are: \(names.joined(separator: ", "))"
            : "Did you mean \(near.joined(separator: " or "))"
        return "there is no command '\(escapedText(name))'. \(advice)\(near.isEmpty ? "." : "?")"
    }
}
