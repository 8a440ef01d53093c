public import Base
public import SystemCalls

/// The change sets of one document, in an order in which they are applied.
public struct ChangeHistory: Sendable {
    /// The order of the sets.
    public enum Order: Sendable {
        /// By modification time, then by identifier: the order in which a new client applies them
        /// (ticds-remote-format(5), 3.5).
        case modification
        /// By ``ChangeSetIdentifier/sendingTime(_:modified:)``, then by identifier: the order in which clients that
        /// were running all the time have applied them. A late set comes after the sets that its author knew.
        case sending
    }

    /// A change set and the client that uploaded it.
    public struct Entry: Sendable, Hashable {
        /// Identifier of the document.
        public var document: RemoteName
        /// Identifier of the client that uploaded the set.
        public var client: RemoteName
        /// The file as it was listed.
        public var file: ChangeSetFile
        /// The path of the file in the remote.
        public var path: RemotePath
    }

    /// The document to which the sets belong.
    public var documentIdentifier: RemoteName { document.identifier }

    /// The clients to which the sets belong; nil for all.
    public let clients: Set<RemoteName>?

    private let document: DocumentSnapshot
    private let places: [Place]

    /// Positions instead of entries: a history may have a million sets.
    private struct Place: Sendable {
        /// The time in nanoseconds, the nearest that is possible.
        var nanoseconds: Int64
        var client: Int32
        var position: Int32
    }

    /// The sets of `clients`, or of every client; all sets, or only those in `identifiers`.
    public init(
        of document: DocumentSnapshot, clients: Set<RemoteName>? = nil, identifiers: Set<RemoteName>? = nil,
        order: Order = .modification
    ) {
        self.document = document
        self.clients = clients
        let time = { (file: ChangeSetFile) in
            order == .modification
                ? file.modified : ChangeSetIdentifier.sendingTime(file.identifier, modified: file.modified)
        }
        var places: [Place] = []
        // Growing would take twice the memory.
        if clients == nil, identifiers == nil {
            places.reserveCapacity(document.clients.reduce(0) { $0 +| $1.changeSets.count })
        }
        for (client, sets) in document.clients.enumerated() where clients?.contains(sets.identifier) ?? true {
            for position in sets.changeSets.indices {
                let modified: FileTime
                if identifiers == nil, order == .modification {
                    modified = sets.changeSets.modified(at: position)
                } else {
                    let file = sets.changeSets[position]
                    if let identifiers, !identifiers.contains(file.identifier) { continue }
                    modified = time(file)
                }
                places.append(
                    Place(
                        nanoseconds: modified.seconds *| 1_000_000_000 +| Int64(modified.nanoseconds),
                        client: Int32(clamping: client), position: Int32(clamping: position)))
            }
        }
        places.sort { one, other in
            if one.nanoseconds != other.nanoseconds { return one.nanoseconds < other.nanoseconds }
            let files = (Self.file(one, document), Self.file(other, document))
            let times = (time(files.0), time(files.1))
            return times.0 != times.1 ? times.0 < times.1 : files.0.identifier < files.1.identifier
        }
        self.places = places
    }

    /// The number of sets.
    public var count: Int { places.count }

    /// The bytes of all sets.
    package var size: Int64 { (0..<count).reduce(0) { $0 +| self[$1].file.size } }

    /// The set at a position in the order of application, from 0.
    public subscript(index: Int) -> Entry {
        let client = document.clients[Int(places[index].client)]
        let file = Self.file(places[index], document)
        return Entry(
            document: document.identifier, client: client.identifier, file: file,
            path: client.path.appending(file.name))
    }

    private static func file(_ place: Place, _ document: DocumentSnapshot) -> ChangeSetFile {
        document.clients[Int(place.client)].changeSets[Int(place.position)]
    }

