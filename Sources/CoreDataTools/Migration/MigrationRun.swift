import Base
import CoreDataStore
import KeyedArchive
import SystemCalls

extension MigrationRun {
    /// Makes the new object of an old one, or notes why the new model does not admit it.
    mutating func migrate(
        _ object: StoredObject, _ plan: inout EntityPlan, _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        plan.objects += 1
        for index in plan.removed.indices { countRemoved(object, &plan.removed[index]) }
        guard let destination = plan.destination else { return }
        let key = try newKey(object, plan)
        if destination.isAbstract {
            add(object, plan, nil, "\(destination.name) is abstract in the new model, and has no objects")
        }
        var attributes: [StoredAttribute] = []
        attributes.reserveCapacity(plan.attributes.count)
        for index in plan.attributes.indices {
            let value = try value(object, &plan, index)
            attributes.append(StoredAttribute(name: plan.attributes[index].name, value: value))
        }
        var relationships: [StoredRelationship] = []
        relationships.reserveCapacity(plan.relationships.count)
        for index in plan.relationships.indices {
            let target = try target(object, key, &plan, index)
            relationships.append(
                StoredRelationship(name: plan.relationships[index].relationship.name, target: target))
        }
        let new = StoredObject(
            entity: destination.name, primaryKey: key, attributes: attributes, relationships: relationships)
        for constraint in plan.constraints { try checkUnique(object, new, plan, constraint) }
        if report.obstacleCount == 0 { try body(new) }
    }

    /// Adds the counts of a mapping to the report.
    mutating func report(_ plan: EntityPlan) {
        report.entities[plan.place].objects += plan.objects
        for attribute in plan.attributes {
            report.entities[plan.place].properties[attribute.place].values += attribute.values
            report.entities[plan.place].properties[attribute.place].defaults += attribute.defaults
        }
        for relationship in plan.relationships {
            report.entities[plan.place].properties[relationship.place].values += relationship.values
            report.entities[plan.place].properties[relationship.place].lost += relationship.lost
        }
        for removed in plan.removed {
            report.entities[plan.place].properties[removed.place].lost += removed.lost
        }
    }

    private func newKey(_ object: StoredObject, _ plan: EntityPlan) throws(FileProblem) -> Int64 {
        if keepsKeys { return object.primaryKey }
        if let key = try scratch.made(of: object.primaryKey, mapping: plan.number) { return key }
        throw FileProblem(
            .changedWhileReading, path: store.path, "the objects are different when they are read again",
            found: "\(object.entity) \(object.primaryKey)")
    }

    private mutating func add(
        _ object: StoredObject, _ plan: EntityPlan, _ property: String?, _ problem: String
    ) {
        let label = plan.label.flatMap { name in
            object.attributes.first { $0.name == name }?.value.stringValue
        }
        report.add(
            ModelMigrationReport.Obstacle(
                entity: object.entity, key: object.primaryKey, label: label.map { $0.shortened(to: 60) },
                property: property, problem: problem))
    }

    private func countRemoved(_ object: StoredObject, _ removed: inout RemovedPlan) {
        if removed.isAttribute {
            if !object.value(of: removed.name, &removed.hint).isNil { removed.lost += 1 }
        } else if let target = object.target(of: removed.name, &removed.hint) {
            removed.lost += target.count
        }
    }

    // MARK: Attributes

    private mutating func value(
        _ object: StoredObject, _ plan: inout EntityPlan, _ index: Int
    ) throws(FileProblem) -> ArchivedValue {
        var value: ArchivedValue
        var isDefault = false
        switch plan.attributes[index].way {
        case .copied(let name): value = object.value(of: name, &plan.attributes[index].hint)
        case .filled(let name, let filler):
            value = object.value(of: name, &plan.attributes[index].hint)
            if value.isNil { (value, isDefault) = (filler, true) }
        case .constant(let constant):
            value = constant
            isDefault = plan.attributes[index].isAdded
        case .computed(let expression):
            value = .none
            do throws(ExpressionFailure) {
                guard case .value(let found) = try evaluate(expression, object, plan, 0) else {
                    throw .object("an attribute gets objects")
                }
                value = found
            } catch {
                switch error {
                case .file(let problem): throw problem
                case .object(let problem):
                    add(object, plan, plan.attributes[index].name, problem)
                    return .none
                }
            }
        }
        if value.isNil {
            if plan.attributes[index].mayLackValue {
                add(object, plan, plan.attributes[index].name, "it is required, and the object has no value")
            }
            return value
        }
        let type = plan.attributes[index].type
        guard value.fits(type) else {
            add(
                object, plan, plan.attributes[index].name,
                "\(value.kindName) is no value of the type \(type.title)")
            return value
        }
        plan.attributes[index].values += 1
        if isDefault { plan.attributes[index].defaults += 1 }
        return value
    }

