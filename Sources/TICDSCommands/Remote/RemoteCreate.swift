import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages

struct RemoteCreate: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes a new remote, as the first client of an app does.",
        discussion: """
            The folder must not exist yet; its name must be the identifier of the app. The command puts the \
            complete folder in place in one step. Without a password option and without --encrypt the \
            remote is plain.

            Examples:
              ticds-remote create ~/Dropbox/com.example.app
              ticds-remote create ~/Dropbox/com.example.app --encrypt
              ticds-remote create /srv/sync/com.example.app --client 6A8249F6-B3C8 --description "Anna's Mac" --yes
            """)

    @Argument(help: .value("remote", "The folder to create."), completion: .directory)
    var path: String

    @Option(
        help: .value(
            "text",
            "The description of a client: once for each --client, in the same order. Default: its identifier."
        ))
    var description: [String] = []

    @Option(help: .value("identifier", "Register a client with this identifier. May be given several times."))
    var client: [String] = []

    @Flag(
        name: [.customLong("encrypt"), .customLong("encrypted")],
        help:
            "Encrypt the remote; without a password option the command asks for the password twice on the terminal."
    )
    var encrypted = false

    @OptionGroup var password: FirstPasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if description.count > client.count {
            throw ValidationError("Give --description no more often than --client.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let root = try place()
        let clients = client.enumerated().map { number, identifier in
            RemoteCreationPlanner.Client(
                identifier: RemoteName(identifier),
                description: number < description.count ? description[number] : identifier)
        }
        let plain = try RemoteCreationPlanner(at: root, clients: clients, secret: nil)
        let isEncrypted = encrypted || password.isGiven
        let remote =
            isEncrypted
            ? try RemoteCreationPlanner(at: root, clients: clients, secret: password.secret(for: root))
            : plain
        let plan = try remote.plan(command: "ticds-remote create")
        return try PlanRunner(change, context).run(plan, on: nil, snapshot: nil)
    }

    /// The folder to create, absolute and without links.
    private func place() throws -> FilePath {
        let path = try RemoteAddress(argument: path).folder
        guard path.lastComponent?.kind == .regular else {
            throw ValidationError("Name the folder to create.")
        }
        if let place = try path.resolvedInFolder() { return place }
        throw FileProblem.noFolder(path.parent)
    }
}
