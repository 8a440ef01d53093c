import CoreDataStore
import KeyedArchive
import TICDSCore

/// The model of the simulated client's application, as far as it is known, and what Core Data does with changes that do
/// not fit it (ticds-protocol(7), 5.2, 7.3-7 and D-11).
struct ClientModel {
    /// What happens when the application applies a change.
    enum Verdict: Hashable {
        case applicable
        /// Core Data raises an exception; `ofAttribute` if setting an attribute raises it, for an object that exists.
        case raises(String, ofAttribute: Bool)
        case unknown(String)
    }

    private let vocabulary: StoreVocabulary
    /// How to name the model: "the model that was given"; nil if none is known.
    let source: String?

    init(_ model: ManagedObjectModel) {
        vocabulary = StoreVocabulary([ModelVocabulary(model)])
        source = "the model that was given"
    }

    /// The models of the applications that uploaded these whole stores, named `source`.
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
        if change.entity.isEmpty { return .raises("names no entity", ofAttribute: false) }
        guard source != nil else { return .unknown("no model is at hand") }
        if vocabulary.lacks(change.entity) {
            return .raises(
                "is of the entity \(change.entity.prefix(200)), which \(lacker) lacks", ofAttribute: false)
        }
        switch change.type {
        case .insert: return insert(change)
        case .attribute: return property(change)
        case .toOne:
            let verdict = property(change)
            return verdict == .applicable ? related(change) : verdict
        case .addToMany, .removeFromMany: return related(change)
        case .delete, .unknown: return .applicable
        }
    }

    private func insert(_ change: SyncChange) -> Verdict {
        guard let pairs = change.changedAttributes.pairs else {
            return change.changedAttributes.isNil
                ? .applicable : .raises("has no dictionary of attributes", ofAttribute: true)
        }
        var result = Verdict.applicable
        for name in pairs.compactMap(\.key.stringValue) {
            switch property(name, change) {
            case .applicable: continue
            case .raises(let text, let ofAttribute): return .raises(text, ofAttribute: ofAttribute)
            case .unknown(let text): result = .unknown(text)
            }
        }
        return result
    }

    private func property(_ change: SyncChange) -> Verdict {
        guard let key = change.key else {
            return .raises("names no property", ofAttribute: change.type == .attribute)
        }
        return property(key, change)
    }

    private func property(_ name: String, _ change: SyncChange) -> Verdict {
        let text = "\(change.entity.prefix(200)).\(name.prefix(200))"
        switch vocabulary.has(name, of: change.entity, in: change.type) {
        case true?: return .applicable
        case false?:
            return .raises("is about \(text), which \(lacker) lacks", ofAttribute: change.type != .toOne)
        case nil: return .unknown("nothing shows whether the application knows \(text)")
        }
    }

    /// Checks the related entity. An unknown to-many relationship raises no exception.
    private func related(_ change: SyncChange) -> Verdict {
        guard let entity = change.relatedEntity, !entity.isEmpty else {
            return .raises("names no related entity", ofAttribute: false)
        }
        guard vocabulary.lacks(entity) else { return .applicable }
        return .raises(
            "relates to the entity \(entity.prefix(200)), which \(lacker) lacks", ofAttribute: false)
    }
}
