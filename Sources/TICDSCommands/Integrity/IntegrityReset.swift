import ArgumentParser
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct IntegrityReset: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Leaves exactly one key in a document: a new one, or one that clients know.",
        discussion: """
            Every client that remembers another key throws away the edits that it has not sent, and loads \
            the whole store again; the plan names these clients. Other keys and strays go to the trash.

            Examples:
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --dry-run
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --key 6A8249F6-B3C8-4168-A6C2-13C3BE410E18
            """)

    @OptionGroup var options: KeyOptions

    @Option(
        help: .value(
            "key",
            "The key to keep, or to create if it does not exist; everything else is removed. Default: a new "
                + "random key."))
    var key: String?

    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try options.remote.address, options.password, context)
        try open.refuseContradiction()
        let documents = open.documents()
        let remote = try open.listed(names: open.clientNames().whole)
        let name = try options.documents.one(of: .all(documents.whole), in: open.path).identifier
        guard let document = remote.snapshot.document(name) else {
            throw FileProblem(.unknownName, path: open.path, "there is no document \(name)")
        }
        let reset = try IntegrityResetPlanner(
            of: document, in: remote, open.storage,
            key: RemoteName(key ?? ArchivedUUID.random().description))
        let plan = try reset.plan(
            command: "ticds-integrity reset", creator: try creator(of: document, open))
        return try PlanRunner(change, context, names: remote.names).run(
            plan, on: open.snapshot, snapshot: open.snapshot)
    }

    /// The creator of the document, as far as it can be read without asking for a password.
    private func creator(of document: DocumentSnapshot, _ open: OpenRemote) throws(FileProblem) -> String? {
        guard let file = document.documentInfo.part?.path else { return nil }
        let info = try unlessInvalid { () throws(FileProblem) in
            let bytes = try open.keyringWithoutAsking().read(open.storage, file, limit: .propertyList)
            return try DocumentInfo(bytes, path: file.filePath(under: open.path))
        }
        return info?.originalDeviceIdentifier
    }
}
