public import CoreDataStore
public import KeyedArchive
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Applies sync changes to a document, set by set (ticds-protocol(7), 2.2).
///
/// Call `apply(_:)` for each change of a set in the order of application, then `finishSet()`; after the last set, call
/// `finish()`. Deletions take effect at the end of their set, as in the framework, which then saves; the delete rule
/// Cascade takes effect in `finish()` (2.8). If the document has unsent local changes, run `ConflictCheck` on the set
/// first.
///
///     var applier = ChangeApplier(store) { notice in print(notice.kind) }
///     for change in set { try applier.apply(change) }
///     try applier.finishSet()
///     let removed = try applier.finish()
public struct ChangeApplier<Document: SyncDocument> {
    /// The document, as far as the changes have been applied.
    public private(set) var document: Document
    /// The number of changes that took effect, or found the document already in the resulting state.
    public private(set) var applied = 0
    /// The set whose changes are applied.
    public var source: SyncSource?
    /// Whether the changes are already in the document, and are applied again after earlier changes that arrived late.
    public var isAgain = false
    /// Whether changes may be applied again, so that owners that such a change deletes matter before it.
    public var notesLostOwners: Bool {
        get { lost.isOn }
        set {
            lost.isOn = newValue
            moves.isOn = newValue
        }
    }
    /// Objects that the set deletes, in order of deletion.
    private var deleted: [Document.Object] = []
    private var deletedObjects: Set<Document.Object> = []
    /// Entity and sync ID of deleted objects, for notices.
    private var names: [Document.Object: ObjectName] = [:]
    var owners = DeletedOwners<Document.Object>()
    private var lost = LostOwners<Document.Object>()
    private var moves = LateMoves<Document.Object>()
    private let onNotice: (SyncNotice) -> Void

    /// - Parameter onNotice: receives every warning and every change that is not applied.
    public init(_ document: Document, onNotice: @escaping (SyncNotice) -> Void) {
        self.document = document
        self.onNotice = onNotice
    }

    /// Applies one change; a change that cannot be applied makes a notice. Throws errors of the document itself.
    public mutating func apply(_ change: SyncChange) throws(FileProblem) {
        do throws(FileProblem) {
            if try perform(change) { applied += 1 }
        } catch {
            guard error.isRefusal else { throw error }
            onNotice(notice(of: error, change))
        }
    }

    /// Ends a set: deletes the objects that it deletes, even against the delete rule Deny. An object from which Cascade
    /// leads to others stays until `finish()`, without attributes, so that no change finds it.
    public mutating func finishSet() throws(FileProblem) {
        guard !deleted.isEmpty else { return }
        let reach = try document.reach(of: deleted)
        for object in reach.denied {
            let name = names[object]
            onNotice(SyncNotice(kind: .deletionDenied, entity: name?.entity, syncID: name?.syncID))
        }
        for object in deleted where reach.owners.contains(object) {
            guard let name = names[object] else { continue }
            try document.clearAttributes(of: object)
            owners.add(object, name, root: document.rootName(of: name.entity), source)
        }
        try document.erase(deleted.filter { !reach.owners.contains($0) })
        deleted = []
        deletedObjects = []
        names = [:]
    }

    /// Ends the application: deletes the objects that the delete rules now reach from the deleted ones, after all sets,
    /// and gives a notice of each.
    /// - Returns: these objects, without those that the sets deleted themselves.
    public mutating func finish() throws(FileProblem) -> [RemovedObject] {
        var orphans: [(object: Document.Object, cause: OwnerLoss)] = []
        for orphan in lost.orphans where try document.name(of: orphan.object) != nil {
            orphans.append(orphan)
        }
        if owners.isEmpty, orphans.isEmpty { return [] }
        var causes = owners.causes
        for orphan in orphans { causes[orphan.object] = orphan.cause }
        let roots = owners.objects + orphans.map(\.object).filter { !owners.contains($0) }
        let followers = try document.reach(of: roots).followers
        let going =
            orphans.map { (object: $0.object, owner: $0.object) } + followers.map { ($0.object, $0.owner) }
        var removed: [RemovedObject] = []
        for (object, owner) in going {
            guard let name = try document.name(of: object) else { continue }
            let cause = causes[owner]
            removed.append(RemovedObject(entity: name.entity, syncID: name.identifier))
            onNotice(
                SyncNotice(
                    kind: .removedWithOwner, entity: name.entity, relatedEntity: cause?.name.entity,
                    syncID: name.identifier, value: cause.map { .string($0.name.syncID) } ?? .none,
                    reason: cause.map { "its owner \($0.name.entity) \($0.name.syncID) was deleted" },
                    source: cause?.source))
        }
        try document.erase(roots + followers.map(\.object))
        owners = DeletedOwners()
        lost = LostOwners()
        moves = LateMoves()
        return removed
    }

