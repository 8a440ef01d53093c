import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import Testing

/// Mappings of every kind, carried out on a few objects.
@Suite("Migrator") struct MigratorTests {
    private static let old = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "stars", type: .integer16),
            ],
            relationships: [RelationshipDescription(name: "author", destination: "Person", inverse: "notes")]),
        EntityDescription(
            name: "Person", attributes: [AttributeDescription(name: "name", type: .string)],
            relationships: [
                RelationshipDescription(name: "notes", destination: "Note", inverse: "author", maxCount: 0)
            ]),
        EntityDescription(name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)]),
    ])

    private static let store = MemoryStore(
        model: old,
        objects: [
            note(1, "First", 1, 1), note(2, "Second", nil, 1), note(4, nil, 5, nil),
            StoredObject(
                entity: "Person", primaryKey: 1,
                attributes: [StoredAttribute(name: "name", value: .string("Anna"))],
                relationships: [StoredRelationship(name: "notes", target: .toMany([1, 2]))]),
            StoredObject(
                entity: "Tag", primaryKey: 1,
                attributes: [StoredAttribute(name: "name", value: .string("red"))], relationships: []),
        ])

    private static func note(_ key: Int64, _ text: String?, _ stars: Int?, _ author: Int64?) -> StoredObject {
        StoredObject(
            entity: "Note", primaryKey: key,
            attributes: [
                StoredAttribute(name: "text", value: text.map { .string($0) } ?? .none),
                StoredAttribute(name: "stars", value: stars.map { .integer(Int128($0)) } ?? .none),
            ], relationships: [StoredRelationship(name: "author", target: .toOne(author))])
    }

    private func migrate(
        _ store: MemoryStore = store, to new: ManagedObjectModel, _ entities: [MigrationMapping.Entity]
    ) throws -> (objects: [StoredObject], report: ModelMigrationReport) {
        var objects: [StoredObject] = []
        let report = try Migrator(store, to: new, by: MigrationMapping(entities: entities))
            .migrate(onDamage: { problem throws(FileProblem) in throw problem }) { objects.append($0) }
        return (objects, report)
    }

    private func values(_ objects: [StoredObject], _ entity: String, _ name: String) -> [ArchivedValue] {
        objects.filter { $0.entity == entity }.map { object in
            object.attributes.first { $0.name == name }?.value ?? .none
        }
    }

    private static func model(_ type: AttributeType, isOptional: Bool = true) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription(
                name: "Article",
                attributes: [
                    AttributeDescription(
                        name: "value", type: type, isOptional: isOptional, defaultValue: .string("default"))
                ])
        ])
    }

    private func results(
        _ expression: MigrationExpression?, type: AttributeType = .string
    ) throws -> (values: [ArchivedValue], report: ModelMigrationReport) {
        let properties = expression.map { [MigrationMapping.Property(name: "value", expression: $0)] } ?? []
        let result = try migrate(
            to: Self.model(type),
            [
                MigrationMapping.Entity(
                    name: "M", source: "Note", destination: "Article", attributes: properties)
            ])
        return (values(result.objects, "Article", "value"), result.report)
    }

    @Test func expressionsGiveTheirValues() throws {
        let text = MigrationExpression.source(path: ["text"])
        #expect(try results(nil).values == [.string("default"), .string("default"), .string("default")])
        #expect(
            try results(.constant(.string("x"))).values == [.string("x"), .string("x"), .string("x")])
        #expect(try results(text).values == [.string("First"), .string("Second"), .none])
        #expect(
            try results(.function(.uppercase, [text])).values == [.string("FIRST"), .string("SECOND"), .none])
        #expect(
            try results(.source(path: ["author", "name"])).values == [
                .string("Anna"), .string("Anna"), .none,
            ])
        #expect(
            try results(
                .conditional(
                    try ObjectPredicate(parsing: "stars > 3"), .constant(.string("good")), text)
            ).values == [.string("First"), .string("Second"), .string("good")])
        #expect(
            try results(
                .function(.add, [.source(path: ["stars"]), .constant(.integer(2))]), type: .integer16
            )
            .values == [.integer(3), .none, .integer(7)])
    }

    @Test func unfitValuesNameTheirObjects() throws {
        let report = try results(.source(path: ["text"]), type: .integer16).report
        #expect(report.obstacleCount == 2)
        #expect(report.obstacles.map(\.key) == [1, 2])
        #expect(report.obstacles.map(\.label) == ["First", "Second"])
        #expect(report.obstacles.map(\.property) == ["value", "value"])
        let division = try results(
            .function(.divide, [.source(path: ["stars"]), .constant(.integer(0))]), type: .integer16)
        #expect(division.report.obstacles.map(\.key) == [1, 4])
        let large = try results(
            .function(.multiply, [.source(path: ["stars"]), .constant(.integer(20_000))]), type: .integer16)
        #expect(large.report.obstacles.map(\.key) == [4])
    }

    @Test func unfitMappingsAreRefused() throws {
        let unfit: [MigrationExpression] = [
            .source(path: ["nothing"]), .source(path: ["author", "text"]),
            .destinations(mappings: ["N"], sources: .source(path: [])),
            .function(.add, [.constant(.integer(1))]),
        ]
        for expression in unfit {
            #expect(throws: FileProblem.self) { try results(expression) }
        }
        #expect(throws: FileProblem.self) {
            try migrate(
                to: Self.model(.string),
                [MigrationMapping.Entity(name: "M", source: "Note", destination: "Nothing")])
        }
        #expect(throws: FileProblem.self) {
            try migrate(
                to: Self.model(.string),
                [
                    MigrationMapping.Entity(name: "M", source: "Note", destination: "Article"),
                    MigrationMapping.Entity(name: "M", source: "Person", destination: nil),
                ])
        }
    }

    @Test func predicatesSelectObjectsAndTheRestIsCounted() throws {
        let result = try migrate(
            to: Self.model(.string),
            [
                MigrationMapping.Entity(
                    name: "M", source: "Note", destination: "Article",
                    predicate: try ObjectPredicate(parsing: "stars != nil"),
                    attributes: [.init(name: "value", expression: .source(path: ["text"]))])
            ])
        #expect(result.objects.map(\.primaryKey) == [1, 4])
        #expect(result.report.migrated == 2 && result.report.lost == 3)
        #expect(result.report.entities.map(\.source) == ["Note", "Note", "Person", "Tag"])
        #expect(result.report.entities.map(\.objects) == [2, 1, 1, 1])
    }

    private static let joined = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Item", isAbstract: true, attributes: [AttributeDescription(name: "title", type: .string)]),
        EntityDescription(
            name: "Person2", superentity: "Item",
            relationships: [
                RelationshipDescription(name: "items", destination: "Item2", inverse: "owner", maxCount: 0)
            ]),
        EntityDescription(
            name: "Item2", superentity: "Item",
            relationships: [RelationshipDescription(name: "owner", destination: "Person2", inverse: "items")]),
    ])

    /// Objects of three hierarchies, and two of each note, share the keys of one.
    @Test func objectsThatWouldShareKeysGetOthers() throws {
        func note(_ name: String) -> MigrationMapping.Entity {
            MigrationMapping.Entity(
                name: name, source: "Note", destination: "Item2",
                attributes: [.init(name: "title", expression: .source(path: ["text"]))],
                relationships: [
                    .init(
                        name: "owner",
                        expression: .destinations(mappings: ["P"], sources: .source(path: ["author"])))
                ])
        }
        var store = Self.store
        store.objects[3].primaryKey = 9
        for place in 0...1 { store.objects[place].relationships[0].target = .toOne(9) }
        let result = try migrate(
            store, to: Self.joined,
            [
                note("A"), note("B"),
                MigrationMapping.Entity(
                    name: "P", source: "Person", destination: "Person2",
                    attributes: [.init(name: "title", expression: .source(path: ["name"]))]),
                MigrationMapping.Entity(
                    name: "T", source: "Tag", destination: "Item2",
                    attributes: [.init(name: "title", expression: .source(path: ["name"]))]),
            ])
        #expect(result.report.obstacles.isEmpty)
        #expect(result.objects.map(\.primaryKey) == [1, 10, 2, 11, 4, 12, 9, 13])
        let owners = result.objects.map { object in object.relationships[0].target }
        #expect(
            owners == [
                .toOne(9), .toOne(9), .toOne(9), .toOne(9), .toOne(nil), .toOne(nil), .toMany([]),
                .toOne(nil),
            ])
    }

    @Test func linksThatContradictEachOtherNameTheirObjects() throws {
        let new = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Note",
                relationships: [
                    RelationshipDescription(name: "author", destination: "Person", inverse: "note")
                ]),
            EntityDescription(
                name: "Person",
                relationships: [RelationshipDescription(name: "note", destination: "Note", inverse: "author")]
            ),
        ])
        let inferred = InferredMapping(from: Self.old, to: new)
        #expect(inferred.refusals.isEmpty)
        let result = try migrate(to: new, inferred.mapping.entities)
        #expect(result.report.obstacles.map(\.key) == [2])
        #expect(result.report.obstacles.first?.property == "author")
    }
    /// An SQLite store has the owner in the row of the target; the other kinds have the targets with the owner.
    @Test(arguments: NewStore.Kind.allCases)
    func objectsThatWouldGetTwoOwnersAreNamed(_ kind: NewStore.Kind) throws {
        func model(_ inverse: String?) -> ManagedObjectModel {
            let notes = RelationshipDescription(
                name: "notes", destination: "Note", inverse: "tags", maxCount: 0)
            let tags = RelationshipDescription(
                name: "tags", destination: "Tag", inverse: inverse, maxCount: 0)
            return ManagedObjectModel(entities: [
                EntityDescription(name: "Note", relationships: [tags]),
                EntityDescription(name: "Tag", relationships: inverse == nil ? [] : [notes]),
            ])
        }
        func object(_ entity: String, _ key: Int64, _ name: String, _ keys: [Int64]) -> StoredObject {
            StoredObject(
                entity: entity, primaryKey: key, attributes: [],
                relationships: [StoredRelationship(name: name, target: .toMany(keys))])
        }
        let store = MemoryStore(
            model: model("notes"),
            objects: [
                object("Note", 1, "tags", [7, 8]), object("Note", 2, "tags", [8]),
                object("Note", 3, "tags", [8, 9]), object("Tag", 7, "notes", [1]),
                object("Tag", 8, "notes", [1, 2, 3]), object("Tag", 9, "notes", [3]),
            ])
        let inferred = InferredMapping(from: model("notes"), to: model(nil))
        #expect(inferred.refusals.isEmpty)
        var objects = 0
        let report = try Migrator(store, to: model(nil), by: inferred.mapping, kind: kind)
            .migrate(onDamage: { problem throws(FileProblem) in throw problem }) { _ in objects += 1 }
        #expect(report.obstacles.map(\.key) == (kind == .sqlite ? [2, 3] : []))
        #expect(report.obstacles.allSatisfy { $0.property == "tags" })
        #expect(kind == .sqlite || objects == 6)
    }
}
