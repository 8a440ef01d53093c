public import CoreDataStore
import KeyedArchive
public import SystemCalls

/// An entity and all its properties, inherited ones first.
public struct ExportedEntity: Sendable, Hashable {
    /// The name of the entity.
    public var name: String
    /// The root entity, in which primary keys are unique.
    public var root: String
    /// The attributes, inherited ones first.
    public var attributes: [Attribute] = []
    /// The relationships, inherited ones first.
    public var relationships: [Relationship] = []

    /// An attribute and its type.
    public struct Attribute: Sendable, Hashable {
        /// The name of the attribute.
        public var name: String
        /// The type; without a model, the type of the column.
        public var type: AttributeType
    }

    /// A relationship and its inverse.
    public struct Relationship: Sendable, Hashable {
        /// The name of the relationship.
        public var name: String
        /// Whether the relationship may have several targets.
        public var isToMany: Bool
        /// Whether the relationship is ordered.
        public var isOrdered = false
        /// The name of the destination entity; nil if it is unknown.
        public var destination: String?
        /// The name of the inverse relationship.
        public var inverse: String?
        /// Whether the inverse is to-many.
        public var isInverseToMany = false
        /// Whether the inverse is ordered.
        public var isInverseOrdered = false
        /// The entity that declares the relationship, or, without a model, the place of its rows; sibling entities may
        /// declare relationships with the same name.
        var declaration = ""
        /// The entity that declares the inverse, or the place of its rows.
        var inverseDeclaration = ""
    }
}

/// The entities of a store and their properties, with or without a model.
public struct ExportedEntities: Sendable {
    /// The concrete entities, in the order of the store.
    public let all: [ExportedEntity]
    private let roots: [String: String]

    /// The key of a relationship: its declaration, which subentities inherit, and its name.
    func key(_ entity: ExportedEntity, _ relationship: ExportedEntity.Relationship) -> PropertyKey {
        PropertyKey(entity: "\(entity.root)\0\(relationship.declaration)", name: relationship.name)
    }

    /// The key of the inverse of a relationship.
    func inverseKey(_ relationship: ExportedEntity.Relationship) -> PropertyKey? {
        guard let inverse = relationship.inverse, let destination = relationship.destination else {
            return nil
        }
        return PropertyKey(
            entity: "\(root(of: destination))\0\(relationship.inverseDeclaration)", name: inverse)
    }

    /// The root entity, whose objects share a sequence of primary keys.
    public func root(of entity: String) -> String { roots[entity] ?? entity }

    /// The entities of a store, from its model or its tables.
    public init(_ store: any PersistentStore) throws(FileProblem) {
        var roots: [String: String] = [:]
        if let model = store.model {
            for entity in model.entities { roots[entity.name] = model.rootEntity(of: entity.name)?.name }
        }
        if let store = store as? SQLiteStore {
            self.init(store.layouts, store.model, store.entities)
            return
        }
        self.init(all: try Self.entities(of: store, roots), roots: roots)
    }

    /// The concrete entities of a model, in the order of an SQLite store, or in that of a binary or XML store.
    init(_ model: ManagedObjectModel, inCodePointOrder: Bool) {
        let order = model.numberedEntities.map(\.name)
        let names = inCodePointOrder ? order.sorted { $0.precedesInCodePoints($1) } : order
        let roots = Dictionary(
            order.map { ($0, model.rootEntity(of: $0)?.name ?? $0) }, uniquingKeysWith: { first, _ in first })
        let all = names.filter { model[$0]?.isAbstract == false }.map { Self.entity($0, roots, model) }
        self.init(all: all, roots: roots)
    }

    private static func entity(
        _ name: String, _ roots: [String: String], _ model: ManagedObjectModel
    ) -> ExportedEntity {
        let attributes = model.attributes(of: name).filter { !$0.isTransient && $0.type != .undefined }
        return ExportedEntity(
            name: name, root: roots[name] ?? name,
            attributes: attributes.map { ExportedEntity.Attribute(name: $0.name, type: $0.type) },
            relationships: model.relationships(of: name).filter { !$0.isTransient }.map {
                relationship($0, of: name, model)
            })
    }

    private init(all: [ExportedEntity], roots: [String: String]) {
        self.all = all
        self.roots = roots
    }

    /// One of the entities, with all properties or with some key paths; nil if it does not exist.
    public func only(_ name: String, columns: [[String]]?) -> ExportedEntities? {
        guard var entity = all.first(where: { $0.name == name }) else { return nil }
        if let columns {
            let (attributes, relationships) = (entity.attributes, entity.relationships)
            (entity.attributes, entity.relationships) = ([], [])
            for path in columns {
                if path.count == 1, let found = relationships.first(where: { $0.name == path[0] }) {
                    entity.relationships.append(found)
                    continue
                }
                let name = path.joined(separator: ".")
                let type = attributes.first { $0.name == name }?.type
                entity.attributes.append(ExportedEntity.Attribute(name: name, type: type ?? .undefined))
            }
        }
        return ExportedEntities(all: [entity], roots: roots)
    }

