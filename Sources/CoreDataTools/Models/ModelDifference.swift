public import CoreDataStore

/// The changes between two versions of a model, and what a lightweight migration would do with each: the migration
/// that Core Data infers from the two models, without a mapping model.
///
/// Entities and properties belong together if their renaming identifiers are equal; without one the name counts. What
/// Core Data infers follows its documentation; nothing here ran it.
public struct ModelDifference: Sendable, Hashable {
    /// What a lightweight migration does with a change; the worst last.
    public enum Effect: String, Sendable, Hashable, CaseIterable {
        /// Nothing to migrate: the change is not part of the version hash.
        case none
        /// It carries the change out.
        case inferred
        /// It carries the change out if the objects of the store allow it.
        case conditional
        /// It cannot be inferred: a mapping model is needed.
        case impossible
    }

    /// What a change concerns.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// An entity.
        case entity
        /// An attribute.
        case attribute
        /// A relationship.
        case relationship
    }

    /// What happens to it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Only the new model has it.
        case added
        /// Only the old model has it.
        case removed
        /// It has another name.
        case renamed
        /// Something else about it changes.
        case changed
    }

    /// One change.
    public struct Change: Sendable, Hashable {
        /// The entity: its name in the new model, or in the old one if it is removed.
        public var entity: String
        /// The attribute or relationship, likewise; nil for the entity itself.
        public var property: String?
        /// What the change concerns.
        public var subject: Subject
        /// What happens to it.
        public var kind: Kind
        /// What a lightweight migration does.
        public var effect: Effect
        /// What changes, and what follows: a sentence without a full stop.
        public var text: String
    }

    /// The changes by entity of the new model; removed entities last.
    public let changes: [Change]
    /// Entities whose version hashes cannot be computed, so that it is not known whether these are equal.
    public let unknown: [String]
    /// Whether a store of the old version opens with the new one without a migration.
    public let compatibility: Compatibility

    /// Whether all version hashes are equal.
    public enum Compatibility: String, Sendable, Hashable, CaseIterable {
        /// All are equal.
        case compatible
        /// Those that can be computed are equal.
        case unknown
        /// Some differ, or an entity is missing.
        case incompatible
    }

    /// Whether a store of the old version is known to open with the new one without a migration.
    public var isCompatible: Bool { compatibility == .compatible }

    /// The worst effect of all changes.
    public var effect: Effect {
        let effects = Set(changes.map(\.effect))
        return Effect.allCases.last { effects.contains($0) } ?? .none
    }

    /// Compares two versions.
    public init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        var comparison = ModelComparison(old, new)
        comparison.compare()
        changes = comparison.changes
        let names = Set((old.entities + new.entities).map(\.name))
        unknown = names.filter { name in
            (old.versionHashObstacle(of: name) != nil || new.versionHashObstacle(of: name) != nil)
                && !Self.isHashEqual(name, old, new)
        }.sorted { $0.precedesInCodePoints($1) }
        let unclear = Set(unknown)
        let areEqual = names.allSatisfy { name in
            unclear.contains(name) ? old[name] != nil && new[name] != nil : Self.isHashEqual(name, old, new)
        }
        compatibility = areEqual ? (unclear.isEmpty ? .compatible : .unknown) : .incompatible
    }

    /// Whether the version hash of an entity is the same in both models: it can be computed, or everything that can
    /// enter it is equal.
    private static func isHashEqual(
        _ name: String, _ old: ManagedObjectModel, _ new: ManagedObjectModel
    ) -> Bool {
        if let one = old.versionHash(of: name), let other = new.versionHash(of: name) { return one == other }
        let (before, after) = (old.ancestry(of: name).map(\.hashed), new.ancestry(of: name).map(\.hashed))
        return !before.isEmpty && before == after && before.allSatisfy(\.isKnown)
    }
}

/// The work of comparing.
private struct ModelComparison {
    private typealias Change = ModelDifference.Change
    private typealias Effect = ModelDifference.Effect

