public import CoreDataStore
import KeyedArchive
public import TICDSCore

/// Records the edits of a document as the framework does (ticds-remote-format(5), 3.3).
public enum LocalEditRecorder {
    /// The sync changes of `edits`, in the same order.
    ///
    /// A new object whose attribute is nil although the model has a default gets one more change, which clears the
    /// attribute; the framework lacks this change, so that other clients see the default.
    /// - Parameters:
    ///   - now: the time of the first change, in seconds since 2001-01-01 00:00:00 UTC; each next one is a microsecond
    ///     later.
    ///   - onNotice: gets each entity without sync IDs once, and each object without one; they are not recorded.
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

    /// Sync IDs of objects whose deletion waits to be sent. A new object must not have one of them: within a set deletions
    /// are applied last, so that the new object would be deleted as well (ticds-protocol(7), 7.4).
    public static func reserved(_ waiting: [SyncChange]) -> Set<String> {
        Set(waiting.filter { $0.type == .delete }.compactMap(\.objectSyncID))
    }

    private struct Recording {
        let rules: RecordingRules
        let now: Double
        private(set) var changes: [SyncChange] = []

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
            // A microsecond: a Double of these years cannot tell much shorter intervals apart.
            let time = now + Double(changes.count) * 1e-6
            changes.append(
                SyncChange(
                    type: type, entity: edit.entity, objectSyncID: edit.identifier, key: key,
                    relatedEntity: destination, changedAttributes: attributes, changedRelationships: target,
                    timestamp: time))
        }
    }
}

/// Which entities, attributes and relationships of a model the framework records (ticds-remote-format(5), 3.3).
struct RecordingRules {
    private let model: ManagedObjectModel
    private var relationships: [String: [String: RelationshipDescription]] = [:]
    private var defaults: [String: [String]] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
        for entity in model.entities {
            let recorded = model.relationships(of: entity.name).filter { isRecorded($0) }
            relationships[entity.name] = Dictionary(recorded.map { ($0.name, $0) }) { first, _ in first }
            defaults[entity.name] = model.attributes(of: entity.name).filter {
                !$0.isTransient && $0.defaultValue?.isNil == false
            }.map(\.name)
        }
    }

    /// Whether objects of the entity have sync IDs.
    func isSynchronised(_ entity: String) -> Bool {
        model.attributes(of: entity).contains { $0.name == SyncID.attribute && !$0.isTransient }
    }

    /// The relationship, if its changes are recorded on this side; nil otherwise.
    func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
        relationships[entity]?[name]
    }

    /// Attributes that have a default value.
    func attributesWithDefault(of entity: String) -> [String] { defaults[entity] ?? [] }

    /// The framework records one side of a relationship and its inverse: the to-one side, or else the one whose name sorts
    /// first without regard to case; both sides if the names are equal.
    private func isRecorded(_ relationship: RelationshipDescription) -> Bool {
        if relationship.isTransient { return false }
        guard let inverse = model.inverse(of: relationship)?.relationship else { return true }
        guard relationship.isToMany == inverse.isToMany else { return !relationship.isToMany }
        return !inverse.name.lowercased().unicodeScalars.lexicographicallyPrecedes(
            relationship.name.lowercased().unicodeScalars)
    }
}
