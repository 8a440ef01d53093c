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
    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var order: OrderOptions
    @OptionGroup var limit: LimitOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Open each set and count its changes.")
    var counts = false

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(remote.address, password)
        var status = ExitStatus.success
        let keyring = counts ? try open.keyring() : nil
        let histories = try open.histories(documents, clients)
        let chosen = ChosenSets(histories, span, order, limit)
        var numbers: [Int?] = []
        if let keyring {
            chosen.forEach { entry in
                do throws(FileProblem) {
                    numbers.append(try number(entry, open, keyring))
                } catch {
                    output.report(error)
                    status = .partial
                    numbers.append(nil)
                }
            }
        }
        try print(chosen, counts ? numbers : nil, open)
        for problem in open.problems(of: histories) {
            output.report(problem)
            status = .partial
        }
        return status
    }

    private func number(
        _ entry: ChangeHistory.Entry, _ remote: OpenRemote, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> Int {
        let bytes = try keyring.read(remote.storage, entry.path, limit: .changeSet)
        return try ChangeSetReader(bytes, path: entry.path.filePath(under: remote.path)).count
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
    }

    /// - Parameter counts: the numbers of changes, nil for a set that cannot be read; nil if they are not wanted.
    private func print(_ sets: ChosenSets, _ counts: [Int?]?, _ remote: OpenRemote) throws(FileProblem) {
        guard !output.json else {
            var json = output.document()
            json.begin(Self.schema.name)
            json.beginArray("changeSets")
            var place = 0
            sets.forEach { entry in
                json.value((entry, remote.path, counts.map { $0[place] }), Self.fields)
                place += 1
            }
            json.endArray()
            json.end()
            return try json.flush()
        }
        let names = remote.clientNames()
        let table = TextTable(
            ["MODIFIED", "SIZE"] + (counts == nil ? [] : ["CHANGES"]) + ["DOCUMENT", "CLIENT", "CHANGE SET"],
            [.time, .number] + (counts == nil ? [] : [.number]) + [.beginning, .text, .beginning],
            leavesOut: ["SIZE", "CHANGES", "DOCUMENT", "CLIENT"])
        var text = output.longText()
        table.show(to: &text, colour: output.colour()) { add in
            var place = 0
            sets.forEach { entry in
                let client = entry.client.text
                let changes = counts.map { [$0[place].map { Quantities.count($0) } ?? "unreadable"] } ?? []
                place += 1
                add(
                    [entry.file.modified.localSeconds, Quantities.size(entry.file.size)] + changes + [
                        entry.document.description, names[client] ?? client,
                        entry.file.identifier.description,
                    ])
            }
        }
        try text.flush()
    }
}

/// The sets that the options choose, in their order. Without `--sort`, none is kept in memory.
private struct ChosenSets {
    private let histories: [ChangeHistory]
    private let span: TimeSpanOptions
    private let limit: LimitOptions
    private var sorted: [ChangeHistory.Entry]?

    init(
        _ histories: [ChangeHistory], _ span: TimeSpanOptions, _ order: OrderOptions, _ limit: LimitOptions
    ) {
        self.histories = histories
        self.span = span
        self.limit = limit
        guard order.sort != nil else { return }
        var kept: [ChangeHistory.Entry] = []
        forEach(upTo: nil) { kept.append($0) }
        sorted = Array(
            order.sorted(kept) { ($0.file.size, $0.file.modified) }.prefix(limit.limit ?? .max))
    }

    func forEach(_ body: (ChangeHistory.Entry) -> Void) {
        if let sorted { sorted.forEach(body) } else { forEach(upTo: limit, body) }
    }

    private func forEach(upTo limit: LimitOptions?, _ body: (ChangeHistory.Entry) -> Void) {
        var count = 0
        for history in histories {
            for index in 0..<history.count {
                let entry = history[index]
                guard span.contains(entry.file.modified.secondsSince2001) else { continue }
                guard limit?.admits(&count) ?? true else { return }
                body(entry)
            }
        }
    }
}