    private let old: ManagedObjectModel
    private let new: ManagedObjectModel
    private let inversesBefore: Inverses
    private let inversesAfter: Inverses
    /// The entity of the old model for each of the new one, and the other way round.
    private var former: [String: String] = [:]
    private var later: [String: String] = [:]
    private(set) var changes: [ModelDifference.Change] = []
    /// The changes of properties, also of those that are inherited.
    private var noted: Set<ModelDifference.Change> = []

    init(_ old: ManagedObjectModel, _ new: ManagedObjectModel) {
        self.old = old
        self.new = new
        inversesBefore = Inverses(old)
        inversesAfter = Inverses(new)
        for (mine, theirs) in Self.pairs(
            old.entities.map { ($0.name, $0.renamingIdentifier) },
            new.entities.map { ($0.name, $0.renamingIdentifier) })
        {
            former[theirs] = mine
            later[mine] = theirs
        }
    }

    /// Names of the old and the new model that belong together: by renaming identifier, then by name.
    private static func pairs(
        _ old: [(name: String, identifier: String?)], _ new: [(name: String, identifier: String?)]
    ) -> [(old: String, new: String)] {
        let byIdentifier = Dictionary(old.map { ($0.identifier ?? $0.name, $0.name) }) { first, _ in first }
        var taken: Set<String> = []
        var pairs: [(String, String)] = []
        var left: [String] = []
        for (name, identifier) in new {
            if let match = byIdentifier[identifier ?? name], taken.insert(match).inserted {
                pairs.append((match, name))
            } else {
                left.append(name)
            }
        }
        let names = Set(old.map(\.name))
        for name in left where names.contains(name) && taken.insert(name).inserted {
            pairs.append((name, name))
        }
        return pairs
    }

