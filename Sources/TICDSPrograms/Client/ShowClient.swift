import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct ShowClient: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows everything that is known about a client.",
        discussion: """
            Shows the description of the device, what it has in each document, its last sync, the documents from \
            which it was deleted, and which of its change sets others may not have applied yet. Never asks for a \
            password.

            Examples:
              ticds-client show ~/Dropbox/com.example.app "Anna's iPad"
              ticds-client show ~/Dropbox/com.example.app D28481A5 --json | jq .unapplied
            """)

    @Argument(
        help: ArgumentHelp("The remote (or TICDS_REMOTE) and the client.", valueName: "remote> <client"),
        completion: LiveCompletion.clients.afterRemote)
    var arguments: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "CLIENT")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let client = KnownClient(try remote.client(named: rest[0]), in: remote)
        if output.json {
            try output.print((client, opened.path), KnownClient.schema)
        } else {
            var text = output.text()
            ClientView(client, colour: output.colour()).show(to: &text)
            try text.flush()
        }
        return output.reportUnread(remote.report)
    }
}
