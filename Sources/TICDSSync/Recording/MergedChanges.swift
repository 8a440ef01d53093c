import KeyedArchive
public import TICDSCore

extension LocalEditRecorder {
    /// One list out of two that were recorded one after the other, with one change for each object and key: applied as
    /// one set it does what both did in turn.
    ///
    /// The value of an attribute that was changed after its object was inserted goes into the insertion. What was
    /// inserted and deleted, or added and removed, leaves nothing. What an object let go before it was deleted stays let
    /// go, out of reach of the delete rules. An object that was deleted and inserted again under its old sync ID is not
    /// deleted: deletions would come last in the set.
    public static func merged(_ earlier: [SyncChange], _ later: [SyncChange]) -> [SyncChange] {
        if earlier.isEmpty { return later }
        if later.isEmpty { return earlier }
        var merger = ChangeMerger()
        merger.add(earlier)
        merger.add(later)
        return merger.changes
    }
}

/// Takes in lists of changes, and keeps one change for each object and key.
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

    /// In order of arrival; nil for those that were dropped.
    private var kept: [SyncChange?] = []
    /// Where they are. Changes without sync ID are in none.
    private var parts: [Name: [Part: Int]] = [:]

    var changes: [SyncChange] { kept.compactMap { $0 } }

    /// Takes in a list as a whole.
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
                if isNew || !letGo(at: place) { drop(part, of: name) }
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

    /// Keeps of a relationship of an object that is deleted later what it led to no more: the deletion would reach that by
    /// a delete rule, or be denied by it. Whatever it led to instead has its own changes.
    /// - Returns: false where nothing is let go.
    private mutating func letGo(at place: Int) -> Bool {
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
