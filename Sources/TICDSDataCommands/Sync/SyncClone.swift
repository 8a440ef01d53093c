import ArgumentParser
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSSync
import TICDSStorages

struct SyncClone: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Makes a replica of a document, and registers it as a client.",
        discussion: """
            The replica starts from the newest whole store that can be used, and its first run applies the newer \
            change sets. The other clients see it as one more client. Everything in the folder is unencrypted.

            Examples:
              ticds-sync clone ~/Dropbox/com.example.app Notes --document Notebook
              ticds-sync clone ~/Dropbox/com.example.app Notes --description "Report server" --yes
              ticds-sync clone ~/Dropbox/com.example.app Notes --offline
            """)

    @Argument(
        help: .value("remote> <replica", "The remote (or TICDS_REMOTE) and the folder to create."),
        completion: LiveCompletion.remotes.kind)
    var arguments: [String]

    @OptionGroup var documents: DocumentOptions

    @Option(help: .value("identifier", "Identifier of the new client. Default: a new UUID."))
    var client: String?

    @Option(help: .value("text", "The description of the new client. Default: the name of the host."))
    var description: String?

    @Option(help: "The variant of the framework that the other clients use.")
    var variant = VariantArgument.fileManager

    @Option(
        help: .value(
            "model",
            "The managed object model of the app: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents "
                + "or elements file; or a folder in which to look for the model that fits."),
        completion: .file())
    var model: String?

    @Option(
        help: .value("client", "Start from the whole store of this client and no other."),
        completion: LiveCompletion.clients.kind)
    var from: String?

    @Flag(help: "Change nothing in the remote yet: the replica registers at its first run.")
    var offline = false

    @Option(help: "Which value counts in a conflict, until the configuration says otherwise.")
    var conflicts = ConflictPolicy.Choice.remote

    @Option(help: "What to do with a change set that cannot be applied completely.")
    var onBadSet = ReplicaConfiguration.BadSetChoice.stop

    @Flag(name: .dryRun, help: "Show what would be done, and change nothing.")
    var isDryRun = false

    @Flag(name: .yes, help: "Carry out the plan without asking.")
    var saysYes = false

    @OptionGroup var waiting: LockWaitOptions

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "REPLICA")
        let open = try OpenRemote(path, password, context)
        let document = try open.document(documents)
        var configuration = try configuration(open, document)
        let replica = try NewReplica(
            at: RemoteAddress(argument: argument).folder,
            remote: open.storage.capabilities == nil ? open.path : nil)
        let key = try ReplicaRegistration.integrityKey(
            of: document.identifier, in: open.snapshot, open.storage)
        let keyring = try open.keyring()
        configuration.encrypted = keyring.isEncrypted
        let remote = try open.planned(keyring)
        // The plan is made even if it is not carried out: an offline replica must be able to register later.
        let plan = try RegistrationPlanner(remote, command: "ticds-sync clone").plan(
            registering: configuration)
        let contents = try replica.fill(
            configuration, of: document, key: key, in: open.storage, keyring,
            model: model.map { Environment.path(argument: $0) },
            from: try from.map { client throws(FileProblem) in
                let uploaders = Set(document.wholeStores.map(\.client))
                return try open.client(client, option: "--from", among: uploaders.sorted())
            })
        var report = CloneReport(
            configuration: configuration, place: replica.place, contents: contents, isDryRun: isDryRun,
            plan: offline ? nil : plan, clientNames: remote.clientNames)
        let problems =
            open.snapshot.problems(of: [document.path]) + contents.start.unusable
            + contents.externalDataUnread
        for problem in problems { context.report(problem) }
        let isWhole =
            problems.isEmpty && contents.externalDataMissing == 0 && contents.start.damagedObjects == 0
        if isDryRun {
            try report.print(context)
            return problems.isEmpty ? .success : .partial
        }
        let registration = Registration(context: context, lockWait: waiting.seconds)
        if !offline { try registration.confirm(plan, saysYes: saysYes) }
        try replica.publish()
        if !offline {
            report.operation = try registration.carryOut(plan, for: replica.place)
            do throws(FileProblem) {
                report.run = try firstRun(replica.place, keyring, context)
            } catch {
                try report.print(context)
                throw error
            }
        }
        let run = report.run?.status ?? .success
        let status = run == .success && !isWhole ? ExitStatus.partial : run
        if !context.isSilent(status) { try report.print(context) }
        return status
    }

    /// Applies the change sets that are newer than the whole store.
    private func firstRun(
        _ place: FilePath, _ keyring: RemoteKeyring, _ context: CommandContext
    ) throws(FileProblem) -> CloneReport.FirstRun {
        let replica = try OpenReplica(ReplicaFolder(place), lockWait: waiting.lockWait, password, context)
        var options = RunOptions()
        options.lockWait = waiting.seconds
        let result = SyncResult(replica, try replica.remote(keyring), options)
        let report = try result.run()
        return CloneReport.FirstRun(result: result, report: report, status: result.status(report))
    }

    private func configuration(
        _ open: OpenRemote, _ document: DocumentSnapshot
    ) throws(FileProblem) -> ReplicaConfiguration {
        let root = try open.root
        guard let text = String(validating: root.bytes, as: UTF8.self) else {
            throw FileProblem(
                .unsupported, path: root, "the path of the remote is not UTF-8, and cannot be stored",
                advice: "Name it by a symbolic link")
        }
        let identifier = client ?? ArchivedUUID.random().description
        let name = RemoteName(identifier)
        if let objection = IdentifierRules.objection(to: name) {
            throw FileProblem(
                .refused, path: root, "the client \"\(name)\" \(objection)",
                advice: "Choose another identifier")
        }
        try ReplicaRegistration.checkFree(name, in: document, open.storage)
        return ReplicaConfiguration(
            remote: text, document: document.identifier.text, client: identifier,
            description: description ?? Environment.hostName, variant: variant.variant,
            conflicts: ConflictPolicy(otherwise: conflicts), onBadSet: onBadSet)
    }
}
