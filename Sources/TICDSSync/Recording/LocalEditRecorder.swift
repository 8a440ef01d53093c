public import CoreDataStore
import KeyedArchive
public import TICDSCore

/// Records the edits of a document as the framework does (ticds-remote-format(5), 3.3).
public enum LocalEditRecorder {
    /// The sync changes of `edits`, in the same order.
    ///
    /// A new object whose attribute is nil although the model has a default gets a further change, which clears the
    /// attribute. The framework lacks this change, so that other clients see the default.
    /// - Parameters:
    ///   - now: the time of the first change, in seconds since 2001-01-01 00:00:00 UTC; each next one is a microsecond
    ///     later.
    ///   - onNotice: gets each entity without sync IDs once, and each object without one; they are not recorded.
    public static func changes(
        _ edits: [EditedObject], model: ManagedObjectModel, now: Double,
        onNotice: (SyncNotice) -> Void = { _ in }
    ) -> [SyncChange] {
        var recording = EditRecording(model: model, now: now)
        var changes: [SyncChange] = []
        for edit in edits { recording.add(edit, onNotice: onNotice) { changes.append($0) } }
        return changes
    }

    /// The deletions of objects that a run removed with their owners, for the other clients. Objects without a sync ID
    /// are unknown to the other clients.
    static func deletions(
        of objects: [RemovedObject], model: ManagedObjectModel, now: Double
    ) -> [SyncChange] {
        let rules = RecordingRules(model)
        return objects.compactMap { object in
            guard let syncID = object.syncID, !syncID.isEmpty, rules.isSynchronised(object.entity) else {
                return nil
            }
            return SyncChange(type: .delete, entity: object.entity, objectSyncID: syncID, timestamp: now)
        }
    }

    /// Sync IDs of objects whose deletion waits to be sent. A new object must not have one of these sync IDs: within a
    /// set deletions are applied last, so that the new object would also be deleted (ticds-protocol(7), 4.4).
    public static func reserved(_ waiting: [SyncChange]) -> Set<String> {
        Set(waiting.filter { $0.type == .delete }.compactMap(\.objectSyncID))
    }
}

/// Records edits one by one; see ``LocalEditRecorder``.
struct EditRecording {
    private let rules: RecordingRules
    private let now: Double
    /// The number of changes.
    private(set) var count = 0
    /// Entities without sync IDs that were in an edit.
    private var left: Set<String> = []

    init(model: ManagedObjectModel, now: Double) {
        rules = RecordingRules(model)
        self.now = now
    }

    /// Passes the changes of an edit to `body`.
    mutating func add<Failure>(
        _ edit: EditedObject, onNotice: (SyncNotice) -> Void,
        _ body: (SyncChange) throws(Failure) -> Void
    ) throws(Failure) {
        guard rules.isSynchronised(edit.entity) else {
            if left.insert(edit.entity).inserted {
                onNotice(
                    SyncNotice(
                        kind: .withoutSyncID, entity: edit.entity,
                        reason: "objects of this entity have no sync IDs, and are not synchronised"))
            }
            return
        }
        guard !edit.identifier.isEmpty else {
            onNotice(
                SyncNotice(
                    kind: .withoutSyncID, entity: edit.entity, reason: "row \(edit.object.primaryKey)"))
            return
        }
        switch edit.kind {
        case .inserted: try insert(edit, body)
        case .updated:
            for attribute in edit.attributes {
                let value = attribute.value.isNil ? .null : attribute.value
                try record(.attribute, edit, attribute.name, attributes: value, body)
            }
        case .deleted: break
        }
        for link in edit.toOne { try relate(.toOne, edit, link, body) }
        for link in edit.added { try relate(.addToMany, edit, link, body) }
        for link in edit.removed { try relate(.removeFromMany, edit, link, body) }
        if edit.kind == .deleted { try record(.delete, edit, nil, body) }
    }

    private mutating func insert<Failure>(
        _ edit: EditedObject, _ body: (SyncChange) throws(Failure) -> Void
    ) throws(Failure) {
        let pairs = edit.attributes.map { ArchivedPair(key: .string($0.name), value: $0.value) }
        try record(.insert, edit, nil, attributes: .dictionary(pairs), body)
        let present = Set(edit.attributes.map(\.name))
        for name in rules.attributesWithDefault(of: edit.entity) where !present.contains(name) {
            try record(.attribute, edit, name, attributes: .null, body)
        }
    }

    private mutating func relate<Failure>(
        _ type: ChangeType, _ edit: EditedObject, _ link: EditedObject.Link,
        _ body: (SyncChange) throws(Failure) -> Void
    ) throws(Failure) {
        guard let relationship = rules.relationship(link.name, of: edit.entity) else { return }
        try record(
            type, edit, link.name, to: relationship.destination,
            target: link.target.map { .string($0) } ?? .none, body)
    }

    private mutating func record<Failure>(
        _ type: ChangeType, _ edit: EditedObject, _ key: String?, to destination: String? = nil,
        attributes: ArchivedValue = .none, target: ArchivedValue = .none,
        _ body: (SyncChange) throws(Failure) -> Void
    ) throws(Failure) {
        // A microsecond: a Double for times of these years cannot distinguish much shorter intervals.
        let time = now + Double(count) * 1e-6
        count += 1
        try body(
            SyncChange(
                type: type, entity: edit.entity, objectSyncID: edit.identifier, key: key,
                relatedEntity: destination, changedAttributes: attributes, changedRelationships: target,
                timestamp: time))
    }
}

