import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// What to look at: a remote, and the documents and clients in it.
struct InspectOptions: ParsableArguments {
    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var password: PasswordOptions
}

/// The report of a remote, narrowed to what the options name.
struct Inspection {
    let remote: OpenRemote
    let report: RemoteReport
    let documents: [DocumentReport]
    /// Clients of the application.
    let clients: [DeviceReport]
    /// The clients that the options name; nil where they name none.
    let chosenClients: Set<RemoteName>?
    /// Whether the options name a document.
    let namesDocument: Bool
    /// What opens the files that can be opened without asking.
    let keyring: RemoteKeyring
    /// Why the remote may not be what it looks like: nothing of it is opened then that clients encrypt.
    private let contradiction: FileProblem?

    init(_ options: InspectOptions) throws {
        remote = try OpenRemote(options.remote.path, options.password)
        contradiction = remote.contradiction
        keyring = contradiction == nil ? try remote.keyringWithoutAsking() : RemoteKeyring(.locked)
        let sources = ReportSources(remote.storage, keyring: keyring)
        var report = RemoteReport(remote.snapshot, sources: sources)
        report.isEncrypted = keyring.isEncrypted
        self.report = report
        let chosen = try options.documents.some(
            of: report.documents.map {
                NamedItem(identifier: $0.identifier.text, description: $0.description)
            },
            in: remote.path)
        let names = Set(chosen.map { RemoteName($0.identifier) })
        namesDocument = options.documents.document != nil
        documents =
            options.documents.document == nil
            ? report.documents : report.documents.filter { names.contains($0.identifier) }
        let wanted =
            options.clients.clients.isEmpty
            ? nil
            : Set(
                try options.clients.some(
                    of: report.clients.map {
                        NamedItem(identifier: $0.identifier.text, description: $0.description)
                    }, in: remote.path
                ).map { RemoteName($0.identifier) })
        chosenClients = wanted
        clients = report.clients.filter { wanted?.contains($0.identifier) ?? true }
    }

    /// True for a client that the options name, and for all where they name none.
    func isWanted(_ client: RemoteName) -> Bool { chosenClients?.contains(client) ?? true }

    /// Names what could not be read on standard error. Files that only lack the password are no failure.
    func finish(_ output: OutputOptions) -> ExitStatus {
        if let contradiction { output.report(contradiction) }
        let status = output.reportUnread(report)
        return contradiction == nil ? status : .refused
    }

    /// A JSON document of that schema, opened, with the keys that all of them have.
    func document(_ schema: String, _ output: OutputOptions) -> JSONWriter {
        var json = output.document(schema)
        json.field("remote", remote.path)
        json.field("application", report.applicationIdentifier)
        json.field("encrypted", report.isEncrypted)
        return json
    }

    /// Closes the document after what could not be read.
    func close(_ json: inout JSONWriter) throws {
        json.array("unread", [contradiction].compactMap(\.self) + report.problems) { $0.value($1) }
        try json.finish()
    }
}

extension OutputOptions {
    /// Names what could not be read on standard error. Files that only lack the password are no failure.
    func reportUnread(_ remote: RemoteReport) -> ExitStatus {
        let failures = remote.problems.filter { $0.kind != .encrypted }
        for problem in failures { report(problem) }
        let locked = remote.problems.count - failures.count
        if locked > 0 {
            warn("\(Quantities.count(locked, "file")) not read: encrypted, and no password given")
        }
        return failures.isEmpty ? .success : .partial
    }
}
