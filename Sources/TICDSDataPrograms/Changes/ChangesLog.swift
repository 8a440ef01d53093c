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
            Name the object by its sync ID, or by a part of it that only this object has. Also shows changes of other \
            objects that relate to it.

            Examples:
              ticds-changes log ~/Dropbox/com.example.app E621E1F8-C36C-495A-93FC-0C247A3E6E5F-1234-0000056789ABCDEF
              ticds-changes log ~/Dropbox/com.example.app E621E1F8 --json
            """)

    @Argument(
        help: .value("remote> <sync-id", "The remote (or TICDS_REMOTE) and the object's sync ID."),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var limit: LimitOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "SYNC-ID")
        let remote = try OpenRemote(path, password)
        let keyring = try remote.keyring()
        let histories = try remote.histories(documents)
        let clientNames = remote.clientNames(keyring)
        var status = ExitStatus.success
        var life = ObjectLife(named: argument)
        for history in histories {
            try history.forEachRecord(
                in: remote.storage, keyring,
                onDamage: { problem throws(FileProblem) in
                    output.report(problem)
                    status = .partial
                },
                { life.add($0) })
        }
        for problem in remote.problems(of: histories) {
            output.report(problem)
            status = .partial
        }
        var lines = ChangeLines(output)
        lines.clientNames = clientNames
        let records = try life.records(in: remote.path).filter { span.contains($0.change.timestamp) }
        for record in records.prefix(limit.limit ?? .max) { try lines.add(record) }
        try lines.finish()
        return status
    }
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

    /// The changes of the object with this identifier, otherwise of the only object that fits.
    func records(in remote: FilePath) throws(FileProblem) -> [ChangeRecord] {
        if let exact = fitting[name] { return exact }
        guard let only = fitting.first else {
            throw FileProblem(
                .unknownName, path: remote, "no change concerns an object with the sync ID \(name)",
                advice: "Find an object by a word in it with ticds-changes search")
        }
        guard fitting.count == 1 else {
            throw FileProblem(
                .ambiguous, path: remote, "\(name) matches \(fitting.count) objects",
                found: fitting.keys.sorted().listed(),
                advice: "Give more of the sync ID")
        }
        return only.value
    }
}
