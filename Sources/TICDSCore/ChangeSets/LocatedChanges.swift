package import Base
import CoreDataStore
package import KeyedArchive
import Synchronization
import SystemCalls

/// The changes of a binary set of the usual form in the order of application, as places in its bytes. Throws
/// `UnlocatedObject` for any other set and any damage; `ChangeSetReader` gives the same changes as values.
package struct LocatedChanges: Sendable {
    /// The slots of one change, and the values that determine its order.
    private struct Place {
        var type: Int
        var timestamp: Double
        var position: Int
        var slots: PropertyListReferences
    }

    /// The archive of the changes.
    package let objects: KeyedArchiveCursor
    private let places: [Place]

    /// Number of changes.
    package var count: Int { places.count }
    /// Below this number of changes one thread is as fast as two.
    package static let parallelCount = 4096

    /// Finds the changes in the decrypted bytes of a set.
    /// - Parameter workers: the number of threads for many changes.
    package init(_ bytes: SharedBytes, workers: Int) throws(UnlocatedObject) {
        let store = try StoreCursor(bytes, entity: FrameworkModels.syncChangeEntity)
        objects = store.objects
        let count = store.count
        guard count >= Self.parallelCount else {
            var places = try Self.places(0..<count, in: store)
            places.sort(by: Self.isBefore)
            self.places = places
            return
        }
        let parts = workers
        let found = Mutex<[[Place]?]>(Array(repeating: nil, count: parts))
        ParallelWork.forEach(below: parts, workers: parts) { part in
            let range = count * part / parts..<count * (part + 1) / parts
            // try?: a part that stays nil throws below
            guard var places = try? Self.places(range, in: store) else { return }
            places.sort(by: Self.isBefore)
            found.withLock { $0[part] = places }
        }
        var places: [Place] = []
        for part in found.withLock({ $0 }) {
            guard let part else { throw UnlocatedObject() }
            places = Self.merge(places, part)
        }
        self.places = places
    }

    private static func isBefore(_ one: Place, _ other: Place) -> Bool {
        (one.type, one.timestamp, one.position) < (other.type, other.timestamp, other.position)
    }

    private static func merge(_ one: [Place], _ other: [Place]) -> [Place] {
        if one.isEmpty { return other }
        var merged: [Place] = []
        merged.reserveCapacity(one.count + other.count)
        var (first, second) = (0, 0)
        while first < one.count, second < other.count {
            if isBefore(other[second], one[first]) {
                merged.append(other[second])
                second += 1
            } else {
                merged.append(one[first])
                first += 1
            }
        }
        return merged + one[first...] + other[second...]
    }

    private static func places(_ range: Range<Int>, in store: StoreCursor) throws(UnlocatedObject)
        -> [Place]
    {
        let objects = store.objects
        var places: [Place] = []
        places.reserveCapacity(range.count)
        for position in range {
            let slots = try store.slots(at: position)
            guard slots.count == ChangeSlots.Property.count else { throw UnlocatedObject() }
            func member(_ slot: ChangeSlots.Property) throws(UnlocatedObject) -> ArchivedReference {
                try objects.member(slot.rawValue, of: slots)
            }
            let number = try objects.object(try member(.changeType))
            let timestamp = try objects.date(try member(.localTimeStamp))
            guard number.kind == .integer, let type = Int16(exactly: number.value), !timestamp.isNaN else {
                throw UnlocatedObject()
            }
            places.append(Place(type: Int(type), timestamp: timestamp, position: position, slots: slots))
        }
        return places
    }

    /// The part of a `KeyedArchiveDecoder`'s limits that all changes together may use, so that no single value can
    /// reach the limits.
    package var share: (visits: Int, bytes: Int) {
        let most = KeyedArchiveDecoder(objects.reader).most
        return (most.visits / 3, most.bytes / 3)
    }

    /// A change by its number in the order, from 0. Its references are not followed yet.
    package func change(_ number: Int) throws(UnlocatedObject) -> LocatedChange {
        let place = places[number]
        func member(_ slot: ChangeSlots.Property) throws(UnlocatedObject) -> ArchivedReference {
            try objects.member(slot.rawValue, of: place.slots)
        }
        return LocatedChange(
            type: ChangeType(number: place.type), timestamp: place.timestamp,
            entity: try member(.objectEntityName), objectSyncID: try member(.objectSyncID),
            key: try member(.relevantKey), relatedEntity: try member(.relatedObjectEntityName),
            changedAttributes: try member(.changedAttributes),
            changedRelationships: try member(.changedRelationships))
    }
}

/// A sync change as references to its values; see `SyncChange`.
package struct LocatedChange {
    package var type: ChangeType
    package var timestamp: Double
    /// The name of the entity: a string or nil, like the four after it.
    package var entity: ArchivedReference
    package var objectSyncID: ArchivedReference
    package var key: ArchivedReference
    package var relatedEntity: ArchivedReference
    /// Any value.
    package var changedAttributes: ArchivedReference
    /// A string or nil.
    package var changedRelationships: ArchivedReference
}
