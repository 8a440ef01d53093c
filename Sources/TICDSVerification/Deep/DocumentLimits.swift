import SystemCalls
import TICDSCore

extension DocumentSnapshot {
    /// What was changed before may have been removed by somebody's vacuum: the time of the oldest whole store or of
    /// the oldest recent sync, whichever is earlier (ticds-protocol(7), 4.9).
    func vacuumLimit(now: FileTime) -> FileTime {
        let times = wholeStores.compactMap(\.store?.modified) + recentSyncs.map(\.file.modified)
        return times.min() ?? now
    }
}

/// Which entities are parts of which, as far as the whole stores tell.
struct EntityTree {
    private var above: [String: String] = [:]
    private var known: Set<String> = []

    mutating func add(_ names: [String], superentities: [String: String]) {
        known.formUnion(names)
        above.merge(superentities) { first, _ in first }
    }

    /// Whether a fetch of objects of `entity` cannot find one of `actual`. False where the stores do not know both.
    func excludes(_ actual: String, from entity: String) -> Bool {
        guard actual != entity, known.contains(actual), known.contains(entity) else { return false }
        var name = actual
        for _ in 0..<100 {
            guard let next = above[name] else { return true }
            if next == entity { return false }
            name = next
        }
        return false
    }
}
