public import SystemCalls
import SystemPackage
public import TICDSCore

/// What the commands that change clients and documents start from.
extension OpenRemote {
    /// The remote as planners see it.
    /// - Parameter keyring: may be locked where nothing has to be encrypted; names are then missing.
    public func planned(_ keyring: RemoteKeyring) throws(FileProblem) -> PlannedRemote {
        try PlannedRemote(root: path.resolved() ?? path, storage, snapshot, keyring: keyring)
    }

    /// What the trash still has of groups of places; each comes from one operation.
    public func trashed(_ groups: [[RemotePath]]) throws(FileProblem) -> TrashedEntries {
        let state = RemoteState(root: try path.resolved() ?? path, stateHome: try Environment.stateHome)
        return try TrashedEntries.find(groups, state)
    }
}

/// Finding clients and documents by what people call them.
extension PlannedRemote {
    /// Clients that are registered with the application, or merely mentioned by a document.
    public var namedClients: [NamedItem] {
        let known = report.clients.map {
            NamedItem(identifier: $0.identifier.text, description: $0.description)
        }
        let removed = report.documents.flatMap(\.deletedClients).map {
            NamedItem(identifier: $0.text, description: nil)
        }
        return known + Set(removed).subtracting(known).sorted { $0.identifier < $1.identifier }
    }

    public var namedDocuments: [NamedItem] {
        report.documents.map { NamedItem(identifier: $0.identifier.text, description: $0.description) }
    }

    /// The client that an argument or option names.
    /// - Parameter option: nil where an argument names it.
    public func client(named name: String, option: String? = nil) throws(FileProblem) -> RemoteName {
        let names = NameResolver(noun: "client", option: option, remote: root, items: namedClients)
        let identifier = try found { () throws(FileProblem) in try names.item(name).identifier }
        let candidates = report.clients.map(\.identifier) + report.documents.flatMap(\.deletedClients)
        return Self.name(identifier, among: candidates)
    }

    /// The document that an argument names.
    public func document(named name: String) throws(FileProblem) -> RemoteName {
        let names = NameResolver(noun: "document", option: nil, remote: root, items: namedDocuments)
        let identifier = try found { () throws(FileProblem) in try names.item(name).identifier }
        return Self.name(identifier, among: report.documents.map(\.identifier))
    }

    /// The document that the options mean.
    public func document(_ options: DocumentOptions) throws(FileProblem) -> RemoteName {
        let item = try found { () throws(FileProblem) in try options.one(of: namedDocuments, in: root) }
        return Self.name(item.identifier, among: report.documents.map(\.identifier))
    }

    /// What `body` finds by its name. What it does not find may be in a part of the remote that could not be read: then
    /// that is the error.
    private func found<Item>(_ body: () throws(FileProblem) -> Item) throws(FileProblem) -> Item {
        do throws(FileProblem) {
            return try body()
        } catch {
            if error.kind == .unknownName, let gap = report.problems.first(where: \.isUnread) { throw gap }
            throw error
        }
    }

    /// The name whose text that is: names need not be UTF-8.
    private static func name(_ text: String, among candidates: [RemoteName]) -> RemoteName {
        candidates.first { $0.text.utf8.elementsEqual(text.utf8) } ?? RemoteName(text)
    }
}
