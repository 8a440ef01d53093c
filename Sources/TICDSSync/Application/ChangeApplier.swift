public import CoreDataStore
public import KeyedArchive
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Applies sync changes to a document, set by set (ticds-protocol(7), 5.2).
///
/// Call `apply(_:)` for each change of a set in the order of application, then `finishSet()`. Deletions take effect at the
/// end of their set, as in the framework, which saves then. If the document has local changes that are not sent yet, run
/// `ConflictCheck` on the set first.
///
///     var applier = ChangeApplier(store) { notice in print(notice.kind) }
///     for change in set { try applier.apply(change) }
///     try applier.finishSet()
public struct ChangeApplier<Document: SyncDocument> {
    /// The document, as far as the changes have been applied.
    public private(set) var document: Document
    /// How many changes took effect, or found the document already as they leave it.
    public private(set) var applied = 0
    /// Objects that the set deletes, in order of deletion.
    private var deleted: [Document.Object] = []
    private var deletedObjects: Set<Document.Object> = []
    /// Entity and sync ID of deleted objects, for notices.
    private var names: [Document.Object: (entity: String, syncID: String)] = [:]
    private let onNotice: (SyncNotice) -> Void

    /// - Parameter onNotice: gets every warning and every change that is not applied.
    public init(_ document: Document, onNotice: @escaping (SyncNotice) -> Void) {
        self.document = document
        self.onNotice = onNotice
    }

    /// Applies one change; one that cannot be applied makes a notice. Throws errors of the document itself.
    public mutating func apply(_ change: SyncChange) throws(FileProblem) {
        do throws(FileProblem) {
            if try perform(change) { applied += 1 }
        } catch {
            guard error.isRefusal else { throw error }
            onNotice(notice(of: error, change))
        }
    }

    /// Ends a set: deletes the objects that it deletes, and those that the delete rules of the model reach from them.
    public mutating func finishSet() throws(FileProblem) {
        guard !deleted.isEmpty else { return }
        for object in try document.delete(deleted) {
            let name = names[object]
            onNotice(SyncNotice(kind: .deletionDenied, entity: name?.entity, syncID: name?.syncID))
        }
        deleted = []
        deletedObjects = []
        names = [:]
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
                let related = change.relatedEntity
                onNotice(SyncNotice(.objectMissingForRelationship, change, relatedEntity: related))
                return false
            }
            return try relate(change, object)
        case .delete:
            guard let object else {
                let value = ArchivedValue.dictionary(["objectSyncID": .string(syncID)])
                onNotice(SyncNotice(.objectMissingForDeletion, change, value: value))
                return false
            }
            deleted.append(object)
            deletedObjects.insert(object)
            names[object] = (change.entity, syncID)
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

    /// Refuses a change of the sync ID: later changes would no longer find the object, or would find another one.
    private func checkSyncID(_ change: SyncChange) throws(FileProblem) {
        guard let fault = change.syncIDFault else { return }
        throw FileProblem(.refused, path: "", "the change rewrites the sync ID", found: fault)
    }

    private func key(_ change: SyncChange) throws(FileProblem) -> String {
        guard let key = change.key else {
            throw FileProblem(.refused, path: "", "the change does not name a property")
        }
        return key
    }

    /// The sync ID that an insertion has among its attributes.
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
            // Under the other sync ID there may be an object already.
            try checkSyncID(change)
            let onNotice = onNotice
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
                throw FileProblem(.refused, path: "", "the change does not name the related entity")
            }
            guard document.hasEntity(entity) else {
                throw FileProblem(.refused, path: "", "there is no related entity “\(entity)”")
            }
            target = try find(entity, related)
        }
        if change.type == .toOne {
            try document.setToOne(key, of: object, to: target)
            guard target == nil, let related = change.relatedSyncID else { return true }
            let entity = change.relatedEntity
            onNotice(SyncNotice(.targetMissing, change, relatedEntity: entity, value: .string(related)))
            return true
        }
        guard let target else {
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
        return true
    }
}

/// A document that sync changes are applied to: a Core Data store, or any other collection of objects with attributes and
/// relationships.
///
/// A method throws `.refused` if the document cannot change the object as asked, and `.unknownName` if it has no such
/// entity or property; the document is then unchanged. Any other error ends the application of changes.
public protocol SyncDocument {
    /// Identifies an object inside the document, like an NSManagedObjectID.
    associatedtype Object: Hashable & Sendable

    /// Whether the model has an entity of that name.
    func hasEntity(_ name: String) -> Bool

    /// The object of an entity, or of a subentity, with this sync ID; the latest one if several have it.
    mutating func object(_ entity: String, syncID: String) throws(FileProblem) -> Object?

    /// Inserts an object with the model's defaults and these attributes; `onRefusal` gets those that it cannot have.
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

    /// Deletes objects together, and the objects that the delete rules of the model reach from them, and clears all
    /// references to them.
    /// - Returns: the objects that the delete rule Deny keeps.
    mutating func delete(_ objects: [Object]) throws(FileProblem) -> [Object]
}

/// An SQLite store of the app. It must have been opened with `SyncID.attribute` as the attribute that identifies objects.
extension WritableStore: SyncDocument {
    /// The object of the entity, or of a subentity, with that sync ID.
    public func object(_ entity: String, syncID: String) throws(FileProblem) -> StoreObjectID? {
        try object(entity, syncID)
    }
}
