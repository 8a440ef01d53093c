import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Plans the upload of a whole store for a client (ticds-protocol(7), 1.6).
///
/// The result is the same as the framework's, `WholeStore/<client>` with the store and its register, but the folder
/// appears as a whole, and nothing is left in `TemporaryFiles`, which no client reads.
public struct StoreInstallationPlanner: Sendable {
    private let remote: PlannedRemote
    private let command: String

    /// - Parameter command: the command that the plans name.
    public init(_ remote: PlannedRemote, command: String) {
        self.remote = remote
        self.command = command
    }

    /// - Throws: `.unknownName` for the document; `.refused` for a client that is not a member of it, and if change sets
    ///   are not in the store according to its register.
    public func plan(
        installing upload: StoreUpload, for client: RemoteName, in identifier: RemoteName
    ) throws(FileProblem) -> Plan {
        let (document, _) = try remote.document(identifier)
        let folder = RemoteLayout.wholeStore(of: client, in: identifier)
        guard document.client(client) != nil else {
            throw remote.refusal(
                RemoteLayout.syncChanges(of: client, in: identifier),
                "the client is not registered with the document",
                advice:
                    "Its store would stop the vacuum of all others permanently; choose one of the clients that "
                    + "ticds-inspect clients lists")
        }
        var plan = Plan(
            root: remote.root, command: command,
            summary:
                "Install a whole store of document \(remote.name(ofDocument: identifier)) for client \(remote.name(ofClient: client))"
        )
        try checkApplied(upload, document, folder, &plan)
        if try plan.addRemoval(folder, in: remote.snapshot, because: "the store that is replaced") {
            plan.addConsequence("The store that the client uploaded earlier goes to the trash")
        } else {
            try plan.addFolders(to: folder.parent, in: remote.tree)
        }
        plan.add(.writeTree(path: folder, entries: upload.treeEntries), because: "the store and its register")
        note(upload, client, document, &plan)
        return plan
    }

    /// The framework refuses while a client has unsent edits. From outside, only the register shows that: sets that it
    /// does not name are not in the store.
    private func checkApplied(
        _ upload: StoreUpload, _ document: DocumentSnapshot, _ folder: RemotePath, _ plan: inout Plan
    ) throws(FileProblem) {
        var lacking = 0
        var authors: [String] = []
        for author in document.clients {
            let missing = author.changeSets.count { !upload.applied.contains($0.identifier.bytes) }
            guard missing > 0 else { continue }
            lacking += missing
            authors.append("\(missing) of \(remote.name(ofClient: author.identifier))")
        }
        guard lacking > 0 else { return }
        let sets = counted(lacking, "change set")
        guard upload.mayLack else {
            throw FileProblem(
                .refused, path: folder.filePath(under: remote.root),
                "changes are not synchronised: the register of the store does not name all change sets",
                expected: "all change sets of the document",
                found: "\(sets) not named: " + authors.listed(),
                advice: "Synchronise the store first, or see --allow-behind in ticds-store(1)")
        }
        plan.warn(
            "According to its register, the store lacks \(sets); clients that download it apply them afterwards, as long as they exist"
        )
    }

    private func note(
        _ upload: StoreUpload, _ client: RemoteName, _ document: DocumentSnapshot, _ plan: inout Plan
    ) {
        let time = upload.entries.compactMap { $0.content == nil ? nil : $0.modified }.max() ?? remote.now
        let others = document.wholeStores.filter { $0.client != client && $0.store != nil }
        let newest = others.max { one, other in
            (one.store?.modified ?? FileTime(seconds: 0)) < (other.store?.modified ?? FileTime(seconds: 0))
        }
        if let newest, let modified = newest.store?.modified, modified > time {
            plan.addConsequence(
                "New clients download the store of \(remote.name(ofClient: newest.client)), which has a later time"
            )
        } else {
            plan.addConsequence("New clients download this store, which has the latest time")
        }
        upload.warnOfOtherModels(remote, &plan)
        plan.addConsequence(
            "The client itself notices nothing: its own store and its own register stay as they are")
    }
}

/// The files that are uploaded as the whole store of a client. They exist, and do not change until the plan is carried
/// out.
public struct StoreUpload: Sendable {
    /// `WholeStore.ticdsync` and, if that is a folder, its contents; folders before their entries.
    public var entries: [TreeEntry]
    /// `AppliedSyncChangeSets.ticdsync`; nil if nothing was applied.
    public var register: PlannedContent?
    /// Identifiers of the change sets that the register names, as bytes.
    public var applied: Set<[UInt8]>
    /// The beginning of the digest over the version hashes of the store; see `WholeStoreContents.modelDigest`.
    public var modelDigest: String?
    /// The digests of the stores that other clients uploaded, as far as these can be read.
    public var otherDigests: [RemoteName: String]
    /// Whether the store may lack change sets that its register does not name.
    public var mayLack = false

    /// An upload of these files.
    public init(
        entries: [TreeEntry], register: PlannedContent?, applied: Set<[UInt8]>, modelDigest: String?,
        otherDigests: [RemoteName: String] = [:]
    ) {
        self.entries = entries
        self.register = register
        self.applied = applied
        self.modelDigest = modelDigest
        self.otherDigests = otherDigests
    }
}

extension StoreUpload {
    /// The contents of the folder `WholeStore/<client>`.
    var treeEntries: [TreeEntry] {
        guard let register else { return entries }
        return entries + [TreeEntry(path: [RemoteLayout.appliedSyncChangeSets], content: register)]
    }

    /// Warns if clients uploaded stores of a different model.
    func warnOfOtherModels(_ remote: PlannedRemote, _ plan: inout Plan) {
        let foreign = otherDigests.filter {
            modelDigest != nil && $0.value != modelDigest
        }
        if !foreign.isEmpty {
            let names = foreign.keys.sorted().map { remote.name(ofClient: $0) }
            plan.warn(
                "The store was saved with another model than that of \(names.listed()): apps of another version refuse it"
            )
        }
    }
}

extension PlannedContent {
    /// The present content of a local file.
    /// - Parameter path: absolute.
    public static func file(_ path: FilePath) throws(FileProblem) -> PlannedContent {
        let status = try FileStatus.of(path)
        let state = EntryState(kind: status.kind, size: status.size, modified: status.modified)
        return .file(path: PlannedBytes(path.bytes), seen: state)
    }
}
