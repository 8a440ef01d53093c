import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

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

    init(_ options: KeyOptions, _ context: CommandContext) throws {
        let remote = try OpenRemote(try options.remote.address, options.password, context)
        self.remote = remote
        names = ClientNames(remote.clientNames().part)
        let named = remote.documents()
        let wanted = Set(try options.documents.some(of: named, in: remote.path))
        folders = zip(remote.snapshot.documents, named.part).filter { wanted.contains($1) }.map {
            document, name in
            (
                IntegrityKeyFolder(of: document.identifier, in: remote.snapshot, remote.storage),
                name.description
            )
        }
    }

    /// Reports the folders and files that could not be read, and returns `partial` if there are any.
    func reportUnread(_ context: CommandContext) -> ExitStatus {
        let files = folders.flatMap(\.folder.entries).filter { $0.content?.isUnreadable == true }
        for file in files {
            let path = file.path.filePath(under: remote.path)
            let unknown = FileProblem(.unreadable, path: path, "cannot be read, so who made it is unknown")
            context.report(file.unread.flatMap { $0.isScarcity ? $0 : nil } ?? unknown)
        }
        return remote.reportGaps(context, files.isEmpty ? .success : .partial)
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

    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .device: "asWritten"
        case .empty: "empty"
        case .other: "other"
        case .unreadable: "unreadable"
        }
    }
}