    /// The entities that have objects, with the properties that have a value in one of them.
    public func only(_ used: [String: UsedProperties]) -> ExportedEntities {
        let kept = all.compactMap { entity in
            used[entity.name].map { used in
                var entity = entity
                entity.attributes.removeAll { !used.names.contains($0.name) }
                entity.relationships.removeAll { !used.names.contains($0.name) }
                return entity
            }
        }
        return ExportedEntities(all: kept, roots: roots)
    }

    /// The entities of an SQLite store, from the layout of its tables.
    init(_ layouts: [EntityLayout], _ model: ManagedObjectModel?, _ entities: StoreEntities) {
        var roots: [String: String] = [:]
        for entity in model?.entities ?? [] { roots[entity.name] = model?.rootEntity(of: entity.name)?.name }
        for entity in entities.all { roots[entity.name] = entities[entity.root]?.name }
        self.roots = roots
        all = layouts.map { Self.entity($0, model, entities) }
    }

    private static func entity(
        _ layout: EntityLayout, _ model: ManagedObjectModel?, _ entities: StoreEntities
    ) -> ExportedEntity {
        let name = layout.entity.name
        let known = model?.relationships(of: name) ?? []
        return ExportedEntity(
            name: name, root: entities[layout.entity.root]?.name ?? name,
            attributes: layout.attributes.map { ExportedEntity.Attribute(name: $0.name, type: $0.type) },
            relationships: layout.relationships.map { planned in
                if let found = known.first(where: { $0.name == planned.name }), let model {
                    return relationship(found, of: name, model)
                }
                return ExportedEntity.Relationship(
                    name: planned.name, isToMany: planned.isToMany, isOrdered: planned.isOrdered,
                    destination: destination(planned, entities)?.name,
                    declaration: planned.side.map { "\($0.table)\0\($0.owner)" } ?? "")
            })
    }

    private static func relationship(
        _ found: RelationshipDescription, of entity: String, _ model: ManagedObjectModel
    ) -> ExportedEntity.Relationship {
        let back = model.inverse(of: found)
        let inverse = back?.relationship
        let declaring = model.ancestry(of: entity).last {
            $0.relationships.contains { $0.name == found.name }
        }
        return ExportedEntity.Relationship(
            name: found.name, isToMany: found.isToMany, isOrdered: found.isOrdered,
            destination: found.destination, inverse: inverse?.name,
            isInverseToMany: inverse?.isToMany == true,
            isInverseOrdered: inverse?.isOrdered == true, declaration: declaring?.name ?? entity,
            inverseDeclaration: back?.entity ?? "")
    }

    /// The destination of a relationship without a model, from column names (core-data-sqlite-store(5), 6).
    private static func destination(
        _ relationship: EntityLayout.Relationship, _ entities: StoreEntities
    ) -> StoreEntity? {
        guard case .rows(let side) = relationship.storage else { return nil }
        if side.target == "Z_PK" {
            return entities.all.first {
                $0.superentity == 0 && entities.tableName(of: $0) == side.table
            }
        }
        let named = side.target == "REFLEXIVE" ? side.owner : side.target
        return SchemaLayout.number(in: named.dropFirst(2)).flatMap { entities[$0.number] }
    }

    /// The entities of a binary store, from its model and its objects.
    private static func entities(
        of store: any PersistentStore, _ roots: [String: String]
    ) throws(FileProblem) -> [ExportedEntity] {
        var found: [String: ExportedEntity] = [:]
        for entity in store.model?.entities ?? [] where !entity.isAbstract {
            guard let model = store.model else { break }
            found[entity.name] = Self.entity(entity.name, roots, model)
        }
        let known = Set(found.keys)
        try store.forEachObject(entity: nil, onDamage: { _ in }) { object in
            guard !known.contains(object.entity) else { return }
            var entity = found[object.entity] ?? ExportedEntity(name: object.entity, root: object.entity)
            for attribute in object.attributes
            where !entity.attributes.contains(where: { $0.name == attribute.name }) {
                entity.attributes.append(ExportedEntity.Attribute(name: attribute.name, type: .undefined))
            }
            for relationship in object.relationships
            where !entity.relationships.contains(where: { $0.name == relationship.name }) {
                // A binary store does not show which relationships are to-one.
                let isToOne = if case .toOne = relationship.target { true } else { false }
                entity.relationships.append(
                    ExportedEntity.Relationship(name: relationship.name, isToMany: !isToOne))
            }
            found[object.entity] = entity
        }
        return found.values.sorted { $0.name.precedesInCodePoints($1.name) }
    }
}

extension EntityLayout.Relationship {
    fileprivate var isToMany: Bool { if case .rows = storage { true } else { false } }
    fileprivate var isOrdered: Bool { if case .rows(let side) = storage { side.order != nil } else { false } }
}

/// The properties that have a value in at least one object of an entity.
public struct UsedProperties: Sendable {
    fileprivate var names: Set<String> = []

    /// No properties.
    public init() {}

    /// Adds the properties of an object that have a value.
    public mutating func add(_ object: StoredObject) {
        for attribute in object.attributes {
            switch attribute.value {
            case .none, .null: continue
            default: names.insert(attribute.name)
            }
        }
        for relationship in object.relationships where !relationship.target.keys.isEmpty {
            names.insert(relationship.name)
        }
    }
}