    private func notice(of problem: FileProblem, _ change: SyncChange) -> SyncNotice {
        let isProperty = problem.kind == .unknownName && document.hasEntity(change.entity)
        let kind: SyncNotice.Kind =
            problem.kind != .unknownName ? .refused : isProperty ? .unknownProperty : .unknownEntity
        let reason = problem.found.map { "\(problem.problem): \($0)" } ?? problem.problem
        return SyncNotice(kind, change, reason: reason)
    }

    private mutating func perform(_ change: SyncChange) throws(FileProblem) -> Bool {
        if case .unknown(let number) = change.type {
            onNotice(SyncNotice(.unknownType, change, reason: "type \(number)"))
            return false
        }
        guard let syncID = change.objectSyncID ?? Self.ownSyncID(change) else {
            onNotice(SyncNotice(.withoutSyncID, change))
            return false
        }
        let object = try find(change.entity, syncID)
        switch change.type {
        case .insert: try insert(change, over: object, syncID)
        case .attribute:
            guard let object else {
                onNotice(SyncNotice(.objectMissingForAttribute, change, value: change.changedAttributes))
                return false
            }
            try checkSyncID(change)
            try document.set(try key(change), of: object, to: change.changedAttributes)
        case .toOne, .addToMany, .removeFromMany:
            guard let object else {
                try noteMissing(change, syncID)
                let related = change.relatedEntity
                onNotice(SyncNotice(.objectMissingForRelationship, change, relatedEntity: related))
                return false
            }
            return try relate(change, object)
        case .delete:
            guard let object else {
                try deleteAgain(name(change.entity, syncID))
                let value = ArchivedValue.dictionary(["objectSyncID": .string(syncID)])
                onNotice(SyncNotice(.objectMissingForDeletion, change, value: value))
                return false
            }
            deleted.append(object)
            deletedObjects.insert(object)
            _ = moves.delete(name(change.entity, syncID), wasThere: false)
            names[object] = ObjectName(entity: change.entity, syncID: syncID)
        case .unknown: return false
        }
        return true
    }

    /// The object, unless the set has deleted it already.
    private mutating func find(_ entity: String, _ syncID: String) throws(FileProblem) -> Document.Object? {
        let object = try document.object(entity, syncID: syncID)
        guard let object, !deletedObjects.isEmpty else { return object }
        return deletedObjects.contains(object) ? nil : object
    }

    /// Refuses a change of the sync ID: later changes would not find the object, or would find a different one.
    private func checkSyncID(_ change: SyncChange) throws(FileProblem) {
        guard let fault = change.syncIDFault else { return }
        throw FileProblem(
            .refused, path: "", "the change rewrites the sync ID", found: fault,
            advice: "Look at the change with ticds-changes dump")
    }

    private func key(_ change: SyncChange) throws(FileProblem) -> String {
        guard let key = change.key else {
            throw FileProblem(
                .refused, path: "", "the change does not name a property",
                advice: "Look at the change with ticds-changes dump")
        }
        return key
    }

    /// The sync ID among the attributes of an insertion.
    private static func ownSyncID(_ change: SyncChange) -> String? {
        change.type == .insert ? change.changedAttributes[SyncID.attribute]?.stringValue : nil
    }

