import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore

/// The behaviour of a client at a change that Core Data refuses (ticds-protocol(7), 2.2 and 4.3-7).
struct Refusal: Hashable {
    /// The behaviour of the iCloud branch; the other variants crash.
    enum OnICloud: Hashable {
        /// The client gives warning 8 and continues; no version of an app could apply the change.
        case skipsNothing
        /// The client gives warning 8 and continues without the edit.
        case skipsEdit
        /// The set has failed, and the synchronisation with it.
        case failsSet
        /// The client crashes like the others.
        case crashes
    }

    /// "is about Note.colour, which the model that was given lacks"
    var text: String
    /// Whether the client first looks for the object, and skips the change if it has none.
    var needsObject: Bool
    var onICloud: OnICloud
}

/// The model of the simulated client's app, as far as it is known, and the behaviour of Core Data at changes that do
/// not fit it (ticds-protocol(7), 2.2, 4.3-7 and D-11).
struct ClientModel {
    /// The result when the app applies a change.
    enum Verdict: Hashable {
        case applicable
        /// Core Data raises an exception.
        case raises(Refusal)
        case unknown(String)
    }

    private let vocabulary: StoreVocabulary
    /// The name of the model in sentences: "the model that was given"; nil if none is known.
    let source: String?

    init(_ model: ManagedObjectModel) {
        vocabulary = StoreVocabulary([ModelVocabulary(model)])
        source = "the model that was given"
    }

    /// The models of the apps that uploaded these whole stores, named `source`.
    init(stores: [RemotePath], source: String, _ context: VerificationContext, _ keyring: RemoteKeyring) {
        var vocabulary = StoreVocabulary()
        for path in stores {
            guard let client = path.parent.last,
                let opened = StoreObjects.open(client, path, context, keyring)
            else { continue }
            vocabulary.add(opened.store)
        }
        self.vocabulary = vocabulary
        self.source = vocabulary.models.isEmpty ? nil : source
    }

    private var lacker: String { source ?? "the model" }

    func verdict(on change: SyncChange) -> Verdict {
        if case .unknown = change.type { return .applicable }
        let isAttribute = change.type == .attribute
        if change.entity.isEmpty {
            return .raises(
                Refusal(
                    text: "names no entity", needsObject: false,
                    onICloud: isAttribute ? .skipsNothing : .failsSet))
        }
        if isAttribute, change.key == nil { return .raises(noKey(.skipsNothing)) }
        guard source != nil else { return .unknown("no model is at hand") }
        if vocabulary.lacks(change.entity) {
            return .raises(
                Refusal(
                    text: "is of the entity \(change.entity.prefix(200)), which \(lacker) lacks",
                    needsObject: false, onICloud: isAttribute ? .skipsEdit : .failsSet))
        }
        switch change.type {
        case .insert: return insert(change)
        case .attribute: return property(change.key ?? "", change, needsObject: true, .skipsEdit)
        case .toOne:
            guard let key = change.key else { return .raises(noKey(.failsSet)) }
            let verdict = property(key, change, needsObject: true, .failsSet)
            guard case .raises = verdict else {
                let related = related(change)
                return related == .applicable ? verdict : related
            }
            return verdict
        case .addToMany, .removeFromMany: return related(change)
        case .delete, .unknown: return .applicable
        }
    }

    private func noKey(_ onICloud: Refusal.OnICloud) -> Refusal {
        Refusal(text: "names no property", needsObject: true, onICloud: onICloud)
    }

    private func insert(_ change: SyncChange) -> Verdict {
        guard let pairs = change.changedAttributes.pairs else {
            return change.changedAttributes.isNil
                ? .applicable
                : .raises(
                    Refusal(
                        text: "has no dictionary of attributes", needsObject: false, onICloud: .failsSet))
        }
        var result = Verdict.applicable
        for name in pairs.compactMap(\.key.stringValue) {
            switch property(name, change, needsObject: false, .failsSet) {
            case .applicable: continue
            case .raises(let refusal): return .raises(refusal)
            case .unknown(let text): result = .unknown(text)
            }
        }
        return result
    }

