import CoreDataStore
import SystemCalls
import TICDSCore

/// Counts the objects of one whole store without a sync ID, and those with the sync ID of another object.
struct SyncIDCensus {
    private let store: SQLiteStore
    private let superentities: [String: String]
    private var missing: [String: Int] = [:]
    private var present: [String: Int] = [:]
    /// Hashes of entity and sync ID, 8 bytes for each object.
    private var keys: [UInt64] = []

    init(_ store: SQLiteStore) {
        self.store = store
        superentities = store.superentities
    }

    /// Whether no object has a sync ID, so that the store does not show which objects it contains.
    var isEmpty: Bool { present.isEmpty }

    mutating func countMissing(_ entity: String) { missing[entity, default: 0] += 1 }

    mutating func count(_ entity: String, _ key: UInt64) {
        present[entity, default: 0] += 1
        keys.append(Self.mixed(entity, key))
    }

    mutating func findings(
        at path: RemotePath, document: RemoteName, client: RemoteName, _ context: VerificationContext
    ) -> [Finding] {
        var findings: [Finding] = []
        let lacking = missing.filter { isSynchronised($0.key) }.sorted { $0.key < $1.key }
        if !lacking.isEmpty {
            let text = lacking.prefix(5).map { "\($0.value) of \($0.key.prefix(200))" }.joined(
                separator: ", ")
            let more = lacking.count > 5 ? " and more" : ""
            findings.append(
                context.finding(
                    .objectsWithoutSyncID, at: path, document: document, client: client,
                    expected: "a ticdsSyncID for every object", found: text + more))
        }
        if let twins = twins() {
            let first =
                twins.first.map { ", such as \($0.entity.prefix(200)) \($0.syncID.prefix(200))" } ?? ""
            findings.append(
                context.finding(
                    .sharedSyncID, at: path, document: document, client: client,
                    subject: twins.first.map { String($0.syncID.prefix(200)) },
                    expected: "every ticdsSyncID once",
                    found: "\(counted(twins.count, "object")) too many\(first)"))
        }
        return findings
    }

    /// Whether objects of the entity have sync IDs. Without a model, every entity of a table seems to have the attribute,
    /// so entities of an inheritance tree count only if an object has a value.
    private func isSynchronised(_ entity: String) -> Bool {
        if let model = store.model {
            return model.attributes(of: entity).contains { $0.name == StoreObjects.syncID }
        }
        if present[entity] != nil { return true }
        return superentities[entity] == nil && !superentities.values.contains(entity)
    }

    private mutating func twins() -> (count: Int, first: (entity: String, syncID: String)?)? {
        keys.sort()
        var count = 0
        var some: UInt64?
        for position in keys.indices.dropFirst() where keys[position] == keys[position - 1] {
            count += 1
            some = some ?? keys[position]
        }
        guard let some else { return nil }
        var first: (entity: String, syncID: String)?
        // try?: only looks for an example of what the first pass counted
        try? store.forEachText(of: StoreObjects.syncID) { entity, _, text in
            guard first == nil, let text, Self.mixed(entity, ObjectIndex.key(text)) == some else { return }
            first = (entity, text)
        }
        return (count, first)
    }

    private static func mixed(_ entity: String, _ key: UInt64) -> UInt64 { ObjectIndex.key(entity) ^ key }
}
