import CoreDataStore
import KeyedArchive
import TestSupport

/// A random model, random changes of it, and random objects.
struct RandomModel {
    var entities: [EntityDescription] = []
    var numbers: RandomNumbers
    private var count = 0

    init(_ numbers: RandomNumbers) {
        self.numbers = numbers
        for index in 0..<Int.random(in: 2...6, using: &self.numbers) {
            var entity = EntityDescription(name: "E\(index)")
            if index > 0, chance(3) {
                entity.superentity = "E\(Int.random(in: 0..<index, using: &self.numbers))"
            }
            for _ in 0..<Int.random(in: 0...3, using: &self.numbers) { entity.attributes.append(attribute()) }
            entities.append(entity)
        }
        for _ in 0..<Int.random(in: 1...5, using: &self.numbers) { relate() }
    }

    var model: ManagedObjectModel { ManagedObjectModel(entities: entities) }

    mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &numbers) == 0 }

    private mutating func name(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    private static let types: [AttributeType] = [
        .integer16, .integer64, .string, .boolean, .date, .double, .binary, .uuid, .uri,
    ]

    private mutating func attribute() -> AttributeDescription {
        let type = Self.types.randomElement(using: &numbers) ?? .string
        return AttributeDescription(
            name: name("a"), type: type, isOptional: !chance(4),
            defaultValue: chance(3) ? value(type) : nil)
    }

    private mutating func value(_ type: AttributeType) -> ArchivedValue {
        let number = Int.random(in: 0...9, using: &numbers)
        return switch type {
        case .integer16, .integer64: .integer(Int128(number))
        case .boolean: .boolean(number > 4)
        case .date: .date(Double(number))
        case .double: .real(Double(number) / 4)
        case .binary: .data([UInt8(number)])
        case .uuid:
            ArchivedUUID(text: "00000000-0000-4000-8000-00000000000\(number)").map { .uuid($0) } ?? .none
        case .uri: .url("x:\(number)")
        default: .string("text \(number)")
        }
    }

    private mutating func index() -> Int { Int.random(in: 0..<entities.count, using: &numbers) }

    private mutating func relationship(
        _ name: String, to destination: String, inverse: String?
    ) -> RelationshipDescription {
        let isToMany = chance(2)
        return RelationshipDescription(
            name: name, destination: destination, inverse: inverse, minCount: isToMany && chance(6) ? 1 : 0,
            maxCount: isToMany ? (chance(6) ? 3 : 0) : 1, isOrdered: isToMany && inverse != nil && chance(3),
            isOptional: !chance(8))
    }

    /// Adds a relationship, usually with an inverse.
    private mutating func relate() {
        let (from, to) = (index(), index())
        let name = name("r")
        if chance(5) {
            var one = relationship(name, to: entities[to].name, inverse: nil)
            one.maxCount = 1
            one.minCount = 0
            entities[from].relationships.append(one)
        } else if from == to, chance(2) {
            var own = relationship(name, to: entities[to].name, inverse: name)
            own.isOrdered = false
            entities[from].relationships.append(own)
        } else {
            entities[from].relationships.append(
                relationship(name, to: entities[to].name, inverse: name + "i"))
            entities[to].relationships.append(
                relationship(name + "i", to: entities[from].name, inverse: name))
        }
    }

    // MARK: Changes

    /// Makes a random change; it may leave the model inconsistent.
    mutating func change() {
        switch Int.random(in: 0..<22, using: &numbers) {
        case 0: renameEntity()
        case 1: entities[index()].attributes.append(attribute())
        case 2: changeAttribute { _, attributes, place in attributes.remove(at: place) }
        case 3: changeAttribute { _, attributes, place in attributes[place].isOptional.toggle() }
        case 4:
            changeAttribute { model, attributes, place in
                attributes[place].isOptional = false
                attributes[place].defaultValue = model.value(attributes[place].type)
            }
        case 5:
            changeAttribute { model, attributes, place in
                if model.chance(3) {
                    attributes[place].type = Self.types.randomElement(using: &model.numbers) ?? .string
                    attributes[place].defaultValue = nil
                }
            }
        case 6:
            changeAttribute { model, attributes, place in
                let old = attributes[place]
                attributes[place].name = model.name("a")
                if !model.chance(4) {
                    attributes[place].renamingIdentifier = old.renamingIdentifier ?? old.name
                }
            }
        case 7: relate()
        case 8: removeRelationship(both: true)
        case 9: removeRelationship(both: false)
        case 10: renameRelationship()
        case 11:
            changeRelationship { _, relationship in
                relationship.maxCount = relationship.isToMany ? 1 : 0
                relationship.minCount = 0
                relationship.isOrdered = false
            }
        case 12:
            changeRelationship { _, relationship in
                relationship.isOrdered =
                    relationship.isToMany && relationship.inverse != relationship.name
                    && relationship.inverse != nil && !relationship.isOrdered
            }
        case 13: changeRelationship { _, relationship in relationship.isOptional.toggle() }
        case 14:
            changeRelationship { model, relationship in
                guard relationship.isToMany else { return }
                relationship.maxCount = [0, 2, 3, 4].randomElement(using: &model.numbers) ?? 0
                relationship.minCount = [0, 1, 2].randomElement(using: &model.numbers) ?? 0
            }
        case 15: pairUp()
        case 16: removeEntity()
        case 17: addParent()
        case 18: moveAttribute()
        case 19:
            let place = index()
            entities[place].superentity = chance(2) ? nil : entities[index()].name
        case 20: entities[index()].isAbstract.toggle()
        default:
            changeAttribute { model, attributes, place in
                let name = attributes[place].name
                if let owner = model.entities.firstIndex(where: { $0.attributes.contains { $0.name == name } }
                ) {
                    model.entities[owner].uniquenessConstraints = [[name]]
                }
            }
        }
    }

    private mutating func changeAttribute(
        _ body: (inout RandomModel, inout [AttributeDescription], Int) -> Void
    ) {
        let owner = index()
        guard !entities[owner].attributes.isEmpty else { return }
        var attributes = entities[owner].attributes
        body(&self, &attributes, Int.random(in: attributes.indices, using: &numbers))
        entities[owner].attributes = attributes
    }

    private mutating func place() -> (Int, Int)? {
        let owner = index()
        guard !entities[owner].relationships.isEmpty else { return nil }
        return (owner, Int.random(in: entities[owner].relationships.indices, using: &numbers))
    }

    private mutating func changeRelationship(
        _ body: (inout RandomModel, inout RelationshipDescription) -> Void
    ) {
        guard let (owner, place) = place() else { return }
        var relationship = entities[owner].relationships[place]
        body(&self, &relationship)
        entities[owner].relationships[place] = relationship
    }

    private mutating func removeRelationship(both: Bool) {
        guard let (owner, place) = place() else { return }
        let gone = entities[owner].relationships.remove(at: place)
        forEachRelationship { model, relationship in
            guard relationship.inverse == gone.name else { return true }
            relationship.inverse = nil
            relationship.isOrdered = false
            // Only an inverse keeps the objects of a to-many relationship apart in a table.
            return !both && !relationship.isToMany
        }
    }

    /// Calls `body` with every relationship, which is removed if the result is false.
    private mutating func forEachRelationship(_ body: (RandomModel, inout RelationshipDescription) -> Bool) {
        for owner in entities.indices {
            entities[owner].relationships = entities[owner].relationships.compactMap { relationship in
                var relationship = relationship
                return body(self, &relationship) ? relationship : nil
            }
        }
    }

    private mutating func renameRelationship() {
        guard let (owner, place) = place() else { return }
        let old = entities[owner].relationships[place]
        let name = name("r")
        entities[owner].relationships[place].name = name
        if !chance(4) {
            entities[owner].relationships[place].renamingIdentifier = old.renamingIdentifier ?? old.name
        }
        forEachRelationship { _, relationship in
            if relationship.inverse == old.name { relationship.inverse = name }
            return true
        }
    }

    /// Makes two relationships without inverse, or of different pairs, inverses of each other.
    private mutating func pairUp() {
        guard let (owner, place) = place(), let (other, second) = self.place(),
            (owner, place) != (other, second)
        else { return }
        let (one, two) = (entities[owner].relationships[place], entities[other].relationships[second])
        guard one.destination == entities[other].name, two.destination == entities[owner].name else { return }
        let former = [one.inverse, two.inverse]
        forEachRelationship { _, relationship in
            guard former.contains(relationship.name), ![one.name, two.name].contains(relationship.name) else {
                return true
            }
            relationship.inverse = nil
            relationship.isOrdered = false
            return !relationship.isToMany
        }
        guard let first = entities[owner].relationships.firstIndex(where: { $0.name == one.name }),
            let last = entities[other].relationships.firstIndex(where: { $0.name == two.name })
        else { return }
        entities[owner].relationships[first].inverse = two.name
        entities[other].relationships[last].inverse = one.name
    }

    private mutating func renameEntity() {
        let place = index()
        let old = entities[place].name
        let name = name("E")
        entities[place].name = name
        if !chance(4) { entities[place].renamingIdentifier = entities[place].renamingIdentifier ?? old }
        for owner in entities.indices where entities[owner].superentity == old {
            entities[owner].superentity = name
        }
        forEachRelationship { _, relationship in
            if relationship.destination == old { relationship.destination = name }
            return true
        }
    }

    private mutating func removeEntity() {
        guard entities.count > 2 else { return }
        let gone = entities.remove(at: index())
        for owner in entities.indices where entities[owner].superentity == gone.name {
            entities[owner].superentity = gone.superentity
        }
        let lost = Set(gone.relationships.map(\.name))
        forEachRelationship { _, relationship in
            relationship.destination != gone.name && !lost.contains(relationship.inverse ?? "")
        }
    }

    private mutating func addParent() {
        let place = index()
        var parent = EntityDescription(
            name: name("E"), isAbstract: chance(2), superentity: entities[place].superentity)
        if let moved = entities[place].attributes.popLast() { parent.attributes.append(moved) }
        entities[place].superentity = parent.name
        entities.append(parent)
    }

    private mutating func moveAttribute() {
        let place = index()
        guard let parent = entities[place].superentity,
            let above = entities.firstIndex(where: { $0.name == parent })
        else { return }
        if chance(2), let moved = entities[place].attributes.popLast() {
            entities[above].attributes.append(moved)
        } else if let moved = entities[above].attributes.popLast() {
            entities[place].attributes.append(moved)
        }
    }

    // MARK: Objects

    /// Random objects whose relationships agree with their inverses.
    mutating func objects() -> [StoredObject] {
        let model = model
        var keys: [String: Int64] = [:]
        var objects: [StoredObject] = []
        for entity in entities where !entity.isAbstract {
            let root = model.rootEntity(of: entity.name)?.name ?? ""
            for _ in 0..<Int.random(in: 0...5, using: &numbers) {
                keys[root, default: 0] += Int64.random(in: 1...3, using: &numbers)
                let attributes = model.attributes(of: entity.name).map { attribute in
                    let isNil = chance(attribute.isOptional ? 3 : 30)
                    return StoredAttribute(name: attribute.name, value: isNil ? .none : value(attribute.type))
                }
                objects.append(
                    StoredObject(
                        entity: entity.name, primaryKey: keys[root] ?? 0, attributes: attributes,
                        relationships: model.relationships(of: entity.name).map {
                            StoredRelationship(name: $0.name, target: $0.isToMany ? .toMany([]) : .toOne(nil))
                        }))
            }
        }
        for entity in entities {
            for relationship in entity.relationships where relationship.name <= relationship.inverse ?? "s" {
                link(relationship, of: entity.name, model, &objects)
            }
        }
        return objects
    }

    private mutating func link(
        _ relationship: RelationshipDescription, of entity: String, _ model: ManagedObjectModel,
        _ objects: inout [StoredObject]
    ) {
        let owners = objects.indices.filter { model.isEntity(objects[$0].entity, kindOf: entity) }
        let targets = objects.indices.filter {
            model.isEntity(objects[$0].entity, kindOf: relationship.destination)
        }
        guard let some = targets.first, !owners.isEmpty else { return }
        let inverse = relationship.inverse.flatMap { name in
            model.relationships(of: objects[some].entity).first { $0.name == name }
        }
        let isOwn = inverse?.name == relationship.name
        for _ in 0..<Int.random(in: 0...8, using: &numbers) {
            guard let owner = owners.randomElement(using: &numbers),
                let target = targets.randomElement(using: &numbers), !isOwn || owner != target
            else { continue }
            var changed = objects
            let isLinked =
                Self.add(relationship, &changed[owner], changed[target].primaryKey)
                && (inverse.map { Self.add($0, &changed[target], changed[owner].primaryKey) } ?? true)
            if isLinked { objects = changed }
        }
        // In the order of the keys, as a store reads them.
        for index in objects.indices {
            for place in objects[index].relationships.indices {
                let name = objects[index].relationships[place].name
                let isOrdered = model.relationships(of: objects[index].entity).contains {
                    $0.name == name && $0.isOrdered
                }
                if !isOrdered, case .toMany(let keys) = objects[index].relationships[place].target {
                    objects[index].relationships[place].target = .toMany(keys.sorted())
                }
            }
        }
    }

    /// Adds a target; returns false if there is no room for it, or it is there already.
    private static func add(
        _ relationship: RelationshipDescription, _ object: inout StoredObject, _ key: Int64
    ) -> Bool {
        guard let place = object.relationships.firstIndex(where: { $0.name == relationship.name }) else {
            return false
        }
        switch object.relationships[place].target {
        case .toOne(nil): object.relationships[place].target = .toOne(key)
        case .toMany(let keys)
        where !keys.contains(key) && (relationship.maxCount <= 0 || keys.count < relationship.maxCount):
            object.relationships[place].target = .toMany(keys + [key])
        default: return false
        }
        return true
    }
}
