public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// An object of a damaged binary store, as far as it survives.
public struct RecoveredObject: Sendable {
    /// The entity; nil if its name is lost.
    public var entity: String?
    /// The primary key; nil if it is lost.
    public var primaryKey: Int64?
    /// The offset of its node in the file.
    public var offset: Int
    /// The attributes whose values survive.
    public var attributes: [StoredAttribute] = []
    /// The relationships that survive.
    public var relationships: [StoredRelationship] = []
    /// The names of attributes and relationships that are lost.
    public var missing: [String] = []
    /// Whether further parts are lost, of which not even the name is known.
    public var isMissingMore = false
    /// The values by position, and the primary keys of relationships, for a new store.
    package var slots: [ArchivedValue] = []
    package var related: [BinaryStoreWriter.Related] = []

    /// Whether nothing is lost.
    public var isWhole: Bool { entity != nil && primaryKey != nil && missing.isEmpty && !isMissingMore }
}

extension DamagedBinaryStore {
    /// Calls `body` with every surviving object, by entity and primary key; objects without these come last.
    /// - Parameters:
    ///   - model: gives names to attributes; without one they are slot0, slot1 and so on.
    ///   - onDamage: receives a problem for each entity whose objects do not match the model.
    public func forEachObject(
        model: ManagedObjectModel?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (RecoveredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var decoder = KeyedArchiveDecoder(objects.reader)
        var slots = SlotNames(model: model)
        func place(_ node: DamagedNode) -> (Int, String, Int64) {
            (node.entity == nil || node.primaryKey == nil ? 1 : 0, node.entity ?? "", node.primaryKey ?? 0)
        }
        for node in nodes.sorted(by: { place($0) < place($1) }) {
            var object = RecoveredObject(
                entity: node.entity, primaryKey: node.primaryKey,
                offset: objects.reader.offset(of: node.reference))
            if let found = addAttributes(of: node, to: &object, &slots, &decoder) {
                try onDamage(
                    FileProblem(
                        .damaged, path: path, offset: object.offset,
                        "the model does not fit the objects of entity \(node.entity ?? "?"), which are shown without names",
                        expected: "\(slots.count(of: node.entity)) slots by the model", found: "\(found)",
                        advice: "Check that the model is the one of this store"))
            }
            addRelationships(of: node, to: &object, model, &decoder)
            try body(object)
        }
    }

    /// - Returns: the number of values of the first object that does not match the model.
    private func addAttributes(
        of node: DamagedNode, to object: inout RecoveredObject, _ slots: inout SlotNames,
        _ decoder: inout KeyedArchiveDecoder
    ) -> Int? {
        // try?: counts as lost
        guard let list = node.slots, let members = try? decoder.membersLeft(of: list) else {
            object.missing = slots[node.entity]?.compactMap { $0.persistentAttribute?.name } ?? []
            object.isMissingMore = object.missing.isEmpty
            return nil
        }
        var misfit: Int?
        var known = slots[node.entity]
        if let expected = known, expected.count != members.count {
            misfit = slots.refuse(node.entity) ? members.count : nil
            known = nil
        }
        for (number, member) in members.enumerated() {
            // try?: counts as lost
            let value = member.flatMap { try? decoder.value(of: $0) }
            object.slots.append(value ?? .null)
            guard let known else {
                let name = "slot\(number)"
                if let value {
                    object.attributes.append(StoredAttribute(name: name, value: value))
                } else {
                    object.missing.append(name)
                }
                continue
            }
            guard let attribute = known[number].persistentAttribute else { continue }
            // In a damaged file, a value of a different type belongs to another object.
            if let value = value.map({ attribute.type.coerced($0) }), attribute.type.admits(value) {
                object.attributes.append(StoredAttribute(name: attribute.name, value: value))
            } else {
                object.missing.append(attribute.name)
            }
        }
        return misfit
    }

    private func addRelationships(
        of node: DamagedNode, to object: inout RecoveredObject, _ model: ManagedObjectModel?,
        _ decoder: inout KeyedArchiveDecoder
    ) {
        let declared = node.entity.flatMap { name in
            model?[name].map { _ in model?.relationships(of: name).filter { !$0.isTransient } ?? [] }
        }
        guard let relationships = node.relationships(&decoder) else {
            object.missing += declared?.map(\.name) ?? []
            object.isMissingMore = object.isMissingMore || declared?.isEmpty ?? true
            return
        }
        var left: [String: BinaryStoreWriter.Related] = [:]
        for (name, related) in relationships {
            if let related {
                left[related.name] = related
                object.related.append(related)
            } else if let name {
                object.missing.append(name)
            } else {
                object.isMissingMore = true
            }
        }
        guard let declared else {
            object.relationships += left.values.sorted { $0.name < $1.name }.map {
                StoredRelationship(name: $0.name, target: .toMany($0.keys))
            }
            return
        }
        let hasAllNames = !relationships.contains { $0.name == nil }
        for relationship in declared where !object.missing.contains(relationship.name) {
            let found = left.removeValue(forKey: relationship.name)
            let keys = found?.keys ?? []
            // A relationship without a name here can be the one whose name is lost.
            guard found != nil || hasAllNames, relationship.isToMany || keys.count <= 1 else {
                object.missing.append(relationship.name)
                continue
            }
            object.relationships.append(
                StoredRelationship(
                    name: relationship.name,
                    target: relationship.isToMany ? .toMany(keys) : .toOne(keys.first)))
        }
        if !left.isEmpty { object.isMissingMore = true }
    }
}

/// The slots of each entity according to the model.
private struct SlotNames {
    let model: ManagedObjectModel?
    private var known: [String: [BinaryStoreSlot]] = [:]
    private var refused: Set<String> = []

