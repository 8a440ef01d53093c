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

    let archive: BinaryStoreArchive
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
            return Place(
                type: try slots.number(reader), timestamp: try slots.timestamp(reader), position: position,
                slots: slots)
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
        try forEach(
            onDamage: onDamage, { slots, decoder throws(PropertyListError) in try slots.change(&decoder) },
            body)
    }

    /// The same without their values, which are checked all the same.
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
        _ read: (ChangeSlots, inout ArchiveDecoder) throws(PropertyListError) -> Found,
        _ body: (Found) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for problem in problems { try onDamage(problem) }
        guard let objects = archive.objects else { return }
        var decoder = ArchiveDecoder(objects)
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
