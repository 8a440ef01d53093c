import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// Prepares the mappings of entities, and refuses those that do not fit the two models.
struct PlanBuilder {
    let store: any PersistentStore
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    let mapping: MigrationMapping
    /// The kind of the new store.
    let kind: NewStore.Kind
    var plans: [EntityPlan] = []
    private(set) var report = ModelMigrationReport()
    /// Whether each object keeps its primary key because no two objects can come to share one.
    private(set) var keepsKeys = true
    private var numbers: [String: Int] = [:]
    /// The concrete entities of the old model that are of an entity or inherit from it.
    private var concrete: [String: [String]] = [:]
    /// The numbers of pairs of relationships, by their sorted names.
    var pairNumbers: [[String]: Int64] = [:]

    init(
        _ store: any PersistentStore, _ old: ManagedObjectModel, _ new: ManagedObjectModel,
        _ mapping: MigrationMapping, _ kind: NewStore.Kind
    ) throws(FileProblem) {
        self.store = store
        self.old = old
        self.new = new
        self.mapping = mapping
        self.kind = kind
        for (number, entity) in mapping.entities.enumerated() {
            guard numbers.updateValue(number, forKey: entity.name) == nil else {
                throw refused("two mappings have the same name", entity.name)
            }
        }
        concrete = old.concreteEntities
        keepsKeys = try hasOwnKeys()
        for (number, entity) in mapping.entities.enumerated() {
            if let source = entity.source { try add(number, entity, source) }
        }
        addUnmapped()
        let origins = origins
        for place in plans.indices {
            addPairs(place, origins)
            for index in plans[place].relationships.indices {
                plans[place].relationships[index].unchanged =
                    keepsKeys ? plans[place].relationships[index].uncheckedSource : nil
            }
        }
    }

    private func refused(_ problem: String, _ found: String) -> FileProblem {
        FileProblem(
            .refused, path: store.path, "the mapping does not fit the models: \(problem)", found: found,
            advice: "Compare both models with the mapping: ticds-model show")
    }

    /// Whether all objects of a new hierarchy come from one old hierarchy, each at most once.
    private func hasOwnKeys() throws(FileProblem) -> Bool {
        var roots: [String: String] = [:]
        var sources: Set<[String]> = []
        for entity in mapping.entities {
            guard let source = entity.source, let destination = entity.destination else { continue }
            guard let from = old.rootEntity(of: source)?.name, let to = new.rootEntity(of: destination)?.name
            else { throw refused("a model lacks an entity", "\(source) to \(destination)") }
            if entity.predicate != nil || !sources.insert([source, to]).inserted { return false }
            let isSimple = entity.relationships.allSatisfy { property in
                if case .destinations(_, .source(let path)) = property.expression {
                    path.count == 1
                } else {
                    false
                }
            }
            if !isSimple { return false }
            if store is SQLiteStore, roots.updateValue(from, forKey: to) ?? from != from { return false }
        }
        return true
    }

    private mutating func add(
        _ number: Int, _ entity: MigrationMapping.Entity, _ source: String
    ) throws(FileProblem) {
        guard let root = old.rootEntity(of: source)?.name else {
            throw refused("the old model does not have the entity", source)
        }
        if let predicate = entity.predicate { try check(predicate, source) }
        let had = StoredProperties(of: source, in: old)
        var plan = EntityPlan(
            number: number, source: source, sourceRoot: root, predicate: entity.predicate,
            label: label(source), place: report.entities.count)
        var rows = ModelMigrationReport.Entity(source: source, destination: entity.destination)
        var used: Set<String> = []
        if let name = entity.destination {
            guard let destination = new[name], let newRoot = new.rootEntity(of: name)?.name else {
                throw refused("the new model does not have the entity", name)
            }
            plan.destination = EntityPlan.Destination(
                name: destination.name, isAbstract: destination.isAbstract)
            plan.destinationRoot = newRoot
            let expressions = try expressions(entity, source, name)
            // A path may lead to an element of a composite attribute, or over a relationship.
            used = Set(
                expressions.values.flatMap(\.paths).flatMap { [$0.joined(separator: "."), $0.first ?? ""] })
            for part in new.storedParts(of: name) {
                if let added = attribute(part, expressions[part.name], had, &rows) {
                    plan.attributes.append(added)
                }
            }
            for relationship in new.storedRelationships(of: name) {
                plan.relationships.append(
                    try self.relationship(relationship, expressions[relationship.name], had, &rows))
            }
            plan.constraints = constraints(name)
        }
        for attribute in old.storedParts(of: source) where !used.contains(attribute.name) {
            plan.removed.append(
                RemovedPlan(name: attribute.name, isAttribute: true, place: rows.properties.count))
            rows.properties.append(.init(name: attribute.name, subject: .attribute, origin: .removed))
        }
        for relationship in old.storedRelationships(of: source) where !used.contains(relationship.name) {
            plan.removed.append(
                RemovedPlan(name: relationship.name, isAttribute: false, place: rows.properties.count))
            rows.properties.append(.init(name: relationship.name, subject: .relationship, origin: .removed))
        }
        plans.append(plan)
        report.entities.append(rows)
    }

