public import CoreDataStore
import SystemCalls

/// What a person changes in a mapping: expressions for properties of the new model, and new names.
public struct MigrationOverrides: Sendable, Hashable {
    /// `Entity.property = EXPRESSION`: the value of a property of the new model.
    public struct Setting: Sendable, Hashable {
        /// The entity of the new model.
        public var entity: String
        /// The attribute or relationship.
        public var property: String
        /// The value.
        public var expression: MigrationExpression

        /// Parses a setting; offsets count from the start of the text.
        public init(parsing text: String) throws(ExpressionProblem) {
            guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw ExpressionProblem(
                    offset: text.utf8.count,
                    problem: "an equals sign is missing: Entity.property = EXPRESSION")
            }
            let names = try MigrationOverrides.names(text[..<sign])
            guard names.count > 1 else {
                throw ExpressionProblem(
                    offset: 0, problem: "a property is missing: Entity.property = EXPRESSION")
            }
            entity = names[0]
            property = names[1...].joined(separator: ".")
            let start = text.utf8.index(after: sign)
            do throws(ExpressionProblem) {
                expression = try MigrationExpression(parsing: String(text[start...]))
            } catch {
                let before = text.utf8.distance(from: text.startIndex, to: start)
                // bounded: by the text
                throw ExpressionProblem(offset: before + error.offset, problem: error.problem)
            }
        }
    }

    /// `OldEntity=NewEntity` or `Entity.old=new`: the name of an entity or property in the new model.
    public struct Renaming: Sendable, Hashable {
        /// The entity of the new model whose property has a new name; nil for a new name of an entity.
        public var entity: String?
        /// The name in the old model.
        public var old: String
        /// The name in the new model.
        public var new: String

        /// Parses a new name; offsets count from the start of the text.
        public init(parsing text: String) throws(ExpressionProblem) {
            let form = "OldEntity=NewEntity or Entity.old=new"
            guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw ExpressionProblem(
                    offset: text.utf8.count, problem: "an equals sign is missing: \(form)")
            }
            let names = try MigrationOverrides.names(text[..<sign])
            let later = text[text.utf8.index(after: sign)...]
            let place = text.utf8.distance(from: text.startIndex, to: later.startIndex)
            guard names.count < 3 else {
                throw ExpressionProblem(offset: 0, problem: "too many names: \(form)")
            }
            let right: [String]
            do throws(ExpressionProblem) { right = try MigrationOverrides.names(later) } catch {
                // bounded: by the text
                throw ExpressionProblem(offset: place + error.offset, problem: error.problem)
            }
            guard right.count == 1 else {
                throw ExpressionProblem(
                    offset: place, problem: "the new name is one name, without its entity: \(form)")
            }
            entity = names.count == 2 ? names[0] : nil
            old = names[names.count - 1]
            new = right[0]
        }
    }

    /// The values of properties.
    public var settings: [Setting]
    /// The new names.
    public var renamings: [Renaming]

    /// Overrides.
    public init(settings: [Setting] = [], renamings: [Renaming] = []) {
        self.settings = settings
        self.renamings = renamings
    }

    /// The names of a path with white space around it.
    private static func names(_ text: Substring) throws(ExpressionProblem) -> [String] {
        let scalars = text.unicodeScalars
        let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
        let end = scalars.lastIndex { !$0.properties.isWhitespace }.map { scalars.index(after: $0) } ?? start
        let names = text[start..<end].unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            .map {
                String(String.UnicodeScalarView($0))
            }
        let isName = names.allSatisfy { name in
            !name.isEmpty && name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace }
        }
        guard isName, names.count <= PredicateParser.pathLimit else {
            throw ExpressionProblem(
                offset: text.utf8.distance(from: text.startIndex, to: start),
                problem: "a name is missing, or has a space in it")
        }
        return names
    }
}

/// The reason why an override does not fit the models.
public struct OverrideProblem: Error, Hashable, Sendable {
    /// The problem: a sentence without a full stop.
    public var problem: String
    /// What to do: a sentence without a full stop.
    public var advice: String
}

