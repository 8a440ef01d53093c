import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct TicdsVacuum: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-vacuum",
        abstract: "Removes change sets that no client needs any more.",
        discussion: """
            Removes a set only if every client and every whole store demonstrably has it and 30 days have \
            passed. Shows who holds back the rest, and since when. The sets move to the trash; ticds-journal \
            undo restores them.

            Examples:
              ticds-vacuum ~/Dropbox/com.example.app --dry-run
              ticds-vacuum ~/Dropbox/com.example.app --document Notebook --leftovers
              ticds-vacuum ~/Dropbox/com.example.app --leftovers-only
              ticds-vacuum ~/Dropbox/com.example.app --ignore-client "Old iPad" --keep-within 90d
              ticds-vacuum ~/Dropbox/com.example.app --framework-rule --client "Anna's MacBook"
            """, version: SuiteVersion.current)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var rule: VacuumOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(remote.address, password, context)
        try open.refuseContradiction()
        if rule.documents.isEmpty, let hidden = open.snapshot.hiddenDocument { throw hidden }
        let names = VacuumNames(open)
        let settings = try rule.settings(names, change)
        let vacuums = VacuumPlanner.analyse(
            open.snapshot, documents: try names.documents(rule.documents), settings,
            VacuumSources(open.storage))
        let isAnalysis = context.json && change.isDryRun && change.savedPlan == nil
        if isAnalysis { try context.print((names, settings, vacuums, open), VacuumView.schema) }
        let isMute = context.quiet && (change.doesNotShow || vacuums.allSatisfy(\.takesNothing))
        if !context.json, !isMute {
            let view = VacuumView(names: names, context: context, showsSets: !rule.leftoversOnly)
            try view.write(vacuums)
        }
        let remote = try open.listed(names: names.whole)
        let plan = try VacuumPlanner.plan(vacuums, of: remote, settings)
        let runner = PlanRunner(
            change, context, names: remote.names, makesRoom: true,
            further: hint(on: vacuums, of: open.path, context.style))
        if isAnalysis {
            let status = runner.warnOfLimit(plan, open.snapshot)
            return status == .success ? open.reportGaps(context) : status
        }
        return try runner.run(plan, on: nil, snapshot: open.snapshot)
    }

    /// Sentence on the files that uploads left, with the command that removes them; nil if there are none.
    private func hint(on vacuums: [VacuumDecision], of root: FilePath, _ style: TextStyle) -> String? {
        let kept = vacuums.keptLeftovers
        if kept.count == 0 { return nil }
        let documents = rule.documents.map { "--document=\(ShellWord.quoted(Array($0.utf8))) " }.joined()
        return "Uploads have left \(style.size(kept.bytes)) in temporary files. To remove them: "
            + "ticds-vacuum \(ShellWord.quoted(root)) \(documents)--leftovers"
    }
}

/// The selection of change sets to remove.
struct VacuumOptions: ParsableArguments {
    @Option(
        name: .customLong("document"),
        help: .value(
            "name",
            "A document: its identifier or description, or a unique part of them. May be given "
                + "several times."),
        completion: LiveCompletion.documents.kind)
    var documents: [String] = []

    @Option(
        name: .customLong("client"),
        help: .value("name", "Remove sets of this client only. May be given several times."),
        completion: LiveCompletion.clients.kind)
    var clients: [String] = []

    @Option(
        help: .value(
            "duration",
            "The margin: keep sets for this time, in which they reach every client (default: 30d)."))
    var keepWithin: DurationArgument?

    @Option(
        name: .customLong("ignore-client"),
        help: .value("name", "Ignore a client that is gone for good. May be given several times."),
        completion: LiveCompletion.clients.kind)
    var ignored: [String] = []

    @Flag(help: "Count only the newest whole store, which a new client downloads by default.")
    var newestStore = false

    @Flag(help: "Remove what the framework's own vacuum would remove, for all clients or those of --client.")
    var frameworkRule = false

    @Flag(help: "Also remove what uploads left in TemporaryFiles.")
    var leftovers = false

    @Flag(help: "Remove only what uploads left in TemporaryFiles, and no change sets.")
    var leftoversOnly = false

