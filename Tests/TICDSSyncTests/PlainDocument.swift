import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSSync

/// A document of dictionaries in the simplest form: it searches for objects linearly, and keeps both sides of every
/// relationship.
struct PlainDocument: SyncDocument {
    struct Entry {
        var entity: String
        var attributes: [String: ArchivedValue] = [:]
        var ones: [String: Int] = [:]
        /// The members in order of addition.
        var manies: [String: [Int]] = [:]
    }

    let model: ManagedObjectModel
    private(set) var objects: [Int: Entry] = [:]
    private var last = 0

    init(_ model: ManagedObjectModel) { self.model = model }

    func hasEntity(_ name: String) -> Bool { model[name] != nil }

    func object(_ entity: String, syncID: String) throws(FileProblem) -> Int? {
        guard hasEntity(entity) else { throw FileProblem(.unknownName, path: "plain", "no entity") }
        return objects.filter {
            model.isEntity($0.value.entity, kindOf: entity)
                && $0.value.attributes[SyncID.attribute] == .string(syncID)
        }.keys.max()
    }

    mutating func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> Int {
        guard let description = model[entity] else {
            throw FileProblem(.unknownName, path: "plain", "no entity")
        }
        if description.isAbstract { throw FileProblem(.refused, path: "plain", "abstract") }
        last += 1
        var entry = Entry(entity: entity)
        for attribute in model.attributes(of: entity) {
            entry.attributes[attribute.name] = attribute.defaultValue
        }
        objects[last] = entry
        for pair in attributes {
            do throws(FileProblem) {
                try set(pair.key.stringValue ?? "", of: last, to: pair.value)
            } catch {
                onRefusal(pair.key.stringValue ?? "", error)
            }
        }
        return last
    }

    mutating func set(_ attribute: String, of object: Int, to value: ArchivedValue) throws(FileProblem) {
        let entity = objects[object]?.entity ?? ""
        guard model.attributes(of: entity).contains(where: { $0.name == attribute }) else {
            throw FileProblem(.unknownName, path: "plain", "no attribute")
        }
        objects[object]?.attributes[attribute] = value.isNil ? nil : value
    }

    mutating func setToOne(_ name: String, of object: Int, to target: Int?) throws(FileProblem) {
        let relationship = try relationship(name, of: object, target)
        guard !relationship.isToMany else { throw FileProblem(.refused, path: "plain", "to-many") }
        if objects[object]?.ones[name] == target { return }
        if let old = objects[object]?.ones[name] { unlink(relationship, object, old) }
        guard let target else { return }
        if let inverse = inverse(relationship), !inverse.isToMany,
            let former = objects[target]?.ones[inverse.name]
        {
            unlink(relationship, former, target)
        }
        link(relationship, object, target)
    }

    mutating func add(_ target: Int, to name: String, of object: Int) throws(FileProblem) {
        let relationship = try relationship(name, of: object, target)
        if objects[object]?.manies[name]?.contains(target) == true { return }
        if let inverse = inverse(relationship), !inverse.isToMany {
            return try setToOne(inverse.name, of: target, to: object)
        }
        link(relationship, object, target)
    }

    mutating func remove(_ target: Int, from name: String, of object: Int) throws(FileProblem) {
        let relationship = try relationship(name, of: object, target)
        if objects[object]?.manies[name]?.contains(target) == true { unlink(relationship, object, target) }
    }

    func reach(of asked: [Int]) throws(FileProblem) -> DeletionReach<Int> {
        try DeletionReach(of: asked) { object in
            relationships(of: object).filter { $0.deleteRule == .cascade || $0.deleteRule == .deny }.flatMap {
                relationship in
                targets(relationship.name, of: object).map {
                    DeletionReach.Link(target: $0, denies: relationship.deleteRule == .deny)
                }
            }
        }
    }

    mutating func clearAttributes(of object: Int) { objects[object]?.attributes = [:] }

    func name(of object: Int) -> (entity: String, identifier: String?)? {
        objects[object].map { ($0.entity, $0.attributes[SyncID.attribute]?.stringValue) }
    }

    mutating func erase(_ going: [Int]) {
        let going = Set(going)
        for object in going { objects[object] = nil }
        for object in objects.keys {
            for (name, target) in objects[object]?.ones ?? [:] where going.contains(target) {
                objects[object]?.ones[name] = nil
            }
            for name in objects[object]?.manies.keys.map({ $0 }) ?? [] {
                objects[object]?.manies[name]?.removeAll { going.contains($0) }
            }
        }
    }

    func targets(_ name: String, of object: Int) -> [Int] {
        objects[object]?.ones[name].map { [$0] } ?? objects[object]?.manies[name] ?? []
    }

    private func relationships(of object: Int) -> [RelationshipDescription] {
        objects[object].map { model.relationships(of: $0.entity) } ?? []
    }

    private func relationship(
        _ name: String, of object: Int, _ target: Int?
    ) throws(FileProblem) -> RelationshipDescription {
        guard let found = relationships(of: object).first(where: { $0.name == name }) else {
            throw FileProblem(.unknownName, path: "plain", "no relationship")
        }
        if let target, let entity = objects[target]?.entity,
            !model.isEntity(entity, kindOf: found.destination)
        {
            throw FileProblem(.refused, path: "plain", "another entity")
        }
        return found
    }

    private func inverse(_ relationship: RelationshipDescription) -> RelationshipDescription? {
        model.relationships(of: relationship.destination).first { $0.name == relationship.inverse }
    }

    private mutating func link(_ relationship: RelationshipDescription, _ from: Int, _ to: Int) {
        put(relationship, from, to)
        if let inverse = inverse(relationship), from != to || inverse.name != relationship.name {
            put(inverse, to, from)
        }
    }

    private mutating func put(_ relationship: RelationshipDescription, _ from: Int, _ to: Int) {
        if relationship.isToMany {
            objects[from]?.manies[relationship.name, default: []].append(to)
        } else {
            objects[from]?.ones[relationship.name] = to
        }
    }

    private mutating func unlink(_ relationship: RelationshipDescription, _ from: Int, _ to: Int) {
        drop(relationship, from, to)
        if let inverse = inverse(relationship) { drop(inverse, to, from) }
    }

    private mutating func drop(_ relationship: RelationshipDescription, _ from: Int, _ to: Int) {
        if relationship.isToMany {
            objects[from]?.manies[relationship.name]?.removeAll { $0 == to }
        } else if objects[from]?.ones[relationship.name] == to {
            objects[from]?.ones[relationship.name] = nil
        }
    }
}
