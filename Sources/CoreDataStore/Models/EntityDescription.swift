/// An entity of a managed object model, with the properties it declares itself.
///
/// What it inherits is found through the model: `ManagedObjectModel.attributes(of:)`.
public struct EntityDescription: Sendable, Hashable {
    /// Name of the entity, in its real case.
    public var name: String
    /// Class of the app's objects; not needed to read a store.
    public var className: String?
    /// Whether there are no objects of just this entity.
    public var isAbstract: Bool
    /// Name of the entity it inherits from.
    public var superentity: String?
    /// Own attributes, persistent and transient.
    public var attributes: [AttributeDescription]
    /// Own relationships, persistent and transient.
    public var relationships: [RelationshipDescription]
    /// Names of own fetched properties, which no store holds.
    public var fetchedProperties: [String]
    /// Text the developer added so that the version hash changes.
    public var versionHashModifier: String?
    /// Each constraint lists the properties whose values together must be unique.
    public var uniquenessConstraints: [[String]]
    /// Indexes over several properties, each as their names: the older form.
    public var compoundIndexes: [[String]]
    /// Indexes that the model asks for: the newer form.
    public var fetchIndexes: [FetchIndex]

    /// An entity with the properties it declares itself.
    public init(
        name: String, className: String? = nil, isAbstract: Bool = false, superentity: String? = nil,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        fetchedProperties: [String] = [], versionHashModifier: String? = nil,
        uniquenessConstraints: [[String]] = [], compoundIndexes: [[String]] = [],
        fetchIndexes: [FetchIndex] = []
    ) {
        self.name = name
        self.className = className
        self.isAbstract = isAbstract
        self.superentity = superentity
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.versionHashModifier = versionHashModifier
        self.uniquenessConstraints = uniquenessConstraints
        self.compoundIndexes = compoundIndexes
        self.fetchIndexes = fetchIndexes
    }

    /// Names of all own properties.
    var propertyNames: [String] {
        attributes.map(\.name) + relationships.map(\.name) + fetchedProperties
    }

    /// The same entity without the properties in `names`, its own lists sorted by name in code-point order.
    func withoutProperties(_ names: Set<String>) -> EntityDescription {
        var copy = self
        copy.attributes = attributes.filter { !names.contains($0.name) }
            .sorted { $0.name.precedesInCodePoints($1.name) }
        copy.relationships = relationships.filter { !names.contains($0.name) }
            .sorted { $0.name.precedesInCodePoints($1.name) }
        copy.fetchedProperties = fetchedProperties.filter { !names.contains($0) }
            .sorted { $0.precedesInCodePoints($1) }
        return copy
    }
}

extension String {
    /// Core Data's order of names: by code points, capitals before small letters
    /// (core-data-binary-store(5), 3.1).
    func precedesInCodePoints(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
