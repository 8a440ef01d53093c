import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct IntegrityCheck: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that each document has one key, and nothing that clients could take for another.",
        discussion: """
            Prints each problem and ends with 1, or prints nothing and ends with 0.

            Examples:
              ticds-integrity check ~/Dropbox/com.example.app
              ticds-integrity check ~/Dropbox/com.example.app --json | jq '.documents[].findings[]'
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let keys = try KeyFolders(options, context)
        try context.print(keys, KeyFolders.schema) { text in
            for finding in keys.findings { text.line("\(finding.path): \(finding.text).") }
        }
        let scarcities = keys.folders.compactMap(\.folder.scarcity)
        for problem in scarcities { context.report(problem) }
        let status: ExitStatus = keys.findings.isEmpty ? .success : .findings
        return keys.remote.reportGaps(context, scarcities.isEmpty ? status : .failed)
    }
}
