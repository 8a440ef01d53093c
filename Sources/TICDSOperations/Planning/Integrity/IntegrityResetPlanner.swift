public import SystemCalls
import SystemPackage
public import TICDSCore

/// Plans to leave exactly one integrity key in a document (ticds-protocol(7), 1.2, 4.1-2, 4.2-6).
public struct IntegrityResetPlanner: Sendable {
    private let remote: ListedRemote
    let document: DocumentSnapshot
    let folder: IntegrityKeyFolder
    let key: RemoteName
    private var names: ClientNames { remote.names }
    private var style: TextStyle { remote.style }

    /// - Parameter key: the key that the document gets. An existing file of that name stays, with its time.
    /// - Throws: `.refused` for a key that clients cannot use, or if the sync service has not downloaded the folder;
    ///   `.unreadable` if a key cannot be read: its content names the creator, who must be in the content of the key
    ///   that is kept or made.
    public init(
        of document: DocumentSnapshot, in remote: ListedRemote, _ storage: any RemoteStorage, key: RemoteName
    ) throws(FileProblem) {
        self.remote = remote
        self.document = document
        self.key = key
        folder = IntegrityKeyFolder(of: document.identifier, in: remote.snapshot, storage)
        try refuseUnlessFit()
    }

    /// The plan; without actions if the document has only this key, as the framework writes it.
    ///
    /// The plan first removes the entries that clients could take for the key, and adds last a key that makes them
    /// start again. In between they find no key: one synchronisation fails, and nothing is lost. If the operation is
    /// interrupted, no client has discarded anything.
    /// - Parameter creator: the creator in `documentInfo.plist`; nil if that is not known.
    public func plan(command: String, creator: String?) throws(FileProblem) -> Plan {
        var plan = Plan(
            root: remote.root, command: command,
            summary: "Leave document \(document.identifier) with the integrity key \(key)")
        try addRemovals(to: &plan)
        try addKey(to: &plan, creator: creator)
        if !plan.actions.isEmpty {
            addNotes(to: &plan)
            // A key that comes meanwhile would be a second one.
            try plan.dependOnContent(of: folder.path, in: remote.tree)
        }
        return plan
    }

    /// Removes the entries that clients could take for the key, but not the folder.
    func addRemovals(to plan: inout Plan) throws(FileProblem) {
        if let kind = folder.kind, kind != .folder {
            plan.add(
                .moveToTrash(path: folder.path, seen: try remote.tree.state(of: folder.path)),
                because: "not a folder")
        }
        if folder.kind != .folder { plan.add(.makeFolder(path: folder.path)) }
        for entry in others {
            plan.add(
                .moveToTrash(path: entry.path, seen: try remote.tree.state(of: entry.path)),
                because: entry.stray?.rawValue ?? (entry.canBeTaken ? "another key" : "too short for a key"))
        }
    }

    /// The entry that is kept; nil if the key is new.
    var kept: IntegrityKeyEntry? { folder.entries.first { $0.name == key && $0.kind == .file } }

    /// The entries to remove.
    var others: [IntegrityKeyEntry] { folder.entries.filter { $0 != kept } }

    /// Writes the key, which makes other clients start again.
    func addKey(to plan: inout Plan, creator: String?) throws(FileProblem) {
        if kept?.content?.originalDevice != nil { return }
        let path = folder.path.appending(key)
        let known = folder.keys.compactMap { $0.content?.originalDevice }.first
        let device = known ?? creator ?? document.clients.first?.identifier.text ?? ""
        let content = PlannedContent.bytes(
            PlannedBytes(
                try SmallFiles.integrityKey(
                    originalDevice: device, path: path.filePath(under: remote.snapshot.root))))
        if let kept {
            plan.add(
                .replaceFile(
                    path: path, content: content, modified: kept.modified,
                    seen: try remote.tree.state(of: path)),
                because: "the content that the framework writes")
        } else {
            plan.add(.writeFile(path: path, content: content, modified: nil))
        }
    }

    private func refuseUnlessFit() throws(FileProblem) {
        let place = folder.path.filePath(under: remote.snapshot.root)
        guard folder.isListed else {
            throw remote.snapshot.problems.first { $0.path == place }
                ?? FileProblem(.unreadable, path: place, "the folder cannot be listed")
        }
        let pending = folder.entries.first {
            $0.name != key && $0.stray?.standsForAnother == true
        }
        if let pending {
            throw FileProblem(
                .refused, path: pending.path.filePath(under: remote.snapshot.root),
                "the cloud service has not downloaded the whole folder to this machine",
                advice: "Wait until it has; if it never will, move the file out of the folder by hand")
        }
        for entry in folder.entries where entry == kept || (entry.isKey && entry.canBeTaken) {
            if let unread = entry.unread { throw unread }
        }
        if kept != nil, key.isUTF8, FrameworkLists.isLongEnough(key), !key.isHidden { return }
        try refuseBeginning(at: place)
        if let objection = IdentifierRules.objection(to: key) {
            throw FileProblem(
                .refused, path: place, "the key \"\(key)\" \(objection)",
                advice: "Leave out --key for a random key")
        }
    }