/// New names.
extension MigrationOverrides {
    /// The new model with renaming identifiers that say what the overrides do, for the inference of a mapping.
    ///
    /// Version hashes do not depend on renaming identifiers.
    public func model(
        _ new: ManagedObjectModel, from old: ManagedObjectModel
    ) throws(OverrideProblem) -> ManagedObjectModel {
        var entities = new.entities
        var former: [String: String] = [:]
        for renaming in renamings where renaming.entity == nil {
            guard let before = old[renaming.old] else { throw lacks("old", renaming.old, old) }
            guard new[renaming.new] != nil else { throw lacks("new", renaming.new, new) }
            if let other = former.updateValue(renaming.old, forKey: renaming.new), other != renaming.old {
                throw OverrideProblem(
                    problem: "two entities of the old model become \(renaming.new)",
                    advice: "Give one name, or a mapping model")
            }
            let identifier = before.renamingIdentifier ?? before.name
            for place in entities.indices {
                if entities[place].name == renaming.new {
                    entities[place].renamingIdentifier = identifier
                } else if (entities[place].renamingIdentifier ?? entities[place].name) == identifier {
                    entities[place].renamingIdentifier = Self.noIdentifier(entities[place].name)
                }
            }
        }
        var model = new.with(entities)
        for renaming in renamings {
            guard let entity = renaming.entity else { continue }
            model = try self.model(model, entity, renaming, from: old)
        }
        return model
    }

    /// An identifier that no other model has.
    private static func noIdentifier(_ name: String) -> String { "\0\(name)" }

    private func model(
        _ new: ManagedObjectModel, _ entity: String, _ renaming: Renaming, from old: ManagedObjectModel
    ) throws(OverrideProblem) -> ManagedObjectModel {
        guard let described = new[entity] else { throw lacks("new", entity, new) }
        let wanted = described.renamingIdentifier ?? entity
        let before =
            old.entities.first { ($0.renamingIdentifier ?? $0.name) == wanted }?.name ?? old[entity]?.name
        guard let before else {
            throw OverrideProblem(
                problem: "the old model has no entity that becomes \(entity)",
                advice: "Give its name with --rename OldEntity=\(entity)")
        }
        let attribute = old.attributes(of: before).first { $0.name == renaming.old }
        let relationship = old.relationships(of: before).first { $0.name == renaming.old }
        guard
            let identifier = attribute.map({ $0.renamingIdentifier ?? $0.name })
                ?? relationship.map({ $0.renamingIdentifier ?? $0.name })
        else {
            throw lacksProperty("old", before, renaming.old, old)
        }
        let declaring = new.ancestry(of: entity).last { declaring in
            attribute != nil
                ? declaring.attributes.contains { $0.name == renaming.new }
                : declaring.relationships.contains { $0.name == renaming.new }
        }
        guard let declaring else {
            let isOther =
                new.attributes(of: entity).contains { $0.name == renaming.new }
                || new.relationships(of: entity).contains { $0.name == renaming.new }
            guard isOther else { throw lacksProperty("new", entity, renaming.new, new) }
            throw OverrideProblem(
                problem: "of \(renaming.old) and \(renaming.new), one is an attribute and one a relationship",
                advice: "Give a mapping model")
        }
        let above = Set(new.ancestry(of: entity).map(\.name))
        let entities = new.entities.map { changing in
            var changing = changing
            guard above.contains(changing.name) || new.isEntity(changing.name, kindOf: declaring.name) else {
                return changing
            }
            func changed(_ name: String, _ now: String?) -> String? {
                if changing.name == declaring.name, name == renaming.new { return identifier }
                return (now ?? name) == identifier ? Self.noIdentifier(name) : now
            }
            for place in changing.attributes.indices where attribute != nil {
                let found = changing.attributes[place]
                changing.attributes[place].renamingIdentifier = changed(found.name, found.renamingIdentifier)
            }
            for place in changing.relationships.indices where attribute == nil {
                let found = changing.relationships[place]
                changing.relationships[place].renamingIdentifier = changed(
                    found.name, found.renamingIdentifier)
            }
            return changing
        }
        return new.with(entities)
    }

    private func lacks(_ version: String, _ name: String, _ model: ManagedObjectModel) -> OverrideProblem {
        OverrideProblem(
            problem: "the \(version) model has no entity \(name)",
            advice: "Its entities are \(model.entities.map(\.name).listed())")
    }

