import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The local changes in the framework's helper files.
enum OutgoingChanges {
    /// The changes in a file, in the order in which they were made; none if the file does not exist.
    static func read(_ path: FilePath) throws(FileProblem) -> [SyncChange] {
        guard try FileStatus.ifPresent(path) != nil else { return [] }
        var changes: [SyncChange] = []
        let reader = try ChangeSetReader(FileBytes.read(path, limit: .changeSet), path: path)
        if let problem = reader.shortfall { throw problem }
        try reader.forEachChange { changes.append($0) }
        return changes.sorted { $0.primaryKey < $1.primaryKey }
    }

    /// The number of changes in a file. The changes are read only if the file is not as this replica wrote it.
    static func count(_ path: FilePath, of folder: ReplicaFolder) throws(FileProblem) -> Int {
        guard try FileStatus.ifPresent(path) != nil else { return 0 }
        if let noted = try intact(path, of: folder) { return noted.changes }
        return try read(path).count
    }

    /// What this replica wrote to a file, if the file still has these bytes.
    private static func intact(
        _ path: FilePath, of folder: ReplicaFolder
    ) throws(FileProblem) -> NotedContent? {
        let noted = try ReplicaState(folder.state).read { (connection) throws(SQLiteError) in
            try ReplicaDatabase.alone.content(of: path, connection)
        }
        guard let noted else { return nil }
        let file = try OwnedDescriptor.file(path)
        try ReadLimit.changeSet.check(file.status().size, path)
        return try FileHasher.digest(of: file) == noted.digest ? noted : nil
    }

    /// The content of a file with these changes; nil for no changes.
    static func content(
        _ changes: [SyncChange], path: FilePath, _ limit: SetLimit
    ) throws(FileProblem) -> HelperContent? {
        try content(changes, path: path, like: nil, limit)
    }

    private static func content(
        _ changes: [SyncChange], path: FilePath, like example: StoreMetadata?, _ limit: SetLimit
    ) throws(FileProblem) -> HelperContent? {
        var draft = ChangeSetDraft(like: example)
        for change in changes { try add(change, to: &draft, path: path, limit) }
        return try HelperContent(&draft, path: path, limit)
    }

    /// Adds a change to the content of a file.
    /// - Throws: `.refused` as soon as the set is larger than `limit`, before it fills the memory.
    static func add(
        _ change: SyncChange, to draft: inout ChangeSetDraft, path: FilePath, _ limit: SetLimit
    ) throws(FileProblem) {
        do throws(PropertyListError) {
            try draft.append(change)
        } catch {
            throw cannotArchive(error, path)
        }
        try limit.check(draft.leastSize, isWhole: false, path)
    }

    static func cannotArchive(_ error: PropertyListError, _ path: FilePath) -> FileProblem {
        FileProblem(.writeFailed, path: path, "the changes cannot be archived", found: error.found)
    }

    /// The change set to send: the changes that are being synchronised, with metadata like `example`; nil if there are
    /// none.
    static func outgoing(
        in folder: ReplicaFolder, like example: StoreMetadata?, _ limit: SetLimit
    ) throws(FileProblem) -> HelperContent? {
        let path = folder.beingSynchronized
        guard try FileStatus.ifPresent(path) != nil else { return nil }
        guard let noted = try intact(path, of: folder) else {
            return try content(read(path), path: path, like: example, limit)
        }
        var copy = try BinaryStoreCopy(of: path, metadata: ChangeSetDraft.metadata(like: example))
        // Without the app's metadata, the set is as large as the one that was recorded.
        if copy.count > limit.bytes {
            copy = try BinaryStoreCopy(of: path, metadata: ChangeSetDraft.metadata())
        }
        let size = copy.count
        return HelperContent(changes: noted.changes, size: size) { [copy] (sink) throws(FileProblem) in
            try copy.write(to: sink)
        }
    }

    /// The content of a file as this replica wrote it; nil if the file is different now.
    static func intactContent(
        _ path: FilePath, of folder: ReplicaFolder
    ) throws(FileProblem) -> HelperContent? {
        guard let noted = try intact(path, of: folder) else { return nil }
        let size = try FileStatus.of(path).size
        return HelperContent(changes: noted.changes, size: Int(clamping: size)) {
            (sink) throws(FileProblem) in
            let digest = try FileHasher.pump(OwnedDescriptor.file(path), to: sink)
            guard digest == noted.digest else { throw .changing(path) }
        }
    }
}

extension ReplicaSession {
    /// Passes the recorded changes on to be sent, as they are, if no set of another client and no edit changes them.
    /// - Returns: false if the file of the changes is not as this replica wrote it.
    func passOn() throws(FileProblem) -> Bool {
        guard let content = try OutgoingChanges.intactContent(folder.unsynchronized, of: folder) else {
            return false
        }
        try ReplicaState(folder.state).transaction { [folder] (connection) throws(FileProblem) in
            let notes = ReplicaDatabase.alone
            try notes.post(content, to: folder.beingSynchronized, connection, database: folder.state)
            try notes.post(nil, to: folder.unsynchronized, connection, database: folder.state)
        }
        try settle()
        return true
    }

    /// Records the edits for sending, or, if the run only fetches, for the next run; there are no earlier changes, and no
    /// sets to apply. Only one edit is in memory at a time.
    func recordOnly(
        _ direction: RunOptions.Direction, _ now: FileTime, _ report: inout RunReport
    ) throws(FileProblem) {
        let (full, empty) =
            direction == .pull
            ? (folder.unsynchronized, folder.beingSynchronized)
            : (folder.beingSynchronized, folder.unsynchronized)
        let signature = try ApplyTransaction.transaction(folder, isDryRun: false) {
            (store) throws(FileProblem) in
            let content = try ApplyTransaction.recordContent(
                store, after: [], now: now.secondsSince2001, to: full, setLimit, &report)
            report.changesWaiting = content?.changes ?? 0
            try store.withTransaction { [folder] (connection) throws(FileProblem) in
                let notes = ReplicaDatabase.attached
                try notes.post(content, to: full, connection, database: folder.state)
                try notes.post(nil, to: empty, connection, database: folder.state)
            }
        }
        try end(signature)
    }
}
