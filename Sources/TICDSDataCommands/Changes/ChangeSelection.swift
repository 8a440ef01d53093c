import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// The changes that a command reads, from files or from a remote.
struct ChangeSelection: ParsableArguments {
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var filterOptions: FilterOptions
    @Option(
        help: .value("id", "Only changes of the object with this sync ID, and changes that relate to it."))
    var object: String?

    @OptionGroup var password: PasswordOptions

    /// Whether an option narrows the changes.
    var isNarrowed: Bool {
        documents.isNarrowed || clients.isNarrowed || object != nil || filterOptions.isNarrowed
    }

    /// Calls `body` with each change of `targets`, which are change set files or one remote. Before the first change of
    /// a remote, `named` gets the descriptions of its clients, by identifier. Without a filter, `taking` first gets the
    /// bytes of each set, and returns the number of changes that it has processed; nil for all. Reads no more once
    /// `isDone` returns true, and ignores the rest. `hiding` gets the errors that hide changes.
    /// - Returns: `partial` if a part could not be read, after a report of each problem.
    /// - Throws: `unknownName` if no change is about an object of the named entity.
    func forEachRecord(
        of targets: [RemoteAddress], _ context: CommandContext, named: ([String: String]) -> Void = { _ in },
        taking: (SharedBytes, ChangePlace) -> Int? = { _, _ in 0 }, isDone: () -> Bool = { false },
        hiding: (HiddenChanges) -> Void = { _ in }, _ body: (ChangeRecord) throws(FileProblem) -> Void
    ) throws -> ExitStatus {
        var filter = try filterOptions.filter(context.style)
        filter.object = object
        var isEmpty = true
        let status = try forEachRecord(
            of: targets, filter, context, named: named, taking: taking, isDone: isDone, hiding: hiding
        ) { (record) throws(FileProblem) in
            isEmpty = false
            if !isDone() { try body(record) }
        }
        guard isEmpty, status == .success, let entity = filter.entity, let target = targets.first else {
            return status
        }
        // An entity that does not occur is a typing error rather than an empty result.
        var names: Set<String> = []
        _ = try forEachRecord(of: targets, ChangeFilter(), context) { record in
            names.insert(record.change.entity)
        }
        guard names.contains(entity) || names.isEmpty else {
            throw FileProblem.unknownEntity(entity, at: target.root, among: Array(names))
        }
        return status
    }

    private func forEachRecord(
        of targets: [RemoteAddress], _ filter: ChangeFilter, _ context: CommandContext,
        named: ([String: String]) -> Void = { _ in },
        taking: (SharedBytes, ChangePlace) -> Int? = { _, _ in 0 }, isDone: () -> Bool = { false },
        hiding: (HiddenChanges) -> Void = { _ in }, _ body: (ChangeRecord) throws(FileProblem) -> Void
    ) throws -> ExitStatus {
        let isFiltered = filter != ChangeFilter()
        func taken(_ bytes: SharedBytes, _ place: ChangePlace) -> Int? {
            isFiltered ? 0 : taking(bytes, place)
        }
        var status = ExitStatus.success
        func onDamage(_ problem: FileProblem) throws(FileProblem) {
            if problem.kind == .writeFailed { throw problem }
            context.report(problem)
            status = .partial
        }
        if targets.count == 1, try targets[0].isRemote {
            let remote = try OpenRemote(targets[0], password, context)
            let keyring = try remote.keyring()
            context.inform("remote \(remote.path)\(keyring.isEncrypted ? ", encrypted" : "")")
            named(remote.clientNames(keyring).part)
            let histories = try remote.histories(documents, clients)
            // One sentence at the end reports all of these.
            let absent = Set(remote.snapshot.absentFiles.map { $0.path.filePath(under: remote.path) })
            for history in histories {
                let folder = history.folder.filePath(under: remote.path)
                try history.forEachRecord(
                    in: remote.storage, keyring, filter: filter, taking: taken, isDone: isDone,
                    onDamage: { problem throws(FileProblem) in
                        hiding(HiddenChanges(problem, below: folder))
                        if !absent.contains(problem.path) { try onDamage(problem) }
                    }, body)
            }
            for hidden in remote.hiddenChanges(documents, histories) { hiding(hidden) }
            for problem in remote.problems(documents, histories) { try onDamage(problem) }
            return status
        }
        var keyrings = FileKeyrings(password)
        let files = try targets.map { (target) throws(FileProblem) in
            try ChangeSetFile(target, &keyrings)
        }
        for file in files {
            if isDone() { break }
            do throws(FileProblem) {
                context.inform("reading \(file.path)")
                let bytes = try keyrings.read(file)
                guard let done = taken(bytes, file.place) else { continue }
                let reader = try ChangeSetReader(bytes, path: file.path)
                try reader.forEachRecord(
                    at: file.place, after: done, filter: filter,
                    onDamage: { problem throws(FileProblem) in
                        hiding(HiddenChanges(client: file.place.client, problem))
                        try onDamage(problem)
                    }, body)
            } catch {
                if targets.count == 1 || keyrings.isRefused { throw error }
                hiding(HiddenChanges(client: nil, error))
                try onDamage(error)
            }
        }
        return status
    }
}

