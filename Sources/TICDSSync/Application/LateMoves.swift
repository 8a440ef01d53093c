import CoreDataStore

/// Objects that a change moves, by a one-to-one relationship, to a holder that a later set, applied before, has already
/// deleted (ticds-protocol(7), 2.8-6). In the order of the sets the former holder loses the object before the new
/// holder is deleted; when the deletion is applied again, it loses it.
struct LateMoves<Object: Hashable & Sendable> {
    struct Move {
        var object: Object
        /// The relationship of the object to its holder.
        var key: String
    }

    private var moves: [ObjectName: [Move]] = [:]
    /// Names of objects that were deleted in this application, and not inserted again: objects that are moved to them
    /// later stay where they are.
    private var deleted: Set<ObjectName> = []
    /// Whether changes are recorded at all.
    var isOn = false

    /// Records a change that would have given the object to a holder that does not exist.
    mutating func note(_ move: Move, to holder: ObjectName) {
        guard isOn else { return }
        forget(move.object, move.key)
        if !deleted.contains(holder) { moves[holder, default: []].append(move) }
    }

    /// Records that the relationship of the object to its holder has changed since.
    mutating func forget(_ object: Object, _ key: String) {
        if moves.isEmpty { return }
        for holder in moves.keys { moves[holder]?.removeAll { $0.object == object && $0.key == key } }
    }

    /// Records that a holder of this name exists again.
    mutating func insert(_ holder: ObjectName) {
        guard isOn else { return }
        deleted.remove(holder)
        moves[holder] = nil
    }

    /// - Parameter wasThere: whether the holder existed before this deletion, although it does not now.
    /// - Returns: the moves that the deletion shows to have taken place.
    mutating func delete(_ holder: ObjectName, wasThere: Bool) -> [Move] {
        guard isOn else { return [] }
        deleted.insert(holder)
        return wasThere ? moves.removeValue(forKey: holder) ?? [] : []
    }
}

extension ManagedObjectModel {
    /// The inverse of a relationship, if both lead to one object.
    func oneToOneInverse(of key: String, entity: String) -> String? {
        guard let relationship = relationships(of: entity).first(where: { $0.name == key }),
            !relationship.isToMany, let inverse = inverse(of: relationship)?.relationship, !inverse.isToMany
        else { return nil }
        return inverse.name
    }
}