    private mutating func checkUnique(
        _ object: StoredObject, _ new: StoredObject, _ plan: EntityPlan, _ constraint: UniquePlan
    ) throws(FileProblem) {
        var values: [ArchivedValue] = []
        for name in constraint.properties {
            if let attribute = new.attributes.first(where: { $0.name == name }) {
                values.append(attribute.value)
            } else if let relationship = new.relationships.first(where: { $0.name == name }),
                case .toOne(let key?) = relationship.target
            {
                values.append(.integer(Int128(key)))
            }
        }
        // As in SQL, nothing equals nil.
        guard values.count == constraint.properties.count, !values.contains(where: \.isNil) else { return }
        if let other = try scratch.take("\(values)", constraint, new.primaryKey) {
            add(
                object, plan, constraint.properties.joined(separator: ", "),
                "must be unique, and object \(other) has the same")
        }
    }

    // MARK: Relationships

    /// The target of a new relationship.
    private mutating func target(
        _ object: StoredObject, _ key: Int64, _ plan: inout EntityPlan, _ index: Int
    ) throws(FileProblem) -> StoredRelationship.Target {
        let isToMany = plan.relationships[index].relationship.isToMany
        if let name = plan.relationships[index].unchanged,
            let target = object.target(of: name, &plan.relationships[index].hint), target.isToMany == isToMany
        {
            plan.relationships[index].values += target.count
            return plan.relationships[index].isImplied ? .toMany([]) : target
        }
        let (keys, lost) = try links(object, key, plan, plan.relationships[index])
        plan.relationships[index].values += keys.count
        plan.relationships[index].lost += lost
        return isToMany ? .toMany(plan.relationships[index].isImplied ? [] : keys) : .toOne(keys.first)
    }

    /// The keys of the new objects to which a relationship leads, and the number of those that have no place.
    private mutating func links(
        _ object: StoredObject, _ key: Int64, _ plan: EntityPlan, _ relationship: RelationshipPlan
    ) throws(FileProblem) -> (keys: [Int64], lost: Int) {
        let described = relationship.relationship
        var (keys, lost): ([Int64], Int) = ([], 0)
        switch relationship.way {
        case .empty: break
        case .copied(let name, let rule):
            guard let found = object.relationships.first(where: { $0.name == name }) else { break }
            (keys, lost) = try made(found.target.keys, rule.mappings, rule)
        case .computed(let expression):
            do throws(ExpressionFailure) {
                switch try evaluate(expression, object, plan, 0) {
                case .made(let found): keys = found
                case .value(let value) where value.isNil: break
                case .sources:
                    throw .object(
                        "it would lead to objects of the old store; destinations(…) gives the new ones")
                case .value: throw .object("it would lead to a value, which is no object")
                }
            } catch {
                switch error {
                case .file(let problem): throw problem
                case .object(let problem):
                    add(object, plan, described.name, problem)
                    return ([], 0)
                }
            }
        }
        if !described.isToMany, keys.count > 1 {
            add(object, plan, described.name, "it leads to \(keys.count) objects, and can lead to only one")
            return ([], 0)
        }
        if relationship.isCounted || lost > 0 { check(keys.count, object, plan, described) }
        if let pairs = relationship.pairs {
            for target in keys {
                guard let conflict = try scratch.link(key, to: target, pairs) else { continue }
                add(object, plan, described.name, Self.text(conflict, target, described))
            }
        }
        return (keys, lost)
    }

    private static func text(
        _ conflict: MigrationScratch.Conflict, _ target: Int64, _ relationship: RelationshipDescription
    ) -> String {
        let inverse = relationship.inverse ?? "the inverse"
        switch conflict {
        case .owner(let other):
            return "it leads to object \(target), but is also linked to object \(other), and only one can be"
        case .target(let other):
            return "it leads to object \(target), to which object \(other) leads, and only one can"
        case .owners(let most): return "more than \(most) objects are linked to it by \(inverse)"
        case .targets(let most):
            return "it leads to object \(target), whose \(inverse) can have at most \(most) objects"
        }
    }