/// The reason why changes of one client, or of any client, are missing.
struct HiddenChanges {
    /// The identifier of their author; nil if they may be of any client.
    let client: String?
    let problem: FileProblem

    init(client: String?, _ problem: FileProblem) {
        self.client = client
        self.problem = problem
    }

    /// - Parameter folder: the folder `SyncChanges` of the document.
    init(_ problem: FileProblem, below folder: FilePath) {
        let rest = problem.path.components.dropFirst(folder.components.count)
        self.init(client: problem.path.starts(with: folder) ? rest.first?.string : nil, problem)
    }
}

/// The clients with missing changes.
struct HiddenClients {
    /// The first reason; nil if no change is missing.
    private(set) var gap: FileProblem?
    /// The identifiers of the clients whose changes are certainly missing.
    private(set) var named: Set<String> = []
    /// Whether changes of any client may be missing.
    private var mayBeAny = false

    mutating func add(_ changes: HiddenChanges) {
        gap = gap ?? changes.problem
        if let client = changes.client { named.insert(client) } else { mayBeAny = true }
    }

    /// Whether changes of a client may be missing.
    func mayHave(_ client: String) -> Bool { mayBeAny || named.contains(client) }
}

extension ChangeHistory {
    /// The folder of the client's change sets.
    fileprivate var folder: RemotePath {
        RemoteLayout.document(documentIdentifier).appending(RemoteLayout.syncChanges)
    }
}

extension RemoteAddress {
    /// Whether the argument names a remote and not a file, which may be in an archive.
    fileprivate var isRemote: Bool {
        get throws(FileProblem) {
            guard case .folder(let path) = self else { return archivedFile == nil }
            return try FileStatus.of(path.followed).kind != .file
        }
    }
}

extension OpenRemote {
    /// The folders that could not be listed, and the files of the documents whose content is not local.
    /// - Parameter histories: the histories of the documents that the options name.
    func problems(_ documents: DocumentOptions, _ histories: [ChangeHistory]) -> [FileProblem] {
        let folders =
            documents.isNarrowed
            ? histories.map { RemoteLayout.document($0.documentIdentifier) } : [[RemoteLayout.documents]]
        return gaps + [snapshot.absence(below: folders)].compactMap(\.self)
    }

    /// The errors that hide change sets of the documents and clients that the options name.
    func hiddenChanges(_ documents: DocumentOptions, _ histories: [ChangeHistory]) -> [HiddenChanges] {
        var hidden: [HiddenChanges] = []
        if !documents.isNarrowed, let gap = snapshot.hiddenDocument {
            hidden.append(HiddenChanges(client: nil, gap))
        }
        for history in histories {
            let folder = history.folder
            if let gap = snapshot.gap(inNamesOf: folder) {
                hidden.append(HiddenChanges(client: nil, gap))
            }
            for entry in snapshot.tree.listing(folder).part {
                guard history.clients?.contains(entry.name) ?? true,
                    let gap = snapshot.gap(below: folder.appending(entry.name))
                else { continue }
                hidden.append(HiddenChanges(client: entry.name.text, gap))
            }
        }
        return hidden
    }

    /// The histories of the documents and clients that the options name, or of all.
    func histories(_ documents: DocumentOptions, _ clients: ClientOptions? = nil) throws(FileProblem)
        -> [ChangeHistory]
    {
        let chosen = try documents.some(of: self.documents(), in: path).map(\.identifier)
        let documents = snapshot.documents.filter { chosen.contains($0.identifier) }
        let authors = Set(documents.flatMap(\.clients).map(\.identifier))
        let wanted = try clients.flatMap { (options) throws(FileProblem) in
            try self.clients(options, and: authors)
        }
        return documents.map { ChangeHistory(of: $0, clients: wanted) }
    }
}

/// The changes of a set that a command selects.
struct FilterOptions: ParsableArguments {
    @Option(help: .value("name", "Only changes of objects of this entity."))
    var entity: String?

    @Option(
        name: .customLong("type"),
        help: .value(
            "type",
            "Only changes of this type, as text shows it (insert, set, relate, add, remove, delete) or as JSON "
                + "does (attribute, toOne, addToMany, removeFromMany, unknown). May be given several times."))
    var types: [ChangeTypeName] = []

    @OptionGroup var span: TimeSpanOptions

    /// Whether an option narrows the changes.
    var isNarrowed: Bool { entity != nil || !types.isEmpty || span.since != nil || span.until != nil }

    /// The filter. The times are those of the authors' clocks.
    /// - Throws: `ValidationError` if no time lies between them.
    func filter(_ style: TextStyle) throws -> ChangeFilter {
        let span = try span.range(style)
        return ChangeFilter(
            entity: entity, types: types.isEmpty ? nil : Set(types.map(\.rawValue)), since: span.since,
            until: span.until)
    }
}

/// The name of a type of change on the command line: the name in JSON, or the verb in text.
enum ChangeTypeName: String, ExpressibleByArgument, CaseIterable {
    case insert, attribute, toOne, addToMany, removeFromMany, delete, unknown

    init?(argument: String) {
        let verbs: [String: Self] = [
            "set": .attribute, "relate": .toOne, "add": .addToMany, "remove": .removeFromMany,
        ]
        guard let type = verbs[argument] ?? Self(rawValue: argument) else { return nil }
        self = type
    }
}
