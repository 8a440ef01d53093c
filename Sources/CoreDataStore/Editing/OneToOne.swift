import SystemCalls

/// Completes one-to-one relationships that another tool changed on one side or on both.
///
/// It restores both sides from the base and makes the changes again, so that each updates its inverse. The side that
/// clients record comes last and prevails: the relationship whose name sorts first, ignoring case.
struct OneToOne {
    /// A changed key.
    struct KeyEdit {
        let row: StoreObjectID
        let target: StoreObjectID?
        /// The key in the base.
        let old: Int64?
    }

    struct Side {
        let place: KeyPlace
        let edits: [KeyEdit]

        var order: (String, String) { (place.name.lowercased(), place.entity) }
    }

    let store: WritableStore
    let notices: EditNotices

    func settle(_ sides: [Side]) throws(FileProblem) {
        for side in sides {
            let other = sides.first {
                $0.place.column === side.place.back && side.place.column === $0.place.back
            }
            guard let other else { continue }
            let isReflexive = other.place.column === side.place.column
            // Each pair once. The recorded side is the second.
            guard isReflexive || side.order < other.order else { continue }
            let pair = isReflexive ? [side] : [other, side]
            try store.run { () throws(SQLiteError) in
                for side in pair where try lacksInverse(side) { return try redo(pair) }
            }
        }
    }

    /// Whether a change lacks its inverse.
    private func lacksInverse(_ side: Side) throws(SQLiteError) -> Bool {
        guard let back = side.place.back else { return false }
        for edit in side.edits {
            let row = edit.row.primaryKey
            if let target = edit.target, try back.key(in: target.primaryKey) != row { return true }
            if let old = edit.old, old != edit.target?.primaryKey, try back.key(in: old) == row {
                return true
            }
        }
        return false
    }

    private func redo(_ sides: [Side]) throws(SQLiteError) {
        for side in sides {
            for edit in side.edits {
                let old = try edit.old.flatMap { (key) throws(SQLiteError) in
                    try side.place.targets.object(key)
                }
                try side.place.column.set(old, in: edit.row.primaryKey)
            }
        }
        for side in sides {
            let (place, back) = (side.place, side.place.back)
            // First the cleared keys, so that clearing does not undo a new link.
            for edit in side.edits where edit.target == nil {
                try store.set(place.column, back, of: edit.row, to: nil, place.targets)
            }
            for edit in side.edits where edit.target != nil {
                try store.set(place.column, back, of: edit.row, to: edit.target, place.targets)
                guard let target = edit.target,
                    try place.column.key(in: edit.row.primaryKey) == target.primaryKey
                else { continue }
                notices.add(
                    .inverseFollowed, place, of: edit.row, in: store,
                    "the other side of the relationship has followed")
            }
        }
        for side in sides {
            for edit in side.edits
            where try side.place.column.key(in: edit.row.primaryKey) != edit.target?.primaryKey {
                notices.add(
                    .contradictionSettled, side.place, of: edit.row, in: store,
                    "the two sides of the relationship contradicted each other; the other side was kept")
            }
        }
    }
}