    mutating func compare() {
        compareHierarchies()
        // Superentities first, whose changes their subentities inherit.
        let byDepth = new.entities.map { ($0, new.ancestry(of: $0.name).count) }.sorted { $0.1 < $1.1 }
        for (entity, _) in byDepth {
            if let name = former[entity.name], let before = old[name] {
                compare(before, entity)
            } else {
                note(entity.name, .added, .inferred, "a new entity, without objects" + hint(entity))
            }
        }
        let places = Dictionary(new.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        changes = changes.enumerated().sorted { one, other in
            let (left, right) = (places[one.element.entity] ?? 0, places[other.element.entity] ?? 0)
            return (left, one.offset) < (right, other.offset)
        }.map(\.element)
        for entity in old.entities where later[entity.name] == nil {
            note(entity.name, .removed, .inferred, "its objects are lost")
        }
    }

    /// A renaming identifier is the identifier of the former version, which need not be its name.
    private func hint(_ entity: EntityDescription) -> String {
        guard let identifier = entity.renamingIdentifier, let named = old[identifier],
            let right = named.renamingIdentifier, right != identifier
        else { return "" }
        return
            "; its renaming identifier “\(identifier)” is the name of an old entity whose identifier is “\(right)”"
    }

    private mutating func note(
        _ entity: String, _ kind: ModelDifference.Kind, _ effect: Effect, _ text: String
    ) {
        changes.append(
            Change(
                entity: entity, property: nil, subject: .entity, kind: kind, effect: effect, text: text))
    }

    /// Two hierarchies that are separate in the old model cannot be one in the new.
    private mutating func compareHierarchies() {
        var roots: [String: Set<String>] = [:]
        for entity in new.entities {
            guard let name = former[entity.name], let root = old.rootEntity(of: name)?.name,
                let above = new.rootEntity(of: entity.name)?.name
            else { continue }
            roots[above, default: []].insert(root)
        }
        for (name, joined) in roots.sorted(by: { $0.key.precedesInCodePoints($1.key) })
        where joined.count > 1 {
            let list = joined.sorted { $0.precedesInCodePoints($1) }.map { "“\($0)”" }
            note(
                name, .changed, .impossible,
                "its hierarchy joins those of \(list.joined(separator: " and ")), which are separate")
        }
    }

    private mutating func compare(_ before: EntityDescription, _ after: EntityDescription) {
        let name = after.name
        if before.name != name { note(name, .renamed, .inferred, "renamed from “\(before.name)”") }
        switch (before.isAbstract, after.isAbstract) {
        case (false, true):
            note(name, .changed, .conditional, "becomes abstract: the store must not have objects of it")
        case (true, false): note(name, .changed, .inferred, "is no longer abstract")
        default: break
        }
        let parent = before.superentity.map { later[$0] ?? $0 }
        if parent != after.superentity {
            let (from, to) = (before.superentity ?? "no entity", after.superentity ?? "no entity")
            note(name, .changed, .inferred, "inherits from \(to) instead of \(from)")
        }
        if before.versionHashModifier ?? "" != after.versionHashModifier ?? "" {
            note(name, .changed, .inferred, "another version hash modifier: objects are copied as they are")
        }
        compareConstraints(before, after)
        if before.className != after.className {
            note(name, .changed, .none, "another class, \(after.className ?? "none")")
        }
        if before.fetchIndexes != after.fetchIndexes || before.compoundIndexes != after.compoundIndexes {
            note(name, .changed, .none, "other indexes")
        }
        compareAttributes(before.name, name)
        compareRelationships(before.name, name)
    }

    private mutating func compareConstraints(_ before: EntityDescription, _ after: EntityDescription) {
        let (had, has) = (Set(before.uniquenessConstraints), Set(after.uniquenessConstraints))
        for constraint in has.subtracting(had).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            note(
                after.name, .changed, .conditional,
                "\(constraint.joined(separator: ", ")) must be unique: no two objects may have the same")
        }
        for constraint in had.subtracting(has).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            note(
                after.name, .changed, .inferred, "\(constraint.joined(separator: ", ")) need not be unique")
        }
    }

    /// Adds a change of a property, unless a superentity has the same, from which it is inherited.
    private mutating func note(
        _ entity: String, _ property: String, _ subject: ModelDifference.Subject,
        _ kind: ModelDifference.Kind, _ effect: Effect, _ text: String
    ) {
        func change(_ entity: String) -> Change {
            Change(
                entity: entity, property: property, subject: subject, kind: kind, effect: effect, text: text)
        }
        if new.ancestry(of: entity).dropLast().contains(where: { noted.contains(change($0.name)) }) { return }
        if noted.insert(change(entity)).inserted { changes.append(change(entity)) }
    }

    /// A change of one property.
    private typealias Found = (kind: ModelDifference.Kind, effect: Effect, text: String)

    /// Compares the attributes or the relationships that an entity had with those that it has.
    /// - Parameters:
    ///   - lost: what becomes of one that is gone.
    ///   - added: what a new one has in the objects of the store.
    ///   - changes: what differs between two that belong together.
    private mutating func compare<Property: RenamedProperty>(
        _ had: [Property], _ has: [Property], _ subject: ModelDifference.Subject, of entity: String,
        lost: String, added: (Property) -> (Effect, String), changes: (Property, Property) -> [Found]
    ) {
        let (stored, has) = (had.filter { !$0.isTransient }, has.filter { !$0.isTransient })
        let former = Dictionary(stored.map { ($0.name, $0) }) { first, _ in first }
        let pairs = Self.pairs(
            stored.map { ($0.name, $0.renamingIdentifier) }, has.map { ($0.name, $0.renamingIdentifier) })
        let formerNames = Dictionary(pairs.map { ($0.new, $0.old) }) { first, _ in first }
        for property in has {
            guard let match = formerNames[property.name].flatMap({ former[$0] }) else {
                let (effect, text) = added(property)
                note(entity, property.name, subject, .added, effect, text)
                continue
            }
            if match.name != property.name {
                note(entity, property.name, subject, .renamed, .inferred, "renamed from “\(match.name)”")
            }
            for change in changes(match, property) {
                note(entity, property.name, subject, change.kind, change.effect, change.text)
            }
        }
        let kept = Set(formerNames.values)
        for property in stored where !kept.contains(property.name) {
            note(entity, property.name, subject, .removed, .inferred, lost)
        }
    }

    private mutating func compareAttributes(_ before: String, _ name: String) {
        compare(
            old.attributes(of: before), new.attributes(of: name), .attribute, of: name,
            lost: "its values are lost", added: Self.added, changes: Self.changes)
    }

    private static func added(_ attribute: AttributeDescription) -> (Effect, String) {
        if attribute.isDerived { return (.inferred, "is computed") }
        if attribute.defaultValue != nil { return (.inferred, "gets its default value") }
        if attribute.isOptional { return (.inferred, "has no value in any object") }
        return (.impossible, "is required and has no default value for the objects of the store")
    }

    private static func changes(_ before: AttributeDescription, _ after: AttributeDescription) -> [Found] {
        var found: [Found] = []
        if before.type != after.type {
            found.append(
                (
                    .changed, .impossible,
                    "\(before.type.title) becomes \(after.type.title): values are not converted"
                ))
        }
        if before.isOptional, !after.isOptional {
            found.append(
                after.defaultValue == nil
                    ? (
                        .changed, .impossible,
                        "becomes required and has no default value for objects without a value"
                    )
                    : (.changed, .inferred, "becomes required: objects without a value get the default value")
            )
        }
        if !before.isOptional, after.isOptional { found.append((.changed, .inferred, "becomes optional")) }
        if before.allowsExternalStorage != after.allowsExternalStorage {
            found.append(
                (
                    .changed, .inferred,
                    "external storage is \(after.allowsExternalStorage ? "allowed" : "not allowed")"
                ))
        }
        if before.isDerived != after.isDerived {
            found.append((.changed, .inferred, after.isDerived ? "becomes derived" : "is no longer derived"))
        }
        if before.preservesValueInHistory != after.preservesValueInHistory
            || before.isReadOnly != after.isReadOnly
            || before.versionHashModifier ?? "" != after.versionHashModifier ?? ""
        {
            found.append((.changed, .inferred, "another version hash: values are copied as they are"))
        }
        if before.elements.map(\.hashed) != after.elements.map(\.hashed) {
            found.append((.changed, .conditional, "other elements: values of those that are gone are lost"))
        }
        if before.valueTransformerName != after.valueTransformerName {
            found.append(
                (.changed, .none, "another value transformer, which must read what the former wrote"))
        }
        if before.defaultValue != after.defaultValue {
            found.append((.changed, .none, "another default value"))
        }
        return found
    }

    private mutating func compareRelationships(_ before: String, _ name: String) {
        let (inversesBefore, inversesAfter, later) = (inversesBefore, inversesAfter, later)
        compare(
            old.relationships(of: before), new.relationships(of: name), .relationship, of: name,
            lost: "its links are lost",
            added: { relationship in
                relationship.isOptional
                    ? (.inferred, "is empty in all objects")
                    : (.conditional, "is required: the store must not have objects of the entity")
            },
            changes: { before, after in
                Self.changes(before, after, later: later, inversesBefore, inversesAfter)
            })
    }

    /// - Parameter later: the names that entities of the old model have in the new one.
    private static func changes(
        _ before: RelationshipDescription, _ after: RelationshipDescription, later: [String: String],
        _ inversesBefore: Inverses, _ inversesAfter: Inverses
    ) -> [Found] {
        var found: [Found] = []
        if later[before.destination] != after.destination {
            found.append(
                (.changed, .impossible, "leads to \(after.destination) instead of \(before.destination)"))
        }
        switch (before.isToMany, after.isToMany) {
        case (false, true): found.append((.changed, .inferred, "becomes to-many"))
        case (true, false):
            found.append((.changed, .impossible, "becomes to-one: which object remains is not known"))
        default: break
        }
        if before.isToMany, after.isToMany, before.isOrdered != after.isOrdered {
            found.append((.changed, .inferred, after.isOrdered ? "becomes ordered" : "is no longer ordered"))
        }
        if before.isOptional, !after.isOptional {
            found.append((.changed, .conditional, "becomes required: each object must have one"))
        }
        if !before.isOptional, after.isOptional { found.append((.changed, .inferred, "becomes optional")) }
        if after.isToMany, before.isToMany,
            (before.minCount, before.maxCount) != (after.minCount, after.maxCount)
        {
            let isTighter =
                after.minCount > before.minCount
                || (after.maxCount > 0 && (before.maxCount <= 0 || after.maxCount < before.maxCount))
            found.append(
                isTighter
                    ? (.changed, .conditional, "another count, which each object must have")
                    : (.changed, .inferred, "another count"))
        }
        if inversesBefore.inverse(of: before) != inversesAfter.inverse(of: after) {
            found.append(
                (
                    .changed, .inferred,
                    "the inverse is \(after.inverse ?? "none") instead of \(before.inverse ?? "none")"
                ))
        }
        if before.isReadOnly != after.isReadOnly
            || before.versionHashModifier ?? "" != after.versionHashModifier ?? ""
        {
            found.append((.changed, .inferred, "another version hash: links are copied as they are"))
        }
        if before.deleteRule != after.deleteRule {
            found.append((.changed, .none, "the delete rule is \(after.deleteRule.sourceName)"))
        }
        return found
    }
}

