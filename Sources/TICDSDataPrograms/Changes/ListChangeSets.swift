import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ListChangeSets: SuiteCommand {
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
        var lines = ChangeSetLines(output, open, counts: counts)
        let histories = try open.histories(documents, clients)
        func add(_ entry: ChangeHistory.Entry) throws(FileProblem) {
            var count: Int?
            do throws(FileProblem) {
                count = try keyring.map { keyring throws(FileProblem) in try number(entry, open, keyring)
                }
            } catch {
                output.report(error)
                status = .partial
            }
            try lines.add(entry, count)
        }
        try forEach(of: histories, add)
        try lines.finish()
        for problem in open.problems(of: histories) {
            output.report(problem)
            status = .partial
        }
        return status
    }

    /// Calls `body` for the sets that the options choose, in their order. Without `--sort`, none is kept in memory.
    private func forEach(
        of histories: [ChangeHistory], _ body: (ChangeHistory.Entry) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var count = 0
        var kept: [ChangeHistory.Entry] = []
        for history in histories {
            for index in 0..<history.count {
                let entry = history[index]
                guard span.contains(entry.file.modified.secondsSince2001) else { continue }
                guard order.sort == nil else {
                    kept.append(entry)
                    continue
                }
                guard limit.admits(&count) else { return }
                try body(entry)
            }
        }
        for entry in order.sorted(kept, { ($0.file.size, $0.file.modified) }).prefix(limit.limit ?? .max) {
            try body(entry)
        }
    }

    private func number(
        _ entry: ChangeHistory.Entry, _ remote: OpenRemote, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> Int {
        let bytes = try keyring.read(remote.storage, entry.path, limit: .changeSet)
        return try ChangeSetReader(bytes, path: entry.path.filePath(under: remote.path)).count
    }
}

/// The list of change sets, in JSON or as a table.
struct ChangeSetLines: ~Copyable {
    private let remote: OpenRemote
    private let counts: Bool
    private var json: JSONWriter
    private var text: OutputBuffer
    private var table: TextTable
    private let isJSON: Bool
    private let colour: Colour
    /// The descriptions of the clients, by identifier, for the table.
    private let clientNames: [String: String]

    init(_ output: OutputOptions, _ remote: OpenRemote, counts: Bool) {
        self.remote = remote
        self.counts = counts
        isJSON = output.json
        colour = output.colour()
        clientNames = isJSON ? [:] : remote.clientNames()
        json = output.document()
        text = output.longText()
        table = TextTable(
            ["MODIFIED", "SIZE"] + (counts ? ["CHANGES"] : []) + ["DOCUMENT", "CLIENT", "CHANGE SET"],
            [.time, .number] + (counts ? [.number] : []) + [.beginning, .text, .beginning],
            leavesOut: ["SIZE", "CHANGES", "DOCUMENT", "CLIENT"])
        guard isJSON else { return }
        json.begin(Self.schema.name)
        json.beginArray("changeSets")
    }

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

    mutating func add(_ entry: ChangeHistory.Entry, _ count: Int?) throws(FileProblem) {
        guard isJSON else {
            let client = entry.client.text
            let changes = counts ? [count.map { Quantities.count($0) } ?? "unreadable"] : []
            table.add(
                [entry.file.modified.localSeconds, Quantities.size(entry.file.size)] + changes + [
                    entry.document.description, clientNames[client] ?? client,
                    entry.file.identifier.description,
                ])
            return
        }
        json.value((entry, remote.path, counts ? .some(count) : nil), Self.fields)
    }

    mutating func finish() throws(FileProblem) {
        if isJSON {
            json.endArray()
            json.end()
            return try json.flush()
        }
        table.show(to: &text, colour: colour)
        try text.flush()
    }
}
