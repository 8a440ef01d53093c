import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct CreateRemote: SuiteCommand {
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

    func execute() throws -> ExitStatus {
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
        return try PlanRunner(change, output).run(plan, on: nil, snapshot: nil)
    }

    /// The folder to create, absolute and without links.
    private func place() throws -> FilePath {
        let path = try RemoteAddress(argument: path).folder
        guard path.lastComponent?.kind == .regular else {
            throw ValidationError("Name the folder to create.")
        }
        if let place = try path.resolvedInFolder() { return place }
        throw FileProblem(
            .missing, path: path.removingLastComponent(), "no such folder",
            advice: "Create it first, or name another folder")
    }
}

struct RemoveRemote: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Moves all remote data of an app to the trash.",
        discussion: """
            The plan says what each registered client will do. The clients keep their own data.

            Examples:
              ticds-remote remove ~/Dropbox/com.example.app --dry-run
              ticds-remote remove ~/Dropbox/com.example.app
              ticds-journal undo ~/Dropbox/com.example.app 12
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password)
        let plan = try RemoteRemovalPlanner.plan(
            of: open.snapshot, root: try open.root, command: "ticds-remote remove",
            names: ClientNames(open.clientNames()))
        try open.checkRead()
        return try PlanRunner(change, output).run(plan, on: open.snapshot, snapshot: nil)
    }
}
