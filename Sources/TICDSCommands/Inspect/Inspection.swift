import ArgumentParser
import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The remote that a command shows, and the documents and clients in it.
struct InspectOptions: ParsableArguments {
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var password: PasswordOptions

    /// Whether the options name documents or clients.
    var isNarrowed: Bool { documents.isNarrowed || clients.isNarrowed }
}

/// A command of `ticds inspect`.
protocol InspectCommand: RemoteCommand {
    var options: InspectOptions { get set }
}

extension InspectCommand {
    var remote: RemoteOptions {
        get { options.remote }
        set { options.remote = newValue }
    }
}

/// The report of a remote, limited to the documents and clients that the options name.
struct Inspection {
    let remote: OpenRemote
    let report: RemoteReport
    var documents: [DocumentReport]
    /// The whole stores in these documents.
    var wholeStores: [DocumentStore]
    /// Clients of the app.
    var clients: [DeviceReport]
    /// The clients that the options name; nil if they name none.
    let chosenClients: Set<RemoteName>?
    /// Whether the options name a document.
    let namesDocument: Bool
    /// The keyring for files that can be opened without asking for a password.
    let keyring: RemoteKeyring
    /// The contradiction that makes it doubtful whether the remote is encrypted: the command then opens no file that
    /// clients encrypt.
    private let contradiction: FileProblem?

    /// - Parameter namesSets: whether the names of change sets are needed, which the report only counts.
    init(_ options: InspectOptions, _ context: CommandContext, namesSets: Bool = false) throws {
        remote = try OpenRemote(options.remote.address, options.password, context, countsSets: !namesSets)
        contradiction = remote.contradiction
        keyring = contradiction == nil ? try remote.keyringWithoutAsking() : RemoteKeyring(.locked)
        let sources = ReportSources(remote.storage, keyring: keyring)
        var report = RemoteReport(remote.snapshot, sources: sources)
        report.isEncrypted = keyring.isEncrypted
        self.report = report
        let locked = keyring.missingPassword(of: remote.path)
        let snapshot = remote.snapshot
        let namedDocuments = report.documents.map {
            NamedItem(
                $0.identifier, $0.description,
                locked: locked ?? snapshot.gap(at: RemoteLayout.documentInfo(of: $0.identifier)))
        }
        let chosen = Set(
            try options.documents.some(of: Seen(namedDocuments, report.unread), in: remote.path).map(
                \.identifier))
        namesDocument = options.documents.isNarrowed
        documents = report.documents.filter { chosen.contains($0.identifier) }
        let named = report.clients.map {
            NamedItem(
                $0.identifier, $0.description,
                locked: locked ?? snapshot.gap(at: RemoteLayout.deviceInfo(of: $0.identifier)))
        }
        let wanted = try options.clients.chosen(of: Seen(named, report.unread), in: remote.path)
        chosenClients = wanted
        clients = report.clients.filter { wanted?.contains($0.identifier) ?? true }
        wholeStores = documents.flatMap { document in
            document.wholeStores.part.filter { wanted?.contains($0.client) ?? true }.map { store in
                let client = document.clients.first { $0.identifier == store.client }
                return DocumentStore(store, of: document.identifier, description: client?.description)
            }
        }
    }

    /// Whether the options name the client, or no client.
    func isWanted(_ client: RemoteName) -> Bool { chosenClients?.contains(client) ?? true }

    /// Prints the unreadable files on standard error. Files that only need the password are not a failure.
    func finish(_ context: CommandContext) -> ExitStatus {
        if let contradiction { context.report(contradiction) }
        let status = context.reportUnread(report)
        return contradiction == nil ? status : .refused
    }

