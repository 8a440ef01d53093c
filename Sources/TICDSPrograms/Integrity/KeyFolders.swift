import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// Whose keys are looked at.
struct KeyOptions: ParsableArguments {
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var password: PasswordOptions
}

/// The keys of the documents that the options name.
struct KeyFolders {
    let remote: OpenRemote
    let names: ClientNames
    /// A document with its description.
    let folders: [(folder: IntegrityKeyFolder, description: String?)]

    init(_ options: KeyOptions) throws {
        let remote = try OpenRemote(try options.remote.path, options.password)
        self.remote = remote
        names = ClientNames(remote.clientNames())
        let named = remote.documents()
        let wanted = Set(try options.documents.some(of: named, in: remote.path))
        folders = zip(remote.snapshot.documents, named).filter { wanted.contains($1) }.map { document, name in
            (
                IntegrityKeyFolder(of: document.identifier, in: remote.snapshot, remote.storage),
                name.description
            )
        }
    }

    /// Names the folders and files that could not be read; the exit status says that there are any.
    func reportUnread(_ output: OutputOptions) -> ExitStatus {
        let files = folders.flatMap(\.folder.entries).filter { $0.content?.isUnreadable == true }
        for file in files {
            let path = file.path.filePath(under: remote.path)
            output.report(
                FileProblem(.unreadable, path: path, "cannot be read, so that nobody knows who made it"))
        }
        return remote.reportGaps(output, files.isEmpty ? .success : .partial)
    }

    var findings: [IntegrityFinding] { folders.flatMap(\.folder.findings) }

    /// One JSON document of the schema `ticds.integrity/1`.
    func print(_ output: OutputOptions) throws {
        var json = output.document("ticds.integrity/1")
        json.field("remote", remote.path)
        json.field("application", remote.snapshot.applicationIdentifier)
        json.objects("documents", folders) { json, entry in
            let (folder, description) = entry
            json.field("document", folder.document)
            json.field("description", description)
            json.array("entries", folder.entries) { $0.value($1) }
            json.objects("findings", folder.findings) { json, finding in
                json.field("kind", finding.kind.rawValue)
                json.field("path", finding.path)
                json.field("problem", finding.text)
            }
        }
        try json.finish()
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ entry: IntegrityKeyEntry) {
        beginObject()
        field("name", entry.name)
        field("path", entry.path)
        field("size", entry.size)
        field("modified", entry.modified)
        field("key", entry.isKey)
        field("stray", entry.stray?.rawValue)
        field("canBeTaken", entry.canBeTaken)
        field("content", entry.content?.name)
        field("originalDevice", entry.content?.originalDevice)
        endObject()
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
