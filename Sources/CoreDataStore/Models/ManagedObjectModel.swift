/// A managed object model: the entities of a store and their properties.
///
/// Any list of entities makes a model; the readers of model files refuse one that does not hold together
/// (see `firstProblem`). Every function here ends, and answers with what is there, even for such a model.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The entities, sorted by name in code-point order.
    public let entities: [EntityDescription]
    /// The identifiers the developer gave to this version; often none, or one empty text.
    public let versionIdentifiers: [String]
    private let positions: [String: Int]
    /// Position of each entity's superentity.
    private let parents: [Int?]

    /// A model of these entities. A property that a superentity has too is inherited, not the entity's own.
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

    /// The entity of this name.
    public subscript(name: String) -> EntityDescription? {
        positions[name].map { entities[$0] }
    }

    /// The entity's superentities, root first, and last the entity itself; empty for an unknown name.
    public func ancestry(of name: String) -> [EntityDescription] {
        guard let start = positions[name] else { return [] }
        return Self.line(upFrom: start, parents).reversed().map { entities[$0] }
    }

    /// The entity at the top of the line of inheritance; it names the table of an SQLite store.
    public func rootEntity(of name: String) -> EntityDescription? {
        ancestry(of: name).first
    }

    /// The entity's attributes, persistent and transient: inherited ones first, each level sorted by name.
    public func attributes(of name: String) -> [AttributeDescription] {
        ancestry(of: name).flatMap(\.attributes)
    }

    /// The entity's relationships, persistent and transient: inherited ones first, each level sorted by name.
    public func relationships(of name: String) -> [RelationshipDescription] {
        ancestry(of: name).flatMap(\.relationships)
    }

    /// Whether `name` is `ancestor` or inherits from it.
    public func isEntity(_ name: String, kindOf ancestor: String) -> Bool {
        ancestry(of: name).contains { $0.name == ancestor }
    }

    /// The entity and everything that inherits from it, of which objects can exist; sorted by name.
    public func concreteEntities(of name: String) -> [EntityDescription] {
        entities.filter { !$0.isAbstract && isEntity($0.name, kindOf: name) }
    }

    /// Positions of an entity and its superentities, upwards. Stops where a name is missing or comes back.
    private static func line(upFrom start: Int, _ parents: [Int?]) -> [Int] {
        var line = [start]
        var next = parents[start]
        while let above = next, line.count < depthLimit, !line.contains(above) {
            line.append(above)
            next = parents[above]
        }
        return line
    }

    /// Levels of inheritance that are followed; real models have a handful.
    static let depthLimit = 100
}
