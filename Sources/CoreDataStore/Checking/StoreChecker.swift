public import SystemCalls

/// Checks what Core Data takes for granted in its stores, and clients of the framework in theirs.
///
///     let check = try StoreChecker.check(try PersistentStores.open(path, model: model))
///     if check.findings.isEmpty { ... }
///
/// Of an SQLite store: the database itself (`quick_check`); `Z_PRIMARYKEY` against the keys in use; `Z_PK`, `Z_ENT` and
/// `Z_OPT` of every row; every to-one key, its entity column and its inverse; every join table; the places of ordered
/// relationships. Of a binary store: its counter, every relationship and its inverse. Of both: every object can be
/// decoded, mandatory attributes have values, files of external data are there, and sync IDs are there and unique.
///
/// Without a model some of this cannot be told; `StoreCheck.unchecked` says what. Nothing is written. Memory grows by
/// some 20 bytes an object that has a sync ID; a binary store is in memory as a whole.
public enum StoreChecker {
    /// The attribute by which clients of the framework know an object.
    public static let syncIDAttribute = "ticdsSyncID"

    /// - Parameter syncID: the name of the attribute that identifies objects; it is checked where entities have it.
    /// - Throws: what ends the reading of the store. What is merely wrong in it is a finding.
    public static func check(
        _ store: any PersistentStore, syncID: String = syncIDAttribute
    ) throws(FileProblem) -> StoreCheck {
        var result = StoreCheck()
        if let store = store as? SQLiteStore {
            var tables = try SQLiteStoreCheck(store)
            try tables.run()
            result.findings = tables.groups.findings
            result.unchecked = tables.unchecked
        } else if let store = store as? BinaryStore {
            var graph = BinaryStoreCheck(store)
            try graph.run()
            result.findings = graph.groups.findings
        }
        var objects = ObjectCheck(store, syncID: syncID)
        // A damaged database may end a pass that began well.
        if !result.findings.contains(where: { $0.kind == .damagedDatabase }) { try objects.run() }
        result.findings += objects.findings
        result.unchecked += objects.unchecked
        result.unread = objects.unread
        result.objects = objects.count
        result.hasSyncIDs = objects.hasSyncIDs
        return result
    }
}

/// What a check of a store gave.
public struct StoreCheck: Sendable, Hashable {
    /// None for a sound store.
    public var findings: [StoreFinding] = []
    /// What could not be checked, and why, in words without a full stop.
    public var unchecked: [String] = []
    /// Files of external data that cannot be read, at most five; `unchecked` tells how many objects they leave unchecked.
    public var unread: [FileProblem] = []
    /// Objects that were read.
    public var objects = 0
    /// Whether any entity of the store has the attribute of the sync ID.
    public var hasSyncIDs = false
}
