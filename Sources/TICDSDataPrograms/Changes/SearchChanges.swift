import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct SearchChanges: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds text in the values of changes.",
        discussion: """
            Looks at attributes, sync IDs and names; ignores case unless --case-sensitive is given. Ends with 1 if \
            nothing is found.

            Examples:
              ticds-changes search ~/Dropbox/com.example.app "apple pie"
              ticds-changes search ~/Dropbox/com.example.app 4A11 --entity Note --json
            """)

    @Argument(
        help: .value("remote> <text", "The remote (or TICDS_REMOTE) and the text."),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @OptionGroup var selection: ChangeSelection
    @OptionGroup var output: OutputOptions

    @Flag(help: "Distinguish upper and lower case.")
    var caseSensitive = false

    func execute() throws -> ExitStatus {
        let (named, argument) = try RemoteOptions.separate(arguments, named: "TEXT")
        let search = ChangeSearch(argument, ignoresCase: !caseSensitive)
        var lines = ChangeLines(output)
        var found = 0
        let status = try selection.forEachRecord(of: [named], output, named: { lines.clientNames = $0 }) {
            record throws(FileProblem) in
            guard !search.matches(in: record.change).isEmpty else { return }
            found += 1
            try lines.add(record)
        }
        try lines.finish()
        return found == 0 && status == .success ? .findings : status
    }
}
