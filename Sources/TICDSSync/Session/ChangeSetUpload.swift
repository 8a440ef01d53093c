import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The part of a run that uploads the change set and the recent-sync file (ticds-protocol(7), 1.8.3).
struct ChangeSetUpload {
    let configuration: ReplicaConfiguration
    /// The writing side of the remote.
    let writable: any WritableStorage
    let keyring: RemoteKeyring
    let state: RemoteState
    let lockWait: Int64
    /// The remote as it is now, not as it was listed at the beginning of the run.
    private var storage: any RemoteStorage { writable.contents }
    private var document: RemoteName { RemoteName(configuration.document) }
    private var client: RemoteName { RemoteName(configuration.client) }

    /// The prefix of the private folder in a replica with the file of a large set.
    static let scratch = ".sending"

    func path(_ identifier: String) -> RemotePath {
        RemoteLayout.syncChanges(of: client, in: document)
            .appending(RemoteName(identifier + RemoteLayout.changeSetSuffix))
    }

    /// The digest of the set in the remote; nil unless the set is intact: it can be read, and has this many changes.
    func sentDigest(_ identifier: String, changes: Int) throws(FileProblem) -> [UInt8]? {
        let path = path(identifier)
        guard try storage.kind(of: path) == .file else { return nil }
        let bytes = try unlessInvalid { () throws(FileProblem) -> SharedBytes? in
            let bytes = try keyring.read(storage, path, limit: .changeSet)
            let count = try ChangeSetReader(bytes, path: path.filePath(under: storage.root)).count
            return count == changes ? bytes : nil
        }
        return bytes.flatMap { $0 }.map { ReplicaQueue.digest($0) }
    }

    /// Recovers an interrupted operation of an earlier run, unless an operation of another command must be recovered.
    /// - Returns: whether there was such an operation.
    func recover() throws(FileProblem) -> Bool {
        let waiting = try OperationRecovery.unfinished(state)
        guard !waiting.isEmpty, waiting.allSatisfy({ $0.command == ReplicaSession.runCommand }) else {
            return false
        }
        _ = try OperationRecovery.recover(state, writable, lockWait: lockWait)
        return true
    }

    /// Uploads a change set, the recent-sync file, or both.
    /// - Parameter recentSync: the bytes of the file; nil if the run was not complete.
    func send(_ set: OutgoingSet?, recentSync: [UInt8]?) throws(FileProblem) {
        var plan = Plan(
            root: state.root, command: ReplicaSession.runCommand,
            summary: "Synchronise client \(client) with document \(document)")
        if let set {
            plan.add(
                .writeFile(path: path(set.identifier), content: set.content, modified: set.modified),
                because: "the edits of this client")
        }
        if let recentSync { try addRecentSync(recentSync, to: &plan) }
        guard !plan.actions.isEmpty else { return }
        _ = try Executor(state, writable, keepsTrash: false, lockWait: lockWait)
            .run(writable.feasible(plan))
    }

    /// The largest set, in bytes, that the plan itself and so the journal contains.
    private static let plannedSize = 1 << 20

    /// A new set, encrypted if the remote is; a large one is a file.
    /// - Parameter makeFolder: makes a private folder for the file, which must exist until the set has been sent.
    func prepare(
        _ content: HelperContent, as identifier: String, modified: FileTime?,
        in makeFolder: () throws(FileProblem) -> FilePath
    ) throws(FileProblem) -> OutgoingSet {
        let path = path(identifier).filePath(under: storage.root)
        guard content.size > Self.plannedSize else {
            var plain: [UInt8] = []
            let digest = try content.hashed(for: path) { plain += $0 }
            return OutgoingSet(
                identifier: identifier,
                content: .bytes(PlannedBytes(try keyring.sealed(plain, path: path))), digest: digest,
                changes: content.changes, modified: modified)
        }
        let folder = try makeFolder()
        var file = folder.appending("plain")
        var digest: [UInt8] = []
        try NewFile.write(to: file) { (sink) throws(FileProblem) in
            digest = try content.hashed(for: file, to: sink)
        }
        if keyring.isEncrypted {
            let plain = file
            file = folder.appending("encrypted")
            try NewFile.write(to: file) { (sink) throws(FileProblem) in
                try keyring.seal(plain, as: path, to: sink)
            }
        }
        let status = try FileStatus.of(file)
        return OutgoingSet(
            identifier: identifier,
            content: .file(
                path: PlannedBytes(file.bytes),
                seen: EntryState(kind: status.kind, size: status.size, modified: status.modified)),
            digest: digest, changes: content.changes, modified: modified)
    }

