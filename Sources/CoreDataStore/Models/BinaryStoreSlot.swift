/// A property in the array of an object's values in a binary store (core-data-binary-store(5), 3.1).
public enum BinaryStoreSlot: Sendable, Hashable {
    /// An attribute, the only kind of property with a value in the array.
    case attribute(AttributeDescription)
    /// A relationship; its keys are elsewhere.
    case relationship(RelationshipDescription)
    /// A fetched property, which has no value.
    case fetchedProperty(String)

    /// The name of the property.
    public var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        case .fetchedProperty(let name): name
        }
    }

    /// The attribute whose value the slot contains; nil if the slot is always empty.
    public var persistentAttribute: AttributeDescription? {
        guard case .attribute(let attribute) = self, !attribute.isTransient else { return nil }
        return attribute
    }
}

extension ManagedObjectModel {
    /// The slots of an entity's objects in the order of the array; empty for an unknown entity.
    ///
    /// The order is: persistent attributes, transient attributes, to-one, to-many and ordered relationships, the same
    /// three groups of transient relationships, fetched properties. In a group, inherited properties come first, then
    /// those of the entity by name (core-data-binary-store(5), 3.1).
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
