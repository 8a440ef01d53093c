public import ArgumentParser
public import SystemPackage
public import SystemCalls

/// The document that a command looks at.
public struct DocumentOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The document: its identifier, an unambiguous beginning of it, or its description.",
            valueName: "name"),
        completion: LiveCompletion.documents.kind)
    public var document: String?

    public init() {}

    /// The one document that is meant: the named one, or the only one.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists what there is.
    public func one(of documents: [NamedItem], in remote: FilePath) throws(FileProblem) -> NamedItem {
        let names = NameResolver(noun: "document", option: "--document", remote: remote, items: documents)
        if let document { return try names.item(document) }
        return try names.only()
    }

    /// The named document, or all of them.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists what there is.
    public func some(of documents: [NamedItem], in remote: FilePath) throws(FileProblem) -> [NamedItem] {
        guard let document else { return documents }
        let names = NameResolver(noun: "document", option: "--document", remote: remote, items: documents)
        return [try names.item(document)]
    }
}

/// The clients that a command looks at.
public struct ClientOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "A client: its identifier, an unambiguous beginning of it, or its description. May be given several times.",
            valueName: "name"),
        completion: LiveCompletion.clients.kind)
    public var clients: [String] = []

    public init() {}

    /// The named clients in the order of the options, or all of them.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists what there is.
    public func some(of candidates: [NamedItem], in remote: FilePath) throws(FileProblem) -> [NamedItem] {
        guard !clients.isEmpty else { return candidates }
        let names = NameResolver(noun: "client", option: "--client", remote: remote, items: candidates)
        var found: [NamedItem] = []
        for client in clients {
            let item = try names.item(client)
            if !found.contains(item) { found.append(item) }
        }
        return found
    }
}