    private mutating func check(
        _ count: Int, _ object: StoredObject, _ plan: EntityPlan, _ relationship: RelationshipDescription
    ) {
        let lowest = relationship.isOptional ? 0 : 1
        if count < lowest {
            return add(object, plan, relationship.name, "it is required, and leads to no object")
        }
        guard relationship.isToMany, count > 0 else { return }
        if count < relationship.minCount {
            add(
                object, plan, relationship.name,
                "it leads to \(counted(count, "object")), and must lead to at least \(relationship.minCount)")
        }
        if relationship.maxCount > 1, count > relationship.maxCount {
            add(
                object, plan, relationship.name,
                "it leads to \(counted(count, "object")), and can lead to at most \(relationship.maxCount)")
        }
    }

    // MARK: Expressions

    /// The value of an expression for an object. The depth of expressions was checked.
    private mutating func evaluate(
        _ expression: MigrationExpression, _ object: StoredObject, _ plan: EntityPlan, _ depth: Int
    ) throws(ExpressionFailure) -> MigratedValue {
        switch expression {
        case .constant(let value): return .value(value)
        case .source(let path): return try end(of: path, object, plan)
        case .destinations(let names, let sources):
            switch try evaluate(sources, object, plan, depth + 1) {
            case .sources(let keys, let root):
                let chosen = names.compactMap { mappings[$0] }.filter { $0.root == root }.map(\.number)
                do throws(FileProblem) {
                    return .made(try made(keys, chosen).keys)
                } catch {
                    throw .file(error)
                }
            case .value(let value) where value.isNil: return .made([])
            default: throw .object("a mapping gets something other than objects of the old store")
            }
        case .function(let function, let arguments):
            var values: [ArchivedValue] = []
            for argument in arguments {
                guard case .value(let value) = try evaluate(argument, object, plan, depth + 1) else {
                    throw .object("a function gets objects")
                }
                values.append(value)
            }
            do throws(MigrationValueProblem) {
                return .value(try function.apply(values))
            } catch {
                throw .object(error.problem)
            }
        case .conditional(let condition, let one, let other):
            var evaluation: PredicateEvaluation? = conditions[condition] ?? PredicateEvaluation(condition)
            let result: Bool
            do throws(FileProblem) {
                result = try holds(&evaluation, object)
            } catch {
                throw .file(error)
            }
            conditions[condition] = evaluation
            return try evaluate(result ? one : other, object, plan, depth + 1)
        }
    }

    private func end(
        of path: [String], _ object: StoredObject, _ plan: EntityPlan
    ) throws(ExpressionFailure) -> MigratedValue {
        guard let model = store.model, let end = model.end(of: path, from: plan.source) else {
            throw .object("the key path \(path.joined(separator: ".")) leads nowhere")
        }
        switch end {
        case .attribute:
            let values = ends.values(path[...], of: object)
            guard values.count <= 1 else {
                throw .object("the key path \(path.joined(separator: ".")) leads to several values")
            }
            return .value(values.first ?? .none)
        case .objects(let entity):
            let root = model.rootEntity(of: entity)?.name ?? entity
            if path.isEmpty { return .sources([object.primaryKey], root: root) }
            var seen: Set<Int64> = []
            let keys = ends.values(path[...], of: object).compactMap { value -> Int64? in
                guard let key = value.integerValue.map({ Int64($0) }), seen.insert(key).inserted else {
                    return nil
                }
                return key
            }
            return .sources(keys, root: root)
        }
    }
}

extension StoredObject {
    /// The value of an attribute; `hint` is its probable position, and becomes the real one.
    fileprivate func value(of name: String, _ hint: inout Int) -> ArchivedValue {
        if hint < attributes.count, attributes[hint].name == name { return attributes[hint].value }
        guard let place = attributes.firstIndex(where: { $0.name == name }) else { return .none }
        hint = place
        return attributes[place].value
    }

    /// The target of a relationship; nil if the object does not have it.
    fileprivate func target(of name: String, _ hint: inout Int) -> StoredRelationship.Target? {
        if hint < relationships.count, relationships[hint].name == name { return relationships[hint].target }
        guard let place = relationships.firstIndex(where: { $0.name == name }) else { return nil }
        hint = place
        return relationships[place].target
    }
}

extension StoredRelationship.Target {
    fileprivate var isToMany: Bool { if case .toMany = self { true } else { false } }

    fileprivate var count: Int {
        switch self {
        case .toOne(let key): key == nil ? 0 : 1
        case .toMany(let keys): keys.count
        }
    }
}
