import Base
public import CoreDataStore
public import SystemCalls
import SystemPackage

extension MappingModel {
    /// The mapping of the objects of an old model to a new one.
    ///
    /// What Xcode generates for a property is the property of the same name, or of the former name if an override gives
    /// a new one. For a relationship the generated mappings are all whose entities are those of its destination or
    /// subentities.
    /// - Throws: `.refused` for a mapping model of other versions, and for code of the app that no override replaces;
    ///   the first of the problems of the file.
    public func mapping(
        from old: ManagedObjectModel, to new: ManagedObjectModel,
        overrides: MigrationOverrides = MigrationOverrides()
    ) throws(FileProblem) -> MigrationMapping {
        if let problem = problems.first { throw problem }
        if let renaming = overrides.renamings.first(where: { $0.entity == nil }) {
            throw FileProblem(
                .refused, path: path, "the mapping model itself names the entities",
                found: "\(renaming.old)=\(renaming.new)",
                advice: "Leave out the new name of the entity, or the mapping model")
        }
        let resolver = MappingResolver(model: self, old: old, new: new, overrides: overrides)
        let mapping = try resolver.mapping()
        do throws(OverrideProblem) {
            return try overrides.apply(to: mapping, new: new)
        } catch {
            throw FileProblem(.refused, path: path, error.problem, advice: error.advice)
        }
    }
}

/// Finds the meaning of a mapping model for two versions.
private struct MappingResolver {
    let model: MappingModel
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    let overrides: MigrationOverrides

    private static let lostPart = "A part of the file may be lost: use another copy, or add the name in Xcode"

    private func refused(_ problem: String, found: String? = nil, _ advice: String) -> FileProblem {
        FileProblem(.refused, path: model.path, problem, found: found, advice: advice)
    }

    func mapping() throws(FileProblem) -> MigrationMapping {
        for renaming in overrides.renamings { try check(renaming) }
        var entities: [MigrationMapping.Entity] = []
        for entity in model.entities { entities.append(try mapping(of: entity)) }
        return MigrationMapping(entities: entities)
    }

    /// A new name is that of a property of the new model, the former one that of the old entities mapped to it.
    private func check(_ renaming: MigrationOverrides.Renaming) throws(FileProblem) {
        guard let name = renaming.entity else { return }
        let sources = model.entities.filter { mapped in
            mapped.destination.map { new.isEntity($0, kindOf: name) } ?? false
        }.compactMap(\.source)
        guard properties(name, in: new).contains(renaming.new), let source = sources.first,
            properties(source, in: old).contains(renaming.old)
        else {
            throw refused(
                "a new name does not fit the models", found: "\(name).\(renaming.old)=\(renaming.new)",
                "Give the entity of the new model, the property of the old one and that of the new one")
        }
    }

    private func properties(_ entity: String, in model: ManagedObjectModel) -> [String] {
        model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    }

    private func mapping(of entity: MappingModel.Entity) throws(FileProblem) -> MigrationMapping.Entity {
        if let source = entity.source {
            try check(source, old, model.sourceModel, entity.sourceHash, "old", entity)
        }
        if let destination = entity.destination {
            try check(destination, new, model.destinationModel, entity.destinationHash, "new", entity)
        }
        var mapped = MigrationMapping.Entity(
            name: entity.name, source: entity.source, destination: entity.destination)
        guard let source = entity.source else {
            // A file that lost the name would lose the objects.
            guard let name = entity.destination, let same = old[name], !same.isAbstract,
                !model.entities.contains(where: { $0.source == name })
            else { return mapped }
            throw refused(
                "the mapping \(entity.name) names no entity of the old model, and none takes the objects of \(name)",
                Self.lostPart)
        }
        if let fetch = entity.fetch {
            throw refused(
                "the mapping \(entity.name) fetches its objects in its own way", found: fetch.text,
                "Give a mapping model with a condition (Filter Predicate) in place of the expression")
        }
        if let text = entity.condition { mapped.predicate = try predicate(text, entity) }
        guard let destination = entity.destination else {
            // A file that lost the name would lose the objects.
            guard entity.attributes.isEmpty, entity.relationships.isEmpty else {
                throw refused(
                    "the mapping \(entity.name) has properties, but names no entity of the new model",
                    Self.lostPart)
            }
            return mapped
        }
        try checkPolicy(entity, destination)
        let isWhole = entity.kind == .copy && entity.attributes.isEmpty && entity.relationships.isEmpty
        mapped.attributes = try attributes(entity, source, destination, isWhole: isWhole)
        mapped.relationships = try relationships(entity, source, destination, isWhole: isWhole)
        return mapped
    }

