package import Base
package import KeyedArchive
import SystemPackage

/// The objects of a binary store of the usual form, found in its bytes; see `KeyedArchiveCursor`. For a store that it
/// accepts, it gives the same results as `BinaryStoreArchive`.
package struct StoreCursor: Sendable {
    /// The keyed archive of the objects.
    package let objects: KeyedArchiveCursor
    private let keys: PropertyListReferences
    private let nodes: PropertyListReferences
    private let entity: String

    /// Opens a store whose objects all have one entity, and checks its metadata.
    package init(_ bytes: SharedBytes, entity: String) throws(UnlocatedObject) {
        do {
            let header = try BinaryStoreHeader(bytes, path: FilePath())
            guard try BinaryStoreArchive.metadata(bytes, header.metadata) != nil,
                let map = bytes.slice(header.map)
            else { throw UnlocatedObject() }
            let reader = try KeyedArchiveReader(map)
            guard let top = try reader.top("mapData") else { throw UnlocatedObject() }
            objects = try KeyedArchiveCursor(reader)
            (keys, nodes) = try objects.pairs(of: try objects.object(top))
        } catch {
            // `BinaryStoreArchive` reports the fault.
            throw UnlocatedObject()
        }
        self.entity = entity
    }

    /// The number of objects.
    package var count: Int { nodes.count }

    /// The values of the attributes of the object at `position` in the file, without names.
    package func slots(at position: Int) throws(UnlocatedObject) -> PropertyListReferences {
        var name: ArchivedReference?
        var key: ArchivedReference?
        var slots: ArchivedReference?
        try objects.fields(of: try objects.object(try objects.member(position, of: nodes))) {
            field, value throws(UnlocatedObject) in
            if objects.isText(field, "NSEntityName") {
                try Self.set(&name, value)
            } else if objects.isText(field, "NSPrimaryKey64") {
                try Self.set(&key, value)
            } else if objects.isText(field, "NSAttributeValues") {
                try Self.set(&slots, value)
            } else if field.kind != .ascii || objects.isText(field, "NSAttributes") {
                throw UnlocatedObject()
            }
        }
        guard let name, let key, let slots, isEntity(try objects.object(name)) else {
            throw UnlocatedObject()
        }
        let number = try objects.object(key)
        let keyed = try objects.object(try objects.member(position, of: keys))
        guard number.kind == .integer, number.value != 0, keyed.kind == .integer, keyed.value == number.value
        else { throw UnlocatedObject() }
        return try members(of: try objects.object(slots))
    }

    /// Sets a field. A name that occurs twice is unusual.
    private static func set(
        _ place: inout ArchivedReference?, _ value: ArchivedReference
    ) throws(UnlocatedObject) {
        guard place == nil else { throw UnlocatedObject() }
        place = value
    }

    private func isEntity(_ name: LocatedObject) -> Bool {
        name.kind == .ascii && name.count == entity.utf8.count
            && objects.bytes(name).elementsEqual(entity.utf8)
    }

    private func members(of list: LocatedObject) throws(UnlocatedObject) -> PropertyListReferences {
        switch list.kind {
        case .array, .set, .orderedSet: list.run
        default: try objects.array(.objects, of: list)
        }
    }
}
