/// A managed object model (NSManagedObjectModel): the entities of a store with their properties.
///
/// Any list of entities makes a model. The readers of model files refuse an inconsistent one (see `firstProblem`), but
/// every function here also returns for such a model.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, sorted by name in code-point order.
    public let entities: [EntityDescription]
    /// The version identifiers; often none, or an empty string.
    public let versionIdentifiers: [String]
    /// Named sets of entities, sorted by name.
    public let configurations: [ModelConfiguration]
    /// The templates of fetch requests, sorted by name.
    public let fetchRequests: [FetchRequestTemplate]
    private let positions: [String: Int]
    /// The position of each entity's superentity.
    private let parents: [Int?]
    /// The position of each entity's root entity.
    private let roots: [Int]

    /// A model of these entities. A property that a superentity also declares counts as inherited.
    public init(
        entities: [EntityDescription], versionIdentifiers: [String] = [],
        configurations: [ModelConfiguration] = [], fetchRequests: [FetchRequestTemplate] = []
    ) {
        let sorted = entities.sorted { $0.name.precedesInCodePoints($1.name) }
        let positions = Dictionary(sorted.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let parents = sorted.map { $0.superentity.flatMap { positions[$0] } }
        let own = sorted.map { Set($0.propertyNames + $0.unreadProperties.map(\.name)) }
        self.positions = positions
        self.parents = parents
        roots = sorted.indices.map { Self.line(upFrom: $0, parents).last ?? $0 }
        self.entities = sorted.indices.map { index in
            var inherited: Set<String> = []
            for ancestor in Self.line(upFrom: index, parents).dropFirst() {
                inherited.formUnion(own[ancestor])
            }
            return sorted[index].withoutProperties(inherited)
        }
        self.versionIdentifiers = versionIdentifiers
        self.configurations = configurations.sorted { $0.name.precedesInCodePoints($1.name) }
        self.fetchRequests = fetchRequests.sorted { $0.name.precedesInCodePoints($1.name) }
    }

    /// The model of all entities of some models, as an app merges them. If entities have the same name, the first
    /// counts.
    public init(merging models: [ManagedObjectModel]) {
        var names: Set<String> = []
        self.init(
            entities: models.flatMap(\.entities).filter { names.insert($0.name).inserted },
            versionIdentifiers: models.flatMap(\.versionIdentifiers),
            configurations: models.flatMap(\.configurations),
            fetchRequests: models.flatMap(\.fetchRequests))
    }

    /// The entity with this name.
    public subscript(name: String) -> EntityDescription? { positions[name].map { entities[$0] } }

    /// The superentities from the root entity down, then the entity itself; empty for an unknown name.
    public func ancestry(of name: String) -> [EntityDescription] {
        guard let start = positions[name] else { return [] }
        return Self.line(upFrom: start, parents).reversed().map { entities[$0] }
    }

    /// The root entity, which names the table of an SQLite store.
    public func rootEntity(of name: String) -> EntityDescription? {
        positions[name].map { entities[roots[$0]] }
    }

    /// The name of the root entity; nil for an unknown entity.
    package func rootName(of name: String) -> String? { positions[name].map { entities[roots[$0]].name } }

    /// The attributes of an entity, persistent and transient: inherited ones first, those of each entity sorted by
    /// name.
    public func attributes(of name: String) -> [AttributeDescription] {
        ancestry(of: name).flatMap(\.attributes)
    }

    /// The relationships of an entity, persistent and transient, in the same order.
    public func relationships(of name: String) -> [RelationshipDescription] {
        ancestry(of: name).flatMap(\.relationships)
    }

    /// Whether the entity `name` is `ancestor` or inherits from it.
    public func isEntity(_ name: String, kindOf ancestor: String) -> Bool {
        ancestry(of: name).contains { $0.name == ancestor }
    }

    /// The positions of an entity and its superentities, upwards. Stops at a missing name and at a cycle.
    private static func line(upFrom start: Int, _ parents: [Int?]) -> [Int] {
        var line = [start]
        var next = parents[start]
        while let above = next, line.count < depthLimit, !line.contains(above) {
            line.append(above)
            next = parents[above]
        }
        return line
    }

    /// The maximum depth of inheritance; real models have a few levels.
    package static let depthLimit = 100
}

/// A named set of entities of a model, to which a store can be limited.
public struct ModelConfiguration: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The names of its entities, sorted in code-point order.
    public var entities: [String]

    /// A configuration of these entities.
    public init(name: String, entities: [String]) {
        self.name = name
        self.entities = entities.sorted { $0.precedesInCodePoints($1) }
    }
}

/// A fetch request that a model contains under a name.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the entity that it fetches; nil if it is unknown.
    public var entity: String?
    /// The predicate as a format string; nil for none, and in a compiled model, from which it is not read.
    public var predicate: String?

    /// A fetch request with a name.
    public init(name: String, entity: String? = nil, predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}

/// An entity with its number in Z_PRIMARYKEY of an SQLite store (core-data-sqlite-store(5), 1.2).
public struct NumberedEntity: Sendable, Hashable {
    /// The number, from 1.
    public var number: Int
    /// The name of the entity.
    public var name: String
    /// The number of the superentity; 0 for a root entity.
    public var superentityNumber: Int

    package init(number: Int, name: String, superentityNumber: Int) {
        self.number = number
        self.name = name
        self.superentityNumber = superentityNumber
    }
}

extension ManagedObjectModel {
    /// The entities with the numbers of a new SQLite store: depth first, by name, ignoring case. An existing store may
    /// have different numbers (core-data-sqlite-store(5), 1.2).
    public var numberedEntities: [NumberedEntity] {
        var below = Dictionary(grouping: entities, by: \.superentity)
        for key in below.keys { below[key]?.sort { $0.name.precedesIgnoringCase($1.name) } }
        var numbered: [NumberedEntity] = []
        var waiting = (below[nil] ?? []).reversed().map { (name: $0.name, above: 0) }
        while let next = waiting.popLast() {
            let number = numbered.count + 1
            numbered.append(NumberedEntity(number: number, name: next.name, superentityNumber: next.above))
            waiting += (below[next.name] ?? []).reversed().map { (name: $0.name, above: number) }
        }
        return numbered
    }
}

extension String {
    fileprivate func precedesIgnoringCase(_ other: String) -> Bool {
        let (mine, theirs) = (lowercased(), other.lowercased())
        return mine == theirs ? precedesInCodePoints(other) : mine.precedesInCodePoints(theirs)
    }
}