    /// Calls `body` with every change that `filter` admits, set by set. The error of a set or a change that cannot be
    /// read goes to `onDamage`; if that returns, the others follow. `taking` first gets the bytes of each set, and
    /// returns the number of its changes that it has handled; nil for all. No further set is read once `isDone` returns
    /// true.
    public func forEachRecord(
        in storage: any RemoteStorage, _ keyring: RemoteKeyring, filter: ChangeFilter = ChangeFilter(),
        taking: (SharedBytes, ChangePlace) -> Int? = { _, _ in 0 }, isDone: () -> Bool = { false },
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (ChangeRecord) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        storage.prepareToRead {
            (0..<count).map { index in
                let entry = self[index]
                return RemoteFile(path: entry.path, size: entry.file.size, modified: entry.file.modified)
            }
        }
        for index in 0..<count {
            if isDone() { return }
            let entry = self[index]
            let place = ChangePlace(
                document: entry.document.text, client: entry.client.text,
                changeSet: entry.file.identifier.text)
            let reader: ChangeSetReader
            let done: Int
            do throws(FileProblem) {
                let bytes = try keyring.read(storage, entry.path, limit: .changeSet)
                guard let rest = taking(bytes, place) else { continue }
                done = rest
                reader = try ChangeSetReader(bytes, path: entry.path.filePath(under: storage.root))
            } catch {
                try onDamage(error)
                continue
            }
            try reader.forEachRecord(at: place, after: done, filter: filter, onDamage: onDamage, body)
        }
    }
}

/// The document, client and set of some changes.
public struct ChangePlace: Sendable, Hashable {
    /// Identifier of the document; nil for a file outside of a remote.
    public var document: String?
    /// Identifier of the author; nil for a file outside of a remote.
    public var client: String?
    /// Identifier of the change set: the name of its file without `.syncchg`.
    public var changeSet: String

    /// A place in a document of a remote.
    package init(document: String?, client: String?, changeSet: String) {
        self.document = document
        self.client = client
        self.changeSet = changeSet
    }
}

extension ChangeSetReader {
    /// Calls `body` with every change of the set that `filter` admits, and its place. The sequence also counts the
    /// changes that the filter leaves out. The first `done` changes are read, because of the limits of the reader, but
    /// left out.
    public func forEachRecord(
        at place: ChangePlace, after done: Int = 0, filter: ChangeFilter = ChangeFilter(),
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (ChangeRecord) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var sequence = 0
        try forEachChange(orShortfall: onDamage) { change throws(FileProblem) in
            sequence += 1
            guard sequence > done, filter.admits(change) else { return }
            try body(
                ChangeRecord(
                    document: place.document, client: place.client, changeSet: place.changeSet,
                    sequence: sequence,
                    change: change))
        }
    }
}

/// A sync change with its document, client, set and position.
public struct ChangeRecord: Sendable, Hashable {
    /// Identifier of the document; nil for a file outside a remote.
    public var document: String?
    /// Identifier of the client that wrote the set; nil for a file outside a remote.
    public var client: String?
    /// Identifier of the change set: the file's name without its last extension.
    public var changeSet: String
    /// Position in the order of application within its set, from 1.
    public var sequence: Int
    /// The change itself.
    public var change: SyncChange

    /// A change with its place.
    public init(document: String?, client: String?, changeSet: String, sequence: Int, change: SyncChange) {
        self.document = document
        self.client = client
        self.changeSet = changeSet
        self.sequence = sequence
        self.change = change
    }
}

/// The changes that the user wants to see. A condition that is nil admits every change.
public struct ChangeFilter: Sendable, Hashable {
    /// The entity of the object.
    public var entity: String?
    /// The sync ID of the object or of the related object.
    public var object: String?
    /// Names of types; see `ChangeType.name`.
    public var types: Set<String>?
    /// The earliest timestamp, in seconds since 2001-01-01 00:00:00 UTC by the author's clock.
    public var since: Double?
    /// The end of the time, in the same seconds; a change with exactly this time is left out.
    public var until: Double?

    /// A filter that admits changes that meet all these conditions.
    public init(
        entity: String? = nil, object: String? = nil, types: Set<String>? = nil, since: Double? = nil,
        until: Double? = nil
    ) {
        self.entity = entity
        self.object = object
        self.types = types
        self.since = since
        self.until = until
    }

    /// Whether the filter admits the change. A change without a timestamp, or with an impossible one, may be between
    /// the bounds.
    public func admits(_ change: SyncChange) -> Bool {
        if let entity, change.entity != entity { return false }
        if let object, change.objectSyncID != object, change.relatedSyncID != object { return false }
        if let types, !types.contains(change.type.name) { return false }
        guard let timestamp = change.timestamp, FileTime(secondsSince2001: timestamp) != nil else {
            return true
        }
        return timestamp >= since ?? -.infinity && timestamp < until ?? .infinity
    }
}
