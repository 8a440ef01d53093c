import ArgumentParser
import SystemPackage
import TICDSCommandLine

/// The programs of the suite beside this one, for the completion script.
enum Delegates {
    static var all: [CompletionDelegate] {
        guard let folder = Programs.ownFolder else { return [] }
        return Programs.names(beginningWith: Dispatcher.prefix, in: [folder]).map { name in
            CompletionDelegate(
                name: String(name.dropFirst(Dispatcher.prefix.count)),
                abstract: Suite.programs.first { $0.name == name }?.root.configuration.abstract
                    ?? abstract(ofForeign: folder.appending(name)))
        }
    }

    /// What the help of a program begins with that somebody put beside these.
    private static func abstract(ofForeign program: FilePath) -> String {
        let heading = "OVERVIEW: "
        let help = ShellCommand.text(of: program, "--help")
        guard help.hasPrefix(heading) else { return "" }
        let lines = help.dropFirst(heading.count).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
