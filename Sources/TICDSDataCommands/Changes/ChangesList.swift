import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ChangesList: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the change sets of a remote in order of application.",
        discussion: """
            Shows names, sizes and times only, and needs no password. With --counts it opens each set.

            Examples:
              ticds-changes list ~/Dropbox/com.example.app
              ticds-changes list ~/Dropbox/com.example.app --document Notebook --counts --json
              ticds-changes list ~/Dropbox/com.example.app --client "Anna's iPhone" --since 2013-10
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Open each set and count its changes.")
    var counts = false

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(remote.address, password, context)
        var status = ExitStatus.success
        let keyring = counts ? try open.keyring() : nil
        let histories = try open.histories(documents, clients)
        let gap = open.hiddenChanges(documents, histories).first?.problem
        let chosen = try ChosenSets(histories, list, besides: gap, context.style)
        var numbers: [Int?] = []
        if let keyring {
            chosen.forEach { entry in
                do throws(FileProblem) {
                    numbers.append(try number(entry, open, keyring))
                } catch {
                    context.report(error)
                    status = .partial
                    numbers.append(nil)
                }
            }
        }
        // Names come before the problems, since an unreadable name is a problem.
        let names = context.json ? [:] : open.clientNames().part
        let problems = open.problems(documents, histories)
        let isNarrowed = documents.isNarrowed || clients.isNarrowed || list.isNarrowed
        let nothing = EmptyList.sentence("change set", isNarrowed: isNarrowed, besides: gap)
        try print(chosen, counts ? numbers : nil, open, names, nothing, unread: problems, context)
        for problem in problems {
            context.report(problem)
            status = .partial
        }
        return status
    }

    private func number(
        _ entry: ChangeHistory.Entry, _ remote: OpenRemote, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> Int {
        let bytes = try keyring.read(remote.storage, entry.path, limit: .changeSet)
        let reader = try ChangeSetReader(bytes, path: entry.path.filePath(under: remote.path))
        if let problem = reader.shortfall { throw problem }
        return reader.count
    }
}

extension ChangesList {
    private typealias Line = (entry: ChangeHistory.Entry, root: FilePath, changes: Int??)
    private static let fields = JSONFields<Line> {
        $0("document", "Identifier of the document.", { $0.entry.document.text })
        $0("client", "The client that wrote the set.", { $0.entry.client.text })
        $0("changeSet", "The name of its file without `.syncchg`.", { $0.entry.file.identifier.text })
        $0("path", "The file.", { $0.entry.path.filePath(under: $0.root) })
        $0("size", "Bytes.", { $0.entry.file.size })
        $0("modified", "The time of the file, which decides the order.", { $0.entry.file.modified })
        $0.optional("changes", "Only with `--counts`; null if the set could not be read.", { $0.changes })
    }
    static let schema = JSONSchema<Void>("ticds.changeSets/1", "Printed by ticds-changes(1) `list`.") {
        $0(
            "changeSets", "In the order of application, document by document, or as `--sort` says.",
            as: .array(fields.type))
        $0("unread", "As in `ticds.documents/1`.", as: .array(FileProblem.json))
    }

    /// - Parameters:
    ///   - counts: the numbers of changes, nil for an unreadable set; nil if they are not wanted.
    ///   - nothing: the sentence in place of an empty list.
    private func print(
        _ sets: ChosenSets, _ counts: [Int?]?, _ remote: OpenRemote, _ names: [String: String],
        _ nothing: String, unread: [FileProblem], _ context: CommandContext
    ) throws(FileProblem) {
        guard !context.json else {
            var json = context.document()
            json.begin(Self.schema.name)
            json.beginArray("changeSets")
            var place = 0
            sets.forEach { entry in
                json.value((entry, remote.path, counts.map { $0[place] }), Self.fields)
                place += 1
            }
            json.endArray()
            unread.write(to: &json, under: "unread")
            json.end()
            return try json.flush()
        }
        let table = TextTable(
            ["MODIFIED", "SIZE"] + (counts == nil ? [] : ["CHANGES"]) + ["DOCUMENT", "CLIENT", "CHANGE SET"],
            [.time, .number] + (counts == nil ? [] : [.number]) + [.beginning, .text, .beginning],
            leavesOut: ["SIZE", "CHANGES", "DOCUMENT", "CLIENT"])
        var text = context.longText()
        if sets.isEmpty {
            text.line(nothing)
            return try text.flush()
        }
        table.show(to: &text, colour: context.colour()) { add in
            var place = 0
            sets.forEach { entry in
                let client = entry.client.text
                let changes = counts.map { [$0[place].map { Quantities.count($0) } ?? "unreadable"] } ?? []
                place += 1
                add(
                    [context.style.second(entry.file.modified), context.style.size(entry.file.size)] + changes
                        + [
                            entry.document.description, names[client] ?? client,
                            entry.file.identifier.description,
                        ])
            }
        }
        if let note = sets.note { text.line(note) }
        try text.flush()
    }
}

/// The sets that the options choose, in their order. Without `--sort`, none is kept in memory.
private struct ChosenSets {
    private let histories: [ChangeHistory]
    private let options: ListOptions
    private let span: TimeRange
    private var sorted: [ChangeHistory.Entry]?
    /// Whether there are no sets.
    let isEmpty: Bool
    /// The line below a list that `--limit` shortens.
    let note: String?

    /// - Parameter gap: the reason why there may be more sets than were listed.
    init(
        _ histories: [ChangeHistory], _ options: ListOptions, besides gap: FileProblem?, _ style: TextStyle
    ) throws {
        span = try options.span.range(style)
        self.histories = histories
        self.options = options
        var count = options.limit.counter
        Self.forEach(in: histories, span) { _ in _ = count.admits() }
        isEmpty = count.isEmpty
        note = count.note(besides: gap)
        guard options.order.sort != nil else { return }
        var kept: [ChangeHistory.Entry] = []
        Self.forEach(in: histories, span) { kept.append($0) }
        sorted =
            options.limit.first(of: options.order.sorted(kept) { ($0.file.size, $0.file.modified) }).entries
    }

    func forEach(_ body: (ChangeHistory.Entry) -> Void) {
        if let sorted { return sorted.forEach(body) }
        var count = options.limit.counter
        Self.forEach(in: histories, span) { if count.admits() { body($0) } }
    }

    /// Calls `body` for each set in the span.
    private static func forEach(
        in histories: [ChangeHistory], _ span: TimeRange, _ body: (ChangeHistory.Entry) -> Void
    ) {
        for history in histories {
            for index in 0..<history.count {
                let entry = history[index]
                if span.contains(entry.file.modified.secondsSince2001) { body(entry) }
            }
        }
    }
}