    /// Adds the objects that no mapping takes, which are left out.
    private mutating func addUnmapped() {
        let mapped = Set(plans.filter { $0.predicate == nil }.map(\.source))
        for entity in old.entities where !entity.isAbstract && !mapped.contains(entity.name) {
            plans.append(
                EntityPlan(
                    isRest: true, number: -1, source: entity.name,
                    sourceRoot: old.rootEntity(of: entity.name)?.name ?? "",
                    place: report.entities.count))
            report.entities.append(ModelMigrationReport.Entity(source: entity.name, destination: nil))
        }
    }

    /// The expressions by property, checked.
    private func expressions(
        _ entity: MigrationMapping.Entity, _ source: String, _ destination: String
    ) throws(FileProblem) -> [String: MigrationExpression] {
        let attributes = Set(new.storedParts(of: destination).map(\.name))
        let described = StoredProperties(of: destination, in: new).relationships
        let relationships = Set(described.keys)
        var found: [String: MigrationExpression] = [:]
        for (properties, known) in [(entity.attributes, attributes), (entity.relationships, relationships)] {
            for property in properties {
                let name = "\(destination).\(property.name)"
                guard known.contains(property.name) else {
                    throw refused("the new model stores no such property", name)
                }
                guard
                    property.expression.depth(limit: ExpressionParser.partLimit) <= ExpressionParser.partLimit
                else {
                    throw refused("an expression is nested too deeply", name)
                }
                guard found.updateValue(property.expression, forKey: property.name) == nil else {
                    throw refused("a property has two expressions", name)
                }
                try check(property.expression, source, name)
                if let relationship = described[property.name] {
                    try checkDestinations(property.expression, relationship, name)
                }
            }
        }
        return found
    }

    private func check(
        _ expression: MigrationExpression, _ source: String, _ name: String
    ) throws(FileProblem) {
        for mapping in expression.mappings where numbers[mapping] == nil {
            throw refused("\(name) refers to a mapping that does not exist", mapping)
        }
        switch expression {
        case .constant: break
        case .source(let path):
            if old.end(of: path, from: source) == nil {
                throw refused(
                    "\(name) uses a key path that \(source) does not have", path.joined(separator: "."))
            }
        case .destinations(_, let sources): try check(sources, source, name)
        case .function(let function, let arguments):
            guard arguments.count == function.argumentCount else {
                throw refused("\(name) uses a function with a wrong number of arguments", "\(function)")
            }
            for argument in arguments { try check(argument, source, name) }
        case .conditional(let condition, let one, let other):
            try check(condition, source)
            try check(one, source, name)
            try check(other, source, name)
        }
    }

    /// Refuses mappings whose objects the relationship cannot lead to.
    private func checkDestinations(
        _ expression: MigrationExpression, _ relationship: RelationshipDescription, _ name: String
    ) throws(FileProblem) {
        for mapping in expression.mappings.compactMap({ numbers[$0] }).map({ mapping.entities[$0] }) {
            if let made = mapping.destination, !new.isEntity(made, kindOf: relationship.destination) {
                throw refused(
                    "\(name) leads to \(relationship.destination)",
                    "the mapping \(mapping.name), which makes \(made)")
            }
        }
    }

    private func check(_ predicate: ObjectPredicate, _ source: String) throws(FileProblem) {
        try QueriedProperties(store: store).check(ObjectQuery(entity: source, predicate: predicate))
    }

    private func label(_ source: String) -> String? {
        let texts = old.storedParts(of: source).filter {
            $0.attribute.type == .string && $0.name != StoreChecker.syncIDAttribute
        }.map(\.name)
        return ObjectLabelNames.all.lazy.compactMap { name in texts.first { $0.lowercased() == name } }.first
            ?? texts.first
    }

