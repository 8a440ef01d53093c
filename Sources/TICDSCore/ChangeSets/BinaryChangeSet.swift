import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The sync changes of a binary store, decoded one at a time, in application order.
struct BinaryChangeSet {
    /// What the order depends on, of one change, and where its slots are.
    private struct Place {
        var type: Int
        var timestamp: Double
        var position: Int
        var slots: ChangeSlots
    }

    private let archive: BinaryStoreArchive
    private let places: [Place]
    /// Changes that were so damaged that they have no place, in the order of the file.
    private let problems: [FileProblem]

    var count: Int { places.count }

    init(_ archive: BinaryStoreArchive) {
        self.archive = archive
        var places: [Place] = []
        var problems: [FileProblem] = []
        places.reserveCapacity(archive.count)
        for position in 0..<archive.count {
            guard let reader = archive.objects else { break }
            do throws(FileProblem) {
                places.append(try Self.place(position, in: archive, reader))
            } catch {
                problems.append(error)
            }
        }
        places.sort { ($0.type, $0.timestamp, $0.position) < ($1.type, $1.timestamp, $1.position) }
        self.places = places
        self.problems = problems
    }

    private static func place(
        _ position: Int, in archive: BinaryStoreArchive, _ reader: KeyedArchiveReader
    ) throws(FileProblem) -> Place {
        let node = try archive.node(at: position)
        do throws(PropertyListError) {
            let slots = try ChangeSlots(node, in: reader)
            let references = try slots.references(reader)
            return Place(
                type: try slots.number(references, reader),
                timestamp: try slots.timestamp(references, reader),
                position: position, slots: slots)
        } catch {
            throw FileProblem(error, path: archive.path, advice: ChangeSlots.advice)
        }
    }

    /// Hands out every change, in order. One that cannot be read goes to `onDamage`, and the others follow if that
    /// returns.
    func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for problem in problems { try onDamage(problem) }
        guard let objects = archive.objects else { return }
        var decoder = ArchiveDecoder(objects)
        for place in places {
            let change: SyncChange
            do throws(FileProblem) {
                change = try self.change(place, &decoder)
            } catch {
                try onDamage(error)
                continue
            }
            try body(change)
        }
    }

    private func change(_ place: Place, _ decoder: inout ArchiveDecoder) throws(FileProblem) -> SyncChange {
        do throws(PropertyListError) {
            return try place.slots.change(&decoder)
        } catch {
            throw FileProblem(error, path: archive.path, advice: ChangeSlots.advice)
        }
    }
}

/// The eight slots of a sync change, guarded: a file whose slots hold other things was written for another model
/// (core-data-binary-store.md, 5).
private struct ChangeSlots {
    static let advice = "Core Data refuses the whole file for this; keep a copy before anything else"
    private let list: ArchivedReference
    private let primaryKey: Int64

    init(_ node: BinaryStoreNode, in reader: KeyedArchiveReader) throws(PropertyListError) {
        guard node.entity == FrameworkModels.syncChangeEntity else {
            throw PropertyListError(
                offset: reader.offset(of: node.reference),
                expected: "entity \(FrameworkModels.syncChangeEntity)",
                found: "\(node.entity)")
        }
        guard let list = node.slots else {
            throw PropertyListError(
                offset: reader.offset(of: node.reference), expected: "NSAttributeValues", found: "none")
        }
        self.list = list
        primaryKey = node.primaryKey
    }

    /// What is in the slots.
    func references(_ reader: KeyedArchiveReader) throws(PropertyListError) -> [ArchivedReference] {
        guard let slots = try reader.elements(of: list, count: 8) else {
            throw PropertyListError(
                offset: reader.offset(of: list), expected: "the 8 slots of a sync change",
                found: "another number")
        }
        return slots
    }

    func number(_ slots: [ArchivedReference], _ reader: KeyedArchiveReader) throws(PropertyListError) -> Int {
        guard let number = try reader.integer(slots[0]).flatMap({ Int16(exactly: $0) }) else {
            throw failure(0, slots[0], "changeType, a number of 16 bits", reader)
        }
        return Int(number)
    }

    func timestamp(_ slots: [ArchivedReference], _ reader: KeyedArchiveReader) throws(PropertyListError)
        -> Double
    {
        guard let seconds = try reader.date(slots[3]), !seconds.isNaN else {
            throw failure(3, slots[3], "localTimeStamp, a date", reader)
        }
        return seconds
    }

    func change(_ decoder: inout ArchiveDecoder) throws(PropertyListError) -> SyncChange {
        let reader = decoder.reader
        let slots = try references(reader)
        guard let entity = try text(4, slots[4], "objectEntityName", &decoder) else {
            throw failure(4, slots[4], "objectEntityName, a string", reader)
        }
        let related = try decoder.value(of: slots[2])
        guard related.isNil || related.stringValue != nil else {
            throw failure(2, slots[2], "changedRelationships, a string or NSNull", reader)
        }
        return SyncChange(
            type: ChangeType(number: try number(slots, reader)), entity: entity,
            objectSyncID: try text(5, slots[5], "objectSyncID", &decoder),
            key: try text(7, slots[7], "relevantKey", &decoder),
            relatedEntity: try text(6, slots[6], "relatedObjectEntityName", &decoder),
            changedAttributes: try decoder.value(of: slots[1]), changedRelationships: related,
            timestamp: try timestamp(slots, reader), primaryKey: primaryKey)
    }

    /// A string, or nil for NSNull.
    private func text(
        _ number: Int, _ slot: ArchivedReference, _ name: String, _ decoder: inout ArchiveDecoder
    ) throws(PropertyListError) -> String? {
        if let text = try decoder.string(slot) { return text }
        let reader = decoder.reader
        if reader.isNil(slot) { return nil }
        guard try reader.className(of: slot) == "NSNull" else {
            throw failure(number, slot, "\(name), a string or NSNull", reader)
        }
        return nil
    }

    private func failure(
        _ number: Int, _ slot: ArchivedReference, _ expected: String, _ reader: KeyedArchiveReader
    ) -> PropertyListError {
        let found = (try? reader.className(of: slot)) ?? "another value"
        return PropertyListError(
            offset: reader.offset(of: slot), expected: "slot \(number): \(expected)", found: found)
    }
}
