import CoreDataStore
import KeyedArchive
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

    /// Applies one change. A change that the document cannot take makes a notice.
    /// - Throws: errors of the document itself, such as an SQLite error.
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
            onNotice(SyncNotice(.deletionDenied, entity: name?.entity, syncID: name?.syncID))
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
                var notice = SyncNotice(.objectMissingForAttribute, change)
                notice.value = change.changedAttributes
                onNotice(notice)
                return false
            }
            try checkSyncID(change)
            try document.set(try key(change), of: object, to: change.changedAttributes)
        case .toOne, .addToMany, .removeFromMany:
            guard let object else {
                var notice = SyncNotice(.objectMissingForRelationship, change)
                notice.relatedEntity = change.relatedEntity
                onNotice(notice)
                return false
            }
            return try relate(change, object)
        case .delete:
            guard let object else {
                var notice = SyncNotice(.objectMissingForDeletion, change)
                notice.value = .dictionary(["objectSyncID": .string(syncID)])
                onNotice(notice)
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
            var notice = SyncNotice(.targetMissing, change)
            notice.relatedEntity = change.relatedEntity
            notice.value = .string(related)
            onNotice(notice)
            return true
        }
        guard let target else {
            let value = change.relatedSyncID.map { ArchivedValue.string($0) } ?? .none
            onNotice(
                SyncNotice(
                    .objectMissingForRelationship, entity: change.relatedEntity, syncID: change.objectSyncID,
                    key: key, value: value))
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
