import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct CheckKeys: SuiteCommand {
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
