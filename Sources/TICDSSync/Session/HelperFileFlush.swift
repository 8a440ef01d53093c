import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes the helper files that the last transaction recorded; after an interruption, the next opening writes them.
struct HelperFileFlush {
    let folder: ReplicaFolder

    /// Writes the recorded files, and returns the transactions that cannot be closed; the next call tries again.
    func settle(_ state: borrowing ReplicaState) throws(FileProblem) -> [SyncTransaction] {
        try deliver(state)
        let open = try closeTransactions(state)
        if open.isEmpty { try removeOrphans() }
        return open
    }

    func deliver(_ state: borrowing ReplicaState) throws(FileProblem) {
        let notes = state.notes
        for file in try state.read(notes.postedFiles) {
            let path = folder.path.appending(file)
            guard path == folder.beingSynchronized || path == folder.unsynchronized else {
                throw FileProblem(
                    .damaged, path: folder.state, "the state of the replica names a foreign file",
                    found: file, advice: "Create a new replica with ticds-sync clone")
            }
            try state.deliver(file) { (content) throws(FileProblem) in
                if let content { try AtomicFile.write(to: path, content) } else { try Self.remove(path) }
            }
            try state.change { c throws(SQLiteError) in try notes.deliver(file, c) }
        }
    }

    /// Adds the sets that are in the document to the framework's register.
    private func closeTransactions(_ state: borrowing ReplicaState) throws(FileProblem) -> [SyncTransaction] {
        let notes = state.notes
        let transactions = try state.read(notes.transactions)
        let sets = try state.read(notes.unregisteredSets)
        if sets.isEmpty, transactions.isEmpty { return [] }
        do throws(FileProblem) {
            if !sets.isEmpty { try AppliedRegister(path: folder.applied).enter(sets.map(\.registered)) }
        } catch {
            let problem = error.description
            var failed = transactions
            // Sets that this client sent have no transaction to report, so report a new one.
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

    static func remove(_ path: FilePath) throws(FileProblem) {
        guard let name = path.lastComponent, try FileStatus.ifPresent(path) != nil else { return }
        try OwnedDescriptor.folder(path.removingLastComponent()).remove(FilePath(root: nil, [name]))
    }
}

extension NotedSet {
    var registered: RegisteredChangeSet {
        RegisteredChangeSet(
            identifier: identifier, fileName: identifier + RemoteLayout.changeSetSuffix,
            clientIdentifier: client, creationDate: creationDate, localDateOfApplication: applied)
    }
}

/// The framework's register of the sets in the document, `AppliedSyncChangeSets.ticdsync`.
struct AppliedRegister {
    let path: FilePath

    /// Adds sets; a set that is already registered gets the new dates. The file is replaced as a whole.
    func enter(_ sets: [RegisteredChangeSet]) throws(FileProblem) {
        guard try FileStatus.ifPresent(path) != nil else { return try RegisterFile.write(sets, to: path) }
        try RegisterFile.replace(path) { (new) throws(FileProblem) in
            try StoreCopy.copy(path, to: new)
            try add(sets, to: new)
        }
    }

    private func add(_ sets: [RegisteredChangeSet], to file: FilePath) throws(FileProblem) {
        let entity = FrameworkModels.syncChangeSetEntity
        let store = try WritableStore(
            file, model: FrameworkModels.syncChangeSet, mismatch: .accept,
            identifier: "syncChangeSetIdentifier")
        for set in sets {
            guard let identifier = set.identifier else { continue }
            let attributes = ChangeSetRegisterWriter.attributes(of: set)
            if let object = try store.object(entity, identifier) {
                for attribute in attributes { try store.set(attribute.name, of: object, to: attribute.value) }
            } else {
                let pairs = attributes.map { ArchivedPair(key: .string($0.name), value: $0.value) }
                var refusal: FileProblem?
                _ = try store.insert(entity, attributes: pairs) { _, problem in refusal = problem }
                if let refusal { throw refusal }
            }
        }
        try store.finish()
    }
}

/// Writes a register with rename(2), so that a reader sees the old file or the new one.
enum RegisterFile {
    static func write(_ lines: [RegisteredChangeSet], to path: FilePath) throws(FileProblem) {
        try replace(path) { (new) throws(FileProblem) in try ChangeSetRegisterWriter.write(lines, to: new) }
    }

    /// - Parameter make: creates the new file at a path that does not exist yet.
    static func replace(
        _ path: FilePath, _ make: (FilePath) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let scratch = try TemporaryFolder(in: path.removingLastComponent(), prefix: ".register")
        let new = scratch.path.appending("register")
        scratch.represent(path, as: "register")
        try make(new)
        try AtomicFile.write(try FileBytes.read(new, limit: .register).array, to: path)
    }
}

/// A transaction whose sets are in the document, but not yet in the register (ticds-protocol(7), 2.7).
public struct SyncTransaction: Sendable, Hashable {
    /// The states with the framework's numbers (ticds-remote-format(5), 3.2).
    public enum State: Int, Sendable, Hashable {
        /// The sets are not yet applied.
        case notYetOpen = -1
        /// The sets are applied; it is unknown whether the document was saved.
        case open = 1
        /// The sets are in the register.
        case closed = 0
        /// The sets could not be added to the register.
        case unableToClose = -2
    }

    /// The name of its `.unsavedticdsync` file.
    public var uuid: String
    /// The state of the transaction.
    public var state: State
    /// The reason why it could not be closed.
    public var problem: String?
}

extension ReplicaDatabase {
    func transactions(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [SyncTransaction] {
        try connection.rows("SELECT uuid, state, problem FROM \(table("TRANSACTION")) ORDER BY uuid") { row in
            SyncTransaction(
                uuid: row.text(0) ?? "",
                state: row.integer(1).flatMap { SyncTransaction.State(rawValue: Int($0)) } ?? .open,
                problem: row.text(2))
        }
    }

    func put(_ transaction: SyncTransaction, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("TRANSACTION")) VALUES (?1, ?2, ?3)")
        try row.bind(transaction.uuid, at: 1)
        row.bind(Int64(transaction.state.rawValue), at: 2)
        if let problem = transaction.problem { try row.bind(problem, at: 3) }
        try row.run()
    }

    func removeTransactions(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table("TRANSACTION"))")
    }
}
