import ArgumentParser
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ChangesSearch: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds text in the values of changes.",
        discussion: """
            Looks at attributes, sync IDs and names; ignores case and accents unless --case-sensitive is given. Ends with \
            1 if nothing is found. Change sets that a vacuum removed are no longer there to be searched; what they built \
            is in the whole stores, see ticds-store dump.

            Examples:
              ticds-changes search ~/Dropbox/com.example.app "apple pie"
              ticds-changes search ~/Dropbox/com.example.app 4A11 --entity Note --json
              ticds-changes search ~/Dropbox/com.example.app creme --limit 1
            """)

    @Argument(
        help: .value("remote> <text", "The remote (or TICDS_REMOTE) and the text."),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @OptionGroup var selection: ChangeSelection
    @OptionGroup var limit: LimitOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Distinguish upper and lower case, and letters with and without accents.")
    var caseSensitive = false

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (named, argument) = try RemoteOptions.separate(arguments, named: "TEXT")
        let search = try ChangeSearch(named: argument, isExact: caseSensitive)
        var lines = ChangeLines(context)
        var found = 0
        var count = limit.counter
        let span = try selection.filterOptions.span.range(context.style)
        let metadata = KnownMetadata()
        let status = try selection.forEachRecord(
            of: [named], context, named: { lines.clientNames = $0 },
            taking: { set, _ in search.isMissing(in: set, known: metadata) ? nil : 0 },
            isDone: { count.isExceeded }
        ) { record throws(FileProblem) in
            guard !search.matches(in: record.change).isEmpty else { return }
            found += 1
            if count.admits(isUnknown: span.isUnknown(record.change.timestamp)) { try lines.add(record) }
        }
        try lines.finish(count.note(countsAll: false))
        if found == 0, !context.quiet {
            let which =
                status != .success
                ? "could be read" : selection.isNarrowed ? "the options choose" : "is still here"
            Messages.line(
                "no change that \(which) contains \(argument.prefix(100)); what a vacuum removed is only in the whole stores, "
                    + "see: ticds-store list \(ShellWord.quoted(named.root))")
        }
        return found == 0 && status == .success ? .findings : status
    }
}

extension ChangeSearch {
    /// Searches for a text of the user.
    /// - Throws: `ValidationError` for a text that every change would contain.
    init(named text: String, isExact: Bool = false) throws {
        self.init(text, isExact: isExact)
        guard isEmpty else { return }
        throw ValidationError(
            text.isEmpty
                ? "The text is empty: every change would contain it."
                : "The text has accents alone, which the search ignores: every change would contain it.")
    }
}