    private func attribute(
        _ part: AttributePart, _ expression: MigrationExpression?, _ had: StoredProperties,
        _ rows: inout ModelMigrationReport.Entity
    ) -> AttributePlan? {
        let attribute = part.attribute
        if expression == nil, attribute.isDerived { return nil }
        let way: AttributePlan.Way
        var row = ModelMigrationReport.Property(name: part.name, subject: .attribute, origin: .added)
        var (former, lacks): (String?, Bool) = (nil, !attribute.isOptional)
        switch expression {
        case nil: way = .constant(attribute.defaultValue ?? .none)
        case .constant(let value)?:
            way = .constant(value)
            row.origin = .computed
        case .source(let path)? where had.attributes[path.joined(separator: ".")] != nil:
            former = path.joined(separator: ".")
            way = .copied(former ?? "")
        case let expression?:
            if case .conditional(let condition, .constant(let value), .source(let path)) = expression,
                had.attributes[path.joined(separator: ".")] != nil,
                case .comparison(let comparison) = condition,
                comparison.left == .keyPath(path), comparison.operation == .equal,
                comparison.right == .value(.none)
            {
                former = path.joined(separator: ".")
                way = .filled(former ?? "", value)
            } else {
                way = .computed(expression)
                row.origin = .computed
            }
        }
        if let former {
            row.origin = .copied
            row.former = former == part.name ? nil : former
            if had.attributes[former]?.isOptional == false { lacks = false }
        }
        rows.properties.append(row)
        return AttributePlan(
            name: part.name, type: attribute.type, way: way, mayLackValue: lacks,
            place: rows.properties.count - 1, isAdded: row.origin == .added)
    }

    private func relationship(
        _ relationship: RelationshipDescription, _ expression: MigrationExpression?,
        _ had: StoredProperties,
        _ rows: inout ModelMigrationReport.Entity
    ) throws(FileProblem) -> RelationshipPlan {
        var row = ModelMigrationReport.Property(
            name: relationship.name, subject: .relationship, origin: .added)
        var (way, isCounted) = (RelationshipPlan.Way.empty, true)
        switch expression {
        case nil: break
        case .destinations(let names, .source(let path))? where path.count == 1:
            guard let before = had.relationships[path[0]] else {
                throw refused("the source of a relationship is no relationship", path[0])
            }
            way = .copied(path[0], rule(names, before.destination))
            isCounted = !keepsKeys || relationship.isTighter(than: before)
            row.origin = .copied
            row.former = path[0] == relationship.name ? nil : path[0]
        case let expression?:
            way = .computed(expression)
            row.origin = .computed
        }
        rows.properties.append(row)
        return RelationshipPlan(
            relationship: relationship, way: way, isCounted: isCounted, place: rows.properties.count - 1)
    }

    /// The objects that some mappings made of objects of an old entity.
    func rule(_ names: [String], _ destination: String) -> LinkRule {
        let root = old.rootEntity(of: destination)?.name ?? destination
        let chosen = names.compactMap { numbers[$0] }.filter { number in
            let source = mapping.entities[number].source
            return source.flatMap { old.rootEntity(of: $0)?.name } == root
        }
        let included = Set(
            chosen.filter { mapping.entities[$0].destination != nil }
                .compactMap { mapping.entities[$0].source })
        let excluded = (concrete[destination] ?? []).filter { !included.contains($0) }
        return LinkRule(mappings: chosen, root: root, excluded: Set(excluded))
    }

    private func constraints(_ entity: String) -> [UniquePlan] {
        var number: Int64 = 0
        var found: [UniquePlan] = []
        let line = Set(new.ancestry(of: entity).map(\.name))
        for declaring in new.entities {
            for properties in declaring.uniquenessConstraints {
                number += 1
                if line.contains(declaring.name) {
                    found.append(UniquePlan(number: number, properties: properties))
                }
            }
        }
        return found
    }
}

/// The stored properties of an entity by name.
struct StoredProperties {
    /// The attributes, and the elements of composite ones.
    let attributes: [String: AttributeDescription]
    let relationships: [String: RelationshipDescription]

    init(of entity: String, in model: ManagedObjectModel) {
        attributes = Dictionary(model.storedParts(of: entity).map { ($0.name, $0.attribute) }) { first, _ in
            first
        }
        relationships = Dictionary(model.storedRelationships(of: entity).map { ($0.name, $0) }) { first, _ in
            first
        }
    }
}

extension RelationshipPlan {
    /// The name of the old relationship if no link to an object needs a check.
    fileprivate var uncheckedSource: String? {
        guard case .copied(let name, let rule) = way, rule.excluded.isEmpty, !isCounted, pairs == nil else {
            return nil
        }
        return name
    }
}

extension RelationshipDescription {
    /// Whether it forbids a number of objects that `former` allowed.
    fileprivate func isTighter(than former: RelationshipDescription) -> Bool {
        if !isOptional && former.isOptional { return true }
        return counts.lowerBound > former.counts.lowerBound || counts.upperBound < former.counts.upperBound
    }

    /// The allowed numbers of objects, if there are any.
    private var counts: ClosedRange<Int> {
        let highest = maxCount > 0 ? maxCount : .max
        return min(isToMany ? max(minCount, 1) : 1, highest)...highest
    }
}
