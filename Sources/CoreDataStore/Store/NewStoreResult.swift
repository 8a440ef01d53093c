/// Facts about a new store.
public struct NewStoreResult: Sendable, Hashable {
    /// The number of objects.
    public var objects: Int
    /// The number of objects with new primary keys.
    public var renumbered = 0
    /// The number of references to objects that do not exist, which were dropped, by entity and relationship:
    /// `Note.author`.
    public var dangling: [String: Int] = [:]
    /// The number of references that the inverse relationship contradicts, by entity and relationship. Those of to-many
    /// relationships were dropped.
    public var contradictions: [String: Int] = [:]

    /// Facts about a store of some objects.
    public init(objects: Int) { self.objects = objects }
}