    private func lacksProperty(
        _ version: String, _ entity: String, _ name: String, _ model: ManagedObjectModel
    ) -> OverrideProblem {
        let attributes = model.attributes(of: entity).flatMap {
            $0.parts.isEmpty ? [$0.name] : $0.parts.map(\.name)
        }
        let names = attributes + model.relationships(of: entity).map(\.name)
        return OverrideProblem(
            problem: "the entity \(entity) of the \(version) model has no property \(name)",
            advice: "Its properties are \(names.listed())")
    }
}

/// Values.
extension MigrationOverrides {
    /// The setting of a property for the objects of an entity: that of the nearest entity above it, and of those the
    /// last one.
    private func setting(_ property: String, of entity: String, in new: ManagedObjectModel) -> Setting? {
        for ancestor in new.ancestry(of: entity).reversed() {
            if let found = settings.last(where: { $0.entity == ancestor.name && $0.property == property }) {
                return found
            }
        }
        return nil
    }

    /// Whether a setting gives the values of a property, so that nothing need be inferred for it.
    public func sets(_ property: String, of entity: String, in new: ManagedObjectModel) -> Bool {
        setting(property, of: entity, in: new) != nil
    }

    /// Replaces the expressions of a mapping by those of the settings, also in subentities of their entities.
    /// - Parameter new: the new model.
    public func apply(
        to mapping: MigrationMapping, new: ManagedObjectModel
    ) throws(OverrideProblem) -> MigrationMapping {
        for setting in settings {
            guard new[setting.entity] != nil else { throw lacks("new", setting.entity, new) }
            guard isProperty(setting.property, of: setting.entity, in: new) else {
                throw lacksProperty("new", setting.entity, setting.property, new)
            }
            let isUsed = mapping.entities.contains { mapped in
                mapped.source != nil
                    && mapped.destination.map { new.isEntity($0, kindOf: setting.entity) } ?? false
            }
            guard isUsed else {
                throw OverrideProblem(
                    problem: "no objects of the old store become objects of \(setting.entity)",
                    advice: "Give the old name of the entity with --rename OldEntity=\(setting.entity)")
            }
        }
        var mapping = mapping
        let names = settings.reduce(into: [String]()) { names, setting in
            if !names.contains(setting.property) { names.append(setting.property) }
        }
        for place in mapping.entities.indices where mapping.entities[place].source != nil {
            guard let destination = mapping.entities[place].destination else { continue }
            let relationships = Set(new.relationships(of: destination).map(\.name))
            for name in names {
                guard let setting = setting(name, of: destination, in: new) else { continue }
                let property = MigrationMapping.Property(name: name, expression: setting.expression)
                let isRelationship = relationships.contains(name)
                var properties =
                    isRelationship
                    ? mapping.entities[place].relationships : mapping.entities[place].attributes
                properties.removeAll { $0.name == name }
                properties.append(property)
                if isRelationship {
                    mapping.entities[place].relationships = properties
                } else {
                    mapping.entities[place].attributes = properties
                }
            }
        }
        return withoutInverses(mapping, new)
    }

    /// The mapping without the relationships whose inverse a setting gives, which would bring other links back.
    private func withoutInverses(_ mapping: MigrationMapping, _ new: ManagedObjectModel) -> MigrationMapping {
        var mapping = mapping
        for setting in settings {
            guard
                let relationship = new.relationships(of: setting.entity).first(where: {
                    $0.name == setting.property
                }), let inverse = new.inverse(of: relationship)
            else { continue }
            for place in mapping.entities.indices {
                guard let destination = mapping.entities[place].destination,
                    new.isEntity(destination, kindOf: inverse.entity),
                    !sets(inverse.relationship.name, of: destination, in: new)
                else { continue }
                mapping.entities[place].relationships.removeAll { $0.name == inverse.relationship.name }
            }
        }
        return mapping
    }

    private func isProperty(_ name: String, of entity: String, in model: ManagedObjectModel) -> Bool {
        model.relationships(of: entity).contains { $0.name == name }
            || model.attributes(of: entity).contains { attribute in
                attribute.parts.contains { $0.name == name }
            }
    }
}

extension ManagedObjectModel {
    fileprivate func with(_ entities: [EntityDescription]) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: entities, versionIdentifiers: versionIdentifiers, configurations: configurations,
            fetchRequests: fetchRequests)
    }
}