/// The relationships of a model by entity and name, each entity's on its first use.
private final class Inverses {
    private let model: ManagedObjectModel
    private var identifiers: [String: [String: String]] = [:]

    init(_ model: ManagedObjectModel) { self.model = model }

    /// The identifier of the inverse relationship, by which a renamed one is the same.
    func inverse(of relationship: RelationshipDescription) -> String? {
        guard let name = relationship.inverse else { return nil }
        if identifiers[relationship.destination] == nil {
            identifiers[relationship.destination] = Dictionary(
                model.relationships(of: relationship.destination).map {
                    ($0.name, $0.renamingIdentifier ?? $0.name)
                }
            ) { first, _ in first }
        }
        return identifiers[relationship.destination]?[name] ?? name
    }
}

/// What attributes and relationships have in common when two models are compared.
private protocol RenamedProperty {
    var name: String { get }
    var isTransient: Bool { get }
    var renamingIdentifier: String? { get }
}

extension AttributeDescription: RenamedProperty {}
extension RelationshipDescription: RenamedProperty {}

extension EntityDescription {
    /// The entity without what does not enter its version hash.
    fileprivate var hashed: EntityDescription {
        var copy = self
        copy.className = nil
        copy.renamingIdentifier = nil
        copy.compoundIndexes = []
        copy.fetchIndexes = []
        copy.fetchedProperties = []
        copy.attributes = attributes.filter { !$0.isTransient }.map(\.hashed)
        copy.relationships = relationships.filter { !$0.isTransient }.map { relationship in
            var copy = relationship
            copy.deleteRule = .nullify
            copy.renamingIdentifier = nil
            return copy
        }
        return copy
    }

    /// Whether the model shows everything that enters the version hash.
    fileprivate var isKnown: Bool {
        unreadProperties.isEmpty
            && attributes.allSatisfy { attribute in
                (!attribute.isDerived || attribute.derivationExpression != nil)
                    && (attribute.type != .composite || !attribute.elements.isEmpty)
            }
    }
}

extension AttributeDescription {
    /// The attribute without what does not enter the version hash.
    fileprivate var hashed: AttributeDescription {
        var copy = self
        copy.isIndexed = false
        copy.defaultValue = nil
        copy.valueTransformerName = nil
        copy.renamingIdentifier = nil
        copy.elements = elements.map(\.hashed)
        return copy
    }
}
