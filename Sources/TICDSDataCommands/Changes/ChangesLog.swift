import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ChangesLog: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Follows one object through all change sets, with authors.",
        discussion: """
            Name the object by its sync ID, by a part of it that only this object has, or by a word in its values as \
            ticds-changes search finds them. Also shows changes of other objects that relate to it. Of a word in several \
            objects, shows the changes that contain it.

            Examples:
              ticds-changes log ~/Dropbox/com.example.app "bread soup"
              ticds-changes log ~/Dropbox/com.example.app E621E1F8-C36C-495A-93FC-0C247A3E6E5F-1234-0000056789ABCDEF
              ticds-changes log ~/Dropbox/com.example.app E621E1F8 --json
            """)

    @Argument(
        help: .value(
            "remote> <object", "The remote (or TICDS_REMOTE) and the object's sync ID, or a word in it."),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var filterOptions: FilterOptions
    @OptionGroup var limit: LimitOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "OBJECT")
        var words = ObjectsWithText(try ChangeSearch(named: argument))
        let remote = try OpenRemote(path, password, context)
        let keyring = try remote.keyring()
        let histories = try remote.histories(documents, clients)
        var lines = ChangeLines(context)
        lines.clientNames = remote.clientNames(keyring).part
        var problems: [FileProblem] = []
        func forEachRecord(_ body: (ChangeRecord) -> Void) throws(FileProblem) {
            problems = []
            for history in histories {
                try history.forEachRecord(
                    in: remote.storage, keyring, onDamage: { problems.append($0) }, body)
            }
        }
        var life = ObjectLife(named: argument)
        try forEachRecord { life.add($0) }
        if life.isEmpty { try forEachRecord { words.add($0) } }
        let gap = problems.first ?? remote.hiddenChanges(documents, histories).first?.problem
        problems += remote.problems(of: histories)
        for problem in problems { context.report(problem) }
        if life.isEmpty, let object = words.only {
            life = ObjectLife(named: object)
            try forEachRecord { life.add($0) }
        }
        if life.isEmpty, !problems.isEmpty, words.count == 0 {
            // What could not be read may concern the object.
            context.report(life.unknown(in: remote.path, isWhole: false))
            return .partial
        }
        var filter = try filterOptions.filter(context.style)
        let span = try filterOptions.span.range(context.style)
        // An unknown time may lie in the span.
        (filter.since, filter.until) = (nil, nil)
        let all = words.count > 1 ? words.records : try life.records(in: remote.path)
        let records = limit.first(
            of: all.filter { filter.admits($0.change) && span.contains($0.change.timestamp) })
        for record in records.entries { try lines.add(record) }
        try lines.finish(records.note(besides: gap))
        if words.count > 1 {
            context.warn(
                "the text occurs in \(Quantities.count(words.count, "object")); these are the changes that contain it. "
                    + "For all changes of one object, give its sync ID")
        }
        return problems.isEmpty ? .success : .partial
    }
}

/// The objects that at some time had a text in their values.
private struct ObjectsWithText {
    private let search: ChangeSearch
    private var objects: Set<String> = []
    /// The changes that contain it.
    private(set) var records: [ChangeRecord] = []

    init(_ search: ChangeSearch) { self.search = search }

    mutating func add(_ record: ChangeRecord) {
        guard let object = record.change.objectSyncID,
            search.matches(in: record.change).contains(where: { $0.key != nil })
        else { return }
        objects.insert(object)
        records.append(record)
    }

    var count: Int { objects.count }

    /// The only object; nil if there is none, or several.
    var only: String? { objects.count == 1 ? objects.first : nil }
}

/// The changes of the objects whose sync ID fits a name.
private struct ObjectLife {
    private let name: String
    private var fitting: [String: [ChangeRecord]] = [:]

    init(named name: String) { self.name = name }

    mutating func add(_ record: ChangeRecord) {
        let ids = Set([record.change.objectSyncID, record.change.relatedSyncID].compactMap { $0 })
        for id in ids where id.contains(name) { fitting[id, default: []].append(record) }
    }

    var isEmpty: Bool { fitting.isEmpty }

    /// - Parameter isWhole: whether every change could be read.
    func unknown(in remote: FilePath, isWhole: Bool) -> FileProblem {
        FileProblem(
            .unknownName, path: remote,
            "no change\(isWhole ? "" : " that could be read") concerns an object with the sync ID or the text \(name)",
            advice: "Look for a part of the text: ticds-changes search \(ShellWord.quoted(remote)) TEXT")
    }

    /// The changes of the object with this identifier, otherwise of the only object that fits.
    func records(in remote: FilePath) throws(FileProblem) -> [ChangeRecord] {
        if let exact = fitting[name] { return exact }
        guard let only = fitting.first else { throw unknown(in: remote, isWhole: true) }
        guard fitting.count == 1 else {
            throw FileProblem(
                .ambiguous, path: remote, "\(name) matches \(fitting.count) objects",
                found: fitting.keys.sorted().listed(),
                advice: "Give more of the sync ID")
        }
        return only.value
    }
}
