public import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A sync change of a damaged change set, as far as it survives.
public struct RecoveredChange: Sendable {
    /// The parts of a change.
    public enum Part: String, Sendable, CaseIterable {
        /// The parts, named as in `ticds.change/1`.
        case type, entity, objectSyncID, key, relatedEntity, attributes, relatedSyncID, timestamp
    }

    /// The surviving parts. Parts that are missing have no meaning here.
    public var change: SyncChange
    /// The parts that are lost. Some attributes of an insert may survive.
    public var missing: Set<Part>
    /// The names of lost attributes of an insert, as far as the names survive.
    public var missingAttributes: [String]
    /// The offset of the change in the file.
    public var offset: Int

    /// Whether nothing is lost.
    public var isWhole: Bool { missing.isEmpty }
}

/// The surviving content of a truncated or damaged binary change set.
public struct DamagedChangeSet: Sendable {
    /// The store.
    public let store: DamagedBinaryStore

    /// Finds the surviving changes.
    /// - Throws: an error if no change can be read, and for a change set that is not a binary store.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        if PlainSignature(bytes) == .sqlite {
            throw FileProblem(
                .unsupported, path: path, "is an SQLite store, and no binary change set",
                expected: "\"CoreData\"", found: "\"SQLite format 3\"",
                advice: "Read it with ticds-store recover")
        }
        store = try DamagedBinaryStore(bytes, path: path)
        guard store.nodes.allSatisfy({ $0.entity == nil || $0.entity == FrameworkModels.syncChangeEntity })
        else {
            throw FileProblem(
                .unsupported, path: path, "is no change set",
                expected: "objects of the entity \(FrameworkModels.syncChangeEntity)",
                found: "objects of \(Set(store.nodes.compactMap(\.entity)).sorted().listed())",
                advice: "Read another store with ticds-store recover")
        }
    }

    /// Calls `body` with the surviving changes: in the order of application as far as they have a place in it, then the
    /// others.
    public func forEachChange(
        _ body: (RecoveredChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var decoder = KeyedArchiveDecoder(store.objects.reader)
        // By type and time, which may be lost; the position decides between equal ones, as in an intact set.
        var order: [(lost: Int, type: Int, time: Double, position: Int)] = []
        order.reserveCapacity(store.nodes.count)
        for (position, node) in store.nodes.enumerated() {
            let (type, time) = place(node, &decoder)
            order.append(
                (type == nil ? 2 : time == nil ? 1 : 0, type ?? 0, type == nil ? 0 : time ?? 0, position))
        }
        order.sort { $0 < $1 }
        for place in order { try body(change(store.nodes[place.position], &decoder)) }
    }

    /// All changes in the order of the file, if only its end is missing and no change is damaged; nil otherwise.
    package func changesIfOnlyCutOff() -> [SyncChange]? {
        guard let expected = store.size.expected, store.size.found < expected,
            store.objects.contradiction == nil, store.lostKeys?.isEmpty == true
        else { return nil }
        var decoder = KeyedArchiveDecoder(store.objects.reader)
        let changes = store.nodes.map { change($0, &decoder) }
        return changes.allSatisfy(\.isWhole) ? changes.map(\.change) : nil
    }

    private func slots(_ node: DamagedNode, _ decoder: inout KeyedArchiveDecoder) -> [ArchivedReference?]? {
        // try?: counts as lost
        guard let list = node.slots.flatMap({ try? decoder.membersLeft(of: $0) }),
            list.count == ChangeSlots.Property.count
        else { return nil }
        return list
    }

    private func place(
        _ node: DamagedNode, _ decoder: inout KeyedArchiveDecoder
    ) -> (type: Int?, time: Double?) {
        guard let list = slots(node, &decoder) else { return (nil, nil) }
        // try?: here and below, counts as lost
        let type = list[ChangeSlots.Property.changeType.rawValue].flatMap { try? decoder.value(of: $0) }
        // try?: counts as lost
        let time = list[ChangeSlots.Property.localTimeStamp.rawValue].flatMap { try? decoder.value(of: $0) }
        return (
            type?.integerValue.flatMap { Int16(exactly: $0) }.map { Int($0) },
            time?.dateValue.flatMap { $0.isNaN ? nil : $0 }
        )
    }

    private func change(_ node: DamagedNode, _ decoder: inout KeyedArchiveDecoder) -> RecoveredChange {
        var found = RecoveredChange(
            change: SyncChange(
                type: .unknown(0), entity: "", objectSyncID: nil, timestamp: nil,
                primaryKey: node.primaryKey ?? 0),
            missing: [], missingAttributes: [], offset: store.objects.reader.offset(of: node.reference))
        guard let list = slots(node, &decoder) else {
            found.missing = Set(RecoveredChange.Part.allCases)
            return found
        }
        func value(_ slot: ChangeSlots.Property) -> ArchivedValue? {
            list[slot.rawValue].flatMap { try? decoder.value(of: $0) }  // try?: counts as lost
        }
        func text(_ slot: ChangeSlots.Property, _ part: RecoveredChange.Part) -> String? {
            switch value(slot) {
            case .string(let text)?: return text
            case .null?, ArchivedValue.none?: return nil
            default:
                found.missing.insert(part)
                return nil
            }
        }
        if let number = value(.changeType)?.integerValue.flatMap({ Int16(exactly: $0) }) {
            found.change.type = ChangeType(number: Int(number))
        } else {
            found.missing.insert(.type)
        }
        if let time = value(.localTimeStamp)?.dateValue, !time.isNaN {
            found.change.timestamp = time
        } else {
            found.missing.insert(.timestamp)
        }
        found.change.entity = text(.objectEntityName, .entity) ?? ""
        found.change.objectSyncID = text(.objectSyncID, .objectSyncID)
        found.change.key = text(.relevantKey, .key)
        found.change.relatedEntity = text(.relatedObjectEntityName, .relatedEntity)
        found.change.changedRelationships =
            text(.changedRelationships, .relatedSyncID).map { .string($0) } ?? .null
        // A value that no writer can put into a set counts as lost.
        if let attributes = value(.changedAttributes), KeyedArchiveWriter.canWrite(attributes) {
            found.change.changedAttributes = attributes
        } else {
            found.missing.insert(.attributes)
            addAttributes(list[ChangeSlots.Property.changedAttributes.rawValue], to: &found, &decoder)
        }
        return found
    }

    /// Adds the surviving attributes of the dictionary of an insert.
    private func addAttributes(
        _ reference: ArchivedReference?, to found: inout RecoveredChange, _ decoder: inout KeyedArchiveDecoder
    ) {
        // try?: here and below, counts as lost
        guard let reference, let pairs = try? decoder.pairsLeft(of: reference) else { return }
        var left: [ArchivedPair] = []
        for (key, value) in pairs {
            guard let key, let name = try? decoder.value(of: key) else { continue }  // try?: counts as lost
            // try?: counts as lost
            if let value, let content = try? decoder.value(of: value), KeyedArchiveWriter.canWrite(content) {
                left.append(ArchivedPair(key: name, value: content))
            } else if let text = name.stringValue {
                found.missingAttributes.append(text)
            }
        }
        found.change.changedAttributes = .dictionary(left)
    }
}
