import CoreDataStore
import CoreDataTools
import KeyedArchive
import Testing

/// The effect of the changes between two models on a lightweight migration.
@Suite("Differences of models") struct ModelDifferenceTests {
    private typealias Effect = ModelDifference.Effect

    private static let base = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(
                    name: "stars", type: .integer16, isOptional: false, defaultValue: .integer(0)),
                AttributeDescription(name: "cached", type: .string, isTransient: true),
            ],
            relationships: [
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "notes", maxCount: 0),
                RelationshipDescription(name: "author", destination: "Person"),
            ]),
        EntityDescription(
            name: "Tag",
            relationships: [
                RelationshipDescription(name: "notes", destination: "Note", inverse: "tags", maxCount: 0)
            ]),
        EntityDescription(name: "Person", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])

    /// The difference after `change` of a copy of the entity Note.
    private func difference(_ change: (inout EntityDescription) -> Void) -> ModelDifference {
        let entities = Self.base.entities.map { entity in
            var entity = entity
            if entity.name == "Note" { change(&entity) }
            return entity
        }
        return ModelDifference(from: Self.base, to: ManagedObjectModel(entities: entities))
    }

    private func attribute(_ name: String, _ change: (inout AttributeDescription) -> Void) -> ModelDifference
    {
        difference { entity in
            for index in entity.attributes.indices where entity.attributes[index].name == name {
                change(&entity.attributes[index])
            }
        }
    }

    private func relationship(
        _ name: String, _ change: (inout RelationshipDescription) -> Void
    ) -> ModelDifference {
        difference { entity in
            for index in entity.relationships.indices where entity.relationships[index].name == name {
                change(&entity.relationships[index])
            }
        }
    }

    /// One change, with its effect.
    private func expect(
        _ difference: ModelDifference, _ effect: ModelDifference.Effect, _ kind: ModelDifference.Kind,
        _ text: String, count: Int = 1, location: SourceLocation = #_sourceLocation
    ) {
        #expect(difference.changes.count == count, "\(difference.changes)", sourceLocation: location)
        #expect(difference.effect == effect, sourceLocation: location)
        #expect(difference.changes.first?.kind == kind, sourceLocation: location)
        #expect(
            difference.changes.first?.text.contains(text) == true, "\(difference.changes)",
            sourceLocation: location)
        #expect(difference.isCompatible == (effect == .none), sourceLocation: location)
    }

    @Test func equalModels() {
        let difference = difference { _ in }
        #expect(difference.changes.isEmpty && difference.isCompatible && difference.effect == .none)
    }

    @Test func attributes() {
        expect(
            difference { $0.attributes.append(AttributeDescription(name: "new", type: .date)) }, .inferred,
            .added, "no value")
        expect(
            difference {
                $0.attributes.append(AttributeDescription(name: "new", type: .date, isOptional: false))
            }, .impossible, .added, "required")
        expect(
            difference {
                $0.attributes.append(
                    AttributeDescription(name: "new", type: .date, isOptional: false, defaultValue: .date(0)))
            }, .inferred, .added, "default")
        expect(difference { $0.attributes.removeAll { $0.name == "text" } }, .inferred, .removed, "lost")
        expect(attribute("text") { $0.type = .binary }, .impossible, .changed, "String becomes Binary")
        expect(attribute("text") { $0.isOptional = false }, .impossible, .changed, "no default")
        expect(
            attribute("text") {
                $0.isOptional = false; $0.defaultValue = .string("")
            }, .inferred, .changed,
            "get the default value", count: 2)
        expect(attribute("stars") { $0.isOptional = true }, .inferred, .changed, "becomes optional")
        expect(attribute("stars") { $0.defaultValue = .integer(3) }, .none, .changed, "another default value")
        expect(attribute("text") { $0.versionHashModifier = "2" }, .inferred, .changed, "copied")
        #expect(attribute("cached") { $0.type = .date }.changes.isEmpty)
        expect(attribute("text") { $0.isTransient = true }, .inferred, .removed, "lost")
    }

    @Test func renaming() {
        expect(
            attribute("text") {
                $0.name = "body"; $0.renamingIdentifier = "text"
            }, .inferred, .renamed,
            "from “text”")
        let without = attribute("text") { $0.name = "body" }
        #expect(without.changes.map(\.kind) == [.added, .removed] && without.effect == .inferred)
        let canonical = ModelDifference(
            from: ManagedObjectModel(entities: [EntityDescription(name: "B", renamingIdentifier: "A")]),
            to: ManagedObjectModel(entities: [EntityDescription(name: "C", renamingIdentifier: "A")]))
        #expect(canonical.changes.map(\.text) == ["renamed from “B”"])
        let wrong = ModelDifference(
            from: ManagedObjectModel(entities: [EntityDescription(name: "B", renamingIdentifier: "A")]),
            to: ManagedObjectModel(entities: [EntityDescription(name: "C", renamingIdentifier: "B")]))
        #expect(wrong.changes.map(\.kind) == [.added, .removed])
        #expect(wrong.changes.first?.text.contains("identifier is “A”") == true)
        let dropped = ModelDifference(
            from: ManagedObjectModel(entities: [EntityDescription(name: "B", renamingIdentifier: "A")]),
            to: ManagedObjectModel(entities: [EntityDescription(name: "B")]))
        #expect(dropped.changes.isEmpty && dropped.isCompatible)
    }

    @Test func relationships() {
        expect(relationship("author") { $0.maxCount = 0 }, .inferred, .changed, "to-many")
        expect(relationship("tags") { $0.maxCount = 1 }, .impossible, .changed, "to-one")
        expect(relationship("tags") { $0.isOrdered = true }, .inferred, .changed, "ordered")
        expect(relationship("author") { $0.isOptional = false }, .conditional, .changed, "required")
        expect(relationship("author") { $0.destination = "Tag" }, .impossible, .changed, "leads to Tag")
        expect(relationship("author") { $0.deleteRule = .cascade }, .none, .changed, "Cascade")
        expect(relationship("tags") { $0.maxCount = 5 }, .conditional, .changed, "count")
        expect(
            difference {
                $0.relationships.append(
                    RelationshipDescription(name: "more", destination: "Tag", isOptional: false))
            }, .conditional, .added, "must not have objects")
    }

    @Test func entities() {
        expect(difference { $0.isAbstract = true }, .conditional, .changed, "abstract")
        expect(difference { $0.uniquenessConstraints = [["text"]] }, .conditional, .changed, "unique")
        expect(difference { $0.versionHashModifier = "9" }, .inferred, .changed, "modifier")
        let without = ModelDifference(
            from: Self.base,
            to: ManagedObjectModel(
                entities: Self.base.entities.filter { $0.name != "Person" }.map { entity in
                    var entity = entity
                    entity.relationships.removeAll { $0.name == "author" }
                    return entity
                }))
        #expect(without.changes.map(\.kind) == [.removed, .removed] && without.effect == .inferred)
        let renamed = ManagedObjectModel(
            entities: Self.base.entities.map { entity in
                var entity = entity
                if entity.name == "Person" { entity.name = "Author"; entity.renamingIdentifier = "Person" }
                for index in entity.relationships.indices
                where entity.relationships[index].destination == "Person" {
                    entity.relationships[index].destination = "Author"
                }
                return entity
            })
        let difference = ModelDifference(from: Self.base, to: renamed)
        #expect(difference.changes.map(\.text) == ["renamed from “Person”"] && !difference.isCompatible)
    }

    /// An attribute that moves to a new superentity stays; two hierarchies cannot become one.
    @Test func hierarchies() {
        let name = AttributeDescription(name: "name", type: .string)
        let flat = ManagedObjectModel(entities: [
            EntityDescription(name: "Cat", attributes: [name]),
            EntityDescription(name: "Dog", attributes: [name]),
        ])
        let one = ManagedObjectModel(entities: [
            EntityDescription(name: "Animal", isAbstract: true, attributes: [name]),
            EntityDescription(name: "Cat", superentity: "Animal"), EntityDescription(name: "Dog"),
        ])
        let moved = ModelDifference(from: flat, to: one)
        #expect(moved.effect == .inferred)
        #expect(moved.changes.map(\.entity) == ["Animal", "Cat", "Dog"], "\(moved.changes)")
        let joined = ManagedObjectModel(entities: [
            EntityDescription(name: "Animal", isAbstract: true, attributes: [name]),
            EntityDescription(name: "Cat", superentity: "Animal"),
            EntityDescription(name: "Dog", superentity: "Animal"),
        ])
        let difference = ModelDifference(from: flat, to: joined)
        #expect(difference.effect == .impossible)
        #expect(
            difference.changes.contains { $0.effect == .impossible && $0.text.contains("“Cat” and “Dog”") })
        #expect(ModelDifference(from: joined, to: flat).effect == .inferred)
    }

    /// A change of an inherited attribute is shown once, for the entity that declares it.
    @Test func inheritedChangesAreShownOnce() {
        func model(_ type: AttributeType) -> ManagedObjectModel {
            ManagedObjectModel(entities: [
                EntityDescription(name: "Zoo", attributes: [AttributeDescription(name: "a", type: type)]),
                EntityDescription(name: "B", superentity: "Zoo"),
                EntityDescription(name: "A", superentity: "B"),
            ])
        }
        let difference = ModelDifference(from: model(.string), to: model(.date))
        #expect(difference.changes.map(\.entity) == ["Zoo"])
        #expect(!difference.isCompatible)
    }

    @Test func derivedAttributesAreNotKnown() {
        let difference = attribute("text") { $0.isDerived = true }
        #expect(difference.unknown == ["Note"] && !difference.isCompatible)
    }
}
