import Base
import CSQLite
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite("Sample models", .enabled(if: Samples.available, "needs the samples")) struct ModelSamplesTests {
    @Test(arguments: Samples.modelFiles) func loads(_ file: String) throws {
        let model = try ModelFile.load(Samples.path(file))
        #expect(!model.entities.isEmpty)
        #expect(model.versionHashes.count == model.entities.count)
        #expect(model.numberedEntities.count == model.entities.count)
    }

    @Test func allAreFound() { #expect(Samples.modelFiles.count >= 28) }

    @Test func detailsOfAModelInText() throws {
        let model = try ModelFile.load(Samples.path("sqlite-stores/moody/models/Moody-5.contents"))
        #expect(model.versionIdentifiers == ["5"])
        let country = try #require(model["Country"])
        #expect(country.uniquenessConstraints == [["numericISO3166Code", "uniquenessDummy"]])
        #expect(country.compoundIndexes == [["markedForDeletionDate", "updatedAt"]])
        let continent = try #require(country.attributes.first { $0.name == "isoContinent" })
        #expect(continent.type == .integer16 && continent.isOptional && continent.defaultValue == .integer(0))
        let moods = try #require(country.relationships.first)
        #expect(moods.isToMany && moods.destination == "Mood" && moods.inverse == "country")
        #expect(moods.deleteRule == .nullify && moods.maxCount == 0 && !moods.isOptional)
    }

    @Test func inheritanceIsResolved() throws {
        let model = try ModelFile.load(Samples.path("binary-stores/models/DayMap-7.elements"))
        let task = try #require(model["Task"])
        #expect(task.superentity == "AbstractTask")
        #expect(!task.attributes.contains { $0.name == "uuid" })
        #expect(model.attributes(of: "Task").contains { $0.name == "uuid" })
        #expect(model.ancestry(of: "Task").map(\.name) == ["AbstractTask", "Task"])
        #expect(model.isEntity("Task", kindOf: "AbstractTask"))
        #expect(model.rootEntity(of: "Task")?.isAbstract == true)
    }

    /// The same model, compiled in the store and as source.
    @Test(arguments: [
        ("moody/Moody.moody", "moody/models/Moody.contents"),
        ("moody/Moody-2.moody", "moody/models/Moody-2.contents"),
        ("moody/Moody-3.moody", "moody/models/Moody-3.contents"),
        ("moody/Moody-4.moody", "moody/models/Moody-4.contents"),
        ("moody/Moody-5.moody", "moody/models/Moody-5.contents"),
        ("bookmarks/Bookmarks_V1.sqlite", "bookmarks/models/BookmarksModel.contents"),
        ("bookmarks/Bookmarks_V4.sqlite", "bookmarks/models/BookmarksModel-4.contents"),
    ]) func modelCacheEqualsSource(_ store: String, _ source: String) throws {
        let path = Samples.path("sqlite-stores/" + store)
        let cache = try RawDeflate.inflate(
            SharedBytes(try blob("SELECT Z_CONTENT FROM Z_MODELCACHE", path)), limit: 1 << 24, path: path)
        let cached = try ModelFile.model(cache, path: path)
        let model = try ModelFile.load(Samples.path("sqlite-stores/" + source))
        #expect(cached.versionHashes == model.versionHashes)
        for (left, right) in zip(cached.entities, model.entities) {
            #expect(left.attributes.map(notIndexed) == right.attributes.map(notIndexed))
            #expect(Set(left.compoundIndexes).isSuperset(of: right.compoundIndexes))
            #expect(Set(left.fetchIndexes).isSuperset(of: right.fetchIndexes))
            #expect(left.relationships == right.relationships)
            #expect(left.uniquenessConstraints == right.uniquenessConstraints)
            #expect(left.superentity == right.superentity && left.isAbstract == right.isAbstract)
        }
        #expect(cached.entities.map(\.name) == model.entities.map(\.name))
    }

    @Test(arguments: [
        ("1.5.1", "DayMap-3.elements"), ("1.5.3", "DayMap-4.elements"), ("1.6.0", "DayMap-5.elements"),
        ("demo", "DayMap-6.elements"), ("full-demo", "DayMap-7.elements"), ("lite-demo", "DayMap-7.elements"),
        ("2.1.1", "DayMap_9.xcdatamodel_contents"),
    ]) func hashesOfBinaryStores(_ store: String, _ file: String) throws {
        let path = Samples.path("binary-stores/daymap-\(store).b_storedata")
        let metadata = try BinaryStoreArchive(try FileBytes.read(path), path: path).metadata
        let model = try ModelFile.load(Samples.path("binary-stores/models/" + file))
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        #expect(comparison.fits)
        #expect(comparison.entries.count >= 3)
    }
}

/// The compiler also marks an attribute with a separate fetch index as indexed, and adds indexes for older systems.
private func notIndexed(_ attribute: AttributeDescription) -> AttributeDescription {
    var copy = attribute
    copy.isIndexed = false
    return copy
}

/// The first column of the first row.
func blob(_ statement: String, _ path: FilePath) throws -> [UInt8] {
    var connection: OpaquePointer?
    let name = "file:\(path.string)?immutable=1"
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open_v2(name, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK)
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    try #require(sqlite3_prepare_v2(connection, statement, -1, &prepared, nil) == SQLITE_OK)
    try #require(sqlite3_step(prepared) == SQLITE_ROW)
    let bytes = try #require(sqlite3_column_blob(prepared, 0))
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(prepared, 0))))
}