    /// The version hash in the file, or that of the copy of the model in it, is the hash of the given model.
    private func check(
        _ name: String, _ given: ManagedObjectModel, _ copy: ManagedObjectModel?, _ hash: [UInt8]?,
        _ version: String, _ entity: MappingModel.Entity
    ) throws(FileProblem) {
        let advice = "Give the models for which it was made; ticds-model show prints their hashes"
        guard given[name] != nil else {
            throw refused(
                "the mapping model is for other versions: the \(version) model has no entity \(name)", advice)
        }
        guard let wanted = hash ?? copy?.versionHash(of: name), let found = given.versionHash(of: name),
            wanted != found
        else { return }
        throw FileProblem(
            .refused, path: model.path,
            "the mapping model is for other versions: the entity \(name) of the \(version) model is different",
            expected: "the version hash \(hexadecimalDigits(of: wanted.prefix(6)))",
            found: hexadecimalDigits(of: found.prefix(6)),
            advice: advice)
    }

    private func predicate(
        _ text: String, _ entity: MappingModel.Entity
    ) throws(FileProblem) -> ObjectPredicate? {
        do throws(PredicateProblem) {
            let predicate = try ObjectPredicate(parsing: text).ofSource
            return predicate == .constant(true) ? nil : predicate
        } catch {
            throw refused(
                "the condition of the mapping \(entity.name) is not known here: \(error.problem), at byte \(error.offset)",
                found: text, "ticds-conditions(7) describes conditions")
        }
    }

    /// A class of the app may do anything; values of an override replace it.
    private func checkPolicy(
        _ entity: MappingModel.Entity, _ destination: String
    ) throws(FileProblem) {
        guard let policy = entity.policy, policy != "NSEntityMigrationPolicy" else { return }
        let isReplaced = overrides.settings.contains { new.isEntity(destination, kindOf: $0.entity) }
        if isReplaced { return }
        throw refused(
            "the class \(policy) carries out the mapping \(entity.name), and it is code of the app",
            "Give the values that it computes with --set '\(destination).PROPERTY = EXPRESSION'; the class is then left out"
        )
    }

    private func value(
        _ archived: ArchivedExpression, _ property: String, _ entity: MappingModel.Entity,
        _ mappings: (String) -> [String]?
    ) throws(FileProblem) -> MigrationExpression {
        do throws(SelectorProblem) {
            return try archived.converted(mappings)
        } catch {
            throw refused(
                "the value of \(property) in the mapping \(entity.name): \(error.problem)",
                found: archived.text,
                "Give the value with --set '\(entity.destination ?? entity.name).\(property) = EXPRESSION'")
        }
    }

    /// The old name of a property, if an override gives a new one.
    private func formerName(_ name: String, _ destination: String) -> String? {
        overrides.renamings.last { renaming in
            renaming.new == name && renaming.entity.map { new.isEntity(destination, kindOf: $0) } ?? false
        }?.old
    }

    private func listed(
        _ properties: [MappingModel.Property], _ entity: MappingModel.Entity, _ known: Set<String>
    )
        throws(FileProblem) -> [String: MappingModel.Property]
    {
        var found: [String: MappingModel.Property] = [:]
        for property in properties {
            guard known.contains(property.name) else {
                throw refused(
                    "the mapping model is for other versions: \(entity.destination ?? "") has no property \(property.name)",
                    "Give the models for which it was made")
            }
            guard found.updateValue(property, forKey: property.name) == nil else {
                throw refused(
                    "the mapping \(entity.name) gives the property \(property.name) twice",
                    "Remove one of them in the mapping model")
            }
        }
        return found
    }
}

/// Properties.
extension MappingResolver {
    private func attributes(
        _ entity: MappingModel.Entity, _ source: String, _ destination: String, isWhole: Bool
    ) throws(FileProblem) -> [MigrationMapping.Property] {
        let attributes = new.attributes(of: destination)
        let listed = try self.listed(entity.attributes, entity, Set(attributes.map(\.name)))
        var properties: [MigrationMapping.Property] = []
        for attribute in attributes where !attribute.isTransient && !attribute.isDerived {
            if overrides.sets(attribute.name, of: destination, in: new) { continue }
            let property = listed[attribute.name]
            if let former = formerName(attribute.name, destination) {
                properties += copies(of: [former], source, attribute)
            } else if let archived = property?.expression {
                let value = try self.value(archived, attribute.name, entity) { _ in nil }
                if attribute.type == .composite, case .source(let path) = value, path.count == 1 {
                    properties += copies(of: path, source, attribute)
                } else {
                    properties.append(.init(name: attribute.name, expression: value))
                }
            } else if property?.isGenerated ?? isWhole {
                properties += copies(of: [attribute.name], source, attribute)
            } else if property == nil,
                old.attributes(of: source).contains(where: { $0.name == attribute.name && !$0.isTransient })
            {
                throw unmapped("attribute", attribute.name, entity, destination)
            }
        }
        return properties
    }

