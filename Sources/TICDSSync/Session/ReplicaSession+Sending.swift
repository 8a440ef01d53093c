import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

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
        var set: OutgoingSet?
        var changes: [SyncChange] = []
        if options.direction != .pull {
            changes = try OutgoingChanges.read(folder.beingSynchronized)
            // try?: any metadata will do, an example only has the app's
            let newest = changes.isEmpty ? nil : try? listing.newest()
            let example = sending.metadata(of: newest?.path)
            if let bytes = try OutgoingChanges.bytes(
                changes, path: folder.beingSynchronized, like: example)
            {
                let time = try sendingTime(now)
                set = OutgoingSet(
                    identifier: ChangeSetIdentifier.make(at: time), bytes: bytes,
                    modified: time > now ? time : nil)
            }
        }
        if let set { try noteSending(set.identifier) }
        // Who says that it has synchronised lets the others remove sets that are older.
        let isDone = options.direction != .push && report.isComplete
        let file = folder.recentSync(of: listing.client)
        let recentSync = isDone ? try SmallFiles.recentSync(date: now.secondsSince2001, path: file) : nil
        if let recentSync { try AtomicFile.write(recentSync, to: file) }
        try sending.send(set, recentSync: recentSync)
        report.wroteRecentSync = isDone
        guard let set else { return }
        try noteSent(set.identifier, now)
        report.sent = RunReport.Sent(identifier: set.identifier, changes: changes.count)
        report.changesWaiting -= changes.count
    }

    /// The time in the name of a set of one's own: after those of all sets that are in the document, since what was
    /// decided about them must stand, whatever the clocks of their authors. Clocks that are a day ahead do not count.
    private func sendingTime(_ now: FileTime) throws(FileProblem) -> FileTime {
        let limit = now.adding(seconds: 86_400)
        let latest = try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaNotes.alone.latestSending(before: limit, connection)
        }
        guard let latest else { return now }
        // Names tell microseconds.
        let next = latest.nanoseconds / 1000 + 1
        let after = FileTime(
            seconds: latest.seconds +| Int64(next / 1_000_000), nanoseconds: next % 1_000_000 * 1000)
        return max(now, after)
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

/// A set of one's own on its way.
struct OutgoingSet {
    var identifier: String
    /// Plain.
    var bytes: [UInt8]
    /// Nil for the time of writing.
    var modified: FileTime?
}
