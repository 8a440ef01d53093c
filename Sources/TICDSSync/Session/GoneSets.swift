import CoreDataStore
public import SystemCalls
import SystemPackage
import TICDSCore

/// A change set whose changes are in the replica, although the set is no longer in the remote.
public struct GoneSet: Sendable, Hashable {
    /// Identifier of the client that uploaded it.
    public var client: String
    /// Identifier of the set.
    public var identifier: String
    /// The reason why the set cannot be read, if its file exists.
    public var problem: FileProblem?
}

/// A comparison of the sets that this replica sent with those in its folder in the remote.
struct OwnSets {
    /// Sets that this replica sent and that are gone, although not all whole stores contain them.
    var gone: [GoneSet] = []
    /// Sets in the folder of this client that this replica did not send.
    var unknown: [String] = []
    /// Sets that are gone and that all whole stores contain: a vacuum may have removed them.
    var retired: Set<String> = []
    /// The reasons why the folder or a register could not be read.
    var problems: [FileProblem] = []
}

extension ReplicaSession {
    /// Compares the sets that this replica sent with the sets in its folder. A difference changes nothing: only the
    /// user can know what happened to the remote or the replica.
    func ownSets(_ listing: DocumentListing, _ known: KnownSets) throws(FileProblem) -> OwnSets {
        var own = OwnSets()
        let client = configuration.client
        let noted = try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            let notes = ReplicaDatabase.alone
            return (
                sent: try notes.sentSets(of: client, connection),
                retired: try notes.note(.retiredSets, connection),
                sending: try notes.note(.sending, connection)
            )
        }
        do throws(FileProblem) {
            let present = try listing.ownSets()
            let sending = noted.sending.map { String(decoding: $0, as: UTF8.self) }
            own.unknown = present.filter { !known.contains(RemoteName($0)) && $0 != sending }.sorted()
            let retired = Set(
                (noted.retired ?? []).split(separator: UInt8(ascii: "\n"))
                    .map { String(decoding: $0, as: UTF8.self) })
            let missing = noted.sent.subtracting(present).subtracting(retired)
            let lost = try listing.lost(among: missing)
            own.gone = lost.sorted().map { GoneSet(client: client, identifier: $0) }
            if lost.count < missing.count { own.retired = retired.union(missing.subtracting(lost)) }
        } catch { own.problems.append(error) }
        return own
    }

    /// Reports the sets of ``ownSets(_:_:)``, and records those that a vacuum may have removed.
    func addOwnSets(
        _ listing: DocumentListing, _ known: KnownSets, to report: inout RunReport
    ) throws(FileProblem) {
        let own = try ownSets(listing, known)
        report.goneSets = own.gone
        report.unknownSets = own.unknown
        report.problems += own.problems
        guard !report.isDryRun, !own.retired.isEmpty else { return }
        let bytes = Array(own.retired.sorted().joined(separator: "\n").utf8)
        try ReplicaState(folder.state).change { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.setNote(.retiredSets, bytes, connection)
        }
    }

    /// Sets in the document that come after `first` in the order of application, that would have to be applied again after
    /// it, and that are gone.
    func goneSets(
        after first: FetchedSet, _ known: [DocumentListing.ListedSet], _ listing: DocumentListing
    ) throws(FileProblem) -> [NotedPlace] {
        let present = Set(known.map(\.identifier))
        let noted = try ReplicaState(folder.state).read { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.sets(after: first.sent, first.identifier, connection)
        }
        let missing = noted.filter { !present.contains($0.identifier) }
        if missing.isEmpty { return [] }
        let lost = try listing.lost(among: Set(missing.map(\.identifier)))
        return missing.filter { lost.contains($0.identifier) }
    }
}

/// A set that the replica recorded, and its place in the order of application.
struct NotedPlace {
    var sent: FileTime
    var identifier: String
    var client: String?
    var gone: GoneSet { GoneSet(client: client ?? "", identifier: identifier) }
}

extension ReplicaDatabase {
    /// Sets that this replica sent. Sets of an earlier client with its identifier are only in the register with which
    /// it began; this replica has not read their content, and their two times differ.
    func sentSets(
        of client: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Set<String> {
        var rows = try connection.prepare(
            "SELECT identifier FROM \(table("SET")) WHERE client = ?1 AND original IS NULL "
                + "AND (digest IS NOT NULL OR creationDate = applied)")
        try rows.bind(client, at: 1)
        var found: Set<String> = []
        while try rows.step() { if let identifier = rows.text(0) { found.insert(identifier) } }
        return found
    }

    /// Sets in the document that come after the given one, except copies.
    func sets(
        after sent: FileTime, _ identifier: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [NotedPlace] {
        var rows = try connection.prepare(
            "SELECT identifier, client, creationDate FROM \(table("SET")) WHERE original IS NULL")
        var found: [NotedPlace] = []
        while try rows.step() {
            let named = rows.withBytes(0) { ChangeSetIdentifier.nominalTime($0) }
            guard let time = named ?? rows.real(2).flatMap({ FileTime(secondsSince2001: $0) }), time >= sent,
                let name = rows.text(0), (sent, identifier) < (time, name)
            else { continue }
            found.append(NotedPlace(sent: time, identifier: name, client: rows.text(1)))
        }
        return found.sorted { ($0.sent, $0.identifier) < ($1.sent, $1.identifier) }
    }
}

extension DocumentListing {
    /// Identifiers of the sets in the folder of this client; a placeholder stands for its set.
    /// - Throws: an error if the folder cannot be listed completely.
    func ownSets() throws(FileProblem) -> Set<String> {
        var found: Set<String> = []
        for entry in try storage.entriesIfPresent(of: RemoteLayout.syncChanges(of: client, in: document)) {
            let name = CloudPlaceholder.original(of: entry) ?? entry.name
            if let identifier = name.removing(suffix: RemoteLayout.changeSetSuffix) {
                found.insert(identifier.text)
            }
        }
        return found
    }

    /// The sets among `sets` without a file in the remote that not all whole stores contain. A vacuum may have removed
    /// the others, since it waits for all whole stores.
    /// - Throws: an error if the whole stores cannot be listed, or a register cannot be read.
    func lost(among sets: Set<String>) throws(FileProblem) -> Set<String> {
        if sets.isEmpty { return [] }
        let folder = RemoteLayout.wholeStore(of: client, in: document).parent
        var isAnywhere = false
        var everywhere = sets
        for entry in try storage.entriesIfPresent(of: folder) where entry.kind == .folder {
            let place = folder.appending(entry.name)
            let names = Set(try storage.entriesIfPresent(of: place).map(\.name))
            guard names.contains(RemoteLayout.wholeStoreFile) else { continue }
            isAnywhere = true
            var named: Set<String> = []
            if names.contains(RemoteLayout.appliedSyncChangeSets) {
                let register = place.appending(RemoteLayout.appliedSyncChangeSets)
                named =
                    try unlessInvalid { () throws(FileProblem) in
                        var named: Set<String> = []
                        try ChangeSetRegister(storage.onDisk(register)).forEachChangeSet { line in
                            if let identifier = line.identifier { named.insert(identifier) }
                        }
                        return named
                    } ?? []
            }
            everywhere.formIntersection(named)
        }
        return isAnywhere ? sets.subtracting(everywhere) : sets
    }

    /// Whether a client has a folder for its sets.
    func isMember(_ identifier: String?) -> Bool {
        identifier == client.text || others.contains { $0.text == identifier }
    }
}