    /// The value of an attribute of the old entity, or of the elements of a composite one; none if it has none.
    private func copies(
        of path: [String], _ source: String, _ attribute: AttributeDescription
    ) -> [MigrationMapping.Property] {
        guard let before = old.attributes(of: source).first(where: { [$0.name] == path }), !before.isTransient
        else { return [] }
        guard attribute.type == .composite, before.type == .composite else {
            return [.init(name: attribute.name, expression: .source(path: path))]
        }
        let elements = Set(before.parts.map(\.name))
        return attribute.parts.compactMap { part in
            let rest = part.name.dropFirst(attribute.name.count)
            let name = before.name + rest
            guard elements.contains(name) else { return nil }
            return .init(
                name: part.name, expression: .source(path: name.split(separator: ".").map(String.init)))
        }
    }

    private func relationships(
        _ entity: MappingModel.Entity, _ source: String, _ destination: String, isWhole: Bool
    ) throws(FileProblem) -> [MigrationMapping.Property] {
        let relationships = new.relationships(of: destination)
        let listed = try self.listed(entity.relationships, entity, Set(relationships.map(\.name)))
        var properties: [MigrationMapping.Property] = []
        for relationship in relationships where !relationship.isTransient {
            if overrides.sets(relationship.name, of: destination, in: new) { continue }
            let property = listed[relationship.name]
            let mappings = { (name: String) in
                self.relationship(at: [name], of: source).map { self.mappings($0, relationship) }
            }
            if let former = formerName(relationship.name, destination) {
                if let names = mappings(former) {
                    properties.append(generated(relationship.name, names, [former]))
                }
            } else if let archived = property?.expression {
                let value = try self.value(archived, relationship.name, entity, mappings)
                properties.append(.init(name: relationship.name, expression: value))
            } else if property?.isGenerated ?? isWhole {
                let path = try path(property?.keyPath ?? relationship.name, relationship.name, entity)
                guard let before = self.relationship(at: path, of: source) else { continue }
                let names = property?.mapping.map { [$0] } ?? self.mappings(before, relationship)
                properties.append(generated(relationship.name, names, path))
            } else if property == nil, self.relationship(at: [relationship.name], of: source) != nil {
                throw unmapped("relationship", relationship.name, entity, destination)
            }
        }
        return properties
    }

    /// A property that both models have, and of which a mapping says nothing. Core Data leaves its values out; Xcode
    /// lists each property, so that a part of the mapping model may be lost.
    private func unmapped(
        _ kind: String, _ name: String, _ entity: MappingModel.Entity, _ destination: String
    ) -> FileProblem {
        refused(
            "the mapping \(entity.name) does not list the \(kind) \(destination).\(name), which both models have",
            found: "no mapping of the property",
            "Restore it in the mapping model, or give the value with --set '\(destination).\(name) = \(name)', or = nil"
        )
    }

    private func generated(_ name: String, _ mappings: [String], _ path: [String])
        -> MigrationMapping.Property
    {
        .init(name: name, expression: .destinations(mappings: mappings, sources: .source(path: path)))
    }

    /// The key path of a generated expression, with or without `$source` before it.
    private func path(
        _ text: String, _ property: String, _ entity: MappingModel.Entity
    ) throws(FileProblem) -> [String] {
        var path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if path.first == "$source" { path.removeFirst() }
        if path.isEmpty || ExpressionParser.fault(ofPath: path) != nil {
            throw refused(
                "the key path of \(property) in the mapping \(entity.name) is not known here", found: text,
                "Give the value with --set '\(entity.destination ?? entity.name).\(property) = EXPRESSION'")
        }
        return path
    }

    /// The relationship of the old model at the end of a path; nil if there is none.
    private func relationship(at path: [String], of source: String) -> RelationshipDescription? {
        var entity = source
        var found: RelationshipDescription?
        for name in path {
            found = old.relationships(of: entity).first { $0.name == name && !$0.isTransient }
            guard let next = found else { return nil }
            entity = next.destination
        }
        return found
    }

    /// The mappings that make the objects of a relationship of the new model from those of one of the old model, as
    /// the migration manager finds them.
    private func mappings(
        _ before: RelationshipDescription, _ relationship: RelationshipDescription
    ) -> [String] {
        model.entities.filter { mapped in
            guard let source = mapped.source, let destination = mapped.destination else { return false }
            return old.isEntity(source, kindOf: before.destination)
                && new.isEntity(destination, kindOf: relationship.destination)
        }.map(\.name)
    }
}