/// The entities, attributes and relationships of a model that the framework records (ticds-remote-format(5), 3.3).
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

    /// Whether the changes of a relationship are recorded on this side. The framework records one side of a
    /// relationship and its inverse: the to-one side, otherwise the side whose name sorts first, ignoring case; both
    /// sides if the names are equal.
    private func isRecorded(_ relationship: RelationshipDescription) -> Bool {
        if relationship.isTransient { return false }
        guard let inverse = model.inverse(of: relationship)?.relationship else { return true }
        guard relationship.isToMany == inverse.isToMany else { return !relationship.isToMany }
        return !inverse.name.lowercased().unicodeScalars.lexicographicallyPrecedes(
            relationship.name.lowercased().unicodeScalars)
    }
}

extension LocalEditRecorder {
    /// Merges two lists of changes that were recorded one after the other into one, with one change for each object and
    /// property. Applied as one set, it has the effect of both lists in turn.
    ///
    /// A value that was set after the insertion of its object becomes part of the insertion. An insertion and its
    /// deletion, or an addition and its removal, cancel out. If an object was removed from a relationship before it was
    /// deleted, the removal is kept, so that the delete rules do not reach the other object. If an object was deleted and
    /// inserted again under its old sync ID, the deletion is dropped, since deletions are applied last.
    public static func merged(_ earlier: [SyncChange], _ later: [SyncChange]) -> [SyncChange] {
        if earlier.isEmpty { return later }
        if later.isEmpty { return earlier }
        var merger = ChangeMerger()
        merger.add(earlier)
        merger.add(later)
        return merger.changes
    }
}

/// Merges lists of changes, and keeps one change for each object and property.
struct ChangeMerger {
    private struct Name: Hashable {
        var entity: String
        var syncID: String
    }

    private struct Part: Hashable {
        enum Kind: Hashable { case insert, attribute, toOne, member, delete }

        var kind: Kind
        var key = ""
        /// The sync ID of a member.
        var target = ""
    }

    /// The changes in order of arrival; nil for those that were dropped.
    private var kept: [SyncChange?] = []
    /// Positions in `kept`; changes without a sync ID have none.
    private var parts: [Name: [Part: Int]] = [:]

    var changes: [SyncChange] { kept.compactMap { $0 } }

    /// Merges a whole list, in the order in which a set is applied.
    mutating func add(_ list: [SyncChange]) {
        let start = kept.count
        for change in list.enumerated().sorted(by: {
            ($0.element.type.number, $0.offset) < ($1.element.type.number, $1.offset)
        }) {
            add(change.element, start)
        }
    }

    private mutating func add(_ change: SyncChange, _ start: Int) {
        guard let syncID = change.objectSyncID, let part = Self.part(of: change) else {
            kept.append(change)
            return
        }
        let name = Name(entity: change.entity, syncID: syncID)
        switch part.kind {
        case .insert:
            drop(Part(kind: .delete), of: name)
            put(change, part, name)
        case .attribute:
            guard let insertion = parts[name]?[Part(kind: .insert)] else { return put(change, part, name) }
            set(change, in: insertion)
            if change.changedAttributes.isNil { put(change, part, name) } else { drop(part, of: name) }
        case .toOne: put(change, part, name)
        case .member:
            if let place = parts[name]?[part], let old = kept[place], old.type != change.type {
                drop(part, of: name)
            } else {
                put(change, part, name)
            }
        case .delete:
            let isNew = parts[name]?[Part(kind: .insert)] != nil
            for (part, place) in parts[name] ?? [:] where isNew || place < start {
                if isNew || !clearTarget(at: place) { drop(part, of: name) }
            }
            if !isNew { put(change, part, name) }
        }
    }

    private static func part(of change: SyncChange) -> Part? {
        switch change.type {
        case .insert: Part(kind: .insert)
        case .attribute: Part(kind: .attribute, key: change.key ?? "")
        case .toOne: Part(kind: .toOne, key: change.key ?? "")
        case .addToMany, .removeFromMany:
            Part(kind: .member, key: change.key ?? "", target: change.relatedSyncID ?? "")
        case .delete: Part(kind: .delete)
        case .unknown: nil
        }
    }

    /// Keeps the removal of the former target of a relationship when the object is deleted: otherwise the delete rules
    /// would reach that target, or it would deny the deletion.
    /// - Returns: false if the change at `place` removes no target.
    private mutating func clearTarget(at place: Int) -> Bool {
        switch kept[place]?.type {
        case .toOne:
            kept[place]?.changedRelationships = .none
            return true
        case .removeFromMany: return true
        default: return false
        }
    }

    private mutating func put(_ change: SyncChange, _ part: Part, _ name: Name) {
        drop(part, of: name)
        parts[name, default: [:]][part] = kept.count
        kept.append(change)
    }

    private mutating func drop(_ part: Part, of name: Name) {
        guard let place = parts[name]?.removeValue(forKey: part) else { return }
        kept[place] = nil
    }

    /// Puts the value of an attribute into an insertion.
    private mutating func set(_ change: SyncChange, in insertion: Int) {
        let key = ArchivedValue.string(change.key ?? "")
        var pairs = kept[insertion]?.changedAttributes.pairs ?? []
        pairs.removeAll { $0.key == key }
        if !change.changedAttributes.isNil {
            pairs.append(ArchivedPair(key: key, value: change.changedAttributes))
        }
        kept[insertion]?.changedAttributes = .dictionary(pairs)
    }
}
