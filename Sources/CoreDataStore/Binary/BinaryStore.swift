package import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A binary store, with the values of its objects matched to the attributes of a model.
public struct BinaryStore: PersistentStore {
    /// The store without attribute names.
    public let archive: BinaryStoreArchive
    /// The metadata of Core Data and the app.
    public let metadata: StoreMetadata
    /// The model; nil if there is none or none matches.
    public let model: ManagedObjectModel?
    /// The notes for readers of the data.
    public let notes: [StoreNote]

    /// The path by which the file was opened.
    public var path: FilePath { archive.path }

    /// The problem that the file was altered after it was written.
    public var shortfalls: [FileProblem] { archive.shortfall.map { [$0] } ?? [] }

    /// Without a model, attributes have the names of their slots: "slot0", "slot1" and so on.
    public init(_ archive: BinaryStoreArchive, model: ManagedObjectModel?, notes: [StoreNote] = []) {
        self.archive = archive
        metadata = archive.metadata
        self.model = model
        var notes = notes
        if model == nil {
            let text = "a binary store has no names of attributes: they are shown as slot0, slot1 and so on"
            notes.append(StoreNote(code: "noModel", text: text))
        }
        if archive.header == nil {
            notes.append(
                StoreNote(code: "emptyFile", text: "the file is empty: a store that was never saved"))
        }
        if let note = model?.unreadNote { notes.append(note) }
        self.notes = notes
    }

    /// The number of objects of each entity, by entity name.
    public func objectCounts() throws(FileProblem) -> [EntityCount] {
        var counts: [String: Int] = [:]
        for position in 0..<archive.count { counts[try archive.node(at: position).entity, default: 0] += 1 }
        return counts.map { EntityCount(entity: $0.key, count: $0.value) }.sorted { $0.entity < $1.entity }
    }

