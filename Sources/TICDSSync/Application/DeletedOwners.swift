import CoreDataStore
import TICDSCore

/// Entity and sync ID of an object.
struct ObjectName: Hashable {
    var entity: String
    var syncID: String
}

/// A change set of a client, as the cause of an event.
public struct SyncSource: Sendable, Hashable {
    /// Identifier of the client.
    public var client: String
    /// Identifier of the set.
    public var changeSet: String

    /// A set of a client.
    public init(client: String, changeSet: String) {
        self.client = client
        self.changeSet = changeSet
    }
}

/// An object that was deleted because its owner was deleted (ticds-protocol(7), 2.8).
public struct RemovedObject: Sendable, Hashable {
    /// Name of its entity.
    public var entity: String
    /// Its sync ID; nil if it had none.
    public var syncID: String?
}

/// The reason why an object loses its owner.
struct OwnerLoss {
    /// The deleted owner.
    var name: ObjectName
    /// The set that deleted it; nil for a local change.
    var source: SyncSource?
}

/// Deleted objects that stay in the document until the end, because Cascade leads from them to others.
struct DeletedOwners<Object: Hashable & Sendable> {
    private(set) var objects: [Object] = []
    private(set) var causes: [Object: OwnerLoss] = [:]
    private var named: [ObjectName: [Object]] = [:]

    var isEmpty: Bool { objects.isEmpty }

    func contains(_ object: Object) -> Bool { causes[object] != nil }

    /// - Parameter root: name of the root of its entity.
    mutating func add(_ object: Object, _ name: ObjectName, root: String, _ source: SyncSource?) {
        objects.append(object)
        causes[object] = OwnerLoss(name: name, source: source)
        named[ObjectName(entity: root, syncID: name.syncID), default: []].append(object)
    }

    /// The objects with a name, whose entity is a root.
    func named(_ name: ObjectName) -> [Object] { named[name] ?? [] }
}

/// The end of a relationship that the delete rule Cascade makes the owner of the other end.
struct Ownership: Hashable {
    /// The object of the change owns the target.
    var owns = false
    /// The target owns the object of the change.
    var isOwned = false
    /// An object can have several owners by this relationship.
    var isShared = false
    /// An owner can have several objects by this relationship.
    var ownsMany = false

    var isNone: Bool { !owns && !isOwned }
}

extension ManagedObjectModel {
    /// Ownership by a relationship of an entity.
    func ownership(of key: String, entity: String) -> Ownership {
        guard let relationship = relationships(of: entity).first(where: { $0.name == key }) else {
            return Ownership()
        }
        let inverse = inverse(of: relationship)?.relationship
        if relationship.deleteRule == .cascade {
            return Ownership(
                owns: true, isOwned: inverse?.deleteRule == .cascade, isShared: inverse?.isToMany ?? true,
                ownsMany: relationship.isToMany)
        }
        guard let inverse, inverse.deleteRule == .cascade else { return Ownership() }
        return Ownership(isOwned: true, isShared: relationship.isToMany, ownsMany: inverse.isToMany)
    }
}

/// A change of a relationship by which one end may own the other; entities of names are roots.
struct OwnerLink {
    var type: ChangeType
    var object: ObjectName
    var key: String
    /// nil if the change clears a to-one relationship.
    var target: ObjectName?
    var ownership: Ownership
}

/// Objects that a late change gives to an owner that a later set, applied before, has already deleted. In the order of
/// the sets the deletion would have reached them; when it is applied again, it reaches them.
struct LostOwners<Object: Hashable & Sendable> {
    /// The place of a link, which holds one link at a time.
    private enum Slot: Hashable {
        /// A to-one relationship of an object that exists, to its owner.
        case owned(Object, String)
        /// A to-one relationship of an owner that does not exist.
        case owner(ObjectName, String)
        /// A pair in a to-many relationship.
        case pair(Object, ObjectName, String)
    }

    private struct Held {
        var object: Object
        var owner: ObjectName
        var key: String
        /// The position in the order of recording.
        var number: Int
        var loss: OwnerLoss?
    }

    private var held: [Slot: Held] = [:]
    private var slotsOfOwners: [ObjectName: Set<Slot>] = [:]
    private var slotsOfObjects: [Object: Set<Slot>] = [:]
    private var last = 0
    /// Whether changes are recorded at all.
    var isOn = false

    /// The objects whose owner has been deleted, in the order in which they got it.
    var orphans: [(object: Object, cause: OwnerLoss)] {
        var seen: Set<Object> = []
        return held.values.sorted { $0.number < $1.number }.compactMap { held in
            guard let loss = held.loss, seen.insert(held.object).inserted else { return nil }
            return (held.object, loss)
        }
    }

    /// Records a change of an object that exists; `target` is nil if it does not exist, or if there is none.
    mutating func note(_ link: OwnerLink, _ object: Object, _ target: Object?) {
        guard isOn, !link.ownership.isNone else { return }
        if link.type == .toOne {
            drop(.owned(object, link.key))
            if let target { release(target, link) }
            guard target == nil, link.ownership.isOwned, let owner = link.target else { return }
            hold(.owned(object, link.key), object, owner, link)
        } else if let other = link.target {
            drop(.pair(object, other, link.key))
            guard target == nil, link.type == .addToMany, link.ownership.isOwned else { return }
            hold(.pair(object, other, link.key), object, other, link)
        }
    }

    /// Records a change of an object that does not exist.
    mutating func noteWithoutObject(_ link: OwnerLink, _ target: Object?) {
        guard isOn, link.ownership.owns else { return }
        if link.type == .toOne {
            drop(.owner(link.object, link.key))
            guard let target else { return }
            release(target, link)
            hold(.owner(link.object, link.key), target, link.object, link)
        } else if let target {
            drop(.pair(target, link.object, link.key))
            guard link.type == .addToMany else { return }
            hold(.pair(target, link.object, link.key), target, link.object, link)
        }
    }

    /// Records that an owner of this name exists again; it owns nothing.
    mutating func insert(_ owner: ObjectName) {
        for slot in slotsOfOwners[owner] ?? [] where held[slot]?.loss == nil { drop(slot) }
    }

    /// Records that the deletion of an owner that does not exist is applied again.
    mutating func delete(_ owner: ObjectName, _ source: SyncSource?) {
        for slot in slotsOfOwners[owner] ?? [] where held[slot]?.loss == nil {
            held[slot]?.loss = OwnerLoss(name: owner, source: source)
        }
    }

    private mutating func hold(_ slot: Slot, _ object: Object, _ owner: ObjectName, _ link: OwnerLink) {
        if !link.ownership.ownsMany {
            // An owner that was deleted before this change keeps what it had then.
            for other in slotsOfOwners[owner] ?? []
            where held[other]?.key == link.key && held[other]?.loss == nil { drop(other) }
        }
        last += 1
        held[slot] = Held(object: object, owner: owner, key: link.key, number: last)
        slotsOfOwners[owner, default: []].insert(slot)
        slotsOfObjects[object, default: []].insert(slot)
    }

    private mutating func drop(_ slot: Slot) {
        guard let old = held.removeValue(forKey: slot) else { return }
        slotsOfOwners[old.owner]?.remove(slot)
        slotsOfObjects[old.object]?.remove(slot)
    }

    /// Takes an object from an owner that does not exist, since it has a different owner by the same relationship.
    private mutating func release(_ object: Object, _ link: OwnerLink) {
        guard !link.ownership.isShared else { return }
        for slot in slotsOfObjects[object] ?? [] where held[slot]?.key == link.key { drop(slot) }
    }
}
