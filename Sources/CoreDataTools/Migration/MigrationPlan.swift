import CoreDataStore
import KeyedArchive

/// A mapping of entities, prepared for many objects.
struct EntityPlan {
    /// Whether the objects are those that no other mapping of the entity takes.
    var isRest = false
    /// The position among the mappings.
    var number: Int
    var source: String
    /// The root entity of the source, in which primary keys are unique.
    var sourceRoot: String
    var destination: Destination?
    var destinationRoot = ""
    var predicate: ObjectPredicate?
    var attributes: [AttributePlan] = []
    var relationships: [RelationshipPlan] = []
    /// The properties of the old entity that no expression uses.
    var removed: [RemovedPlan] = []
    /// The uniqueness constraints of the new entity.
    var constraints: [UniquePlan] = []
    /// The attribute of the old entity that labels its objects.
    var label: String?
    /// The place of the objects in the report.
    var place: Int
    /// The number of objects.
    var objects = 0

    /// The entity of the new model.
    struct Destination {
        var name: String
        var isAbstract: Bool
    }
}

/// A property of the old entity for which there is no place.
struct RemovedPlan {
    var name: String
    var isAttribute: Bool
    var place: Int
    /// The number of values.
    var lost = 0
    /// The probable position among the attributes or relationships of an old object.
    var hint = 0
}

/// A new attribute, or an element of one.
struct AttributePlan {
    enum Way {
        /// The value of the old attribute with this name.
        case copied(String)
        /// The same, or a default for an object without a value.
        case filled(String, ArchivedValue)
        case constant(ArchivedValue)
        case computed(MigrationExpression)
    }

    var name: String
    var type: AttributeType
    var way: Way
    /// Whether an object can lack the value, although the new model requires one.
    var mayLackValue: Bool
    var place: Int
    /// Whether a constant is the default of the new model.
    var isAdded = false
    /// The numbers of values, and of those that are the default of the new model.
    var values = 0
    var defaults = 0
    /// The probable position among the attributes of an old object.
    var hint = 0
}

/// A new relationship.
struct RelationshipPlan {
    enum Way {
        case empty
        /// The objects that were made of those to which the old relationship with this name leads.
        case copied(String, LinkRule)
        case computed(MigrationExpression)
    }

    var relationship: RelationshipDescription
    var way: Way
    /// Whether the numbers of destination objects can differ from those that the new model allows.
    var isCounted: Bool
    /// Whether the links follow from those of the inverse, so that the new object need not have them.
    var isImplied = false
    /// The check of the links together with those of the inverse.
    var pairs: PairPlan?
    var place: Int
    /// The name of the old relationship if its keys need no change and no check.
    var unchanged: String?
    /// The number of destination objects, and of those that have no place.
    var values = 0
    var lost = 0
    /// The probable position among the relationships of an old object.
    var hint = 0
}

/// The objects of the new store to which keys of the old one lead.
struct LinkRule {
    /// The positions of the mappings whose objects count.
    var mappings: [Int]
    /// The root entity of the keys.
    var root: String
    /// The entities whose objects have no place at the end; empty if no object must be looked up.
    var excluded: Set<String>
}

/// The links of a relationship and its inverse, which must not contradict each other.
struct PairPlan {
    /// The number of the pair.
    var number: Int64
    /// Whether the object is the first of the pair.
    var isFirst: Bool
    /// Whether the relationship is its own inverse.
    var isReflexive: Bool
    /// The largest number of second objects for each first one, and the reverse; nil for any.
    var mostSeconds: Int?
    var mostFirsts: Int?
}

/// A combination of values that no two objects may share.
struct UniquePlan {
    var number: Int64
    var properties: [String]
}

extension ManagedObjectModel {
    /// The names of the concrete entities that are of an entity or inherit from it, by its name.
    var concreteEntities: [String: [String]] {
        var names: [String: [String]] = [:]
        for entity in entities where !entity.isAbstract {
            for ancestor in ancestry(of: entity.name) {
                names[ancestor.name, default: []].append(entity.name)
            }
        }
        return names
    }

    /// The attributes of an entity with columns of their own, inherited ones first.
    func storedParts(of entity: String) -> [AttributePart] {
        attributes(of: entity).filter { !$0.isTransient }.flatMap(\.parts).filter(\.attribute.isStored)
    }

    /// The stored relationships of an entity, inherited ones first.
    func storedRelationships(of entity: String) -> [RelationshipDescription] {
        relationships(of: entity).filter { !$0.isTransient }
    }

    /// The entity that declares a relationship which `entity` has or inherits.
    func declaration(of relationship: String, in entity: String) -> PropertyKey? {
        ancestry(of: entity).first { $0.relationships.contains { $0.name == relationship } }
            .map { PropertyKey(entity: $0.name, name: relationship) }
    }

    /// The stored inverse of a relationship.
    func storedInverse(of relationship: RelationshipDescription) -> (
        key: PropertyKey, relationship: RelationshipDescription
    )? {
        inverse(of: relationship).flatMap { found in
            found.relationship.isTransient
                ? nil : (PropertyKey(entity: found.entity, name: found.relationship.name), found.relationship)
        }
    }
}

/// The end of a key path.
enum PathEnd {
    case attribute
    /// Objects of this entity.
    case objects(String)
}

extension ManagedObjectModel {
    /// The end of a key path from an entity; nil if the entity has no such path.
    func end(of path: [String], from entity: String) -> PathEnd? {
        var entity = entity
        for (place, name) in path.enumerated() {
            let rest = path[place...].joined(separator: ".")
            if storedParts(of: entity).contains(where: { $0.name == rest }) { return .attribute }
            guard let next = storedRelationships(of: entity).first(where: { $0.name == name }) else {
                return nil
            }
            if path.count == place + 2, path.last == "@count", next.isToMany { return .attribute }
            entity = next.destination
        }
        return .objects(entity)
    }
}

extension MigrationExpression {
    /// The paths from the old object.
    var paths: [[String]] {
        switch self {
        case .constant: []
        case .source(let path): [path]
        case .destinations(_, let sources): sources.paths
        case .function(_, let arguments): arguments.flatMap(\.paths)
        case .conditional(let condition, let one, let other): condition.keyPaths + one.paths + other.paths
        }
    }

    /// The depth of nesting, at most one more than `limit`.
    func depth(limit: Int) -> Int {
        guard limit > 0 else { return 1 }
        let inner: [MigrationExpression]
        switch self {
        case .constant, .source: return 1
        case .destinations(_, let sources): inner = [sources]
        case .function(_, let arguments): inner = arguments
        case .conditional(_, let one, let other): inner = [one, other]
        }
        return 1 + (inner.map { $0.depth(limit: limit - 1) }.max() ?? 0)
    }

    /// The names of mappings to which it refers.
    var mappings: [String] {
        switch self {
        case .constant, .source: []
        case .destinations(let names, let sources): names + sources.mappings
        case .function(_, let arguments): arguments.flatMap(\.mappings)
        case .conditional(_, let one, let other): one.mappings + other.mappings
        }
    }
}