    private func property(
        _ name: String, _ change: SyncChange, needsObject: Bool, _ onICloud: Refusal.OnICloud
    ) -> Verdict {
        let text = "\(change.entity.prefix(200)).\(name.prefix(200))"
        func refusal(_ text: String, _ onICloud: Refusal.OnICloud) -> Verdict {
            .raises(Refusal(text: text, needsObject: needsObject, onICloud: onICloud))
        }
        switch vocabulary.has(name, of: change.entity, in: change.type) {
        case true?: break
        case false?: return refusal("is about \(text), which \(lacker) lacks", onICloud)
        case nil: return .unknown("nothing shows whether the application knows \(text)")
        }
        switch (vocabulary.kind(of: name, in: change.entity), change.type) {
        case (.toOne?, .attribute), (.toMany?, .attribute), (.toOne?, .insert), (.toMany?, .insert):
            return refusal("sets \(text) as an attribute, which is a relationship", .crashes)
        case (.toMany?, .toOne):
            return refusal("sets \(text) to one object, which is a to-many relationship", .crashes)
        case (.attribute?, .toOne):
            return .unknown("\(text), which a change of a relationship sets, is an attribute")
        default: return .applicable
        }
    }

    /// Checks the related entity. An unknown to-many relationship raises no exception.
    private func related(_ change: SyncChange) -> Verdict {
        guard let entity = change.relatedEntity, !entity.isEmpty else {
            return .raises(
                Refusal(text: "names no related entity", needsObject: true, onICloud: .failsSet))
        }
        guard vocabulary.lacks(entity) else { return .applicable }
        return .raises(
            Refusal(
                text: "relates to the entity \(entity.prefix(200)), which \(lacker) lacks",
                needsObject: true, onICloud: .failsSet))
    }
}

/// The objects that the simulated client has, as far as whole stores and the sets that it applies show them.
final class KnownObjects {
    private let stores: [RemotePath]
    /// Whether the client begins with these stores, and so lacks everything that they lack.
    private let isWhole: Bool
    private let context: VerificationContext
    private let keyring: RemoteKeyring
    /// The changes of the sets so far: whether the last change of an object was an insertion.
    private var changed: [UInt64: Bool] = [:]
    private lazy var stored = read()

    init(
        stores: [RemotePath], isWhole: Bool, _ context: VerificationContext, _ keyring: RemoteKeyring
    ) {
        self.stores = stores
        self.isWhole = isWhole
        self.context = context
        self.keyring = keyring
    }

    func note(_ change: SyncChange) {
        guard change.type == .insert || change.type == .delete, let id = change.objectSyncID else { return }
        changed[ObjectIndex.key(id)] = change.type == .insert
    }

    /// Whether the client has the object; nil if the remote does not show it.
    func has(_ syncID: String?) -> Bool? {
        guard let syncID else { return nil }
        let key = ObjectIndex.key(syncID)
        if let isThere = changed[key] { return isThere }
        if stored.keys.contains(key) { return true }
        return isWhole && stored.isComplete ? false : nil
    }

    /// The sync IDs in the stores. A binary store does not name its attributes, so every text in it may be a sync ID.
    private func read() -> (keys: Set<UInt64>, isComplete: Bool) {
        var keys: Set<UInt64> = []
        var isComplete = !stores.isEmpty
        for path in stores {
            guard let client = path.parent.last,
                let opened = StoreObjects.open(client, path, context, keyring)
            else {
                isComplete = false
                continue
            }
            do throws(FileProblem) {
                if let store = opened.store as? SQLiteStore {
                    try store.forEachText(of: StoreObjects.syncID) { _, _, text in
                        if let text { keys.insert(ObjectIndex.key(text)) }
                    }
                } else {
                    try opened.store.forEachObject { object in
                        for text in object.attributes.compactMap(\.value.stringValue) {
                            keys.insert(ObjectIndex.key(text))
                        }
                    }
                }
            } catch {
                context.unread.note(error, at: path)
                isComplete = false
            }
        }
        return (keys, isComplete && !keys.isEmpty)
    }
}
