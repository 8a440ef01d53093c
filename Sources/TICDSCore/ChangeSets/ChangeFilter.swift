/// Which changes a person wants to see; what is nil does not matter.
public struct ChangeFilter: Sendable, Hashable {
    /// Name of the object's entity.
    public var entity: String?
    /// The object's sync ID, or the related object's.
    public var object: String?
    /// Types by name, as `ChangeType.name` has them.
    public var types: Set<String>?
    /// Bounds of the author's time stamp, in seconds since 2001-01-01 00:00:00 UTC; `until` is outside.
    public var since: Double?
    /// The end of the time; a change of just this time is left out.
    public var until: Double?

    /// Lets pass what meets every condition that is given.
    public init(
        entity: String? = nil, object: String? = nil, types: Set<String>? = nil, since: Double? = nil,
        until: Double? = nil
    ) {
        self.entity = entity
        self.object = object
        self.types = types
        self.since = since
        self.until = until
    }

    /// Whether the filter lets the change through. A change without a time stamp passes no bound of time.
    public func admits(_ change: SyncChange) -> Bool {
        if let entity, change.entity != entity { return false }
        if let object, change.objectSyncID != object, change.relatedSyncID != object { return false }
        if let types, !types.contains(change.type.name) { return false }
        guard since != nil || until != nil else { return true }
        guard let timestamp = change.timestamp else { return false }
        return timestamp >= since ?? -.infinity && timestamp < until ?? .infinity
    }
}
