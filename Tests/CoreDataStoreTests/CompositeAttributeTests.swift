@testable import CoreDataStore
import KeyedArchive
import SystemPackage
import SystemCalls
import TestSupport
import Testing

/// Composite attributes of a store that SwiftData wrote: the columns, and the version hashes in its metadata.
@Suite("Composite attributes", .enabled(if: Samples.available, "needs the samples"))
struct CompositeAttributeTests {
    private var store: SQLiteStore {
        get throws { try SQLiteStore(Samples.path("field/swiftdata-composite.store")) }
    }

    @Test func hashesEqualTheStores() throws {
        let store = try store
        let comparison = VersionHashComparison(
            model: try #require(store.model), storeHashes: store.metadata.versionHashes)
        #expect(comparison.fits && comparison.entries.count == 4)
    }

    @Test func elementsHaveTheColumns() throws {
        let store = try store
        #expect(store.notes.isEmpty && store.gaps.isEmpty)
        var objects: [StoredObject] = []
        try store.forEachObject(entity: "Cocktail") { objects.append($0) }
        func value(_ name: String, _ row: Int) -> ArchivedValue? {
            objects[row].attributes.first { $0.name == name }?.value
        }
        #expect(objects.count == 2)
        #expect(value("author.person", 0) == .string("Jane Roe"))
        #expect(
            value("id", 0) == ArchivedUUID(text: "11111111-1111-1111-1111-111111111111").map { .uuid($0) })
        #expect(
            value("author.id", 0)
                == ArchivedUUID(text: "AAAAAAAA-AAAA-AAAA-AAAA-AAAAAAAAAAAA").map { .uuid($0) })
        #expect(value("author.person", 1)?.isNil == true)
        #expect(
            value("id", 1) == ArchivedUUID(text: "22222222-2222-2222-2222-222222222222").map { .uuid($0) })
        let columns = store.layouts.flatMap { layout in
            layout.attributes.map { "\(layout.table).\($0.column)" }
        }
        let all = try store.schemaColumns().filter { column in
            !["Z_PK", "Z_ENT", "Z_OPT"].contains { column.hasSuffix(".\($0)") }
        }
        #expect(all.subtracting(columns) == ["ZINGREDIENT.ZINGREDIENTBASE", "ZINGREDIENT.Z1SPEC"])
    }

    /// A model that lacks one of two properties with the same name cannot determine the column of the other.
    @Test func uncertainNumbersAreLeftOut() throws {
        let whole = try #require(try store.model)
        let less = ManagedObjectModel(
            entities: whole.entities.map { entity in
                var entity = entity
                for index in entity.attributes.indices { entity.attributes[index].elements = [] }
                return entity
            })
        #expect(less.versionHash(of: "Cocktail") == nil)
        let store = try SQLiteStore(
            Samples.path("field/swiftdata-composite.store"), model: less, mismatch: .accept)
        var names: Set<String> = []
        try store.forEachObject(entity: "Cocktail") { names = Set($0.attributes.map(\.name)) }
        #expect(!names.contains("id") && names.contains("cocktailName"))
        #expect(store.notes.contains { $0.text.contains("Cocktail.author") && $0.code == "schemaMismatch" })
        let problems = try store.problems(of: "Cocktail")
        #expect(problems.count == 1)
        #expect(problems.first?.found?.contains("ZPERSON") == true, "\(problems)")
        #expect(try store.problems(of: "Garnish").isEmpty)
    }
}

extension SQLiteStore {
    fileprivate func schemaColumns() throws -> Set<String> {
        let connection = try file.connect()
        let schema = try SQLiteSchema(connection)
        let names = Set(entities.all.map { entities.tableName(of: $0) })
        return Set(
            schema.tables.values.filter { names.contains($0.name) }
                .flatMap { table in table.columns.map { "\(table.name).\($0.name)" } })
    }
}
