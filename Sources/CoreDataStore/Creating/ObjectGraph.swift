import Base
import KeyedArchive
import SystemCalls
import SystemPackage

/// The objects of a new store of a kind that is written as a whole. Their primary keys become unique in the store, and
/// both sides of each relationship are completed.
struct ObjectGraph {
    private let model: ManagedObjectModel
    private let path: FilePath
    private var objects: [StoredObject] = []
    /// The position of each object, by the position of its root entity and its primary key.
    private var positions: [Key: Int] = [:]
    private var roots: [String: Int] = [:]
    private var highest: Int64 = 0

    private struct Key: Hashable {
        var root: Int
        var primaryKey: Int64
    }

    init(_ model: ManagedObjectModel, at path: FilePath) {
        self.model = model
        self.path = path
        for (number, entity) in model.entities.enumerated() {
            roots[entity.name] = number
            guard let root = model.rootEntity(of: entity.name)?.name, root != entity.name else { continue }
            roots[entity.name] = model.entities.firstIndex { $0.name == root }
        }
    }

    /// The lowest key above those of all objects.
    var nextPrimaryKey: Int64 { highest +| 1 }

    /// Adds an object with all properties of its entity. Throws `.refused` for a primary key that another object of the
    /// root entity has.
    mutating func insert(_ object: StoredObject) throws(FileProblem) {
        let key = Key(root: roots[object.entity] ?? -1, primaryKey: object.primaryKey)
        guard positions[key] == nil else {
            throw FileProblem(
                .refused, path: path,
                "an object of entity “\(object.entity)” has the primary key of another object",
                found: "\(object.primaryKey)", advice: "Check the source with ticds-store check")
        }
        positions[key] = objects.count
        objects.append(object)
        highest = max(highest, object.primaryKey)
    }

    /// The objects by their new primary keys.
    mutating func finish() -> (objects: [StoredObject], result: NewStoreResult) {
        var result = NewStoreResult(objects: objects.count)
        let links = Links(model)
        resolve(links, &result)
        complete(links, &result)
        let keys = keys(&result)
        for position in objects.indices {
            objects[position].primaryKey = keys[position]
            for slot in objects[position].relationships.indices {
                objects[position].relationships[slot].target = objects[position].relationships[slot].target
                    .mapped { keys[Int($0)] }
            }
        }
        objects.sort { $0.primaryKey < $1.primaryKey }
        return (objects, result)
    }

    /// A key for each object: its own, unless an earlier object of another root entity has it.
    private func keys(_ result: inout NewStoreResult) -> [Int64] {
        var taken: Set<Int64> = []
        taken.reserveCapacity(objects.count)
        var keys = objects.map { taken.insert($0.primaryKey).inserted ? $0.primaryKey : 0 }
        var next = highest < .max - Int64(objects.count) ? highest : 0
        for position in keys.indices where keys[position] == 0 {
            // ends: there are fewer objects than numbers
            repeat { next += 1 } while !taken.insert(next).inserted
            keys[position] = next
            result.renumbered += 1
        }
        return keys
    }

    /// Replaces the primary keys of destination objects by positions, and drops those without object.
    private mutating func resolve(_ links: Links, _ result: inout NewStoreResult) {
        for position in objects.indices {
            for (slot, link) in links[objects[position].entity].enumerated() {
                let root = roots[link.relationship.destination] ?? -1
                let old = objects[position].relationships[slot].target
                let new = old.compactMapped { key in
                    positions[Key(root: root, primaryKey: key)].map(Int64.init)
                }
                let lost = old.targetKeys.count - new.targetKeys.count  // bounded: counts of keys in memory
                if lost > 0 { result.dangling[link.key, default: 0] += lost }
                objects[position].relationships[slot].target = new
            }
        }
    }

    /// Adds each object to the inverse relationship of its destination objects. If an object is in the to-many
    /// relationships of several objects, its own to-one relationship counts, and without one the first of them.
    private mutating func complete(_ links: Links, _ result: inout NewStoreResult) {
        var added: [Int: [Int: [Int64]]] = [:]
        for position in objects.indices {
            for (slot, link) in links[objects[position].entity].enumerated() {
                guard let inverse = link.inverse else { continue }
                var lost: Set<Int64> = []
                for target in objects[position].relationships[slot].target.targetKeys {
                    let other = Int(target)
                    guard let back = links.slot(of: inverse.name, in: objects[other].entity) else { continue }
                    if inverse.isToMany {
                        added[other, default: [:]][back, default: []].append(Int64(position))
                    } else {
                        switch objects[other].relationships[back].target.targetKeys.first {
                        case nil: objects[other].relationships[back].target = .toOne(Int64(position))
                        case Int64(position): break
                        default: lost.insert(target)
                        }
                    }
                }
                guard !lost.isEmpty else { continue }
                result.contradictions[link.key, default: 0] += lost.count
                guard link.relationship.isToMany else { continue }
                objects[position].relationships[slot].target =
                    objects[position].relationships[slot].target.compactMapped {
                        lost.contains($0) ? nil : $0
                    }
            }
        }
        for (position, slots) in added {
            for (slot, owners) in slots {
                let known = objects[position].relationships[slot].target.targetKeys
                var seen = Set(known)
                objects[position].relationships[slot].target = .toMany(
                    known + owners.filter { seen.insert($0).inserted })
            }
        }
    }
}

/// The stored relationships of each entity, in the order of the objects' relationships.
private struct Links {
    struct Link {
        var relationship: RelationshipDescription
        var inverse: RelationshipDescription?
        /// The entity that declares the relationship, and its name.
        var key: String
    }

    private var links: [String: [Link]] = [:]
    private var slots: [String: [String: Int]] = [:]

    init(_ model: ManagedObjectModel) {
        for entity in model.entities {
            var found: [Link] = []
            for level in model.ancestry(of: entity.name) {
                for relationship in level.relationships where !relationship.isTransient {
                    let inverse = model.inverse(of: relationship)?.relationship
                    found.append(
                        Link(
                            relationship: relationship,
                            inverse: inverse?.isTransient == false ? inverse : nil,
                            key: "\(level.name).\(relationship.name)"))
                }
            }
            links[entity.name] = found
            slots[entity.name] = Dictionary(
                found.enumerated().map { ($1.relationship.name, $0) }
            ) { first, _ in first }
        }
    }

    subscript(entity: String) -> [Link] { links[entity] ?? [] }

    func slot(of relationship: String, in entity: String) -> Int? { slots[entity]?[relationship] }
}

extension StoredRelationship.Target {
    fileprivate func mapped(_ transform: (Int64) -> Int64) -> Self {
        switch self {
        case .toOne(let key): .toOne(key.map(transform))
        case .toMany(let keys): .toMany(keys.map(transform))
        }
    }

    fileprivate func compactMapped(_ transform: (Int64) -> Int64?) -> Self {
        switch self {
        case .toOne(let key): .toOne(key.flatMap(transform))
        case .toMany(let keys): .toMany(keys.compactMap(transform))
        }
    }
}
