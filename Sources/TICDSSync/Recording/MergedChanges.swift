import KeyedArchive
public import TICDSCore

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
