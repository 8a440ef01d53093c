public import CoreDataStore
import KeyedArchive
public import TICDSCore

/// Records the edits of a document as the framework does (ticds-remote-format(5), 3.3).
public enum LocalEditRecorder {
    /// The changes, in the order of the edits; times begin at `now`, in seconds since 2001, and rise.
    ///
    /// Better than the framework: a new object whose attribute is nil though the model has a default for it gets a
    /// change that clears it, else others would see the default.
    /// - Parameter onNotice: hears of objects that cannot be recorded: of entities without sync IDs, once an entity, and
    ///   of objects that lack one.
    public static func changes(
        _ edits: [EditedObject], model: ManagedObjectModel, now: Double,
        onNotice: (SyncNotice) -> Void = { _ in }
    ) -> [SyncChange] {
        var recording = Recording(rules: RecordingRules(model), now: now)
        var left: Set<String> = []
        for edit in edits {
            guard recording.rules.isSynchronised(edit.entity) else {
                if left.insert(edit.entity).inserted {
                    onNotice(
                        SyncNotice(
                            .withoutSyncID, entity: edit.entity,
                            reason: "objects of this entity have no sync IDs, and are not synchronised"))
                }
                continue
            }
            guard !edit.identifier.isEmpty else {
                onNotice(
                    SyncNotice(
                        .withoutSyncID, entity: edit.entity, reason: "row \(edit.object.primaryKey)"))
                continue
            }
            recording.add(edit)
        }
        return recording.changes
    }

    /// Identifiers of objects of which the deletion waits to be sent. A new object must not have one of them: in one set
    /// with the deletion, which comes last, it would be deleted with the others (ticds-protocol(7), 7.4).
    public static func reserved(_ waiting: [SyncChange]) -> Set<String> {
        Set(waiting.filter { $0.type == .delete }.compactMap(\.objectSyncID))
    }

    private struct Recording {
        let rules: RecordingRules
        let now: Double
        private(set) var changes: [SyncChange] = []

        init(rules: RecordingRules, now: Double) {
            self.rules = rules
            self.now = now
        }

        mutating func add(_ edit: EditedObject) {
            switch edit.kind {
            case .inserted: insert(edit)
            case .updated:
                for attribute in edit.attributes {
                    let value = attribute.value.isNil ? .null : attribute.value
                    record(.attribute, edit, attribute.name, attributes: value)
                }
            case .deleted: break
            }
            for link in edit.toOne { relate(.toOne, edit, link) }
            for link in edit.added { relate(.addToMany, edit, link) }
            for link in edit.removed { relate(.removeFromMany, edit, link) }
            if edit.kind == .deleted { record(.delete, edit, nil) }
        }

        private mutating func insert(_ edit: EditedObject) {
            let pairs = edit.attributes.map { ArchivedPair(key: .string($0.name), value: $0.value) }
            record(.insert, edit, nil, attributes: .dictionary(pairs))
            let present = Set(edit.attributes.map(\.name))
            for name in rules.attributesWithDefault(of: edit.entity) where !present.contains(name) {
                record(.attribute, edit, name, attributes: .null)
            }
        }

        private mutating func relate(_ type: ChangeType, _ edit: EditedObject, _ link: EditedObject.Link) {
            guard let relationship = rules.relationship(link.name, of: edit.entity) else { return }
            record(
                type, edit, link.name, to: relationship.destination,
                target: link.target.map { .string($0) } ?? .none)
        }

        private mutating func record(
            _ type: ChangeType, _ edit: EditedObject, _ key: String?, to destination: String? = nil,
            attributes: ArchivedValue = .none, target: ArchivedValue = .none
        ) {
            // As fine as a date of these years can tell apart.
            let time = now + Double(changes.count) * 1e-6
            changes.append(
                SyncChange(
                    type: type, entity: edit.entity, objectSyncID: edit.identifier, key: key,
                    relatedEntity: destination, changedAttributes: attributes, changedRelationships: target,
                    timestamp: time))
        }
    }
}