    private mutating func insert(
        _ change: SyncChange, over object: Document.Object?, _ syncID: String
    ) throws(FileProblem) {
        var attributes = change.changedAttributes.pairs ?? []
        if !attributes.contains(where: { $0.key == .string(SyncID.attribute) }) {
            attributes.append(ArchivedPair(key: .string(SyncID.attribute), value: .string(syncID)))
            onNotice(SyncNotice(.insertedWithoutSyncID, change))
        }
        guard let object else {
            // An object may already exist under the other sync ID.
            try checkSyncID(change)
            let onNotice = onNotice
            lost.insert(name(change.entity, syncID))
            moves.insert(name(change.entity, syncID))
            _ = try document.insert(change.entity, attributes: attributes) { name, problem in
                onNotice(Self.refusal(of: name, problem, change))
            }
            return
        }
        for pair in attributes {
            let name = pair.key.stringValue ?? "\(pair.key)"
            do throws(FileProblem) {
                if name == SyncID.attribute { try checkSyncID(change) }
                try document.set(name, of: object, to: pair.value)
            } catch {
                guard error.isRefusal else { throw error }
                onNotice(Self.refusal(of: name, error, change))
            }
        }
    }

    private static func refusal(of name: String, _ problem: FileProblem, _ change: SyncChange) -> SyncNotice {
        var notice = SyncNotice(
            problem.kind == .unknownName ? .unknownProperty : .refused, change, reason: problem.problem)
        notice.key = name
        return notice
    }

    private mutating func relate(
        _ change: SyncChange, _ object: Document.Object
    ) throws(FileProblem) -> Bool {
        let key = try key(change)
        var target: Document.Object?
        if let related = change.relatedSyncID {
            guard let entity = change.relatedEntity else {
                throw FileProblem(
                    .refused, path: "", "the change does not name the related entity",
                    advice: "Look at the change with ticds-changes dump")
            }
            guard document.hasEntity(entity) else {
                throw FileProblem(
                    .refused, path: "", "there is no related entity “\(entity)”",
                    advice: "Compare the model with the one of the app: ticds-model show")
            }
            target = try find(entity, related)
        }
        let link = link(change, key)
        if change.type == .toOne {
            try document.setToOne(key, of: object, to: target)
            lost.note(link, object, target)
            moves.forget(object, key)
            if moves.isOn, let target,
                let inverse = document.model.oneToOneInverse(of: key, entity: change.entity)
            {
                moves.forget(target, inverse)
            }
            guard target == nil, let related = change.relatedSyncID else { return true }
            let entity = change.relatedEntity
            onNotice(SyncNotice(.targetMissing, change, relatedEntity: entity, value: .string(related)))
            return true
        }
        guard let target else {
            lost.note(link, object, nil)
            if change.type == .removeFromMany, let other = link.target {
                for owner in owners.named(other) { try document.remove(owner, from: key, of: object) }
            }
            let value = change.relatedSyncID.map { ArchivedValue.string($0) } ?? .none
            onNotice(
                SyncNotice(
                    kind: .objectMissingForRelationship, entity: change.relatedEntity,
                    syncID: change.objectSyncID, key: key, value: value))
            return false
        }
        if change.type == .addToMany {
            try document.add(target, to: key, of: object)
        } else {
            try document.remove(target, from: key, of: object)
        }
        lost.note(link, object, target)
        return true
    }

    /// The name under which deleted objects are remembered: a change may name an object by its entity or by an ancestor
    /// of the entity.
    private func name(_ entity: String, _ syncID: String) -> ObjectName {
        ObjectName(entity: document.rootName(of: entity), syncID: syncID)
    }

    private func link(_ change: SyncChange, _ key: String) -> OwnerLink {
        let target = change.relatedSyncID.flatMap { syncID in
            change.relatedEntity.map { name($0, syncID) }
        }
        return OwnerLink(
            type: change.type, object: name(change.entity, change.objectSyncID ?? ""), key: key,
            target: target,
            ownership: document.model.ownership(of: key, entity: change.entity))
    }

