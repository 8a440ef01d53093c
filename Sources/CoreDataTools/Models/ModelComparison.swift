import CoreDataStore

/// Compares two models, entity by entity.
struct ModelComparison {
    private typealias Change = ModelDifference.Change
    private typealias Effect = ModelDifference.Effect

    private let old: ManagedObjectModel
    private let new: ManagedObjectModel
    private let inversesBefore: Inverses
    private let inversesAfter: Inverses
    /// The entity of the old model for each of the new one, and the reverse.
    private(set) var former: [String: String] = [:]
    private(set) var later: [String: String] = [:]
    private(set) var changes: [ModelDifference.Change] = []
    /// The changes of properties, including inherited ones.
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

    /// The matching names of the old and the new model: by renaming identifier, then by name.
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

    /// The names in the old version of stored attributes or relationships, by the name in the new one.
    static func formerNames<Property: RenamedProperty>(
        _ old: [Property], _ new: [Property]
    ) -> [String: String] {
        let pairs = pairs(
            old.filter { !$0.isTransient }.map { ($0.name, $0.renamingIdentifier) },
            new.filter { !$0.isTransient }.map { ($0.name, $0.renamingIdentifier) })
        return Dictionary(pairs.map { ($0.new, $0.old) }) { first, _ in first }
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

    /// A renaming identifier is the identifier of the former version, which may differ from its name.
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

    /// Compares the hierarchies: two that are separate in the old model cannot become one in the new.
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
        compare(
            old.attributes(of: before.name), new.attributes(of: name), .attribute, of: name,
            lost: "its values are lost", added: Self.added, changes: PropertyChanges.init)
        let (had, has, names) = (inversesBefore, inversesAfter, later)
        compare(
            old.relationships(of: before.name), new.relationships(of: name), .relationship, of: name,
            lost: "its links are lost",
            added: { relationship in
                relationship.isOptional
                    ? (.inferred, "is empty in all objects")
                    : (.conditional, "is required: the store must not have objects of the entity")
            },
            changes: { before, after in
                PropertyChanges(
                    before, after, later: names, had.inverse(of: before), has.inverse(of: after))
            })
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

    /// Adds a change of a property, unless the property inherits the same change from a superentity.
    private mutating func note(
        _ entity: String, _ property: String, _ subject: ModelDifference.Subject,
        _ kind: ModelDifference.Kind, _ effect: Effect, _ text: String, isDecidedByObjects: Bool = false
    ) {
        func change(_ entity: String) -> Change {
            Change(
                entity: entity, property: property, subject: subject, kind: kind, effect: effect, text: text,
                isDecidedByObjects: isDecidedByObjects)
        }
        if new.ancestry(of: entity).dropLast().contains(where: { noted.contains(change($0.name)) }) { return }
        if noted.insert(change(entity)).inserted { changes.append(change(entity)) }
    }

    /// Compares the former attributes or relationships of an entity with the present ones.
    /// - Parameters:
    ///   - lost: the effect of a removed property.
    ///   - added: the value of a new property in the objects of the store.
    ///   - changes: the differences between two matching properties.
    private mutating func compare<Property: RenamedProperty>(
        _ had: [Property], _ has: [Property], _ subject: ModelDifference.Subject, of entity: String,
        lost: String, added: (Property) -> (Effect, String), changes: (Property, Property) -> PropertyChanges
    ) {
        let (stored, has) = (had.filter { !$0.isTransient }, has.filter { !$0.isTransient })
        let former = Dictionary(stored.map { ($0.name, $0) }) { first, _ in first }
        let formerNames = Self.formerNames(had, has)
        for property in has {
            guard let match = formerNames[property.name].flatMap({ former[$0] }) else {
                let (effect, text) = added(property)
                // A required attribute without a default; the effects of others are not impossible.
                note(
                    entity, property.name, subject, .added, effect, text,
                    isDecidedByObjects: effect == .impossible)
                continue
            }
            if match.name != property.name {
                note(entity, property.name, subject, .renamed, .inferred, "renamed from “\(match.name)”")
            }
            for change in changes(match, property).found {
                note(
                    entity, property.name, subject, .changed, change.effect, change.text,
                    isDecidedByObjects: change.isDecidedByObjects)
            }
        }
        let kept = Set(formerNames.values)
        for property in stored where !kept.contains(property.name) {
            note(entity, property.name, subject, .removed, .inferred, lost)
        }
    }

    private static func added(_ attribute: AttributeDescription) -> (Effect, String) {
        if attribute.isDerived { return (.inferred, "is computed") }
        if attribute.defaultValue != nil { return (.inferred, "gets its default value") }
        if attribute.isOptional { return (.inferred, "has no value in any object") }
        return (.impossible, "is required and has no default value for the objects of the store")
    }
}

/// The relationships of a model by entity and name, loaded for each entity at the first use.
private final class Inverses {
    private let model: ManagedObjectModel
    private var identifiers: [String: [String: String]] = [:]

    init(_ model: ManagedObjectModel) { self.model = model }

    /// The identifier of the inverse relationship, by which a renamed inverse is recognised.
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

/// The common part of attributes and relationships in a comparison of two models.
protocol RenamedProperty {
    var name: String { get }
    var isTransient: Bool { get }
    var renamingIdentifier: String? { get }
}

extension AttributeDescription: RenamedProperty {}
extension RelationshipDescription: RenamedProperty {}