    func validate() throws {
        if leftoversOnly, frameworkRule || keepWithin != nil {
            throw ValidationError(
                "--leftovers-only removes no change sets, so that \(frameworkRule ? "--framework-rule" : "--keep-within") has no meaning."
            )
        }
        guard frameworkRule else { return }
        if keepWithin != nil {
            throw ValidationError(
                "--framework-rule cannot be combined with --keep-within: it looks only at times.")
        }
        if newestStore {
            throw ValidationError("--framework-rule counts every whole store, not only the newest.")
        }
    }

    func settings(_ names: VacuumNames, _ change: PlanOptions) throws -> VacuumSettings {
        var settings = VacuumSettings(rule: frameworkRule ? .framework : .applied, now: .now)
        if let keepWithin { settings.keepWithin = keepWithin.seconds }
        settings.countsNewestStoreOnly = newestStore
        if !clients.isEmpty { settings.clients = try names.clients(clients, option: "--client") }
        settings.ignored = try names.clients(ignored, option: "--ignore-client")
        settings.allowed = change.allowedMissing
        settings.takesLeftovers = leftovers || leftoversOnly
        // A margin that no set reaches: 35,000 years, which every reader of JSON keeps exactly.
        if leftoversOnly { settings.keepWithin = 1 << 40 }
        return settings
    }
}

/// The descriptions of documents and clients, as far as they can be read without asking for a password.
struct VacuumNames {
    private let path: FilePath
    private let documents: Seen<[NamedItem]>
    private let clients: Seen<[NamedItem]>
    private let ofClients: Seen<[String: String]>
    private let unlisted: Set<RemoteName>
    private let snapshot: RemoteSnapshot

    init(_ remote: OpenRemote) {
        path = remote.path
        documents = remote.documents()
        ofClients = remote.clientNames()
        snapshot = remote.snapshot
        unlisted = Set(
            remote.snapshot.documents.filter { $0.unlisted.contains(RemoteLayout.syncChanges) }.map(
                \.identifier))
        var names = Set(remote.snapshot.clientDevices.map(\.identifier))
        for document in remote.snapshot.documents {
            names.formUnion(document.clients.map(\.identifier))
            names.formUnion(document.recentSyncs.map(\.client))
            names.formUnion(document.wholeStores.map(\.client))
        }
        clients = ofClients.map { found in names.sorted().map { remote.named($0, found[$0.text]) } }
    }

    /// The named documents; nil for all of them.
    func documents(_ named: [String]) throws(FileProblem) -> Set<RemoteName>? {
        guard !named.isEmpty else { return nil }
        return try NameResolver(
            noun: "document", option: "--document", remote: path,
            items: Seen(documents.part, ofClients.problem)
        ).identifiers(named)
    }

    func clients(_ named: [String], option: String) throws(FileProblem) -> Set<RemoteName> {
        let names = NameResolver(noun: "client", option: option, remote: path, items: clients)
        return try names.identifiers(named)
    }

    func description(of client: RemoteName) -> String? { ofClients.part[client.text] }

    /// The descriptions of the clients.
    /// - Throws: the reason why a part of the remote, or the description of a document or client, could not be read.
    var whole: [String: String] {
        get throws(FileProblem) { try ofClients.whole }
    }

    /// Whether all change sets of a document could be listed.
    func knowsSets(of document: RemoteName) -> Bool {
        snapshot.gap(below: [RemoteLayout.documents, document, RemoteLayout.syncChanges]) == nil
    }

    /// The files in the remains of an upload, as far as the listing shows them.
    func files(of leftover: VacuumLeftover) -> Seen<FileTotals> {
        Seen(leftover.files, snapshot.gap(below: leftover.path))
    }

    /// Whether the members of a document could be listed.
    func knowsMembers(of document: RemoteName) -> Bool { !unlisted.contains(document) }

    func documentDescription(_ document: RemoteName) -> String? {
        documents.part.first { $0.identifier == document }?.description
    }

    /// The name of a client in a sentence.
    func name(of client: RemoteName) -> String { description(of: client) ?? client.text }
}
