/// One place in the list of values that a binary store keeps for an object
/// (core-data-binary-store(5), 3.1).
public enum BinaryStoreSlot: Sendable, Hashable {
    /// The slot of an attribute: the only kind that holds a value.
    case attribute(AttributeDescription)
    /// The slot of a relationship; what it leads to is kept elsewhere.
    case relationship(RelationshipDescription)
    /// The slot of the fetched property of that name, which is always empty.
    case fetchedProperty(String)

    /// Name of the property.
    public var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        case .fetchedProperty(let name): name
        }
    }

    /// The attribute whose value the slot holds; nil where the slot is always empty.
    public var persistentAttribute: AttributeDescription? {
        guard case .attribute(let attribute) = self, !attribute.isTransient else { return nil }
        return attribute
    }
}

extension ManagedObjectModel {
    /// The slots of an entity's objects in a binary store, in the order of the file; empty for an unknown name.
    ///
    /// Groups follow each other: persistent attributes, transient attributes, to-one, to-many and ordered
    /// relationships, the same three for transient relationships, fetched properties. Inside a group inherited
    /// properties come first, then the entity's own by name (core-data-binary-store(5), 3.1).
    public func slots(of name: String) -> [BinaryStoreSlot] {
        let attributes = attributes(of: name)
        let relationships = relationships(of: name)
        var slots: [BinaryStoreSlot] = []
        for transient in [false, true] {
            slots += attributes.filter { $0.isTransient == transient }.map(BinaryStoreSlot.attribute)
        }
        for transient in [false, true] {
            let group = relationships.filter { $0.isTransient == transient }
            slots += group.filter { !$0.isToMany }.map(BinaryStoreSlot.relationship)
            slots += group.filter { $0.isToMany && !$0.isOrdered }.map(BinaryStoreSlot.relationship)
            slots += group.filter { $0.isToMany && $0.isOrdered }.map(BinaryStoreSlot.relationship)
        }
        return slots + ancestry(of: name).flatMap(\.fetchedProperties).map(BinaryStoreSlot.fetchedProperty)
    }
}