    /// Refuses a new key that is the beginning of an existing key, in any case, because it was not meant as a new key.
    private func refuseBeginning(at place: FilePath) throws(FileProblem) {
        let wanted = key.description.lowercased()
        guard kept == nil, !wanted.isEmpty else { return }
        guard let meant = folder.keys.first(where: { $0.name.description.lowercased().hasPrefix(wanted) })
        else { return }
        throw FileProblem(
            .refused, path: place,
            "the document has no key \"\(key)\", but one that begins with it: \(meant.name)",
            advice: "Give the whole key, in its own case; or leave out --key for a new random key")
    }

    // MARK: What a person should read before a key is reset

    func addNotes(to plan: inout Plan) {
        addReasons(to: &plan)
        if kept == nil || !others.filter(\.canBeTaken).isEmpty { addConsequences(to: &plan) }
        if kept == nil { addWarnings(to: &plan) }
    }

    private func addReasons(to plan: inout Plan) {
        for entry in folder.keys where entry != kept {
            plan.explain("The document has the key \(entry.name)\(origin(of: entry))")
        }
        for entry in others where !entry.isKey && entry.canBeTaken {
            plan.explain("Clients can take \(entry.name) for the key")
        }
        guard let kept else {
            if folder.keys.isEmpty {
                plan.explain(
                    "The document has no key that clients see: no client can register or synchronise")
            }
            return
        }
        plan.explain(
            "The key \(kept.name)\(origin(of: kept)), stays; clients that remember it continue as before")
        if kept.content?.originalDevice == nil {
            plan.explain("The key gets the content that the framework writes, which no client reads")
        }
    }

    private func origin(of entry: IntegrityKeyEntry) -> String {
        let maker = entry.content?.originalDevice.map { " by \(names.name(of: RemoteName($0)))" } ?? ""
        return ", made\(maker) on \(style.minute(entry.modified))"
    }

    private func addConsequences(to plan: inout Plan) {
        plan.addConsequence(
            "Every client that remembers another key than \(key) will lose its unsent edits, with everything else "
                + "that it knows about the document's synchronisation, and must load the whole store again")
        if document.clients.isEmpty {
            plan.addConsequence("No client is registered with the document now")
        } else if kept == nil {
            plan.addConsequence("This affects every client of the document that synchronises again")
        } else {
            plan.addConsequence(
                "The remote does not show which key a client remembers; this may affect any of these clients")
        }
        for client in document.clients {
            let sync = document.recentSync(of: client.identifier)
            let time =
                sync.map { ", last synchronised on \(style.minute($0.file.modified))" }
                ?? ", time of the last synchronisation unknown"
            plan.addConsequence(names.name(of: client.identifier) + time)
        }
        plan.addConsequence(
            "A client that is running now fails with error 20 at each synchronisation until its app is started again"
        )
    }

    private func addWarnings(to plan: inout Plan) {
        plan.warn(
            "Let every client send its edits first, and close the apps: edits that were not sent are lost"
        )
        if let store = newestStore {
            plan.warn(
                "The clients will load the whole store of \(names.name(of: store.client)) of \(style.minute(store.modified)), "
                    + "and the change sets since then")
        } else {
            plan.warn(
                "There is no whole store in the remote: the clients will have nothing to load, and lose the edits "
                    + "that are no longer in change sets")
        }
        if let oldest = folder.keys.first {
            let others = folder.keys.count > 1
            plan.warn(
                others
                    ? "The oldest key is probably the one that most clients remember: --key=\(ShellWord.quoted(oldest.name.bytes)) keeps it"
                    : "Nothing is wrong with the key \(oldest.name): a new key only makes all clients start again"
            )
        } else {
            plan.warn(
                "A client may still remember the old key (user defaults, TICDSync.integrityKey."
                    + "\(document.identifier)): if you give that key with --key, the client loses nothing")
        }
    }

    private var newestStore: (client: RemoteName, modified: FileTime)? {
        document.wholeStores.compactMap { store in store.store.map { (store.client, $0.modified) } }
            .max { $0.1 < $1.1 }
    }
}
