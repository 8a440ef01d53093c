public import KeyedArchive
package import SystemCalls

/// The net result of a sequence of changes, object by object: the last value of each attribute, the last target of each
/// to-one, and the objects that were added to and removed from each to-many.
public struct ChangeEffects: Sendable {
    /// An object by its entity and sync ID.
    public struct ObjectID: Sendable, Hashable, Comparable {
        /// Name of the entity.
        public var entity: String
        /// The object's sync ID.
        public var syncID: String

        public static func < (one: ObjectID, other: ObjectID) -> Bool {
            (one.entity, one.syncID) < (other.entity, other.syncID)
        }
    }

    /// A property of an object that a change can set.
    public enum Aspect: Sendable, Hashable {
        /// Whether the object exists: `.boolean(true)` inserted, `.boolean(false)` deleted.
        case existence
        /// The value of the attribute of that name.
        case attribute(String)
        /// The target of the to-one relationship of that name, by sync ID.
        case toOne(String)
        /// Membership of the related object in a to-many relationship.
        case member(String, String)

        /// The name of the property; empty for existence.
        public var key: String {
            switch self {
            case .existence: ""
            case .attribute(let key), .toOne(let key), .member(let key, _): key
            }
        }
    }

    /// The values that the changes set, object by object; a property that was cleared is `.null`.
    public private(set) var objects: [ObjectID: [Aspect: ArchivedValue]] = [:]
    /// Changes without a sync ID, which no client can apply.
    public private(set) var withoutSyncID = 0

    private let part: (number: Int, count: Int)

    /// Effects without changes.
    public init() { part = (0, 1) }

    /// Effects of the objects in one of `count` parts, into which this process divides all objects.
    package init(part: Int, of count: Int) { self.part = (part, max(1, count)) }

    /// Adds the next change, in the order of application.
    public mutating func apply(_ change: SyncChange) {
        guard let syncID = change.objectSyncID else {
            withoutSyncID += 1
            return
        }
        let id = ObjectID(entity: change.entity, syncID: syncID)
        guard part.count == 1 || id.hashValue.magnitude % part.count.magnitude == part.number else { return }
        switch change.type {
        case .insert:
            objects[id, default: [:]][.existence] = .boolean(true)
            for pair in change.changedAttributes.pairs ?? [] {
                if let key = pair.key.stringValue { objects[id, default: [:]][.attribute(key)] = pair.value }
            }
        case .delete: objects[id] = [.existence: .boolean(false)]
        case .attribute:
            objects[id, default: [:]][.attribute(change.key ?? "")] = change.changedAttributes.normalNil
        case .toOne:
            objects[id, default: [:]][.toOne(change.key ?? "")] = change.changedRelationships.normalNil
        case .addToMany, .removeFromMany:
            let member = Aspect.member(change.key ?? "", change.relatedSyncID ?? "")
            objects[id, default: [:]][member] = .boolean(change.type == .addToMany)
        case .unknown: break
        }
    }
}

extension ArchivedValue {
    /// The value, with `.null` for both forms of nil.
    fileprivate var normalNil: ArchivedValue { isNil ? .null : self }
}

/// A difference between the effects of two sequences of changes.
public struct ChangeDifference: Sendable, Hashable {
    /// The object whose effects differ.
    public var object: ChangeEffects.ObjectID
    /// The aspect that differs.
    public var aspect: ChangeEffects.Aspect
    /// Nil if the first sequence does not set this.
    public var first: ArchivedValue?
    /// Nil if the second sequence does not set this.
    public var second: ArchivedValue?

    /// The differences of two sequences that are read once for each part of the objects, so that the effects of one part
    /// are in memory at a time.
    /// - Parameter effects: reads the first or second sequence, and returns its effects on a part of the objects.
    package static func between(
        parts: Int, _ effects: (_ isFirst: Bool, ChangeEffects) throws(FileProblem) -> ChangeEffects
    ) throws(FileProblem) -> [ChangeDifference] {
        var differences: [ChangeDifference] = []
        for part in 0..<max(1, parts) {
            let empty = ChangeEffects(part: part, of: parts)
            let first = try effects(true, empty)
            differences += between(first, try effects(false, empty))
        }
        if parts <= 1 { return differences }
        // An object is in one part, and its differences are in order.
        return differences.enumerated().sorted {
            ($0.element.object, $0.offset) < ($1.element.object, $1.offset)
        }.map(\.element)
    }

    /// Every aspect that the two set differently, by object, then by name of the property.
    public static func between(_ first: ChangeEffects, _ second: ChangeEffects) -> [ChangeDifference] {
        var differences: [ChangeDifference] = []
        for object in Set(first.objects.keys).union(second.objects.keys).sorted() {
            let one = first.objects[object] ?? [:]
            let other = second.objects[object] ?? [:]
            let aspects = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
            for aspect in aspects.sorted(by: { "\($0)" < "\($1)" }) {
                differences.append(
                    ChangeDifference(
                        object: object, aspect: aspect, first: one[aspect], second: other[aspect]))
            }
        }
        return differences
    }
}