    /// The first fields of every report on a remote.
    static let head = JSONFields<Inspection>(home: "ticds.documents/1") {
        $0("remote", "The application folder.", \.remote.path)
        $0("application", "Its name, the identifier of the application.", \.report.applicationIdentifier)
        $0(
            "encrypted",
            "Whether the remote has a salt, or anything else in it indicates that it is encrypted.",
            \.report.isEncrypted)
    }
    /// The last fields.
    static let end = JSONFields<Inspection>(home: "ticds.documents/1") {
        $0(
            "unread",
            """
            What could not be listed or read, and why. Files that only lack the password have the kind `encrypted`. One \
            entry of the kind `missing` stands for all files whose content is not on this machine (see ticds(1)).
            """, \.problems)
    }
    static let documentFields = JSONFields<Inspection>(home: "ticds.documents/1") {
        $0("documents", "By identifier.", \.documents)
        $0("deletedDocuments", "Documents of which only a tombstone is left.", \.report.deletedDocuments)
    }
    static let clientFields = JSONFields<Inspection>(home: "ticds.clients/1") {
        $0("clients", "Clients of the application, by identifier.", \.clients)
        $0("documentClients", "Each client of each document.", \.documentClients)
        $0("duplicates", "Clients that may be one device.", \.report.duplicates)
    }
    static let storeFields = JSONFields<Inspection>(home: "ticds.stores/1") {
        $0("stores", "The whole stores.", \.wholeStores)
    }

    private var problems: [FileProblem] { [contradiction].compactMap(\.self) + report.problems }

    private var documentClients: [DocumentClient] {
        documents.flatMap { document in
            document.clients.filter { isWanted($0.identifier) }.map {
                DocumentClient($0, of: document.identifier)
            }
        }
    }

    /// The number of change sets of all documents.
    var changeSets: Seen<Int> {
        Seen(
            documents.reduce(0) { $0 + $1.changeSets.part.count },
            unlistedDocuments ?? documents.lazy.compactMap(\.changeSets.problem).first)
    }

    /// The reason why there may be more change sets of the chosen documents and clients.
    var unlistedSets: FileProblem? {
        guard let chosenClients else { return changeSets.problem }
        return unlistedDocuments ?? folders(of: chosenClients, in: [RemoteLayout.syncChanges])
    }

    /// The reason why a client may have left more in `TemporaryFiles`.
    func unlistedLeftovers(of client: RemoteName) -> FileProblem? {
        unlistedDocuments
            ?? folders(of: [client], in: [RemoteLayout.temporaryFiles, RemoteLayout.wholeStore])
    }

    /// The reason why the number of change sets that a client has not applied may be greater.
    func unreadLag(of client: RemoteName) -> FileProblem? {
        let registers = documents.map {
            RemoteLayout.wholeStore(of: client, in: $0.identifier).appending(
                RemoteLayout.appliedSyncChangeSets)
        }
        let unread = registers.compactMap { register in
            report.problems.first { $0.path == register.filePath(under: remote.path) }
        }
        return unlistedDocuments
            ?? documents.flatMap(\.clients).filter { $0.identifier == client }.lazy
            .compactMap(\.lag?.notApplied.problem).first
            ?? folders(of: [client], in: [RemoteLayout.wholeStore]) ?? unread.first
    }

    /// The reason why there may be more in these folders of the documents, in the subfolders of clients.
    private func folders(of clients: Set<RemoteName>, in folders: [RemoteName]) -> FileProblem? {
        documents.lazy.flatMap { document in
            clients.map { RemotePath([RemoteLayout.documents, document.identifier] + folders + [$0]) }
        }.compactMap { remote.snapshot.gap(below: $0) }.first
    }

    /// The reason why there may be more chosen documents.
    var unlistedDocuments: FileProblem? { namesDocument ? nil : report.unlistedDocuments }
    /// The reason why there may be more chosen clients.
    var unlistedClients: FileProblem? { chosenClients == nil ? report.unlistedClients : nil }
    /// The reason why a document may have more chosen clients.
    func unlistedClients(of document: DocumentReport) -> FileProblem? {
        remote.snapshot.tree.gap(below: RemoteLayout.document(document.identifier))
    }
    /// The reason why there may be more chosen whole stores.
    var unlistedStores: FileProblem? {
        unlistedDocuments ?? documents.lazy.compactMap(\.wholeStores.problem).first
    }
}

extension CommandContext {
    /// Prints the unreadable files on standard error. Files that only need the password are not a failure.
    func reportUnread(_ remote: RemoteReport) -> ExitStatus {
        let failures = remote.problems.filter { $0.kind != .encrypted }
        for problem in failures { report(problem) }
        let locked = remote.problems.count - failures.count
        if locked > 0 {
            warn("\(Quantities.count(locked, "file")) not read: encrypted, and no password given")
        }
        return failures.isEmpty ? .success : .partial
    }
}
