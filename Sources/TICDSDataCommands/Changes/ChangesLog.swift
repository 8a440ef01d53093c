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
            ticds-changes search finds them. Also shows changes of other objects that relate to it. A word in several \
            objects shows the changes of all of them, one a line, by object, with the beginning of each sync ID.

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

    /// The largest number of objects that are grouped. For more objects, changes are printed as they are read, so that
    /// memory does not grow.
    private static let grouped = 50

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "OBJECT")
        let search = try ChangeSearch(named: argument)
        let remote = try OpenRemote(path, password, context)
        let keyring = try remote.keyring()
        let histories = try remote.histories(documents, clients)
        var filter = try filterOptions.filter(context.style)
        let span = try filterOptions.span.range(context.style)
        // An unknown time may be in the span.
        (filter.since, filter.until) = (nil, nil)
        var lines = ChangeLines(context)
        lines.clientNames = remote.clientNames(keyring).part
        var count = limit.counter
        var problems = DistinctProblems()
        // Every call reads all sets again: memory does not grow with them.
        func forEachRecord(_ body: (ChangeRecord) throws(FileProblem) -> Void) throws(FileProblem) {
            for history in histories {
                try history.forEachRecord(
                    in: remote.storage, keyring, onDamage: { problems.add($0) }, body)
            }
        }
        func add(_ record: ChangeRecord) throws(FileProblem) {
            let time = record.change.timestamp
            guard filter.admits(record.change), span.contains(time),
                count.admits(isUnknown: span.isUnknown(time))
            else { return }
            try lines.add(record)
        }

        var objects = NamedObjects(argument)
        var entities: Set<String> = []
        try forEachRecord { (record) throws(FileProblem) in
            if filter.entity != nil { entities.insert(record.change.entity) }
            if objects.isExactly(record.change) { try add(record) }
        }
        // An entity that does not occur is a typing error rather than an empty result.
        if let entity = filter.entity, problems.all.isEmpty, !entities.isEmpty, !entities.contains(entity) {
            throw FileProblem.unknownEntity(entity, at: remote.path, among: Array(entities))
        }
        var words: Set<String> = []
        if objects.isEmpty {
            try forEachRecord { record in
                if let object = search.object(of: record.change) { words.insert(object) }
            }
        }
        if objects.isEmpty, words.count > 1 {
            lines.wanted = search
            lines.isByObject = words.count <= Self.grouped
            try forEachRecord { (record) throws(FileProblem) in
                if let object = record.change.objectSyncID, words.contains(object) { try add(record) }
            }
        } else if let object = objects.only ?? words.first {
            try forEachRecord { (record) throws(FileProblem) in
                if record.change.concerns(object) { try add(record) }
            }
        }
        let gap = problems.all.first ?? remote.hiddenChanges(documents, histories).first?.problem
        let all = problems.all + remote.problems(documents, histories)
        for problem in all { context.report(problem) }
        if objects.isEmpty, words.isEmpty {
            // Unread changes may concern the object.
            let read = all.isEmpty ? "" : " that could be read"
            context.warn("no change\(read) concerns an object with the sync ID or the text \(argument)")
            return all.isEmpty ? .findings : .partial
        }
        if words.isEmpty { try objects.check(in: remote.path) }
        try lines.finish(count.note(besides: gap))
        if words.count > 1, let example = words.min() {
            let place = ShellWord.quoted(remote.path)
            let object = ShellWord.quoted(Array(example.utf8))
            context.warn(
                "the text occurs in \(Quantities.count(words.count, "object")). An insert shows the values with the text. "
                    + "Everything about one object: ticds-changes log \(place) \(object)"
            )
        }
        guard all.isEmpty else { return .partial }
        if count.isEmpty { context.warn("no change of the object matches the options") }
        return count.isEmpty ? .findings : .success
    }
}

/// Errors in the order of their occurrence, each once, since a command may read a file again.
private struct DistinctProblems {
    private(set) var all: [FileProblem] = []
    private var known: Set<FileProblem> = []

    mutating func add(_ problem: FileProblem) {
        if known.insert(problem).inserted { all.append(problem) }
    }
}

extension ChangeSearch {
    /// The object of a change whose values contain the text.
    fileprivate func object(of change: SyncChange) -> String? {
        change.objectSyncID.flatMap { object in
            matches(in: change).contains { $0.key != nil } ? object : nil
        }
    }
}

extension SyncChange {
    /// The sync IDs of the object and of the related object.
    fileprivate var objects: [String] { [objectSyncID, relatedSyncID].compactMap(\.self) }

    fileprivate func concerns(_ object: String) -> Bool { objectSyncID == object || relatedSyncID == object }
}

/// The objects whose sync ID matches a name.
private struct NamedObjects {
    private let name: String
    /// Whether the name is a complete sync ID. Other objects are then not searched for.
    private var isWhole = false
    private var fitting: Set<String> = []

    init(_ name: String) { self.name = name }

    /// Whether a change concerns the object with this sync ID. Records the objects whose sync ID contains the name.
    mutating func isExactly(_ change: SyncChange) -> Bool {
        if change.concerns(name) { isWhole = true }
        if !isWhole { fitting.formUnion(change.objects.filter { $0.contains(name) }) }
        return change.concerns(name)
    }

    var isEmpty: Bool { !isWhole && fitting.isEmpty }

    /// The only object whose sync ID contains the name; nil if the name is a sync ID.
    var only: String? { !isWhole && fitting.count == 1 ? fitting.first : nil }

    /// - Throws: `.ambiguous` if the name matches several objects.
    func check(in remote: FilePath) throws(FileProblem) {
        if isWhole || fitting.count == 1 { return }
        throw FileProblem(
            .ambiguous, path: remote, "\(name) matches \(fitting.count) objects",
            found: fitting.sorted().listed(),
            advice: "Give more of the sync ID")
    }
}
