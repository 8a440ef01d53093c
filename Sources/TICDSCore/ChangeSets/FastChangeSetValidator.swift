public import Base
public import CoreDataStore
public import KeyedArchive

/// Checks a binary change set of the usual form in one pass. It gives the outlines of the changes as `ChangeSetReader`
/// does, but in the order of the file. See `FastArchiveValidator`.
public struct FastChangeSetValidator: ~Copyable {
    private var store: FastStoreValidator

    /// Checks the decrypted bytes of a set.
    /// - Parameter known: the metadata of other sets.
    public init(_ bytes: SharedBytes, known: KnownMetadata? = nil) throws(UnfamiliarArchive) {
        store = try FastStoreValidator(bytes, entity: FrameworkModels.syncChangeEntity, known: known)
    }

    /// Number of changes.
    public var count: Int { store.count }

    /// The outline of the change at `position`. A change that `ChangeSlots` refuses throws `UnfamiliarArchive`.
    public mutating func outline(at position: Int) throws(UnfamiliarArchive) -> ChangeOutline {
        let node = try store.node(at: position)
        let slots = try store.objects.members(of: node.slots)
        guard slots.count == ChangeSlots.Property.count,
            let type = Int16(exactly: try store.objects.integer(slot(.changeType, of: slots))),
            !(try store.objects.date(slot(.localTimeStamp, of: slots))).isNaN
        else { throw UnfamiliarArchive(.type) }
        let related = try store.objects.check(slot(.changedRelationships, of: slots))
        guard related.isNil || related == .string else { throw UnfamiliarArchive(.type) }
        return ChangeOutline(
            type: ChangeType(number: Int(type)),
            entity: try store.objects.text(slot(.objectEntityName, of: slots)),
            hasSyncID: try hasText(.objectSyncID, of: slots), hasKey: try hasText(.relevantKey, of: slots),
            hasRelatedEntity: try hasText(.relatedObjectEntityName, of: slots),
            hasAttributes: try store.objects.check(slot(.changedAttributes, of: slots)) == .dictionary,
            hasRelatedSyncID: related == .string, primaryKey: node.primaryKey)
    }

    private mutating func hasText(
        _ slot: ChangeSlots.Property, of slots: PropertyListReferences
    ) throws(UnfamiliarArchive) -> Bool {
        try store.objects.checkText(self.slot(slot, of: slots)) == .string
    }

    private func slot(_ slot: ChangeSlots.Property, of slots: PropertyListReferences) -> ArchivedReference {
        store.objects.member(slot.rawValue, of: slots)
    }

    /// Whether the archives of the set have the form that Core Data writes, and contain only known classes.
    public var isInUsualForm: Bool { store.isInUsualForm }

    /// Whether the text of the changes is ASCII; see `FastArchiveValidator.hasOnlyASCIIText`.
    var hasOnlyASCIIText: Bool { store.hasOnlyASCIIText }

    /// The version hash of the framework's entity in the metadata; nil if there is none.
    public var versionHash: [UInt8]? { store.versionHash }
}
