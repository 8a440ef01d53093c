public import CoreDataStore

/// The changes between two versions of a model, each with its effect on a lightweight migration: the migration that
/// Core Data infers from the two models, without a mapping model.
///
/// Entities and properties match if their renaming identifiers are equal; without one the name counts. The effects
/// follow Core Data's documentation; they were not tested with Core Data.
public struct ModelDifference: Sendable, Hashable {
    /// The effect of a change on a lightweight migration; the worst last.
    public enum Effect: String, Sendable, Hashable, CaseIterable {
        /// Nothing to migrate: the change is not part of the version hash.
        case none
        /// The migration carries the change out.
        case inferred
        /// The migration carries the change out if the objects of the store allow it.
        case conditional
        /// The change cannot be inferred: a mapping model is needed.
        case impossible
    }

    /// The subject of a change.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// An entity.
        case entity
        /// An attribute.
        case attribute
        /// A relationship.
        case relationship
    }

    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Only the new model has it.
        case added
        /// Only the old model has it.
        case removed
        /// The name differs.
        case renamed
        /// A different characteristic has changed.
        case changed
    }

    /// One change.
    public struct Change: Sendable, Hashable {
        /// The entity: its name in the new model, or in the old one if it is removed.
        public var entity: String
        /// The attribute or relationship, named in the same way; nil for the entity itself.
        public var property: String?
        /// The subject of the change.
        public var subject: Subject
        /// The kind of the change.
        public var kind: Kind
        /// The effect on a lightweight migration.
        public var effect: Effect
        /// The change and its consequence: a sentence without a full stop.
        public var text: String
        /// Whether ``Migrator`` carries an impossible change out if the objects of the store leave no doubt.
        public var isDecidedByObjects = false
    }

    /// The changes by entity of the new model; removed entities last.
    public let changes: [Change]
    /// Entities whose version hashes cannot be computed, so that it is unknown whether these are equal.
    public let unknown: [String]
    /// Whether a store of the old version opens with the new one without a migration.
    public let compatibility: Compatibility

    /// Whether all version hashes are equal.
    public enum Compatibility: String, Sendable, Hashable, CaseIterable {
        /// All version hashes are equal.
        case compatible
        /// All version hashes that can be computed are equal.
        case unknown
        /// Some version hashes differ, or an entity is missing.
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

extension EntityDescription {
    /// The entity without the parts that do not enter its version hash.
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
    /// The attribute without the parts that do not enter the version hash.
    var hashed: AttributeDescription {
        var copy = self
        copy.isIndexed = false
        copy.defaultValue = nil
        copy.valueTransformerName = nil
        copy.renamingIdentifier = nil
        copy.elements = elements.map(\.hashed)
        return copy
    }
}
