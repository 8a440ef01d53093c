import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Brings the framework's helper files to what the last transaction noted: they follow it, whenever the process ended.
struct ReplicaSettlement {
    let folder: ReplicaFolder

    /// Writes the files that are due, closes transactions, and removes registers of transactions that never were.
    /// - Returns: transactions that cannot be closed; they are tried again the next time.
    func settle(_ state: borrowing ReplicaState) throws(FileProblem) -> [SyncTransaction] {
        try deliver(state)
        let open = try closeTransactions(state)
        if open.isEmpty { try removeOrphans() }
        return open
    }

    /// Writes the files that are due.
    func deliver(_ state: borrowing ReplicaState) throws(FileProblem) {
        let notes = state.notes
        for file in try state.read({ c throws(SQLiteError) in try notes.postedFiles(c) }) {
            let path = folder.path.appending(file)
            let bytes = try state.read { c throws(SQLiteError) in try notes.posted(file, c) }
            if let bytes {
                try AtomicFile.write(bytes, to: path)
            } else {
                try Self.remove(path)
            }
            try state.change { c throws(SQLiteError) in try notes.deliver(file, c) }
        }
    }

    /// Enters the sets that are in the document into the framework's register.
    private func closeTransactions(_ state: borrowing ReplicaState) throws(FileProblem) -> [SyncTransaction] {
        let notes = state.notes
        let transactions = try state.read { c throws(SQLiteError) in try notes.transactions(c) }
        let sets = try state.read { c throws(SQLiteError) in try notes.unregisteredSets(c) }
        if sets.isEmpty, transactions.isEmpty { return [] }
        do throws(FileProblem) {
            if !sets.isEmpty { try AppliedRegister(folder.applied).enter(sets.map(\.registered)) }
        } catch {
            let problem = error.description
            var failed = transactions
            // Sets of one's own that were sent have no transaction that could be reported.
            if failed.isEmpty {
                failed = [SyncTransaction(uuid: ArchivedUUID.random().description, state: .open)]
            }
            for position in failed.indices {
                failed[position].state = .unableToClose
                failed[position].problem = problem
            }
            try state.change { c throws(SQLiteError) in
                for transaction in failed { try notes.put(transaction, c) }
            }
            return failed
        }
        try state.change { c throws(SQLiteError) in
            try notes.setRegistered(c)
            try notes.removeTransactions(c)
        }
        return []
    }

    private func removeOrphans() throws(FileProblem) {
        guard try FileStatus.ifPresent(folder.unsavedApplied)?.kind == .folder else { return }
        for entry in try LocalStorage(root: folder.unsavedApplied).list(.root).whole()
        where entry.kind == .file && entry.name.removing(suffix: ReplicaFolder.unsavedSuffix) != nil {
            try Self.remove(folder.unsavedApplied.pushing(FilePath(nameBytes: entry.name.bytes)))
        }
    }

    /// Removes a file of ours, if it is there.
    static func remove(_ path: FilePath) throws(FileProblem) {
        guard let name = path.lastComponent, try FileStatus.ifPresent(path) != nil else { return }
        try OwnedDescriptor.folder(path.removingLastComponent()).remove(FilePath(root: nil, [name]))
    }
}

extension NotedSet {
    /// The set as the framework's registers have it.
    var registered: RegisteredChangeSet {
        RegisteredChangeSet(
            identifier: identifier, fileName: identifier + RemoteLayout.changeSetSuffix,
            clientIdentifier: client, creationDate: creationDate, localDateOfApplication: applied)
    }
}
