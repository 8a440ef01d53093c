public import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The sync changes of one change set, decoded one at a time, in the order in which the framework applies them: by
/// type, then by timestamp (ticds-remote-format(5), 3.5).
public struct ChangeSetReader {
    /// The file, for messages.
    public let path: FilePath
    /// Number of changes, without those of a binary store that are too damaged to have a place in the order.
    public let count: Int
    private let form: Form

    private enum Form {
        case binary(BinaryChangeSet)
        case sqlite(PrivateChangeRows)
    }

    /// Opens a change set by its first bytes: a binary store, or the SQLite store of old and derived versions. Decrypt
    /// the bytes first: encrypted ones count as damaged.
    /// - Throws: `.missing` for an empty file. Core Data reads it as a store without objects; but a client never
    ///   uploads one, so its content is missing.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        if bytes.count == 0 { throw CloudPlaceholder.empty.problem(path) }
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

    /// Why changes may be missing from what a pass reads, without an error of the pass; the first
    /// deviation of a binary store from the form that every archiver writes.
    public var shortfall: FileProblem? {
        switch form {
        case .binary(let changes): changes.archive.shortfall
        case .sqlite: nil
        }
    }

    /// The metadata of the store. For a binary store, each call decodes them.
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

    /// Calls `body` with every change. The error of a change that cannot be read goes to `onDamage`; if that returns,
    /// the others follow.
    public func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        switch form {
        case .binary(let changes): try changes.forEachChange(onDamage: onDamage, body)
        case .sqlite(let rows): try rows.forEachChange(onDamage: onDamage, body)
        }
    }

    /// Calls `body` with every change, and at the end `onDamage` with the shortfall, unless `onDamage` got a different
    /// error: a damaged set often has both.
    public func forEachChange(
        orShortfall onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var isDamaged = false
        try forEachChange(
            onDamage: { problem throws(FileProblem) in
                isDamaged = true
                try onDamage(problem)
            },
            { change throws(FileProblem) in
                if !isDamaged, change.type == .insert, change.changedAttributes.pairs == nil,
                    !change.changedAttributes.isNil
                {
                    isDamaged = true
                    try onDamage(
                        FileProblem(
                            .damaged, path: path, "the values of an inserted object cannot be read",
                            expected: "a dictionary", found: change.changedAttributes.kindName,
                            advice: "To see what can be read: ticds-changes recover \(ShellWord.quoted(path))"
                        ))
                }
                try body(change)
            })
        if !isDamaged, let shortfall { try onDamage(shortfall) }
    }

    /// Calls `body` with the outline of every change. This checks the values as `forEachChange` does, but does not make
    /// them, which is faster.
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

    /// Calls `body` with every change; throws the error of the first that cannot be read.
    public func forEachChange(_ body: (SyncChange) throws(FileProblem) -> Void) throws(FileProblem) {
        try forEachChange(onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}
