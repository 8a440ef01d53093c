public import KeyedArchive
public import SystemCalls
public import TICDSCore

/// Plans a new document: the complete skeleton with `documentInfo.plist` and integrity key (ticds-protocol(7), 1.2-A).
/// The document appears in one step.
public struct DocumentCreationPlanner: Sendable {
    /// A document to create.
    public struct NewDocument: Sendable, Hashable {
        /// The name of its folder.
        public var identifier: RemoteName
        /// The name that the app shows.
        public var description: String
        /// The client that counts as the creator.
        public var originalDevice: RemoteName
        /// The description of that client; nil for the one in its `deviceInfo.plist`.
        public var originalDeviceDescription: String?
        /// The integrity key: the name of a file.
        public var integrityKey: RemoteName

        /// A document to create; by default the integrity key is a new UUID.
        public init(
            identifier: RemoteName, description: String, originalDevice: RemoteName,
            integrityKey: RemoteName = RemoteName(ArchivedUUID.random().description)
        ) {
            self.identifier = identifier
            self.description = description
            self.originalDevice = originalDevice
            self.integrityKey = integrityKey
        }
    }

    private let remote: PlannedRemote

    /// Plans for this remote.
    public init(_ remote: PlannedRemote) { self.remote = remote }

    /// - Throws: `.refused` if the document exists, and for identifiers that clients would not see; `.encrypted` if the
    ///   password is missing.
    public func plan(_ document: NewDocument) throws(FileProblem) -> Plan {
        let path = RemoteLayout.document(document.identifier)
        try NewIdentifier(
            remote: remote, noun: "document", folder: path.parent, suffix: RemoteLayout.propertyListSuffix
        ).check(document.identifier)
        guard remote[path] == nil else {
            throw remote.refusal(
                path, "there already is a document with that identifier",
                advice: "Choose another identifier, or delete that document first")
        }
        var plan = Plan(
            root: remote.root, command: "ticds-document create",
            summary: "Create document \(PlanFormat.name(document.identifier, document.description))")
        try plan.addFolders(to: path.parent, in: remote.tree)
        let tombstone = Tombstones.path(ofDocument: document.identifier)
        let wasDeleted = remote[tombstone] != nil
        try plan.dependOnContent(of: tombstone, in: remote.tree)
        // Another document may have the same name on a Mac.
        try plan.dependOnNames(in: path.parent, remote.tree)
        let others = wasDeleted ? try tombstonesOfOthers(document, noting: &plan) : []
        plan.add(.writeTree(path: path, entries: try skeleton(document) + others))
        if try plan.addRemoval(tombstone, in: remote.snapshot, because: "the document exists again") {
            plan.explain("A document with that identifier was deleted")
            plan.addConsequence(
                "Each client that had the deleted document, including the original device, starts again when it next opens this one: it throws away the edits that it has not sent, and has to load a whole store; only a client that deleted the document itself has nothing to throw away"
            )
        }
        plan.addConsequence(
            "The document has no whole store until a client uploads one; a client that registers before that has nothing to load"
        )
        return plan
    }

    private func skeleton(_ document: NewDocument) throws(FileProblem) -> [TreeEntry] {
        typealias Layout = RemoteLayout
        let device = remote.report.clients.first { $0.identifier == document.originalDevice }
        let info = DocumentInfo(
            identifier: document.identifier.text, description: document.description,
            originalDeviceIdentifier: document.originalDevice.text,
            originalDeviceDescription: document.originalDeviceDescription ?? device?.description)
        let file = Layout.documentInfo(of: document.identifier).filePath(under: remote.root)
        let sealed = try remote.keyring.sealed(try info.bytes(path: file), path: file)
        let key = try SmallFiles.integrityKey(originalDevice: document.originalDevice.text, path: file)
        return [
            TreeEntry(path: [Layout.wholeStore]), TreeEntry(path: [Layout.syncChanges]),
            TreeEntry(path: [Layout.syncCommands]), TreeEntry(path: [Layout.recentSyncs]),
            TreeEntry(path: [Layout.deletedClients]), TreeEntry(path: [Layout.temporaryFiles]),
            TreeEntry(path: [Layout.temporaryFiles, Layout.wholeStore]),
            TreeEntry(path: [Layout.documentInfo], content: .bytes(PlannedBytes(sealed))),
            TreeEntry(path: [Layout.integrityKey]),
            // Never encrypted (ticds-remote-format(5), 1.4).
            TreeEntry(
                path: [Layout.integrityKey, document.integrityKey], content: .bytes(PlannedBytes(key))),
        ]
    }

    /// The tombstones that a deleted document leaves to the clients that knew it (ticds-protocol(7), 1.2-A5).
    private func tombstonesOfOthers(
        _ document: NewDocument, noting plan: inout Plan
    ) throws(FileProblem) -> [TreeEntry] {
        var entries: [TreeEntry] = []
        for client in remote.snapshot.clientDevices where client.identifier != document.originalDevice {
            guard let file = client.deviceInfo.part else {
                // The client learns the same from the new integrity key.
                plan.warn(
                    client.deviceInfo.isMissing
                        ? "\(client.identifier) has no deviceInfo.plist, and therefore gets no tombstone in the document"
                        : "\(client.identifier) gets no tombstone in the document, because its deviceInfo.plist is not on "
                            + "this machine")
                continue
            }
            let path = Tombstones.path(of: client.identifier, in: document.identifier)
            entries.append(
                TreeEntry(
                    path: RemotePath(Array(path.names.dropFirst(2))),
                    content: .copy(of: file.path, seen: EntryState(file)), modified: file.modified))
        }
        return entries
    }
}
