/// An object of a live store that was edited since its base.
public struct EditedObject: Sendable, Hashable {
    /// The kind of edit.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The object is in the store only; in both with different values; in the base only.
        case inserted, updated, deleted
    }

    /// A relationship and the identifier of a target.
    public struct Link: Sendable, Hashable {
        /// The name of the relationship.
        public var name: String
        /// The identifier; nil if a to-one relationship was cleared.
        public var target: String?
    }

    /// The object in the store; for a deleted object, in the base.
    public var object: StoreObjectID
    /// The name of its entity.
    public var entity: String
    /// The value of its identifying attribute; empty if it has none.
    public var identifier: String
    /// The kind of edit.
    public var kind: Kind
    /// For an inserted object, all attributes that are not nil; otherwise the changed ones, with `.none` for one that
    /// was cleared.
    public var attributes: [StoredAttribute] = []
    /// For an inserted object, all to-one relationships; otherwise the changed ones. Relationships to an object without
    /// identifier are left out. For a deleted object, cleared relationships whose delete rule would have reached an
    /// object that still exists.
    public var toOne: [Link] = []
    /// Objects that a to-many relationship gained. A many-to-many relationship appears on both sides.
    public var added: [Link] = []
    /// Objects that a to-many relationship lost; for a deleted object as in `toOne`.
    public var removed: [Link] = []
}

/// An inconsistency that another tool left in a live store, and its repair.
public struct EditNotice: Sendable, Hashable {
    /// The kinds of inconsistency.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A new row had no entity number.
        case entityFilledIn
        /// A row had the number of a different entity than its object.
        case entityPutBack
        /// A new row had no version counter.
        case versionFilledIn
        /// A row had the key of another object, or no longer its own.
        case keyChanged
        /// A new object had no identifier, the identifier of another object, or a reserved one.
        case identifierMade
        /// The identifier of an object was changed, and was restored.
        case identifierPutBack
        /// A new row had no value for a mandatory attribute; it got the default of the model.
        case valueFilledIn
        /// External binary data lacked its first byte, which shows where the data is.
        case dataMarked
        /// The file of external data does not exist.
        case dataMissing
        /// A relationship led to no object, or to an object of a wrong entity; it was cleared.
        case referenceCleared
        /// One side of a relationship was changed; the other side was updated.
        case inverseFollowed
        /// The two sides of a relationship contradicted each other; this side was overwritten.
        case contradictionSettled
        /// A delete rule kept an object whose row was deleted.
        case deletionDenied
        /// A relationship leads to an object without identifier, which other clients cannot find.
        case targetWithoutIdentifier
    }

    /// The kind of inconsistency.
    public var kind: Kind
    /// The name of the object's entity.
    public var entity: String
    /// The primary key of the row, unique in the root entity.
    public var primaryKey: Int64
    /// The identifier of the object; empty if it has none or it does not matter.
    public var identifier: String
    /// The name of the property.
    public var property: String?
    /// The inconsistency and its repair in words, without a full stop.
    public var text: String
}

/// The notices of one call of `edits`.
final class EditNotices {
    private(set) var all: [EditNotice] = []

    /// Adds notices that were taken.
    func add(_ notices: [EditNotice]) { all += notices }

    /// Adds notices that were taken, before all others.
    func addBefore(_ notices: [EditNotice]) { all = notices + all }

    /// Removes all notices, and returns them.
    func take() -> [EditNotice] {
        defer { all = [] }
        return all
    }

    func add(
        _ kind: EditNotice.Kind, _ entity: String, _ key: Int64, _ identifier: String = "",
        property: String? = nil, _ text: String
    ) {
        all.append(
            EditNotice(
                kind: kind, entity: entity, primaryKey: key, identifier: identifier, property: property,
                text: text))
    }

    /// Adds a notice about a relationship of `owner`.
    func add(
        _ kind: EditNotice.Kind, _ place: KeyPlace, of owner: StoreObjectID, in store: WritableStore,
        _ text: String
    ) {
        let entity = store.entityName(of: owner) ?? place.entity
        add(kind, entity, owner.primaryKey, property: place.name, text)
    }
}