    /// Applies the deletion of an object that does not exist. If it was applied before, the object existed until then.
    private mutating func deleteAgain(_ name: ObjectName) throws(FileProblem) {
        if isAgain { lost.delete(name, source) }
        for move in moves.delete(name, wasThere: isAgain)
        where try document.name(of: move.object) != nil && !deletedObjects.contains(move.object) {
            try document.setToOne(move.key, of: move.object, to: nil)
        }
    }

    /// Records a change of a relationship whose object does not exist. If it is a deleted object from which Cascade
    /// leads to others, the change releases them as it would have done before the deletion.
    private mutating func noteMissing(_ change: SyncChange, _ syncID: String) throws(FileProblem) {
        guard let key = change.key else { return }
        let link = link(change, key)
        var target: Document.Object?
        if let related = change.relatedSyncID, let entity = change.relatedEntity, document.hasEntity(entity) {
            target = try find(entity, related)
        }
        for owner in owners.named(name(change.entity, syncID)) {
            do throws(FileProblem) {
                if change.type == .toOne { try document.setToOne(key, of: owner, to: nil) }
                if change.type == .removeFromMany, let target {
                    try document.remove(target, from: key, of: owner)
                }
            } catch { guard error.isRefusal else { throw error } }
        }
        lost.noteWithoutObject(link, target)
        guard moves.isOn, change.type == .toOne, let target,
            let inverse = document.model.oneToOneInverse(of: key, entity: change.entity)
        else { return }
        moves.note(LateMoves.Move(object: target, key: inverse), to: name(change.entity, syncID))
    }
}

/// A document to which sync changes are applied: a Core Data store, or any other collection of objects with attributes
/// and relationships.
///
/// A method throws `.refused` if the document cannot change the object as requested, and `.unknownName` if it has no
/// such entity or property; the document is then unchanged. Any other error ends the application of changes.
public protocol SyncDocument {
    /// An identifier of an object inside the document, like an NSManagedObjectID.
    associatedtype Object: Hashable & Sendable

    /// Whether the model has an entity of this name.
    func hasEntity(_ name: String) -> Bool

    /// The object of an entity, or of a subentity, with this sync ID; the latest one if several have it.
    mutating func object(_ entity: String, syncID: String) throws(FileProblem) -> Object?

    /// Inserts an object with the model's defaults and these attributes; `onRefusal` receives the attributes that it
    /// cannot have.
    mutating func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> Object

    /// Sets an attribute; `.none` and `.null` clear it.
    mutating func set(_ attribute: String, of object: Object, to value: ArchivedValue) throws(FileProblem)

    /// Sets a to-one relationship and its inverse; nil clears it.
    mutating func setToOne(_ name: String, of object: Object, to target: Object?) throws(FileProblem)

    /// Adds an object to a to-many relationship, and sets the inverse.
    mutating func add(_ target: Object, to name: String, of object: Object) throws(FileProblem)

    /// Removes an object from a to-many relationship, and clears the inverse.
    mutating func remove(_ target: Object, from name: String, of object: Object) throws(FileProblem)

    /// The model, whose delete rules apply.
    var model: ManagedObjectModel { get }

    /// The objects that the delete rules of the model reach from objects.
    mutating func reach(of objects: [Object]) throws(FileProblem) -> DeletionReach<Object>

    /// Clears all attributes of an object, so that no change finds it by its sync ID or another value.
    mutating func clearAttributes(of object: Object) throws(FileProblem)

    /// Entity and sync ID of an object; nil if it no longer exists.
    func name(of object: Object) throws(FileProblem) -> (entity: String, identifier: String?)?

    /// Deletes objects, ignoring delete rules, and clears all references to them.
    mutating func erase(_ objects: [Object]) throws(FileProblem)
}

extension SyncDocument {
    fileprivate func rootName(of entity: String) -> String { model.rootName(of: entity) ?? entity }
}

/// An SQLite store of the app. It must have been opened with `SyncID.attribute` as the attribute that identifies objects.
extension WritableStore: SyncDocument {
    /// The object of the entity, or of a subentity, with this sync ID.
    public func object(_ entity: String, syncID: String) throws(FileProblem) -> StoreObjectID? {
        try object(entity, syncID)
    }
}
