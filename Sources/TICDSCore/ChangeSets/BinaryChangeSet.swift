import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The sync changes of a binary store, decoded one at a time, in application order.
struct BinaryChangeSet {
    /// The slots of one change, and the values that determine its order.
    private struct Place {
        var type: Int
        var timestamp: Double
        var position: Int
        var slots: ChangeSlots
    }

    let archive: BinaryStoreArchive
    private let places: [Place]
    /// Errors of changes that are too damaged to have a place in the order, in the order of the file.
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
            return Place(
                type: try slots.number(reader), timestamp: try slots.timestamp(reader), position: position,
                slots: slots)
        } catch {
            throw FileProblem(error, path: archive.path, advice: ChangeSlots.advice)
        }
    }

    /// Calls `body` with every change, in order. The error of a change that cannot be read goes to `onDamage`; if that
    /// returns, the others follow.
    func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try forEach(
            onDamage: onDamage, { slots, decoder throws(PropertyListError) in try slots.change(&decoder) },
            body)
    }

    /// Calls `body` with the outline of every change, in order. The values are checked but not made.
    func forEachOutline(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (ChangeOutline) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try forEach(
            onDamage: onDamage, { slots, decoder throws(PropertyListError) in try slots.outline(&decoder) },
            body)
    }

    private func forEach<Found>(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ read: (ChangeSlots, inout KeyedArchiveDecoder) throws(PropertyListError) -> Found,
        _ body: (Found) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for problem in problems { try onDamage(problem) }
        guard let objects = archive.objects else { return }
        var decoder = KeyedArchiveDecoder(objects)
        for place in places {
            let found: Found
            do throws(PropertyListError) {
                found = try read(place.slots, &decoder)
            } catch {
                try onDamage(FileProblem(error, path: archive.path, advice: ChangeSlots.advice))
                continue
            }
            try body(found)
        }
    }
}

/// The eight slots of a sync change. A file with different values in them was written for a different model
/// (core-data-binary-store(5), 5).
struct ChangeSlots {
    static let advice = "Core Data refuses the whole file for this; keep a copy before anything else"
    private let members: ArchivedMembers
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
        guard let members = try reader.members(of: list, count: Property.count) else {
            throw PropertyListError(
                offset: reader.offset(of: list), expected: "the 8 slots of a sync change",
                found: "another number")
        }
        self.members = members
        primaryKey = node.primaryKey
    }

    private func reference(_ slot: Property, _ reader: KeyedArchiveReader) throws(PropertyListError)
        -> ArchivedReference
    {
        try reader.member(slot.rawValue, of: members)
    }

    func number(_ reader: KeyedArchiveReader) throws(PropertyListError) -> Int {
        let reference = try reference(.changeType, reader)
        // Clients find no type for type 0, and skip the change.
        if reader.isNil(reference) { return 0 }
        if try reader.className(of: reference) == "NSNull" { return 0 }
        guard let number = try reader.integer(reference).flatMap({ Int16(exactly: $0) }) else {
            throw failure(.changeType, "a number of 16 bits", reader)
        }
        return Int(number)
    }

    func timestamp(_ reader: KeyedArchiveReader) throws(PropertyListError) -> Double {
        guard let seconds = try reader.date(try reference(.localTimeStamp, reader)), !seconds.isNaN else {
            throw failure(.localTimeStamp, "a date that is a number", reader)
        }
        return seconds
    }

    func change(_ decoder: inout KeyedArchiveDecoder) throws(PropertyListError) -> SyncChange {
        let entity = try entity(&decoder)
        let related = try decoder.value(of: try reference(.changedRelationships, decoder.reader))
        guard related.isNil || related.stringValue != nil else {
            throw failure(.changedRelationships, "a string or NSNull", decoder.reader)
        }
        return SyncChange(
            type: ChangeType(number: try number(decoder.reader)), entity: entity,
            objectSyncID: try text(.objectSyncID, &decoder), key: try text(.relevantKey, &decoder),
            relatedEntity: try text(.relatedObjectEntityName, &decoder),
            changedAttributes: try decoder.value(of: try reference(.changedAttributes, decoder.reader)),
            changedRelationships: related, timestamp: try timestamp(decoder.reader), primaryKey: primaryKey)
    }

    /// Reads the same values as `change`, in the same order.
    func outline(_ decoder: inout KeyedArchiveDecoder) throws(PropertyListError) -> ChangeOutline {
        let entity = try entity(&decoder)
        let related = try decoder.check(try reference(.changedRelationships, decoder.reader))
        guard related.isNil || related == .string else {
            throw failure(.changedRelationships, "a string or NSNull", decoder.reader)
        }
        return ChangeOutline(
            type: ChangeType(number: try number(decoder.reader)), entity: entity,
            hasSyncID: try hasText(.objectSyncID, &decoder), hasKey: try hasText(.relevantKey, &decoder),
            hasRelatedEntity: try hasText(.relatedObjectEntityName, &decoder),
            hasAttributes: try decoder.check(try reference(.changedAttributes, decoder.reader))
                == .dictionary,
            hasRelatedSyncID: related == .string, primaryKey: primaryKey)
    }

    /// Core Data opens a set whose change names no entity; the app crashes when it applies that change.
    private func entity(_ decoder: inout KeyedArchiveDecoder) throws(PropertyListError) -> String {
        try text(.objectEntityName, &decoder) ?? ""
    }

    /// A string, or nil for NSNull.
    private func text(_ slot: Property, _ decoder: inout KeyedArchiveDecoder) throws(PropertyListError)
        -> String?
    {
        let reference = try reference(slot, decoder.reader)
        if let text = try decoder.string(reference) { return text }
        if decoder.reader.isNil(reference) { return nil }
        guard try decoder.isNull(reference) else {
            throw failure(slot, "a string or NSNull", decoder.reader)
        }
        return nil
    }

    private func hasText(_ slot: Property, _ decoder: inout KeyedArchiveDecoder) throws(PropertyListError)
        -> Bool
    {
        switch try decoder.checkText(try reference(slot, decoder.reader)) {
        case .string: return true
        case .none, .null: return false
        default: throw failure(slot, "a string or NSNull", decoder.reader)
        }
    }

    private func failure(
        _ slot: Property, _ expected: String, _ reader: KeyedArchiveReader
    ) -> PropertyListError {
        let reference = try? reference(slot, reader)  // try?: what can be told of a damaged set
        let className = reference.flatMap { try? reader.className(of: $0) }  // try?: as above
        return PropertyListError(
            offset: reference.map { reader.offset(of: $0) } ?? 0,
            expected: "slot \(slot.rawValue): \(slot), \(expected)", found: className ?? "another value")
    }

    /// The properties of a sync change in the order of the slots.
    enum Property: Int, CaseIterable {
        case changeType, changedAttributes, changedRelationships, localTimeStamp
        case objectEntityName, objectSyncID, relatedObjectEntityName, relevantKey

        static let count = allCases.count
    }
}
