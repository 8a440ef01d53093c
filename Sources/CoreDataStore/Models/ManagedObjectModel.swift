/// A managed object model (NSManagedObjectModel): the entities of a store with their properties.
///
/// Any list of entities makes a model. The readers of model files refuse an inconsistent one (see `firstProblem`), but
/// every function here returns for such a model, too.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, sorted by name in code-point order.
    public let entities: [EntityDescription]
    /// The version identifiers; often none, or an empty string.
    public let versionIdentifiers: [String]
    private let positions: [String: Int]
    /// The position of each entity's superentity.
    private let parents: [Int?]

    /// A model of these entities. A property that a superentity declares, too, counts as inherited.
    public init(entities: [EntityDescription], versionIdentifiers: [String] = []) {
        let sorted = entities.sorted { $0.name.precedesInCodePoints($1.name) }
        let positions = Dictionary(sorted.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let parents = sorted.map { $0.superentity.flatMap { positions[$0] } }
        let own = sorted.map { Set($0.propertyNames) }
        self.positions = positions
        self.parents = parents
        self.entities = sorted.indices.map { index in
            var inherited: Set<String> = []
            for ancestor in Self.line(upFrom: index, parents).dropFirst() {
                inherited.formUnion(own[ancestor])
            }
            return sorted[index].withoutProperties(inherited)
        }
        self.versionIdentifiers = versionIdentifiers
    }

    /// The entity with this name.
    public subscript(name: String) -> EntityDescription? {
        positions[name].map { entities[$0] }
    }

    /// The superentities from the root entity down, then the entity itself; empty for an unknown name.
    public func ancestry(of name: String) -> [EntityDescription] {
        guard let start = positions[name] else { return [] }
        return Self.line(upFrom: start, parents).reversed().map { entities[$0] }
    }

    /// The root entity, which names the table of an SQLite store.
    public func rootEntity(of name: String) -> EntityDescription? {
        ancestry(of: name).first
    }

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

    /// The concrete entities among the entity and its subentities, sorted by name.
    public func concreteEntities(of name: String) -> [EntityDescription] {
        entities.filter { !$0.isAbstract && isEntity($0.name, kindOf: name) }
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
    static let depthLimit = 100
}
