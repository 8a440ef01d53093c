import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The data from which the planners of clients and documents work, complete in every case. They read nothing else, and
/// a plan depends on everything that was listed and read.
public struct PlannedRemote: Sendable {
    /// The listing and the report. Only names may be missing, if the password is.
    public let reported: ReportedRemote
    /// The time from which "lately" counts back.
    public let now: FileTime
    /// The listing, with the names from the report, which are not read again.
    let listed: ListedRemote

    /// The application folder, absolute and without links.
    public var root: FilePath { listed.root }
    /// The listing from which everything is planned.
    public var snapshot: RemoteSnapshot { listed.snapshot }
    /// The descriptions of the clients.
    public var clientNames: ClientNames { listed.names }
    var style: TextStyle { listed.style }
    /// The names of clients and documents, and the sets that each client has applied.
    public var report: RemoteReport { reported.report }
    /// Encrypts new files; may be locked for plans that write none.
    public var keyring: RemoteKeyring { reported.keyring }

    /// A remote from which plans can be made.
    /// - Throws: the first error of listing or reading.
    public init(
        _ reported: ReportedRemote, now: FileTime = .now, style: TextStyle = TextStyle()
    ) throws(FileProblem) {
        if let unread = reported.report.unread { throw unread }
        let pairs = reported.report.clients.compactMap { client in
            client.description.map { (client.identifier.text, $0) }
        }
        let names = ClientNames(Dictionary(pairs, uniquingKeysWith: { one, _ in one }))
        listed = try ListedRemote(root: reported.root, reported.snapshot, names: names, style: style)
        self.reported = reported
        self.now = now
    }

    /// Lists a remote and reads what its reports need.
    /// - Parameters:
    ///   - root: absolute and without links.
    ///   - keyring: may be locked; names are then missing.
    ///   - style: how the notes of plans write times and sizes.
    /// - Throws: the first error of listing or reading.
    public init(
        root: FilePath, _ storage: any RemoteStorage, _ snapshot: RemoteSnapshot, keyring: RemoteKeyring,
        now: FileTime = .now, style: TextStyle = TextStyle()
    ) throws(FileProblem) {
        try self.init(
            ReportedRemote(root: root, storage, snapshot, keyring: keyring), now: now, style: style)
    }

    var tree: RemoteTree { snapshot.tree }

    /// The entry at `path`; nil if there is none.
    subscript(path: RemotePath) -> FolderEntry? { listed[path] }

    /// The client's description and identifier.
    func name(ofClient client: RemoteName) -> String {
        PlanFormat.name(client, report.clients.first { $0.identifier == client }?.description)
    }

    func name(ofDocument document: RemoteName) -> String {
        let deleted = report.deletedDocuments.first { $0.identifier == document }
        let description = report.documents.first { $0.identifier == document }?.description
        return PlanFormat.name(document, description ?? deleted?.description)
    }

    func document(_ identifier: RemoteName) throws(FileProblem) -> (DocumentSnapshot, DocumentReport) {
        guard let document = snapshot.document(identifier),
            let report = report.documents.first(where: { $0.identifier == identifier })
        else {
            throw FileProblem(
                .unknownName, path: root, "there is no document \"\(identifier)\"",
                advice: "ticds-inspect documents lists the existing ones")
        }
        return (document, report)
    }

    /// An operation that is refused, about an entry of the remote.
    func refusal(_ path: RemotePath, _ problem: String, advice: String) -> FileProblem {
        FileProblem(.refused, path: path.filePath(under: root), problem, advice: advice)
    }
}

/// The known descriptions of the clients of a remote.
public struct ClientNames: Sendable {
    private let descriptions: [String: String]

    /// - Parameter descriptions: by identifier.
    public init(_ descriptions: [String: String] = [:]) { self.descriptions = descriptions }

    /// The description of a client; nil if it has none, or if it could not be read.
    public func description(of client: RemoteName) -> String? { descriptions[client.text] }

    /// The name of a client in the sentences of a plan: `Anna's Mac (IDENTIFIER)`, or the identifier alone.
    public func name(of client: RemoteName) -> String {
        guard let description = description(of: client), description != client.text else {
            return client.description
        }
        return "\(description) (\(client))"
    }
}

/// Formatting shared by plan notes.
enum PlanFormat {
    /// The time for which a client counts as active after its last sign of life: 30 days, in seconds.
    static let lately: Int64 = 30 * 86_400

    /// `description (identifier)`, or the identifier alone.
    static func name(_ identifier: RemoteName, _ description: String?) -> String {
        guard let description, !description.isEmpty else { return identifier.description }
        return "\(description) (\(identifier))"
    }

    /// `3 change sets`; `at least 3 change sets` if a sync service has not delivered others.
    static func sets(_ totals: Seen<FileTotals>) -> String {
        (totals.isWhole ? "" : "at least ") + counted(totals.part.count, "change set")
    }

    /// `one, two and three`
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
