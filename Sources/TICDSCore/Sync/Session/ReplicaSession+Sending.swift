import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

extension ReplicaSession {
    /// Ends a sending that was interrupted: either the set is in the remote, or it is sent again with what came since.
    func finishSending(_ sending: Sending, _ now: FileTime) throws(FileProblem) {
        let state = try ReplicaState(folder.state)
        let noted = try state.read { connection throws(SQLiteError) in
            try ReplicaNotes.alone.note(.sending, connection)
        }
        guard let noted else { return }
        let identifier = String(decoding: noted, as: UTF8.self)
        if try sending.isSent(identifier) {
            try noteSent(identifier, now)
        } else {
            try state.change { connection throws(SQLiteError) in
                try ReplicaNotes.alone.setNote(.sending, nil, connection)
            }
        }
    }

    func send(
        _ sending: Sending, _ listing: DocumentListing, _ options: RunOptions, _ now: FileTime,
        _ report: inout RunReport
    ) throws(FileProblem) {
        var set: (identifier: String, bytes: [UInt8])?
        var changes: [SyncChange] = []
        if options.direction != .pull {
            changes = try OutgoingChanges.read(folder.beingSynchronized)
            let example = changes.isEmpty ? nil : sending.metadata(of: listing.newest()?.path)
            if let bytes = try OutgoingChanges.bytes(
                changes, path: folder.beingSynchronized, like: example)
            {
                set = (ChangeSetIdentifier.make(at: now), bytes)
            }
        }
        if let set { try noteSending(set.identifier) }
        // Who says that it has synchronised lets the others remove sets that are older.
        let isDone = options.direction != .push && report.isComplete
        let file = folder.recentSync(of: listing.client)
        let recentSync = isDone ? try SmallFiles.recentSync(date: now.secondsSince2001, path: file) : nil
        if let recentSync { try ReplacedFile.write(recentSync, to: file) }
        try sending.send(set, recentSync: recentSync)
        report.wroteRecentSync = isDone
        guard let set else { return }
        try noteSent(set.identifier, now)
        report.sent = RunReport.Sent(identifier: set.identifier, changes: changes.count)
        report.changesWaiting -= changes.count
    }

    private func noteSending(_ identifier: String) throws(FileProblem) {
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaNotes.alone.setNote(.sending, Array(identifier.utf8), connection)
        }
    }

    /// Notes that the set is in the remote; its changes need not be kept any more.
    private func noteSent(_ identifier: String, _ now: FileTime) throws(FileProblem) {
        let client = configuration.client
        let file = folder.beingSynchronized
        let state = try ReplicaState(folder.state)
        try state.change { connection throws(SQLiteError) in
            let notes = ReplicaNotes.alone
            let date = now.secondsSince2001
            try notes.add(
                [
                    NotedSet(
                        identifier: identifier, client: client, creationDate: date, applied: date,
                        digest: nil,
                        isRegistered: false)
                ], connection)
            try notes.post(nil, to: file, connection)
            try notes.setNote(.sending, nil, connection)
        }
        try settle()
    }
}
