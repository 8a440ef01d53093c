import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import Testing

/// The examples of the article on the formats of stores; `DocumentationTests` compares the two.
@Suite struct StoreExamples {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "ticds-examples") }

    /// A model that an application would load from a `.mom` file.
    private static var model: ManagedObjectModel {
        let recipe = EntityDescription(
            name: "Recipe",
            attributes: [
                AttributeDescription(name: "title", type: .string),
                AttributeDescription(name: "servings", type: .integer16, defaultValue: .integer(4)),
                AttributeDescription(name: "ticdsSyncID", type: .string),
            ],
            relationships: [RelationshipDescription(name: "tag", destination: "Tag", inverse: "recipes")])
        let tag = EntityDescription(
            name: "Tag",
            attributes: [
                AttributeDescription(name: "name", type: .string),
                AttributeDescription(name: "ticdsSyncID", type: .string),
            ],
            relationships: [
                RelationshipDescription(name: "recipes", destination: "Recipe", inverse: "tag", maxCount: 0)
            ])
        return ManagedObjectModel(entities: [recipe, tag])
    }

    private func newStore() throws -> FilePath {
        let path = folder.path.appending("Cookbook.sqlite")
        let model = Self.model

        var writer = try SQLiteStoreWriter(creating: path, model: model)
        try writer.insert(
            StoredObject(
                entity: "Tag", primaryKey: 1,
                attributes: [StoredAttribute(name: "name", value: .string("quick"))], relationships: []))
        try writer.insert(
            StoredObject(
                entity: "Recipe", primaryKey: writer.nextPrimaryKey(of: "Recipe"),
                attributes: [StoredAttribute(name: "title", value: .string("Bread soup"))],
                relationships: [StoredRelationship(name: "tag", target: .toOne(1))]))
        try writer.finish()

        return path
    }

    @Test func everyObjectOfAStore() throws {
        let path = try newStore()
        let model = Self.model

        let store = try PersistentStores.open(path, model: model)
        for note in store.notes { print("\(note.code): \(note.text)") }
        let counts = try store.objectCounts()
        var titles: [Int64: String] = [:]
        try store.forEachObject(entity: "Recipe") { object in
            titles[object.primaryKey] = object.value("title").stringValue
        }

        #expect(counts.map { "\($0.entity) \($0.count)" } == ["Recipe 1", "Tag 1"])
        #expect(titles == [1: "Bread soup"])
    }

    @Test func whetherAModelFits() throws {
        let path = try newStore()
        let model = Self.model
        let store = try PersistentStores.open(path)

        let comparison = VersionHashComparison(model: model, storeHashes: store.metadata.versionHashes)
        let others = comparison.entries.filter { $0.outcome != .same }

        #expect(comparison.fits)
        #expect(others.isEmpty)
    }

    @Test func whatIsWrongWithAStore() throws {
        let path = try newStore()
        let model = Self.model

        let check = try StoreChecker.check(PersistentStores.open(path, model: model))
        let lines = check.findings.map { finding in
            "\(finding.kind.rawValue) \(finding.entity ?? "") \(finding.count): \(finding.detail)"
        }

        #expect(check.objects == 2)
        #expect(check.findings.map(\.kind) == [.missingSyncID, .missingSyncID])
        #expect(lines.count == 2)
    }

    @Test func anObjectMore() throws {
        let path = try newStore()

        try addRecipe(to: path)

        let store = try PersistentStores.open(path, model: Self.model)
        var servings: [String: ArchivedValue] = [:]
        try store.forEachObject(entity: "Recipe") { object in
            servings[object.value("title").stringValue ?? ""] = object.value("servings")
        }
        #expect(servings == ["Bread soup": .integer(4), "Pancakes": .integer(6)])
    }

    private func addRecipe(to path: FilePath) throws {
        let model = Self.model

        let store = try WritableStore(path, model: model, identifier: "ticdsSyncID")
        var refused: [String] = []
        let recipe = try store.insert(
            "Recipe",
            attributes: [
                ArchivedPair(key: .string("title"), value: .string("Pancakes")),
                ArchivedPair(key: .string("ticdsSyncID"), value: .string("8C2F1A44")),
            ],
            onRefusal: { name, problem in refused.append("\(name): \(problem.problem)") })
        try store.set("servings", of: recipe, to: .integer(6))
        let found = try store.object("Recipe", "8C2F1A44")
        try store.finish()

        #expect(found == recipe)
        #expect(refused.isEmpty)
    }

    @Test func aBinaryStore() throws {
        let path = folder.path.appending("Cookbook.binary")
        let model = Self.model

        var writer = BinaryStoreWriter(metadata: .binary(of: model, uuid: .random()))
        let slots = model.slots(of: "Tag").map { slot in
            slot.name == "name" ? ArchivedValue.string("quick") : .null
        }
        try writer.append(entity: "Tag", primaryKey: 1, slots: slots)
        let bytes = try writer.finish()

        let archive = try BinaryStoreArchive(SharedBytes(bytes), path: path)
        let store = BinaryStore(archive, model: model)
        var names: [String?] = []
        try store.forEachObject(entity: "Tag") { object in
            names.append(object.value("name").stringValue)
        }

        #expect(names == ["quick"])
        #expect(archive.header?.primaryKeyGeneration == 1)
        #expect(bytes.starts(with: BinaryStoreHeader.magic))
    }
}
