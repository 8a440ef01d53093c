import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore

/// The whole stores of a document; they stay open as long as this value exists.
struct StoreObjects {
    private(set) var stores: [Opened] = []
    private(set) var vocabulary = StoreVocabulary()
    private(set) var tree = EntityTree()
    /// Whether every object of every whole store could be read. If not, an object that no set inserts may be in a store.
    private(set) var isComplete: Bool

    struct Opened {
        var client: RemoteName
        var path: RemotePath
        var store: any PersistentStore
        /// Keeps the private copy of the file on disk.
        let file: WholeStoreFile
    }

    static let syncID = "ticdsSyncID"

    init(_ document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>) {
        let uploads = document.wholeStores.filter { $0.store != nil }
        isComplete = !uploads.isEmpty
        for upload in uploads {
            guard let file = upload.store, !damaged.contains(file.path),
                let opened = Self.open(upload.client, file.path, context)
            else {
                isComplete = false
                continue
            }
            stores.append(opened)
            vocabulary.add(opened.store)
            if let store = opened.store as? SQLiteStore {
                tree.add(store.entityNames, superentities: store.superentities)
            }
        }
    }

    /// Opens a store; nil if that fails. An error that leaves it unread is recorded. `keyring` replaces the context's
    /// keyring.
    static func open(
        _ client: RemoteName, _ path: RemotePath, _ context: VerificationContext,
        _ keyring: RemoteKeyring? = nil
    ) -> Opened? {
        do throws(FileProblem) {
            let file = try WholeStoreFile.open(path, in: context.storage, keyring: keyring ?? context.keyring)
            // A binary store is read into memory as a whole.
            let size = try FileStatus.of(file.path).size
            guard file.kind != .binary || size <= Int64(context.memoryLimit) else { return nil }
            let store = try PersistentStores.open(file.path, gaps: file.gaps)
            return Opened(client: client, path: path, store: store, file: file)
        } catch {
            context.unread.note(error, at: path)
            return nil
        }
    }

    /// Enters the objects of SQLite stores before any change set is read; reports missing and shared sync IDs.
    mutating func enterNamed(
        _ index: inout ObjectIndex, _ names: inout EntityNames, _ document: RemoteName,
        _ context: VerificationContext
    ) -> [Finding] {
        var findings: [Finding] = []
        for opened in stores {
            guard let store = opened.store as? SQLiteStore else { continue }
            var census = SyncIDCensus(store)
            do throws(FileProblem) {
                try store.forEachText(of: Self.syncID) { entity, _, text in
                    guard let text, !text.isEmpty else { return census.countMissing(entity) }
                    let key = ObjectIndex.key(text)
                    census.count(entity, key)
                    var entry = index[key] ?? ObjectIndex.Entry()
                    entry.enter(entity: names.number(of: entity), .inStore)
                    index[key] = entry
                }
            } catch {
                context.unread.note(error, at: opened.path)
                isComplete = false
                continue
            }
            if census.isEmpty { isComplete = false }
            findings += census.findings(at: opened.path, document: document, client: opened.client, context)
        }
        return findings
    }

    /// Marks objects of binary stores, which do not name attributes: a text that is a known sync ID marks the object.
    mutating func markUnnamed(_ index: inout ObjectIndex, _ context: VerificationContext) {
        let unread = context.unread
        for opened in stores where !(opened.store is SQLiteStore) {
            var hasAny = false
            var isSound = true
            do throws(FileProblem) {
                try opened.store.forEachObject(
                    entity: nil,
                    onDamage: { problem in
                        unread.note(problem, at: opened.path)
                        isSound = false
                    }
                ) { object in
                    for attribute in object.attributes {
                        guard let text = attribute.value.stringValue else { continue }
                        let key = ObjectIndex.key(text)
                        guard var entry = index[key] else { continue }
                        hasAny = true
                        entry.flags.insert(.inStore)
                        index[key] = entry
                    }
                }
            } catch {
                unread.note(error, at: opened.path)
                isSound = false
            }
            if !hasAny || !isSound { isComplete = false }
        }
    }
}

extension ObjectIndex.Entry {
    /// Records an object of this entity. Objects of two entities with one sync ID make the entry ambiguous.
    mutating func enter(entity number: UInt16, _ flag: ObjectIndex.Flags) {
        if entity != 0, number != 0, entity != number { flags.insert(.ambiguous) }
        if entity == 0 { entity = number }
        flags.insert(flag)
    }
}

extension DocumentSnapshot {
    /// The time before which a vacuum may have removed sets: the time of the oldest whole store or of the oldest recent
    /// sync, whichever is earlier; `now` if there are none (ticds-protocol(7), 1.9).
    func vacuumLimit(now: FileTime) -> FileTime {
        let times = wholeStores.compactMap(\.store?.modified) + recentSyncs.map(\.file.modified)
        return times.min() ?? now
    }
}

/// The inheritance of entities, as far as the whole stores show it.
struct EntityTree {
    private var above: [String: String] = [:]
    private var known: Set<String> = []

    mutating func add(_ names: [String], superentities: [String: String]) {
        known.formUnion(names)
        above.merge(superentities) { first, _ in first }
    }

    /// Whether a fetch of `entity` cannot return objects of `actual`. False if the stores do not know both entities.
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
            let text = lacking.map { "\($0.value) of \($0.key.prefix(200))" }.listed()
            findings.append(
                context.finding(
                    .objectsWithoutSyncID, at: path, document: document, client: client,
                    expected: "a ticdsSyncID for every object", found: text))
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
