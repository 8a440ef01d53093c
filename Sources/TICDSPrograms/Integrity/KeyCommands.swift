import ArgumentParser
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct ShowKeys: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists the entries in the key folder of each document.",
        discussion: """
            The name of the file is the key. MADE BY is the client that created the document, according to the file.

            Examples:
              ticds-integrity show ~/Dropbox/com.example.app
              ticds-integrity show ~/Dropbox/com.example.app --document Notebook --json
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let keys = try KeyFolders(options)
        try output.print(keys, KeyFolders.schema) { table(keys).show(to: &$0, colour: output.colour()) }
        return keys.reportUnread(output)
    }

    private func table(_ keys: KeyFolders) -> TextTable {
        var table = TextTable(
            ["DOCUMENT", "KEY", "MADE", "MADE BY", "NOTE"], [.beginning, .beginning, .time],
            leavesOut: ["MADE BY", "MADE"])
        for (folder, _) in keys.folders {
            for entry in folder.entries { table.add(row(entry, of: folder.document, keys.names)) }
            if !folder.isListed || folder.entries.isEmpty {
                let note = folder.isListed ? "no key" : "could not be listed"
                table.add([folder.document.description, "", "", "", note])
            }
        }
        return table
    }

    private func row(_ entry: IntegrityKeyEntry, of document: RemoteName, _ names: ClientNames) -> [String] {
        let maker = entry.content?.originalDevice.map { device in
            names.description(of: RemoteName(device)) ?? device
        }
        return [
            document.description, entry.name.description, entry.modified.withAge, maker ?? "",
            note(on: entry),
        ]
    }

    private func note(on entry: IntegrityKeyEntry) -> String {
        if let stray = entry.stray {
            return stray.rawValue + (entry.canBeTaken ? ", can be taken for the key" : "")
        }
        if !entry.canBeTaken { return "too short: clients do not see it" }
        switch entry.content {
        case nil, .device: return ""
        case .empty: return "empty"
        case .other: return "other content"
        case .unreadable: return "cannot be read"
        }
    }
}

struct CheckKeys: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that each document has one key, and nothing that clients could take for another.",
        discussion: """
            Prints each problem and ends with 1, or prints nothing and ends with 0.

            Examples:
              ticds-integrity check ~/Dropbox/com.example.app
              ticds-integrity check ~/Dropbox/com.example.app --json | jq '.documents[].findings[]'
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let keys = try KeyFolders(options)
        try output.print(keys, KeyFolders.schema) { text in
            for finding in keys.findings { text.line("\(finding.path): \(finding.text).") }
        }
        return keys.remote.reportGaps(output, keys.findings.isEmpty ? .success : .findings)
    }
}

/// The documents whose keys a command reads.
struct KeyOptions: ParsableArguments {
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var password: PasswordOptions
}

/// The integrity keys of the documents that the options name.
struct KeyFolders {
    let remote: OpenRemote
    let names: ClientNames
    /// A document with its description.
    let folders: [(folder: IntegrityKeyFolder, description: String?)]

    init(_ options: KeyOptions) throws {
        let remote = try OpenRemote(try options.remote.address, options.password)
        self.remote = remote
        names = ClientNames(remote.clientNames())
        let named = remote.documents()
        let wanted = Set(
            try options.documents.some(of: named, in: remote.path, unread: remote.unreadDocument))
        folders = zip(remote.snapshot.documents, named).filter { wanted.contains($1) }.map { document, name in
            (
                IntegrityKeyFolder(of: document.identifier, in: remote.snapshot, remote.storage),
                name.description
            )
        }
    }

    /// Reports the folders and files that could not be read, and returns `partial` if there are any.
    func reportUnread(_ output: OutputOptions) -> ExitStatus {
        let files = folders.flatMap(\.folder.entries).filter { $0.content?.isUnreadable == true }
        for file in files {
            let path = file.path.filePath(under: remote.path)
            output.report(
                FileProblem(.unreadable, path: path, "cannot be read, so who made it is unknown"))
        }
        return remote.reportGaps(output, files.isEmpty ? .success : .partial)
    }

