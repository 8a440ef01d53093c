import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Stores of apps over several versions of their models: step by step and at once.
@Suite("Migrations of samples", .enabled(if: Samples.available, "needs the samples"))
struct SampleMigrationTests {
    struct Chain: CustomStringConvertible, Sendable {
        var store: String
        /// The versions of the model, the first that of the store.
        var models: [String]
        var description: String { store }

        static let all = [
            Chain(store: "sqlite-stores/moody/Moody.moody", models: ["Moody", "Moody-2"].map(moody)),
            // The next version has the entity again that this one removes.
            Chain(store: "sqlite-stores/moody/Moody-4.moody", models: ["Moody-4", "Moody-5"].map(moody)),
            Chain(store: "sqlite-stores/moody/Moody-5.moody", models: ["Moody-5", "Moody-6"].map(moody)),
            Chain(
                store: "sqlite-stores/bookmarks/Bookmarks_V1.sqlite",
                models: ["", "-2", "-3", "-4", "-5", "-6"].map(bookmarks)),
            Chain(
                store: "sqlite-stores/bookmarks/Bookmarks_V4.sqlite",
                models: ["-4", "-5", "-6"].map(bookmarks)),
            Chain(
                store: "binary-stores/daymap-1.6.0.b_storedata",
                models: ["DayMap-5.elements", "DayMap-6.elements", "DayMap-7.elements"].map(dayMap)),
            Chain(
                store: "binary-stores/daymap-demo.b_storedata",
                models: ["DayMap-6.elements", "DayMap-7.elements", "DayMap_9.xcdatamodel_contents"].map(
                    dayMap)),
            Chain(
                store: "binary-stores/daymap-full-demo.b_storedata",
                models: [
                    "DayMap-7.elements", "DayMap_9.xcdatamodel_contents", "DayMap2.11.xcdatamodel_contents",
                ].map(dayMap)),
        ]

        private static func moody(_ name: String) -> String { "sqlite-stores/moody/models/\(name).contents" }
        private static func bookmarks(_ end: String) -> String {
            "sqlite-stores/bookmarks/models/BookmarksModel\(end).contents"
        }
        private static func dayMap(_ name: String) -> String { "binary-stores/models/\(name)" }
    }

    @Test(arguments: Chain.all) func stepsGiveTheSameAsOneStep(_ chain: Chain) throws {
        let scratch = try ScratchFolder()
        let models = try chain.models.map { try ModelFile.load(Samples.path($0)) }
        let first = try PersistentStores.open(try scratch.copy(chain.store), model: models[0])
        let last = try #require(models.last)
        var store = first
        for (number, model) in models.enumerated().dropFirst() {
            store = try migrated(store, to: model, scratch.path.appending("\(number).sqlite"))
        }
        let direct = try migrated(first, to: last, scratch.path.appending("direct.sqlite"))
        let (stepped, whole) = (try Self.objects(store), try Self.objects(direct))
        #expect(stepped == whole && !whole.isEmpty)
    }

    private func migrated(
        _ store: any PersistentStore, to model: ManagedObjectModel, _ path: FilePath
    ) throws -> any PersistentStore {
        let inferred = InferredMapping(from: try #require(store.model), to: model)
        #expect(inferred.refusals.isEmpty)
        var writer = try SQLiteStoreWriter(creating: path, model: model)
        let report = try Migrator(store, to: model, by: inferred.mapping)
            .migrate(onDamage: { problem throws(FileProblem) in throw problem }) {
                object throws(FileProblem) in
                try writer.insert(object)
            }
        #expect(report.obstacles.isEmpty)
        try writer.finish()
        let empty = path.removingLastComponent().appending("empty-\(path.lastComponent?.string ?? "")")
        try SQLiteStoreWriter(creating: empty, model: model).finish()
        #expect(try SQLiteShell.run(path, ".schema") == (try SQLiteShell.run(empty, ".schema")))
        let made = try SQLiteStore(path, model: model)
        #expect(try StoreChecker.check(made).findings.filter { $0.kind != .missingSyncID }.isEmpty)
        return made
    }

    private static func objects(_ store: any PersistentStore) throws -> Set<StoredObject> {
        var objects: Set<StoredObject> = []
        try store.forEachObject { objects.insert($0) }
        return objects
    }
}
