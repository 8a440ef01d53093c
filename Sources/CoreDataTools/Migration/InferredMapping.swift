public import CoreDataStore
import KeyedArchive

/// The mapping that Core Data infers from two versions of a model for a lightweight migration.
///
/// Entities and properties match as in ``ModelDifference``. Some changes that Core Data refuses leave no doubt for
/// certain objects, such as a to-many relationship that becomes to-one and has one object everywhere: the mapping
/// includes these, and ``Migrator`` names the objects that stand in the way.
public struct InferredMapping: Sendable, Hashable {
    /// The changes between the versions.
    public let difference: ModelDifference
    /// The mapping; meaningless if there are ``refusals``.
    public let mapping: MigrationMapping

    /// The changes that need a mapping model, whatever objects the store has.
    public var refusals: [ModelDifference.Change] {
        difference.changes.filter { $0.effect == .impossible && !$0.isDecidedByObjects }
    }

    /// Infers the mapping of two versions.
    public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        difference = ModelDifference(from: old, to: new)
        let names = MatchedNames(old, new)
        mapping = MigrationMapping(
            entities: old.entities.filter { !$0.isAbstract }.map { names.mapping(of: $0) }
                + new.entities.filter { !$0.isAbstract && names.former[$0.name] == nil }.map {
                    MigrationMapping.Entity(name: "IEM_Add_\($0.name)", source: nil, destination: $0.name)
                })
    }
}

/// The matching names of two versions, and the mappings that follow from them.
private struct MatchedNames {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    let former: [String: String]
    let later: [String: String]
    /// The concrete entities of the old version that are of an entity or inherit from it.
    let concrete: [String: [String]]

    init(_ old: ManagedObjectModel, _ new: ManagedObjectModel) {
        let comparison = ModelComparison(old, new)
        self.old = old
        self.new = new
        former = comparison.former
        later = comparison.later
        concrete = old.concreteEntities
    }

    /// The name that Core Data gives the mapping of an entity of the old version.
    private func name(_ entity: String) -> String {
        later[entity].map { "IEM_Transform_\($0)" } ?? "IEM_Remove_\(entity)"
    }

    func mapping(of entity: EntityDescription) -> MigrationMapping.Entity {
        guard let destination = later[entity.name] else {
            return MigrationMapping.Entity(name: name(entity.name), source: entity.name, destination: nil)
        }
        return MigrationMapping.Entity(
            name: name(entity.name), source: entity.name, destination: destination,
            attributes: attributes(entity.name, destination),
            relationships: relationships(entity.name, destination))
    }

    private func attributes(_ source: String, _ destination: String) -> [MigrationMapping.Property] {
        let (had, has) = (old.attributes(of: source), new.attributes(of: destination))
        let former = ModelComparison.formerNames(had, has)
        let stored = Dictionary(had.filter { !$0.isTransient }.map { ($0.name, $0) }) { first, _ in first }
        return has.flatMap { attribute -> [MigrationMapping.Property] in
            guard !attribute.isTransient, let name = former[attribute.name], let before = stored[name],
                before.isDerived || !attribute.isDerived
            else { return [] }
            if attribute.type == .composite, before.type == .composite {
                return Self.elements(before, attribute)
            }
            let copied = MigrationExpression.source(path: [name])
            guard before.isOptional, !attribute.isOptional, let value = attribute.defaultValue else {
                return [MigrationMapping.Property(name: attribute.name, expression: copied)]
            }
            let isEmpty = ObjectPredicate.comparison(
                ObjectPredicate.Comparison(
                    quantifier: .one, left: .keyPath([name]), operation: .equal, right: .value(.none),
                    ignoresCase: false, ignoresAccents: false))
            return [
                MigrationMapping.Property(
                    name: attribute.name, expression: .conditional(isEmpty, .constant(value), copied))
            ]
        }
    }

    /// The elements that both versions of a composite attribute have.
    private static func elements(
        _ before: AttributeDescription, _ after: AttributeDescription
    ) -> [MigrationMapping.Property] {
        let had = Dictionary(before.parts.map { ($0.name.dropFirst(before.name.count), $0.attribute.type) }) {
            first, _ in first
        }
        return after.parts.compactMap { part in
            let rest = part.name.dropFirst(after.name.count)
            guard had[rest] == part.attribute.type else { return nil }
            let path = (before.name + rest).split(separator: ".").map(String.init)
            return MigrationMapping.Property(name: part.name, expression: .source(path: path))
        }
    }

    private func relationships(_ source: String, _ destination: String) -> [MigrationMapping.Property] {
        let (had, has) = (old.relationships(of: source), new.relationships(of: destination))
        let former = ModelComparison.formerNames(had, has)
        let stored = Dictionary(had.filter { !$0.isTransient }.map { ($0.name, $0) }) { first, _ in first }
        return has.compactMap { relationship in
            guard !relationship.isTransient, let name = former[relationship.name],
                let before = stored[name]
            else { return nil }
            let targets = (concrete[before.destination] ?? []).filter { entity in
                later[entity].map { new.isEntity($0, kindOf: relationship.destination) } ?? false
            }
            return MigrationMapping.Property(
                name: relationship.name,
                expression: .destinations(
                    mappings: targets.map { self.name($0) }, sources: .source(path: [name])))
        }
    }
}