    var findings: [IntegrityFinding] { folders.flatMap(\.folder.findings) }

    static let schema = JSONSchema<KeyFolders>(
        "ticds.integrity/1", "Printed by ticds-integrity(1) `show` and `check`."
    ) {
        $0("remote", "", \.remote.path)
        $0("application", "", \.remote.snapshot.applicationIdentifier)
        $0(
            "documents", "The documents that were requested.", \.folders,
            JSONFields {
                $0("document", "", { $0.folder.document })
                $0("description", "", { $0.description })
                $0("entries", "The entries of the folder of the key.", { $0.folder.entries }, entry)
                $0(
                    "findings", "The problems.", { $0.folder.findings },
                    JSONFields {
                        $0("kind", "", \.kind)
                        $0("path", "", \.path)
                        $0("problem", "", \.text)
                    })
            })
    }

    private static let entry = JSONFields<IntegrityKeyEntry> {
        $0("name", "The name of the file is the key.", \.name)
        $0("path", "", \.path)
        $0("size", "", \.size)
        $0("modified", "", \.modified)
        $0("key", "Whether it is a file that looks like a key.", \.isKey)
        $0("stray", "The probable kind of an entry that is not a key.", \.stray)
        $0("canBeTaken", "Whether clients can take the entry for the key.", \.canBeTaken)
        $0(
            "content", "The contents of the file; `asWritten` by the framework.",
            as: .orNull(.names(["asWritten", "empty", "other", "unreadable"])), \.content?.name)
        $0(
            "originalDevice", "The client that created the document, according to the file.",
            \.content?.originalDevice)
    }
}

extension IntegrityKeyContent {
    fileprivate var isUnreadable: Bool { if case .unreadable = self { true } else { false } }

    /// The word that JSON has for it.
    fileprivate var name: String {
        switch self {
        case .device: "asWritten"
        case .empty: "empty"
        case .other: "other"
        case .unreadable: "unreadable"
        }
    }
}

struct ResetKey: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Leaves exactly one key in a document: a new one, or one that clients know.",
        discussion: """
            Every client that remembers another key throws away the edits that it has not sent, and loads \
            the whole store again; the plan names these clients. Other keys and strays go to the trash.

            Examples:
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --dry-run
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --key 6A8249F6-B3C8-4168-A6C2-13C3BE410E18
            """)

    @OptionGroup var options: KeyOptions

    @Option(
        help: .value(
            "key",
            "The key to keep, or to create if it does not exist; everything else is removed. Default: a new "
                + "random key."))
    var key: String?

    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(try options.remote.address, options.password)
        try open.refuseContradiction()
        let documents = open.documents()
        try open.checkRead()
        let name = try options.documents.one(of: documents, in: open.path, unread: nil).identifier
        guard let document = open.snapshot.document(name) else {
            throw FileProblem(.unknownName, path: open.path, "there is no document \(name)")
        }
        let names = ClientNames(open.clientNames())
        let reset = try IntegrityResetPlanner(
            of: document, in: open.snapshot, open.storage,
            key: RemoteName(key ?? ArchivedUUID.random().description), names: names)
        let plan = try reset.plan(
            root: try open.root, command: "ticds-integrity reset",
            creator: try creator(of: document, open))
        try open.checkRead()
        return try PlanRunner(change, output, names: names).run(
            plan, on: open.snapshot, snapshot: open.snapshot)
    }

    /// Who created the document, as far as that can be read without asking for a password.
    private func creator(of document: DocumentSnapshot, _ open: OpenRemote) throws(FileProblem) -> String? {
        guard let file = document.documentInfo?.path else { return nil }
        let info = try unlessInvalid { () throws(FileProblem) in
            let bytes = try open.keyringWithoutAsking().read(open.storage, file, limit: .propertyList)
            return try DocumentInfo(bytes, path: file.filePath(under: open.path))
        }
        return info?.originalDeviceIdentifier
    }
}