    /// Calls `body` with every object, by entity and primary key, and `onDamage` for an object that cannot be decoded.
    public func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard let reader = archive.objects else { return }
        var order: [(entity: String, key: Int64, position: Int)] = []
        for position in 0..<archive.count {
            do throws(FileProblem) {
                let node = try archive.node(at: position)
                if entity == nil || entity == node.entity {
                    order.append((node.entity, node.primaryKey, position))
                }
            } catch {
                try onDamage(error)
            }
        }
        order.sort { ($0.entity, $0.key) < ($1.entity, $1.key) }
        var decoder = KeyedArchiveDecoder(reader)
        for place in order {
            let found: StoredObject
            do throws(FileProblem) {
                found = try object(try archive.node(at: place.position), &decoder)
            } catch {
                try onDamage(error)
                continue
            }
            try body(found)
        }
    }

    /// Objects of entities that the model does not have, or declares abstract.
    public func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity] {
        guard let model else { return [] }
        var counts: [String: Int] = [:]
        for position in 0..<archive.count {
            // try?: `forEachObject` reports objects that cannot be read
            guard let node = try? archive.node(at: position) else { continue }
            if model[node.entity]?.isAbstract != false { counts[node.entity, default: 0] += 1 }
        }
        return counts.sorted { $0.key < $1.key }.map {
            UnexplainedEntity(entity: $0.key, count: $0.value, isAbstract: model[$0.key] != nil)
        }
    }

    private func object(
        _ node: BinaryStoreNode, _ decoder: inout KeyedArchiveDecoder
    ) throws(FileProblem) -> StoredObject {
        do throws(PropertyListError) {
            return StoredObject(
                entity: node.entity, primaryKey: node.primaryKey, attributes: try attributes(node, &decoder),
                relationships: try relationships(node, &decoder))
        } catch {
            throw FileProblem(error, path: path, advice: "Check that the model is the one of this store")
        }
    }

    private func attributes(
        _ node: BinaryStoreNode, _ decoder: inout KeyedArchiveDecoder
    ) throws(PropertyListError) -> [StoredAttribute] {
        guard let slots = node.slots else { return try namedAttributes(node, &decoder) }
        let values = try decoder.elements(of: slots)
        guard let model, model[node.entity] != nil else {
            var attributes: [StoredAttribute] = []
            for (number, value) in values.enumerated() {
                attributes.append(StoredAttribute(name: "slot\(number)", value: try decoder.value(of: value)))
            }
            return attributes
        }
        let expected = model.slots(of: node.entity)
        guard values.count == expected.count else {
            throw PropertyListError(
                offset: decoder.reader.offset(of: slots),
                expected: "\(expected.count) slots of entity \(node.entity) by the model",
                found: "\(values.count)")
        }
        var attributes: [StoredAttribute] = []
        for (slot, value) in zip(expected, values) {
            guard let attribute = slot.persistentAttribute else { continue }
            let decoded = attribute.type.coerced(try decoder.value(of: value))
            guard attribute.type.admits(decoded) else {
                throw PropertyListError(
                    offset: decoder.reader.offset(of: value),
                    expected: "a value of type \(attribute.type) for \(node.entity).\(attribute.name)",
                    found: decoded.kindName)
            }
            attributes.append(StoredAttribute(name: attribute.name, value: decoded))
        }
        return attributes
    }

    private func namedAttributes(
        _ node: BinaryStoreNode, _ decoder: inout KeyedArchiveDecoder
    ) throws(PropertyListError) -> [StoredAttribute] {
        guard let named = node.namedAttributes else { return [] }
        var attributes: [StoredAttribute] = []
        for (key, value) in try decoder.entries(of: named) {
            let name = try decoder.reader.name(key) ?? "?"
            attributes.append(StoredAttribute(name: name, value: try decoder.value(of: value)))
        }
        return attributes
    }

    private func relationships(
        _ node: BinaryStoreNode, _ decoder: inout KeyedArchiveDecoder
    ) throws(PropertyListError) -> [StoredRelationship] {
        let reader = decoder.reader
        var targets: [String: [Int64]] = [:]
        if let related = node.relatedNodes {
            for (key, value) in try decoder.entries(of: related) {
                let name = try reader.name(key) ?? "?"
                for element in try decoder.elements(of: value) {
                    guard let number = try reader.integer(element).flatMap({ Int64(exactly: $0) }) else {
                        throw PropertyListError(
                            offset: reader.offset(of: element), expected: "a primary key",
                            found: "another object")
                    }
                    targets[name, default: []].append(number)
                }
            }
        }
        guard let model, model[node.entity] != nil else {
            return targets.sorted { $0.key < $1.key }.map {
                StoredRelationship(name: $0.key, target: .toMany($0.value))
            }
        }
        var relationships: [StoredRelationship] = []
        for relationship in model.relationships(of: node.entity) where !relationship.isTransient {
            let keys = targets.removeValue(forKey: relationship.name) ?? []
            guard relationship.isToMany || keys.count <= 1 else {
                throw PropertyListError(
                    offset: reader.offset(of: node.reference),
                    expected: "one object in \(node.entity).\(relationship.name)", found: "\(keys.count)")
            }
            let target: StoredRelationship.Target = relationship.isToMany ? .toMany(keys) : .toOne(keys.first)
            relationships.append(StoredRelationship(name: relationship.name, target: target))
        }
        guard let unknown = targets.keys.min() else { return relationships }
        throw PropertyListError(
            offset: reader.offset(of: node.reference), expected: "relationships of entity \(node.entity)",
            found: "\(unknown)")
    }
}

extension AttributeType {
    /// Converts a value to this type. A keyed archive stores a Boolean as 0 or 1, and a real without a fraction as an
    /// integer (core-data-binary-store(5), 2 and 6).
    package func coerced(_ value: ArchivedValue) -> ArchivedValue {
        switch (self, value) {
        case (.boolean, .integer(0)): .boolean(false)
        case (.boolean, .integer(1)): .boolean(true)
        case (.integer16, .boolean(let flag)), (.integer32, .boolean(let flag)),
            (.integer64, .boolean(let flag)):
            .integer(flag ? 1 : 0)
        case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
        case (.decimal, .integer(let number)):
            .decimal(
                ArchivedDecimal(
                    mantissa: number.magnitude, exponent: 0, isNegative: number < 0))
        case (_, .none): .null
        default: value
        }
    }

    /// Whether an attribute of this type can have the value. Nil is always possible here; the model decides whether it
    /// is valid.
    package func admits(_ value: ArchivedValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.transformable, _), (.undefined, _), (.objectID, _), (.composite, _): true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.integer64, .integer(let number)): Int64(exactly: number) != nil
        case (.boolean, .boolean), (.string, .string), (.date, .date), (.binary, .data): true
        case (.double, .real), (.float, .real), (.decimal, .decimal), (.decimal, .real): true
        case (.uuid, .uuid), (.uri, .url): true
        default: false
        }
    }
}
