import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Changes of one's own in the framework's helper files.
enum OutgoingChanges {
    /// The changes in a file, in the order in which they were made; none where there is no file.
    static func read(_ path: FilePath) throws(FileProblem) -> [SyncChange] {
        guard try FileStatus.ifPresent(path) != nil else { return [] }
        var changes: [SyncChange] = []
        let reader = try ChangeSetReader(FileBytes.read(path, limit: .changeSet), path: path)
        try reader.forEachChange { changes.append($0) }
        return changes.sorted { $0.primaryKey < $1.primaryKey }
    }

    /// The bytes of a file; nil where it would hold nothing.
    static func bytes(
        _ changes: [SyncChange], path: FilePath, like example: StoreMetadata? = nil
    ) throws(FileProblem) -> [UInt8]? {
        if changes.isEmpty { return nil }
        do throws(PropertyListError) {
            return try ChangeSetWriter.bytes(of: changes, like: example)
        } catch {
            throw FileProblem(.writeFailed, path: path, "the changes cannot be archived", found: error.found)
        }
    }
}
