public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The sync changes of one change set, decoded one at a time, in the order in which the framework applies them: by
/// type, then by time stamp (ticds-remote-format(5), 3.5).
public struct ChangeSetReader {
    /// The file, for messages.
    public let path: FilePath
    /// Number of changes; in a binary store those that are too damaged to have a place in the order are left out.
    public let count: Int
    private let form: Form

    private enum Form {
        case binary(BinaryChangeSet)
        case sqlite(PrivateChangeRows)
    }

    /// Opens a change set by its bytes, whatever the name of the file: a binary store, or the SQLite store of old and
    /// derived versions. Encrypted bytes are refused as damaged: decrypt them first.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        if PlainSignature(bytes) == .sqlite {
            let rows = try PrivateChangeRows(bytes, path: path)
            form = .sqlite(rows)
            count = rows.count
        } else {
            let archive = try BinaryStoreArchive(bytes, path: path)
            let changes = BinaryChangeSet(archive)
            form = .binary(changes)
            count = changes.count
        }
    }

    /// The metadata; those of a binary store are decoded anew each time.
    public var metadata: StoreMetadata {
        switch form {
        case .binary(let changes): changes.archive.metadata
        case .sqlite(let rows): rows.metadata
        }
    }

    /// The version hash of an entity in the metadata.
    public func versionHash(of entity: String) -> [UInt8]? {
        switch form {
        case .binary(let changes): changes.archive.versionHash(of: entity)
        case .sqlite(let rows): rows.metadata.versionHashes[entity]
        }
    }

    /// Hands out every change. One that cannot be read goes to `onDamage`, and the others follow if that returns.
    public func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        switch form {
        case .binary(let changes): try changes.forEachChange(onDamage: onDamage, body)
        case .sqlite(let rows): try rows.forEachChange(onDamage: onDamage, body)
        }
    }

    /// Hands out what every change has. Its values are read as `forEachChange` reads them, but not made, which takes
    /// less time.
    public func forEachOutline(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (ChangeOutline) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        switch form {
        case .binary(let changes): try changes.forEachOutline(onDamage: onDamage, body)
        case .sqlite(let rows):
            try rows.forEachChange(onDamage: onDamage) { (change) throws(FileProblem) in
                try body(ChangeOutline(change))
            }
        }
    }

    /// Hands out every change; the first that cannot be read ends the pass.
    public func forEachChange(_ body: (SyncChange) throws(FileProblem) -> Void) throws(FileProblem) {
        try forEachChange(onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}
