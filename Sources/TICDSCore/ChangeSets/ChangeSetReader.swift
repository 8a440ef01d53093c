public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The sync changes of one change set, decoded one at a time, in the order in which the framework applies them: by
/// type, then by time stamp (ticoredatasync.md, 3.5).
public struct ChangeSetReader {
    public let path: FilePath
    public let metadata: StoreMetadata
    /// Number of changes; those that are too damaged to have a place in the order are left out.
    public var count: Int { changes.count }
    private let changes: BinaryChangeSet

    /// Opens a change set by its bytes, whatever the name of the file. Encrypted bytes are refused as damaged: decrypt
    /// them first.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        let archive = try BinaryStoreArchive(bytes, path: path)
        metadata = archive.metadata
        changes = BinaryChangeSet(archive)
    }

    /// Hands out every change. One that cannot be read goes to `onDamage`, and the others follow if that returns.
    public func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for problem in changes.problems { try onDamage(problem) }
        guard var decoder = changes.makeDecoder() else { return }
        for index in 0..<changes.count {
            let change: SyncChange
            do throws(FileProblem) {
                change = try changes.change(at: index, &decoder)
            } catch {
                try onDamage(error)
                continue
            }
            try body(change)
        }
    }

    /// Hands out every change; the first that cannot be read ends the pass.
    public func forEachChange(_ body: (SyncChange) throws(FileProblem) -> Void) throws(FileProblem) {
        try forEachChange(onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}
