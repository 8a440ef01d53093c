import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct CheckKeys: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Tells whether each document has one key, and nothing that clients could take for another.",
        discussion: """
            Ends with 1 where something is wrong, and names it. Prints nothing where all is well.

            Examples:
              ticds-integrity check ~/Dropbox/com.example.app
              ticds-integrity check ~/Dropbox/com.example.app --json | jq '.documents[].findings[]'
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let keys = try KeyFolders(options)
        if output.json {
            try keys.print(output)
        } else {
            var text = output.text()
            for finding in keys.findings {
                text.line("\(finding.path): \(finding.text).")
            }
            try text.flush()
        }
        return keys.remote.reportGaps(output, keys.findings.isEmpty ? .success : .findings)
    }
}
