import CoreDataStore
public import SystemCalls
import SystemPackage
public import TICDSCore

/// A replica while it is being worked on. Only one process at a time can.
public final class ReplicaSession {
    /// The folder of the replica.
    public let folder: ReplicaFolder
    /// What the replica is of, and how it synchronises.
    public let configuration: ReplicaConfiguration
    /// Transactions that could not be closed when the replica was opened.
    public private(set) var transactions: [SyncTransaction]
    private let lock: FileLock

    /// Opens a replica, and ends what an earlier run had no time to end.
    /// - Parameter lockWait: seconds to wait for another process.
    /// - Throws: `.refused` where another process works on it; `.missing` or `.damaged` for what is no replica.
    public init(_ folder: ReplicaFolder, lockWait: Int64 = 0) throws(FileProblem) {
        guard try FileStatus.ifPresent(folder.configuration) != nil else {
            throw FileProblem(
                .missing, path: folder.path, "not a replica", expected: "the file Replica.json",
                advice: "ticds-sync clone makes one")
        }
        self.folder = folder
        lock = try FileLock(folder.lock, wait: lockWait) { holder in
            var problem = FileProblem(
                .refused, path: folder.lock, "another command is working on this replica", found: holder,
                advice: "Wait until it has ended, or use --lock-wait 60s")
            problem.isBusy = true
            return problem
        }
        lock.write(holder: Machine.holder("ticds-sync"))
        configuration = try ReplicaConfiguration.read(folder.configuration)
        for file in [folder.store, folder.state] { try InterruptedCommit.check(file) }
        let state = try ReplicaState(folder.state)
        transactions = try ReplicaSettlement(folder: folder).settle(state)
    }

    /// Makes the rest of a replica around a document that is in the folder.
    /// - Parameters:
    ///   - integrityKey: of the document; nil where the remote was not looked at.
    ///   - register: the sets that the document has in it.
    public static func prepare(
        _ folder: ReplicaFolder, _ configuration: ReplicaConfiguration, integrityKey: RemoteName?,
        register: [RegisteredChangeSet]
    ) throws(FileProblem) {
        for path in [folder.unappliedChanges, folder.unsavedApplied, folder.unappliedCommands] {
            try NewFile.makeFolder(path)
        }
        try NewFile.makeFolder(folder.integrityKey)
        if let integrityKey { try write(integrityKey, in: folder) }
        try RegisterFile.write(register, to: folder.applied)
        try ReplicaState.create(in: folder, register)
        try configuration.write(to: folder.configuration)
    }

    private static func write(_ key: RemoteName, in folder: ReplicaFolder) throws(FileProblem) {
        try AtomicFile.write([], to: folder.integrityKey.pushing(FilePath(nameBytes: key.bytes)))
    }

    /// The integrity key that the document had when the replica was made.
    public var integrityKey: RemoteName? {
        get throws(FileProblem) {
            try LocalStorage(root: folder.integrityKey).entriesIfPresent(of: .root).first {
                $0.kind == .file
            }?
            .name
        }
    }

    /// Keeps the document's key, which the replica did not know.
    public func adopt(_ key: RemoteName) throws(FileProblem) { try Self.write(key, in: folder) }

    /// Records what was edited since the last time, to be sent by the next run.
    public func commit(isDryRun: Bool = false, now: FileTime = .now) throws(FileProblem) -> RunReport {
        var report = RunReport()
        report.isDryRun = isDryRun
        report.transactions = transactions
        let being = try OutgoingChanges.read(folder.beingSynchronized)
        let earlier = try OutgoingChanges.read(folder.unsynchronized)
        report.changesWaiting = earlier.count
        if try isUnchanged() { return report }
        let signature = try Synchronisation.transaction(folder, isDryRun: isDryRun) {
            (store) throws(FileProblem) in
            let recorded = try Synchronisation.record(
                store, after: being + earlier, now: now.secondsSince2001, &report)
            let waiting = LocalEditRecorder.merged(earlier, recorded)
            report.changesWaiting = waiting.count
            let bytes = try OutgoingChanges.bytes(waiting, path: folder.unsynchronized)
            if isDryRun { return }
            try store.withConnection { [folder] (connection) throws(SQLiteError) in
                try ReplicaNotes.attached.post(bytes, to: folder.unsynchronized, connection)
            }
        }
        if !isDryRun { try end(signature) }
        report.transactions = transactions
        return report
    }

    /// Whether nobody has written to the document since the last transaction.
    func isUnchanged() throws(FileProblem) -> Bool {
        guard let signature = try StoreSignature.of(folder.store) else { return false }
        let state = try ReplicaState(folder.state)
        let noted = try state.read { connection throws(SQLiteError) in
            try ReplicaNotes.alone.note(.storeSignature, connection)
        }
        return noted == signature
    }

    /// Ends a transaction on the document: notes what its file is like, and settles.
    func end(_ signature: [UInt8]?) throws(FileProblem) {
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaNotes.alone.setNote(.storeSignature, signature, connection)
        }
        try settle()
    }

    /// Brings helper files and register to what was noted.
    func settle() throws(FileProblem) {
        transactions = try ReplicaSettlement(folder: folder).settle(ReplicaState(folder.state))
    }

    /// Hands out the conflicts and warnings of all runs, in order.
    /// - Parameter since: only those at or after this time, in seconds since 2001-01-01 00:00:00 UTC.
    public func forEachEvent(
        since: Double? = nil, _ body: (SyncEvent) -> Void
    ) throws(FileProblem) {
        try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaNotes.alone.forEachEvent(since: since, connection) { event throws(SQLiteError) in
                body(event)
            }
        }
    }
}

/// What a replica remembers of the encryption of its remote.
extension ReplicaSession {
    /// Refuses a remote that was encrypted and is not any more, and a password that could not be tried.
    public func checkEncryption(_ keyring: RemoteKeyring) throws(FileProblem) {
        if case .unchecked = keyring.state {
            let remote = FilePath(configuration.remote)
            throw .untriedPassword(RemoteLayout.encryptionTestPath.filePath(under: remote))
        }
        guard configuration.encrypted == true, !keyring.isEncrypted else { return }
        throw .encryptionIsGone(
            folder.configuration,
            advice:
                "Restore the folder Encryption of the remote from a back-up; if the remote was decrypted on "
                + "purpose, change \"encrypted\" to false in this file")
    }

    /// Remembers that the remote is encrypted, or is not. Only a password that opens something of the remote makes an
    /// encrypted one of a plain one: a salt alone anybody can have put there.
    public func noteEncryption(_ keyring: RemoteKeyring) throws(FileProblem) {
        let isEncrypted: Bool
        switch keyring.state {
        case .plain: isEncrypted = false
        case .checked: isEncrypted = true
        case .locked, .unchecked: return
        }
        if configuration.encrypted == isEncrypted { return }
        var noted = configuration
        noted.encrypted = isEncrypted
        try noted.write(to: folder.configuration)
    }
}
