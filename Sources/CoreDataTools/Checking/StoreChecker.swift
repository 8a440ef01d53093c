public import CoreDataStore
public import SystemCalls

/// Checks the invariants that Core Data, and clients of the framework, depend on in a store.
///
///     let check = try StoreChecker.check(try PersistentStores.open(path, model: model))
///     if check.findings.isEmpty { ... }
///
/// In an SQLite store it checks the database (`PRAGMA integrity_check`); `Z_PRIMARYKEY` against the keys in use; `Z_PK`,
/// `Z_ENT` and `Z_OPT` of every row; every foreign key with its entity column and its inverse; every join table; the
/// positions of ordered relationships. In a binary or XML store it checks the key counter, and every relationship with its
/// inverse. In both it checks that every object can be decoded, that mandatory attributes have values, that files of
/// external data exist, and that every object has a unique sync ID.
///
/// Without a model it cannot check everything; `StoreCheck.unchecked` lists the rest. It writes nothing. Each object
/// with a sync ID takes some 20 bytes of memory; a binary store is read into memory.
public enum StoreChecker {
    /// The attribute by which clients of the framework identify an object.
    public static let syncIDAttribute = "ticdsSyncID"

    /// - Parameter syncID: the name of the identifying attribute, which is checked in the entities that have it.
    /// - Throws: an error that ends the reading of the store. A fault in its content is a finding.
    public static func check(
        _ store: any PersistentStore, syncID: String = syncIDAttribute
    ) throws(FileProblem) -> StoreCheck {
        var result = StoreCheck()
        if let store = store as? SQLiteStore {
            var tables = try SQLiteStoreCheck(store)
            try tables.run()
            result.findings = tables.groups.findings
            result.unchecked = tables.unchecked
        } else {
            var graph = AtomicStoreCheck(store)
            try graph.run()
            result.findings = graph.groups.findings
        }
        var objects = ObjectCheck(store, syncID: syncID)
        // A read of a damaged database can end in the middle.
        let isReadable = !result.findings.contains { $0.kind == .damagedDatabase }
        if isReadable { try objects.run() }
        let findings = result.findings + objects.findings
        result.findings = findings.filter { !$0.isTolerated }
        result.tolerated = findings.filter(\.isTolerated)
        result.unchecked += objects.unchecked
        result.unread = objects.unread
        result.objects = isReadable ? objects.count : nil
        result.hasSyncIDs = objects.hasSyncIDs
        return result
    }
}

/// The result of a check of a store.
public struct StoreCheck: Sendable, Hashable {
    /// The findings; none for an intact store.
    public var findings: [StoreFinding] = []
    /// Findings that Core Data itself leaves in intact stores: an inverse that is NULL in every row, a mandatory
    /// attribute without its default value, a pair that a join table has twice.
    public var tolerated: [StoreFinding] = []
    /// The parts that could not be checked, with the reason, each without a full stop.
    public var unchecked: [String] = []
    /// The first five files of external data that cannot be read; `unchecked` has the number of their objects.
    public var unread: [FileProblem] = []
    /// The number of objects that were read; nil for a damaged database, from which none is read.
    public var objects: Int?
    /// Whether an entity of the store has the sync ID attribute.
    public var hasSyncIDs = false
}
