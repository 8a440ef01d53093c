import Base
import CoreDataStore
public import SystemCalls
import SystemPackage
public import TICDSCore
import TICDSOperations

/// A replica while a command works on it; a lock excludes other processes.
public final class ReplicaSession {
    /// The folder of the replica.
    public let folder: ReplicaFolder
    /// The document of the replica, and the way it synchronises.
    public let configuration: ReplicaConfiguration
    /// Transactions that could not be closed when the replica was opened.
    public private(set) var transactions: [SyncTransaction]
    private let lock: FileLock
    /// The largest set that is recorded.
    var setLimit = SetLimit.readable

    /// Opens a replica, and completes an interrupted run.
    /// - Throws: `.refused` if another process works on the replica; `.missing` or `.damaged` if the folder is not a
    ///   replica.
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
        lock.write(holder: HostIdentity.holder("ticds-sync"))
        configuration = try ReplicaConfiguration.read(folder.configuration)
        for file in [folder.store, folder.state] { try InterruptedCommit.check(file) }
        let state = try ReplicaState(folder.state)
        transactions = try HelperFileFlush(folder: folder).settle(state)
    }

    /// Creates the other files of a replica around the document in the folder.
    /// - Parameters:
    ///   - integrityKey: the key of the document; nil if the remote was not read.
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

    /// The integrity key that the document had when the replica was created; nil if the replica has not seen the remote.
    public var integrityKey: RemoteName? {
        get throws(FileProblem) {
            try LocalStorage(root: folder.integrityKey).entriesIfPresent(of: .root).first {
                $0.kind == .file
            }?.name
        }
    }

    /// Stores the integrity key of the document in a replica that has none.
    public func adopt(_ key: RemoteName) throws(FileProblem) { try Self.write(key, in: folder) }

    /// Records the edits since the last transaction; the next run sends them.
    public func commit(isDryRun: Bool = false, now: FileTime = .now) throws(FileProblem) -> RunReport {
        var report = RunReport()
        report.isDryRun = isDryRun
        report.transactions = transactions
        report.changesWaiting = try OutgoingChanges.count(folder.unsynchronized, of: folder)
        if try isUnchanged() { return report }
        if !isDryRun { try refuseDuringReseed() }
        let being = try OutgoingChanges.read(folder.beingSynchronized)
        let earlier = try OutgoingChanges.read(folder.unsynchronized)
        // The next run may have to send both in one set.
        var limit = setLimit
        limit.bytes -= Int(clamping: try FileStatus.ifPresent(folder.beingSynchronized)?.size ?? 0)
        let signature = try ApplyTransaction.transaction(folder, isDryRun: isDryRun) {
            (store) throws(FileProblem) in
            let content: HelperContent?
            if earlier.isEmpty {
                content = try ApplyTransaction.recordContent(
                    store, after: being, now: now.secondsSince2001, to: folder.unsynchronized, limit,
                    &report)
            } else {
                let recorded = try ApplyTransaction.record(
                    store, after: being + earlier, now: now.secondsSince2001, &report)
                let waiting = LocalEditRecorder.merged(earlier, recorded)
                content = try OutgoingChanges.content(waiting, path: folder.unsynchronized, limit)
            }
            report.changesWaiting = content?.changes ?? 0
            if isDryRun { return }
            try store.withTransaction { [folder] (connection) throws(FileProblem) in
                try ReplicaDatabase.attached.post(
                    content, to: folder.unsynchronized, connection, database: folder.state)
            }
        }
        if !isDryRun { try end(signature) }
        report.transactions = transactions
        return report
    }

    /// Whether no program has written to the document since the last transaction.
    func isUnchanged() throws(FileProblem) -> Bool {
        guard let signature = try StoreSignature.of(folder.store) else { return false }
        let state = try ReplicaState(folder.state)
        let noted = try state.read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.note(.storeSignature, connection)
        }
        return noted == signature
    }

    /// Ends a transaction on the document: records the signature of its file, then writes the helper files.
    func end(_ signature: [UInt8]?) throws(FileProblem) {
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.setNote(.storeSignature, signature, connection)
        }
        try settle()
    }

    /// Writes the helper files and the register that the last transaction recorded.
    func settle() throws(FileProblem) {
        transactions = try HelperFileFlush(folder: folder).settle(ReplicaState(folder.state))
    }

    /// Calls `body` with the conflicts and warnings of all runs, in order.
    public func forEachEvent(_ body: (SyncEvent) -> Void) throws(FileProblem) {
        try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.forEachEvent(connection, body)
        }
    }

    /// Refuses a remote that is no longer encrypted, and a password that could not be tested.
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

    /// Stores whether the remote is encrypted: the password must open a file, since anyone with write access could add
    /// a salt.
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

/// The signature of an SQLite file, which shows whether a program has written to it.
struct StoreSignature {
    /// The size, modification time, inode and file change counter (bytes 24 to 27) of the database; nil if a journal or
    /// a write-ahead log is beside it, which may contain further changes.
    static func of(_ store: FilePath) throws(FileProblem) -> [UInt8]? {
        for suffix in ["-wal", "-journal"] {
            let beside = FilePath(pathBytes: store.bytes + Array(suffix.utf8))
            if let status = try FileStatus.ifPresent(beside), status.size > 0 { return nil }
        }
        let status = try FileStatus.of(store)
        let head = try FileBytes.head(store, count: 100)
        let counter = head.array(24..<28)
        let text =
            "\(status.size) \(status.modified.seconds).\(status.modified.nanoseconds) \(status.inode) \(counter)"
        return Array(text.utf8)
    }
}
