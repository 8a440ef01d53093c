package import ArgumentParser
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSStorages

/// The remote that a command works on.
package struct RemoteOptions: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "The application folder of the remote (it contains ClientDevices and Documents), or a folder that contains exactly one. Commands that read also take an archive of one, such as app.tar.zst or FOLDER:latest.",
            discussion:
                "Default: the environment variable TICDS_REMOTE, or the remote around the current folder."),
        completion: LiveCompletion.remotes.kind)
    package var remote: String?

    package init() {}

    /// - Throws: the error of an argument that names no place. An error of reading is no wrong usage: the command itself
    ///   ends with it.
    package func validate() throws {
        do {
            _ = try address
        } catch let problem as FileProblem {
            if [.notARemote, .refused].contains(problem.kind) { throw problem }
        }
    }

    /// The address of the remote, as named.
    /// - Throws: `ValidationError` if neither the argument nor `TICDS_REMOTE` names one, nor the current folder is in
    ///   one.
    package var address: RemoteAddress { get throws { try Self.address(named: remote) } }

    /// The address that `argument` names, otherwise that of `TICDS_REMOTE`, otherwise the remote around the current
    /// folder.
    package static func address(named argument: String?) throws -> RemoteAddress {
        if let argument, !argument.isEmpty { return try RemoteAddress(argument: argument) }
        if let address = try knownAddress() { return address }
        throw ValidationError("Name a REMOTE, set TICDS_REMOTE, or go into the folder of a remote.")
    }

    /// The address that `TICDS_REMOTE` names, otherwise the remote around the current folder; nil without both.
    private static func knownAddress() throws -> RemoteAddress? {
        if let text = Environment["TICDS_REMOTE"], StorageSchemes.isAddress(text) {
            return try RemoteAddress(argument: text)
        }
        if let path = Environment.path("TICDS_REMOTE") { return try RemoteAddress(path: path) }
        if let around = try RemoteLocation.remote(
            around: FilePath(".").resolvedAllowingMissing().appending("entry"))
        {
            return .folder(around)
        }
        return nil
    }

    /// Separates the remote from the argument `name` after it; the remote may be omitted if `TICDS_REMOTE` names it.
    /// For commands whose positional arguments are declared as one array.
    /// - Parameter otherwise: after a remote, a command that needs no argument of that name.
    package static func separate(
        _ arguments: [String], named name: String, otherwise: (_ remote: String) -> String? = { _ in nil }
    ) throws -> (remote: RemoteAddress, argument: String) {
        switch arguments.count {
        case 1:
            guard let remote = try knownAddress() else {
                if isRemote(arguments[0]) {
                    let word = ShellWord.quoted(FilePath(arguments[0]))
                    let command = otherwise(word).map { ", or: \($0)" } ?? ""
                    throw ValidationError(
                        "\(name) is missing: '\(arguments[0])' is a remote. Name both\(command).")
                }
                throw ValidationError(
                    "REMOTE or \(name) is missing: '\(arguments[0])' alone is taken for \(name). Name both, set "
                        + "TICDS_REMOTE, or go into the folder of a remote.")
            }
            return (remote, arguments[0])
        case 2: return (try address(named: arguments[0]), arguments[1])
        default: throw ValidationError("Expected REMOTE \(name), or TICDS_REMOTE and \(name).")
        }
    }

    private static func isRemote(_ argument: String) -> Bool {
        // try?: what cannot be read is not known to be a remote
        if let address = try? RemoteAddress(argument: argument), address.archive != nil { return true }
        // try?: as above
        return (try? RemoteLocation.find(Environment.path(argument: argument))) != nil
    }

    /// The places that `arguments` name; without arguments, that of `TICDS_REMOTE`.
    package static func addresses(named arguments: [String]) throws -> [RemoteAddress] {
        try arguments.isEmpty ? [address(named: nil)] : arguments.map { try RemoteAddress(argument: $0) }
    }
}

/// The document that a command works on.
package struct DocumentOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "name", "The document: its identifier or description, or a unique part of them."),
        completion: LiveCompletion.documents.kind)
    package var document: String?

    package init() {}

    /// Whether the options name a document.
    package var isNarrowed: Bool { document != nil }

    /// The document of the command: the named one, or the only one.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the documents.
    package func one(
        of documents: Seen<[NamedItem]>, in remote: FilePath
    ) throws(FileProblem) -> NamedItem {
        let names = NameResolver(noun: "document", option: "--document", remote: remote, items: documents)
        if let document { return try names.item(document) }
        return try names.only()
    }

    /// The named document, or all listed ones.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the documents.
    package func some(
        of documents: Seen<[NamedItem]>, in remote: FilePath
    ) throws(FileProblem) -> [NamedItem] {
        guard let document else { return documents.part }
        let names = NameResolver(noun: "document", option: "--document", remote: remote, items: documents)
        return [try names.item(document)]
    }
}

/// The clients that a command works on.
package struct ClientOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("client"),
        help: .value(
            "name",
            "A client: its identifier or description, or a unique part of them. May be given "
                + "several times."),
        completion: LiveCompletion.clients.kind)
    package var clients: [String] = []

    package init() {}

    /// Whether the options name a client.
    package var isNarrowed: Bool { !clients.isEmpty }

    /// The named clients; nil if the options name none.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the clients.
    package func chosen(
        of candidates: @autoclosure () -> Seen<[NamedItem]>, in remote: FilePath
    ) throws(FileProblem) -> Set<RemoteName>? {
        if clients.isEmpty { return nil }
        let names = NameResolver(noun: "client", option: "--client", remote: remote, items: candidates())
        return try names.identifiers(clients)
    }
}
