import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct StoreInstall: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Uploads a store as the whole store of a client, with its register.",
        discussion: """
            Verifies the store, and zips and encrypts it as the remote requires. The register lists the change sets \
            that the store contains: it lies beside the store, as replay writes it, or --register names it, or \
            --contains all makes it. The command refuses if the register does not name every change set of the \
            document.

            Examples:
              ticds-store install ~/Dropbox/com.example.app Notebook.sqlite --document Notebook --client "Anna's Mac" \
            --register AppliedSyncChangeSets.ticdsync
              ticds-store install ~/Dropbox/com.example.app Rescued.sqlite --client 4A11 --dry-run
            """)

    @Argument(
        help: .value("remote> <store", "The remote (or TICDS_REMOTE) and the store."),
        completion: LiveCompletion.files.afterRemote)
    var arguments: [String]

    @OptionGroup var documents: DocumentOptions

    @Option(help: .value("name", "The client that gets the store."), completion: LiveCompletion.clients.kind)
    var client: String

    @Option(
        help:
            "Upload the store in this form: a file, a zip as Dropbox's clients do, or a folder with external data."
    )
    var form = StoreForm.file

    @Option(
        help: .value(
            "file",
            "The register of the change sets that the store contains: an AppliedSyncChangeSets.ticdsync."),
        completion: .file())
    var register: String?

    @Option(
        help: "Make a register which says that the store contains all change sets of the document, or none.")
    var contains: StoreCoverage?

    @Flag(help: "Install a store even if it lacks change sets according to its register.")
    var allowBehind = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if register != nil, contains != nil {
            throw ValidationError("Give --register or --contains, not both.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "STORE")
        let source = Environment.path(argument: argument)
        let opened = try OpenRemote(path, password, context)
        let remote = try opened.planned(opened.keyring())
        let document = try remote.reported.document(documents)
        let client = try remote.reported.client(named: client, option: "--client")
        guard change.savedPlan == nil else {
            throw FileProblem(
                .refused, path: source, "the plan of an installation cannot be saved",
                found: "files that exist only while this program runs", advice: "Use --dry-run to see it")
        }
        guard let snapshot = opened.snapshot.document(document) else {
            throw FileProblem(.unknownName, path: opened.path, "there is no document \(document)")
        }
        let store = try PreparedStore(
            source, form, try StoreFile(source, password), for: snapshot, keyring: remote.keyring)
        let lines = try PreparedRegister(
            try register.map { Environment.path(argument: $0) } ?? StoreRegister.beside(source), contains,
            source: source, for: snapshot)
        var upload = StoreUpload(
            entries: store.entries, register: lines.content, applied: lines.applied,
            modelDigest: store.modelDigest,
            otherDigests: modelDigests(snapshot, except: client, opened, remote.keyring))
        upload.mayLack = allowBehind
        let plan = try StoreInstallationPlanner(remote, command: "ticds-store install")
            .plan(installing: upload, for: client, in: document)
        let status = try PlanRunner(change, context).run(
            plan, on: opened.snapshot, snapshot: opened.snapshot)
        return withExtendedLifetime((store, lines)) { status }
    }

    /// The models of the stores of other clients, as far as these can be read.
    private func modelDigests(
        _ document: DocumentSnapshot, except client: RemoteName, _ opened: OpenRemote,
        _ keyring: RemoteKeyring
    ) -> [RemoteName: String] {
        var digests: [RemoteName: String] = [:]
        for store in document.wholeStores where store.client != client && store.store != nil {
            let place = store.path.appending(RemoteLayout.wholeStoreFile)
            // try?: a model to compare with; the store that is installed was read whole
            let contents = try? WholeStoreContents(place, in: opened.storage, keyring: keyring)
            digests[store.client] = contents?.modelDigest
        }
        return digests
    }
}

/// The forms in which variants of the framework upload whole stores.
enum StoreForm: String, ExpressibleByArgument, CaseIterable {
    case file, zip, folder
}

/// The change sets that a store contains, if there is no register.
enum StoreCoverage: String, ExpressibleByArgument, CaseIterable {
    case all, none
}