    private func addRecentSync(_ bytes: [UInt8], to plan: inout Plan) throws(FileProblem) {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.recentSyncs)
        let path = folder.appending(client.appending(suffix: RemoteLayout.recentSyncSuffix))
        let content = PlannedContent.bytes(PlannedBytes(bytes))
        if try storage.kind(of: folder) == nil { plan.add(.makeFolder(path: folder)) }
        if try storage.kind(of: path) != nil {
            let seen = try storage.state(of: path)
            plan.add(.replaceFile(path: path, content: content, modified: nil, seen: seen))
        } else {
            plan.add(.writeFile(path: path, content: content, modified: nil))
        }
    }

    /// The metadata of a change set of another client, as an example for this client's set; nil if that set cannot be
    /// read.
    func metadata(of example: RemotePath?) -> StoreMetadata? {
        example.flatMap { keyring.changeSetMetadata(of: $0, in: storage) }
    }
}

extension ReplicaSession {
    /// Completes an interrupted upload: records a set that arrived, and otherwise sends its changes again later.
    /// - Returns: whether there was an interrupted upload.
    func finishSending(_ sending: ChangeSetUpload, _ now: FileTime) throws(FileProblem) -> Bool {
        let state = try ReplicaState(folder.state)
        let noted = try state.read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.note(.sending, connection)
        }
        guard let noted else { return false }
        let identifier = String(decoding: noted, as: UTF8.self)
        let changes = try OutgoingChanges.count(folder.beingSynchronized, of: folder)
        if let digest = try sending.sentDigest(identifier, changes: changes) {
            try noteSent(identifier, digest, now)
        } else {
            try state.change { connection throws(SQLiteError) in
                try ReplicaDatabase.alone.setNote(.sending, nil, connection)
            }
        }
        return true
    }

    func send(
        _ sending: ChangeSetUpload, _ listing: DocumentListing, _ options: RunOptions, _ now: FileTime,
        _ report: inout RunReport
    ) throws(FileProblem) {
        var set: OutgoingSet?
        var scratch: TemporaryFolder?
        if options.direction != .pull, try FileStatus.ifPresent(folder.beingSynchronized) != nil {
            // try?: any metadata will do, an example only has the app's
            let newest = try? listing.newest()
            let example = sending.metadata(of: newest?.path)
            if let content = try OutgoingChanges.outgoing(in: folder, like: example, setLimit) {
                let time = try sendingTime(now)
                set = try sending.prepare(
                    content, as: ChangeSetIdentifier.make(at: time), modified: time > now ? time : nil
                ) { () throws(FileProblem) in
                    let made = try TemporaryFolder(in: folder.path, prefix: ChangeSetUpload.scratch)
                    scratch = made
                    return made.path
                }
            }
        }
        if let set { try noteSending(set.identifier) }
        // The recent sync lets the vacuum of other clients remove older sets, so it is written only if no set is
        // missing.
        let isDone = options.direction != .push && report.isComplete
        let file = folder.recentSync(of: listing.client)
        let recentSync = isDone ? try SmallFiles.recentSync(date: now.secondsSince2001, path: file) : nil
        if let recentSync { try AtomicFile.write(recentSync, to: file) }
        try withExtendedLifetime(scratch) { () throws(FileProblem) in
            try sending.send(set, recentSync: recentSync)
        }
        report.wroteRecentSync = isDone
        guard let set else { return }
        try noteSent(set.identifier, set.digest, now)
        report.sent = RunReport.Sent(identifier: set.identifier, changes: set.changes)
        report.changesWaiting -= set.changes
    }

    /// The time in the name of a new set: later than those of all sets in the document, so that every client applies it
    /// after them, whatever the clocks of their authors show. Times more than a day ahead are ignored.
    private func sendingTime(_ now: FileTime) throws(FileProblem) -> FileTime {
        let limit = now.adding(seconds: 86_400)
        let latest = try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.latestSending(before: limit, connection)
        }
        guard let latest else { return now }
        // Names have microseconds.
        let next = latest.nanoseconds / 1000 + 1
        let after = FileTime(
            seconds: latest.seconds +| Int64(next / 1_000_000), nanoseconds: next % 1_000_000 * 1000)
        return max(now, after)
    }

    private func noteSending(_ identifier: String) throws(FileProblem) {
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.setNote(.sending, Array(identifier.utf8), connection)
        }
    }

    private func noteSent(_ identifier: String, _ digest: [UInt8], _ now: FileTime) throws(FileProblem) {
        let client = configuration.client
        let file = folder.beingSynchronized
        let state = try ReplicaState(folder.state)
        try state.change { connection throws(SQLiteError) in
            let notes = ReplicaDatabase.alone
            let date = now.secondsSince2001
            try notes.add(
                [
                    NotedSet(
                        identifier: identifier, client: client, creationDate: date, applied: date,
                        digest: digest, isRegistered: false)
                ], connection)
            try notes.postRemoval(of: file, connection)
            try notes.setNote(.sending, nil, connection)
        }
        try settle()
    }
}

/// A change set that this client will upload.
struct OutgoingSet {
    var identifier: String
    /// Its bytes, encrypted if the remote is.
    var content: PlannedContent
    /// The SHA-256 of the unencrypted bytes.
    var digest: [UInt8]
    /// The number of changes.
    var changes: Int
    /// The modification time to set; nil for the time of writing.
    var modified: FileTime?
}
