@testable import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// A store in memory, as a source of objects.
struct MemoryStore: PersistentStore {
    var path: FilePath { "memory" }
    var metadata: StoreMetadata { StoreMetadata(.none) }
    var model: ManagedObjectModel?
    var notes: [StoreNote] { [] }
    var objects: [StoredObject]

    func objectCounts() throws(FileProblem) -> [EntityCount] {
        Dictionary(grouping: objects, by: \.entity).map { EntityCount(entity: $0.key, count: $0.value.count) }
    }

    func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for object in objects where entity == nil || object.entity == entity { try body(object) }
    }
}
