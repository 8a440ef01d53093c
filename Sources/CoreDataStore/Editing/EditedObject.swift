/// An object that was edited in a live store since its base.
public struct EditedObject: Sendable, Hashable {
    /// What happened to the object since the base.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The object is not in the base; or in both, with other values; or in the base alone.
        case inserted, updated, deleted
    }

    /// A relationship, and the identifier of an object that it leads to.
    public struct Link: Sendable, Hashable {
        /// Name of the relationship.
        public var name: String
        /// Nil where a to-one relationship leads nowhere.
        public var target: String?

        /// A relationship of that name, and where it leads.
        public init(_ name: String, _ target: String?) {
            self.name = name
            self.target = target
        }
    }

    /// The object in the store; of one that was deleted, where it was.
    public var object: StoreObjectID
    /// Name of the object's own entity.
    public var entity: String
    /// The text in its identifying attribute; empty where it has none.
    public var identifier: String
    /// Whether it is new, changed or gone.
    public var kind: Kind
    /// Of a new object all that are not nil; else those that changed, `.none` for one that was cleared.
    public var attributes: [StoredAttribute] = []
    /// Of a new object all that the entity has; else those that changed. Those that lead to an object without
    /// identifier are left out. Of a deleted object those, cleared, whose delete rule would have reached an object that
    /// is still there: it had been let go before.
    public var toOne: [Link] = []
    /// Objects that a to-many relationship leads to now: one with a to-many inverse, on both sides, or one without
    /// inverse.
    public var added: [Link] = []
    /// Objects that such a relationship leads to no more; of a deleted object as with `toOne`.
    public var removed: [Link] = []

    /// An object of which no property is known yet.
    public init(object: StoreObjectID, entity: String, identifier: String, kind: Kind) {
        self.object = object
        self.entity = entity
        self.identifier = identifier
        self.kind = kind
    }
}

/// Something that another tool left untidy in a live store, and what was done about it.
public struct EditNotice: Sendable, Hashable {
    /// What was untidy, and what was done about it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A new row did not say of which entity it is.
        case entityFilledIn
        /// An object cannot become one of another entity.
        case entityPutBack
        /// A new row had no version counter.
        case versionFilledIn
        /// A row took the key of another object, or has left its own.
        case keyChanged
        /// A new object had no identifier, or that of another object, or a reserved one.
        case identifierMade
        /// The identifier of an object is not to be changed.
        case identifierPutBack
        /// A new row had no value for a mandatory attribute; it got the model's default.
        case valueFilledIn
        /// Data that may lie in a file of their own lacked the byte that says where they are.
        case dataMarked
        /// The file of a large value is missing.
        case dataMissing
        /// A relationship led to no object, or to one that it cannot lead to.
        case referenceCleared
        /// One side of a relationship was changed; the other has followed.
        case inverseFollowed
        /// The two sides of a relationship contradicted each other; this one gave way.
        case contradictionSettled
        /// A delete rule kept an object whose row was deleted.
        case deletionDenied
        /// A relationship leads to an object without identifier, which nobody else can find.
        case targetWithoutIdentifier
    }

    /// What was found.
    public var kind: Kind
    /// Name of the entity of the object.
    public var entity: String
    /// Key of the row, unique within the root entity.
    public var primaryKey: Int64
    /// The object's identifier; empty where it has none, or it does not matter.
    public var identifier: String
    /// Name of the property.
    public var property: String?
    /// What was found and done, in words, without a full stop.
    public var text: String
}

/// Notices of one pass.
final class EditNotices {
    private(set) var all: [EditNotice] = []

    func add(
        _ kind: EditNotice.Kind, _ entity: String, _ key: Int64, _ identifier: String = "",
        property: String? = nil, _ text: String
    ) {
        all.append(
            EditNotice(
                kind: kind, entity: entity, primaryKey: key, identifier: identifier, property: property,
                text: text))
    }
}
