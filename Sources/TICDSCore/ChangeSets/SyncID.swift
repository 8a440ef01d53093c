public import KeyedArchive

/// The attribute that identifies an object on all clients (ticds-remote-format(5), 3.3).
public enum SyncID {
    /// Name of the attribute.
    public static let attribute = "ticdsSyncID"
}

extension SyncChange {
    /// The other sync ID that the change gives its object, after which clients know it by different ones; nil for all
    /// changes that the framework makes. It records the sync ID that an object got late, under that same one
    /// (ticds-protocol(7), 4.6).
    public var givenSyncID: ArchivedValue? {
        let given: ArchivedValue
        switch type {
        case .insert:
            let pairs = changedAttributes.pairs ?? []
            guard let pair = pairs.last(where: { $0.key == .string(SyncID.attribute) }) else { return nil }
            given = pair.value
        case .attribute:
            guard key == SyncID.attribute else { return nil }
            given = changedAttributes
        default: return nil
        }
        guard let objectSyncID, given != .string(objectSyncID) else { return nil }
        return given
    }

    /// What is wrong with a change of the sync ID, in words.
    public var syncIDFault: String? {
        givenSyncID.map { value in
            let given = value.isNil ? "none" : value.stringValue.map { "“\($0.prefix(200))”" } ?? "no text"
            return "the sync ID \(given) for the object “\((objectSyncID ?? "").prefix(200))”"
        }
    }
}
