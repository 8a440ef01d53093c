/// An entity (NSEntityDescription), with the properties that it declares. `ManagedObjectModel.attributes(of:)` includes
/// inherited ones.
public struct EntityDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The class of its objects, which is not needed to read a store.
    public var className: String?
    /// Whether only subentities can have objects.
    public var isAbstract: Bool
    /// The name of the superentity.
    public var superentity: String?
    /// The attributes that it declares, persistent and transient.
    public var attributes: [AttributeDescription]
    /// The relationships that it declares, persistent and transient.
    public var relationships: [RelationshipDescription]
    /// The names of the fetched properties that it declares, which are not stored.
    public var fetchedProperties: [String]
    /// Properties that the reader of the model left out, since it could not read them.
    public var unreadProperties: [UnreadProperty] = []
    /// A text that changes the version hash.
    public var versionHashModifier: String?
    /// The name of the entity in the former version of the model, by which a migration finds it.
    public var renamingIdentifier: String?
    /// Lists of properties whose combined values must be unique.
    public var uniquenessConstraints: [[String]]
    /// Compound indexes as lists of property names, the older form.
    public var compoundIndexes: [[String]]
    /// Fetch indexes, the newer form.
    public var fetchIndexes: [FetchIndex]

    /// An entity with the properties that it declares.
    public init(
        name: String, className: String? = nil, isAbstract: Bool = false, superentity: String? = nil,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        fetchedProperties: [String] = [], versionHashModifier: String? = nil,
        renamingIdentifier: String? = nil, uniquenessConstraints: [[String]] = [],
        compoundIndexes: [[String]] = [], fetchIndexes: [FetchIndex] = []
    ) {
        self.name = name
        self.className = className
        self.isAbstract = isAbstract
        self.superentity = superentity
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
        self.uniquenessConstraints = uniquenessConstraints
        self.compoundIndexes = compoundIndexes
        self.fetchIndexes = fetchIndexes
    }

    /// The names of all properties that it declares.
    var propertyNames: [String] {
        attributes.map(\.name) + relationships.map(\.name) + fetchedProperties
    }

    /// Records a property that cannot be read. The rest of the model can be used without it.
    mutating func leaveOut(_ name: String, _ problem: String) {
        unreadProperties.append(UnreadProperty(name: name, problem: problem))
    }

    /// A copy without the properties in `names`, sorted by name in code-point order.
    func withoutProperties(_ names: Set<String>) -> EntityDescription {
        var copy = self
        copy.attributes = attributes.filter { !names.contains($0.name) }
            .sorted { $0.name.precedesInCodePoints($1.name) }
        copy.relationships = relationships.filter { !names.contains($0.name) }
            .sorted { $0.name.precedesInCodePoints($1.name) }
        copy.unreadProperties = unreadProperties.filter { !names.contains($0.name) }
            .sorted { $0.name.precedesInCodePoints($1.name) }
        copy.fetchedProperties = fetchedProperties.filter { !names.contains($0) }
            .sorted { $0.precedesInCodePoints($1) }
        return copy
    }
}

/// A property of a model that cannot be read.
public struct UnreadProperty: Sendable, Hashable {
    /// The name of the property.
    public var name: String
    /// The reason, without a full stop.
    public var problem: String
}

extension String {
    /// The order of names in Core Data: by code points, upper case before lower case (core-data-binary-store(5), 3.1).
    package func precedesInCodePoints(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// A fetch index of an entity (NSFetchIndexDescription; core-data-sqlite-store(5), 3.6).
public struct FetchIndex: Sendable, Hashable {
    /// The name of the index.
    public var name: String
    /// The names of the indexed properties, in order.
    public var properties: [String]

    /// An index of some properties.
    public init(name: String, properties: [String]) {
        self.name = name
        self.properties = properties
    }
}
