import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore

/// The whole stores of a document, opened for as long as this value lives.
struct StoreObjects {
    private(set) var stores: [Opened] = []
    private(set) var vocabulary = StoreVocabulary()
    private(set) var tree = EntityTree()
    /// Whether every object of every whole store could be looked at. What is in none of the sets may else be in a
    /// store.
    private(set) var isComplete: Bool

    struct Opened {
        var client: RemoteName
        var path: RemotePath
        var store: any PersistentStore
        /// Keeps the private copy.
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

    /// Nil where the store cannot be opened here.
    /// - Parameter keyring: instead of the context's.
    static func open(
        _ client: RemoteName, _ path: RemotePath, _ context: VerificationContext,
        _ keyring: RemoteKeyring? = nil
    ) -> Opened? {
        do throws(FileProblem) {
            let file = try WholeStoreFile.open(path, in: context.storage, keyring: keyring ?? context.keyring)
            // A binary store has to be in memory as a whole.
            let size = try FileStatus.of(file.path).size
            guard file.kind != .binary || size <= Int64(context.memoryLimit) else { return nil }
            let store = try PersistentStores.open(file.path)
            return Opened(client: client, path: path, store: store, file: file)
        } catch {
            context.unread.note(error, at: path)
            return nil
        }
    }

    /// Enters the objects of stores that name their attributes, before any change set is read. What is wrong with the
    /// sync IDs of a store makes findings.
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
                isComplete = false
                continue
            }
            if census.isEmpty { isComplete = false }
            findings += census.findings(
                at: opened.path, document: document, client: opened.client, context)
        }
        return findings
    }

    /// Marks the objects of binary stores, which do not name their attributes: where one of an object's texts is a
    /// sync ID that changes are about, the object is taken to be that one.
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
    /// Takes note that there is an object of this entity. Two entities with one sync ID make it ambiguous.
    mutating func enter(entity number: UInt16, _ flag: ObjectIndex.Flags) {
        if entity != 0, number != 0, entity != number { flags.insert(.ambiguous) }
        if entity == 0 { entity = number }
        flags.insert(flag)
    }
}
