import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import Testing

/// What is inferred from two models, and on which changes the objects decide.
@Suite("Inferred mappings") struct InferredMappingTests {
    private static func note(
        _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = [],
        _ name: String = "Note", renamed: String? = nil
    ) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription(
                name: name, attributes: attributes, relationships: relationships, renamingIdentifier: renamed)
        ])
    }

    private static func text(
        _ name: String, isOptional: Bool = true, renamed: String? = nil, value: ArchivedValue? = nil
    ) -> AttributeDescription {
        AttributeDescription(
            name: name, type: .string, isOptional: isOptional, defaultValue: value,
            renamingIdentifier: renamed)
    }

    @Test func renamingLeadsOverVersionsThatWereSkipped() {
        let versions = [
            Self.note([Self.text("title")]),
            Self.note([Self.text("name", renamed: "title")], [], "Page", renamed: "Note"),
            Self.note([Self.text("headline", renamed: "title")], [], "Article", renamed: "Note"),
        ]
        for (old, new) in [(0, 1), (1, 2), (0, 2)] {
            let inferred = InferredMapping(from: versions[old], to: versions[new])
            let (before, after) = (versions[old].entities[0], versions[new].entities[0])
            #expect(inferred.refusals.isEmpty)
            #expect(
                inferred.mapping.entities == [
                    MigrationMapping.Entity(
                        name: "IEM_Transform_\(after.name)", source: before.name, destination: after.name,
                        attributes: [
                            .init(
                                name: after.attributes[0].name,
                                expression: .source(path: [before.attributes[0].name]))
                        ])
                ])
        }
    }

    @Test func removedAndAddedEntitiesHaveMappings() {
        let inferred = InferredMapping(
            from: Self.note([], [], "Old"), to: Self.note([], [], "New"))
        #expect(inferred.mapping.entities.map(\.name) == ["IEM_Remove_Old", "IEM_Add_New"])
        #expect(inferred.mapping.entities.map(\.source) == ["Old", nil])
        #expect(inferred.mapping.entities.map(\.destination) == [nil, "New"])
    }

    @Test func otherTypesAndJoinedHierarchiesNeedMappingModels() {
        let typed = InferredMapping(
            from: Self.note([Self.text("text")]),
            to: Self.note([AttributeDescription(name: "text", type: .date)]))
        #expect(typed.refusals.map(\.property) == ["text"])
        let separate = ManagedObjectModel(entities: [
            EntityDescription(name: "A"), EntityDescription(name: "B"),
        ])
        let joined = ManagedObjectModel(entities: [
            EntityDescription(name: "A", superentity: "C"), EntityDescription(name: "B", superentity: "C"),
            EntityDescription(name: "C"),
        ])
        #expect(InferredMapping(from: separate, to: joined).refusals.count == 1)
    }

    private func obstacles(
        _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ value: ArchivedValue,
        _ links: StoredRelationship.Target? = nil
    ) throws -> [String] {
        let object = StoredObject(
            entity: "Note", primaryKey: 7, attributes: [StoredAttribute(name: "text", value: value)],
            relationships: links.map { [StoredRelationship(name: "next", target: $0)] } ?? [])
        let inferred = InferredMapping(from: old, to: new)
        #expect(inferred.refusals.isEmpty)
        return try Migrator(MemoryStore(model: old, objects: [object]), to: new, by: inferred.mapping)
            .migrate(onDamage: { problem throws(FileProblem) in throw problem }) { _ in }
            .obstacles.map {
                "\($0.entity) \($0.key) \($0.label ?? "-") \($0.property ?? "-"): \($0.problem)"
            }
    }

    @Test func objectsDecideOnRequiredAttributes() throws {
        let old = Self.note([Self.text("text")])
        let required = Self.note([Self.text("text", isOptional: false)])
        #expect(try obstacles(old, required, .string("x")).isEmpty)
        #expect(
            try obstacles(old, required, .none) == [
                "Note 7 - text: it is required, and the object has no value"
            ])
        let added = Self.note([Self.text("text"), Self.text("new", isOptional: false)])
        #expect(
            try obstacles(old, added, .string("x")) == [
                "Note 7 x new: it is required, and the object has no value"
            ])
        let filled = Self.note([Self.text("text", isOptional: false, value: .string("default"))])
        #expect(try obstacles(old, filled, .none).isEmpty)
    }

    @Test func objectsDecideOnCountsOfRelationships() throws {
        func next(_ least: Int, _ most: Int, isOptional: Bool = true) -> ManagedObjectModel {
            Self.note(
                [Self.text("text")],
                [
                    RelationshipDescription(
                        name: "next", destination: "Note", minCount: least, maxCount: most,
                        isOptional: isOptional)
                ])
        }
        let many = next(0, 0)
        #expect(try obstacles(many, next(0, 1), .none, .toMany([7])).isEmpty)
        #expect(
            try obstacles(many, next(0, 1), .none, .toMany([7, 8])) == [
                "Note 7 - next: it leads to 2 objects, and can lead to only one"
            ])
        #expect(
            try obstacles(many, next(0, 2), .none, .toMany([7, 8, 9])) == [
                "Note 7 - next: it leads to 3 objects, and can lead to at most 2"
            ])
        #expect(
            try obstacles(many, next(2, 0), .none, .toMany([7])) == [
                "Note 7 - next: it leads to 1 object, and must lead to at least 2"
            ])
        #expect(try obstacles(many, next(2, 0), .none, .toMany([])).isEmpty)
        #expect(
            try obstacles(many, next(0, 0, isOptional: false), .none, .toMany([])) == [
                "Note 7 - next: it is required, and leads to no object"
            ])
        // The old model did not hold, either.
        #expect(try obstacles(next(0, 2), next(0, 2), .none, .toMany([7, 8, 9])).isEmpty)
    }
}
