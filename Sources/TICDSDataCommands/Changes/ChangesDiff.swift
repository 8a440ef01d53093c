import ArgumentParser
import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ChangesDiff: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares the results of two change sets, or of the sets of two clients.",
        discussion: """
            Compares two files or, with --remote, two clients or two change sets by identifier. Shows every property \
            in which the results differ. Ends with 1 if they differ.

            Examples:
              ticds-changes diff one.syncchg "one (Anna's conflicted copy).syncchg"
              ticds-changes diff "Anna's Mac" "Anna's iPhone" --remote ~/Dropbox/com.example.app --document Notebook
            """)

    @Argument(
        help: "A change set file; or, with --remote, a client or change set.",
        completion: LiveCompletion.clientsAndChangeSets.withRemoteOption)
    var first: String
    @Argument(
        help: "Another file, client or change set.",
        completion: LiveCompletion.clientsAndChangeSets.withRemoteOption)
    var second: String

    @Option(help: .value("folder", "Compare clients or change sets of this remote."), completion: .directory)
    var remote: String?
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let differences =
            try remote.map { try differencesInRemote(RemoteAddress(argument: $0), context) }
            ?? differencesOfFiles()
        if context.json {
            try context.print(differences, Self.schema)
        } else {
            try printText(differences, context)
        }
        return differences.isEmpty ? .success : .findings
    }

    /// The number of parts in which changes of so many bytes are compared. The effects of changes take about three times
    /// the bytes of the changes.
    private static func parts(_ bytes: Int64) -> Int { max(1, Int(clamping: bytes / (128 << 20))) }

    private func differencesOfFiles() throws(FileProblem) -> [ChangeDifference] {
        var keyrings = FileKeyrings(password)
        let files = try [first, second].map { (name) throws(FileProblem) in
            let file = try ChangeSetFile(RemoteAddress(path: Environment.path(argument: name)), &keyrings)
            if try file.status()?.kind == .folder { throw Self.isFolder(file.path) }
            return file
        }
        // Each part reads both files again.
        var seen: [FilePath: FileStatus?] = [:]
        func read(_ file: ChangeSetFile) throws(FileProblem) -> (reader: ChangeSetReader, bytes: SharedBytes)
        {
            let bytes = try keyrings.read(file)
            let status = try file.status()
            guard seen.updateValue(status, forKey: file.path) ?? status == status else {
                throw .changing(file.path)
            }
            let reader = try ChangeSetReader(bytes, path: file.path)
            if let problem = reader.shortfall { throw problem }
            return (reader, bytes)
        }
        // The problems of the first file come before those of the second.
        // try?: reading reports it
        let sizes = files.map { file in ((try? file.status()) ?? nil)?.size ?? 0 }
        let parts = Self.parts(sizes[0] +| sizes[1])
        if parts > 1, sizes[0] == sizes[1] {
            var digest: [UInt8] = []
            do {
                let one = try read(files[0])
                try one.reader.forEachChange { _ in }
                digest = FileHasher.digest(of: one.bytes)
            }
            if FileHasher.digest(of: try read(files[1]).bytes) == digest { return [] }
        }
        return try ChangeDifference.between(parts: parts) { (isFirst, empty) throws(FileProblem) in
            var effects = empty
            try read(files[isFirst ? 0 : 1]).reader.forEachChange { effects.apply($0) }
            return effects
        }
    }

    private static func isFolder(_ path: FilePath) -> FileProblem {
        // try?: nil means that it is not a remote
        let remote = (try? RemoteLocation.find(path)).map { ShellWord.quoted($0) }
        return FileProblem(
            .unsupported, path: path, remote == nil ? "is a folder" : "is a remote",
            expected: "a change set file",
            advice: remote.map {
                "To compare two clients of it: ticds-changes diff CLIENT1 CLIENT2 --remote \($0)"
            } ?? "Name a file in it, or two clients with --remote")
    }

    private func differencesInRemote(
        _ named: RemoteAddress, _ context: CommandContext
    ) throws -> [ChangeDifference] {
        let open = try OpenRemote(named, password, context)
        let document = try open.document(documents)
        let keyring = try open.keyring()
        let one = try history(first, document, open)
        func other() throws(FileProblem) -> ChangeHistory { try history(second, document, open) }
        // The problems of the first side come before those of the second.
        // try?: the comparison reports it
        let parts = Self.parts(one.size +| ((try? other())?.size ?? 0))
        return try ChangeDifference.between(parts: parts) { (isFirst, empty) throws(FileProblem) in
            var effects = empty
            try (isFirst ? one : other()).forEachRecord(
                in: open.storage, keyring, onDamage: { problem throws(FileProblem) in throw problem },
                { effects.apply($0.change) })
            return effects
        }
    }

    /// The sets of a client, or one set, by name.
    private func history(
        _ name: String, _ document: DocumentSnapshot, _ remote: OpenRemote
    ) throws(FileProblem) -> ChangeHistory {
        let set = ChangeHistory(of: document, identifiers: [RemoteName(name)])
        if set.count == 1 { return set }
        let names = NameResolver(
            noun: "client or change set", option: "client", remote: remote.path,
            items: remote.named(document.clients.map(\.identifier)))
        let client = try names.item(name).identifier
        let folder = RemoteLayout.syncChanges(of: client, in: document.identifier)
        if let problem = remote.snapshot.absence(below: [folder]) { throw problem }
        return ChangeHistory(of: document, clients: [client])
    }

    static let schema = JSONSchema<[ChangeDifference]>(
        "ticds.changeDifferences/1", "Printed by ticds-changes(1) `diff`."
    ) {
        $0(
            "differences",
            """
            The differences between the results of the two sides, by entity and object; empty if they \
            agree.
            """,
            \.self,
            JSONFields {
                $0("entity", "The entity of the object.", \.object.entity)
                $0("objectSyncID", "The object.", \.object.syncID)
                $0(
                    "aspect",
                    """
                    What differs: `existence`, with the value true for inserted and false for deleted; `attribute`, with its \
                    last value; `toOne`, with the sync ID of its last target, null if it was cleared; or `member`, with true \
                    for an object that was added to a to-many relationship and false for one that was removed.
                    """, as: .names(["existence", "attribute", "toOne", "member"]), \.aspect.kind)
                $0(
                    "key", "The attribute or relationship; null for `existence`.",
                    { $0.aspect.key.isEmpty ? nil : $0.aspect.key })
                $0.optional("relatedSyncID", "Only for `member`: the related object.", \.aspect.related)
                $0("inFirst", "Whether the first side contains such a change.", { $0.first != nil })
                $0("first", "The result; null also for a side without such a change.", \.first)
                $0("inSecond", "Whether the second side contains such a change.", { $0.second != nil })
                $0("second", "The same as `first`.", \.second)
            })
    }

    private func printText(_ differences: [ChangeDifference], _ context: CommandContext) throws(FileProblem) {
        var text = context.longText()
        let colour = context.colour()
        var object: ChangeEffects.ObjectID?
        for difference in differences {
            if difference.object != object {
                object = difference.object
                text.line(colour.paint("\(difference.object.entity) \(difference.object.syncID)", .bold))
            }
            if let first = difference.first {
                text.line(colour.paint("  - \(line(difference, first, context.style))", .bad))
            }
            if let second = difference.second {
                text.line(colour.paint("  + \(line(difference, second, context.style))", .good))
            }
        }
        try text.flush()
    }

    private func line(_ difference: ChangeDifference, _ value: ArchivedValue, _ style: TextStyle) -> String {
        switch difference.aspect {
        case .existence: value == .boolean(true) ? "inserted" : "deleted"
        case .attribute(let key), .toOne(let key): "\(key) = \(style.line(of: value))"
        case .member(let key, let related):
            "\(key) \(value == .boolean(true) ? "gains" : "loses") \(related)"
        }
    }
}

extension ChangeEffects.Aspect {
    fileprivate var related: String? { if case .member(_, let related) = self { related } else { nil } }

    /// The name in JSON.
    fileprivate var kind: String {
        switch self {
        case .existence: "existence"
        case .attribute: "attribute"
        case .toOne: "toOne"
        case .member: "member"
        }
    }
}
