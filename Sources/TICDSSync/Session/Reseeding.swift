import CoreDataStore
public import SystemCalls
import SystemPackage
public import TICDSCore

/// A replica whose content becomes the new base of the document (``ReseedPlanner``). The replica records the new key
/// before the remote is changed, and adopts it when the remote has it. After any interruption in between, the next run
/// can determine the state.
extension ReplicaSession {
    /// Changes of this replica that no client has: recorded edits, and the changes of a set that did not reach the
    /// remote.
    public var unsentChanges: Int {
        get throws(FileProblem) {
            try OutgoingChanges.count(folder.beingSynchronized, of: folder)
                + OutgoingChanges.count(folder.unsynchronized, of: folder)
        }
    }

    /// - Throws: `.refused` if a program has written to the document since the last transaction.
    public func checkUnchanged() throws(FileProblem) {
        if try isUnchanged() { return }
        throw FileProblem(
            .refused, path: folder.store, "another program is writing to the document",
            advice: "Close it, then try again")
    }

    /// Records that the document is about to get this key together with the content of this replica.
    public func noteReseed(_ key: RemoteName) throws(FileProblem) {
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.setNote(.reseeding, key.bytes, connection)
        }
    }

    /// Completes a reseed, if one was begun. If the remote has the recorded key, the replica adopts it, with the sets
    /// in the register of the new store; its unsent changes are in that store, and are dropped. If the remote has a
    /// different key, the reseed had no effect.
    /// - Parameter storage: the remote as it is now.
    public func finishReseed(_ storage: any RemoteStorage) throws(FileProblem) {
        guard let key = try notedReseed() else { return }
        let document = RemoteName(configuration.document)
        let keys = try storage.entriesIfPresent(
            of: RemoteLayout.document(document).appending(RemoteLayout.integrityKey))
        guard keys.contains(where: { $0.name == key }) else {
            // Without any key the operation must be recovered first.
            if keys.isEmpty { return }
            return try ReplicaState(folder.state).change { connection throws(SQLiteError) in
                try ReplicaDatabase.alone.setNote(.reseeding, nil, connection)
            }
        }
        let sets = try retiredSets(document, storage)
        try replaceKey(by: key)
        try ReplicaState(folder.state).change { [folder] connection throws(SQLiteError) in
            let notes = ReplicaDatabase.alone
            try notes.add(sets, connection)
            for file in [folder.beingSynchronized, folder.unsynchronized] {
                try notes.postRemoval(of: file, connection)
            }
            try notes.setNote(.sending, nil, connection)
            try notes.setNote(.reseeding, nil, connection)
        }
        try settle()
    }

    /// The key of a reseed that was begun; nil if there is none.
    func notedReseed() throws(FileProblem) -> RemoteName? {
        try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.note(.reseeding, connection)
        }.map { RemoteName($0) }
    }

    /// The key that this replica expects in the remote: the recorded key if a reseed has put it there.
    func expectedKey(among keys: [RemoteName]) throws(FileProblem) -> RemoteName? {
        if let noted = try notedReseed(), keys.contains(noted) { return noted }
        return try integrityKey
    }

    /// Whether the document has the key that this replica knows, or has none.
    public func knowsKey(of document: DocumentSnapshot) throws(FileProblem) -> Bool {
        let keys = document.integrityKeys.compactMap(\.path.last)
        guard !keys.isEmpty, let key = try expectedKey(among: keys) else { return true }
        return keys.contains(key)
    }

    /// - Throws: `.refused` while a reseed waits: edits that are recorded now would be dropped with the earlier ones.
    func refuseDuringReseed() throws(FileProblem) {
        guard try notedReseed() != nil else { return }
        throw FileProblem(
            .refused, path: folder.path, "a reseed of this replica was interrupted",
            advice: "ticds-sync run \(ShellWord.quoted(folder.path)) completes it")
    }

    /// The sets that the register of the new store names and this replica does not know.
    private func retiredSets(
        _ document: RemoteName, _ storage: any RemoteStorage
    ) throws(FileProblem) -> [NotedSet] {
        let known = try ReplicaState(folder.state).read(ReplicaDatabase.alone.knownSets)
        let register = RemoteLayout.wholeStore(of: RemoteName(configuration.client), in: document)
            .appending(RemoteLayout.appliedSyncChangeSets)
        var sets: [NotedSet] = []
        try unlessMissing { () throws(FileProblem) in
            try ChangeSetRegister(storage.onDisk(register)).forEachChangeSet { line in
                guard let identifier = line.identifier, !known.contains(RemoteName(identifier)) else {
                    return
                }
                sets.append(
                    NotedSet(
                        identifier: identifier, client: line.clientIdentifier,
                        creationDate: line.creationDate,
                        applied: line.localDateOfApplication, isRegistered: false))
            }
        }
        return sets
    }

    private func replaceKey(by key: RemoteName) throws(FileProblem) {
        try adopt(key)
        for entry in try LocalStorage(root: folder.integrityKey).list(.root).whole()
        where entry.kind == .file && entry.name != key {
            try HelperFileFlush.remove(
                folder.integrityKey.pushing(FilePath(nameBytes: entry.name.bytes)))
        }
    }
}