    init(model: ManagedObjectModel?) { self.model = model }

    subscript(entity: String?) -> [BinaryStoreSlot]? {
        mutating get {
            guard let model, let entity, model[entity] != nil else { return nil }
            if let slots = known[entity] { return slots }
            let slots = model.slots(of: entity)
            known[entity] = slots
            return slots
        }
    }

    func count(of entity: String?) -> Int { entity.flatMap { known[$0]?.count } ?? 0 }

    /// Records that an entity does not match. Returns false if that is already known.
    mutating func refuse(_ entity: String?) -> Bool { refused.insert(entity ?? "").inserted }
}

/// Writes salvaged objects into a new binary store.
public struct RecoveredStoreWriter {
    private var kept: [RecoveredObject] = []
    /// The number of omitted objects, of which a part is lost.
    public private(set) var leftOut = 0
    /// The number of omitted references to objects that are not in the new store.
    public private(set) var droppedReferences = 0
    private var keys: Set<Int64> = []

    /// A writer without objects.
    public init() {}

    /// The number of objects.
    public var count: Int { kept.count }

    /// Adds an object if it is complete and no other object has its key.
    public mutating func add(_ object: RecoveredObject) {
        guard object.isWhole, let key = object.primaryKey, keys.insert(key).inserted else {
            leftOut += 1
            return
        }
        kept.append(object)
    }

    /// The bytes of the store. The metadata are the surviving metadata of the old store; Core Data opens a store only
    /// with version hashes.
    public mutating func finish(_ store: DamagedBinaryStore) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryStoreWriter(
            metadata: store.metadata ?? StoreMetadata(.dictionary(["NSStoreType": .string("Binary")])))
        for object in kept {
            var related = object.related
            for place in related.indices {
                let all = related[place].keys.count
                related[place].keys.removeAll { !keys.contains($0) }
                droppedReferences += all - related[place].keys.count  // bounded: references in memory
            }
            try writer.append(
                entity: object.entity ?? "", primaryKey: object.primaryKey ?? 0, slots: object.slots,
                related: related)
        }
        return try writer.finish()
    }
}
