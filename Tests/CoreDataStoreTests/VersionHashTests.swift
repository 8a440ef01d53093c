@testable import CoreDataStore
import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A store in the list of known hashes.
private struct Known: Decodable {
    var store: String
    var models: [String]
    var entityHashes: [String: String]

    static var all: [Known] {
        get throws {
            let list = Fixtures.folder.appending("version-hashes.json").string
            return try JSONDecoder().decode([Known].self, from: Data(contentsOf: URL(filePath: list)))
        }
    }

    static func hexadecimal(_ hash: [UInt8]) -> String {
        hash.map { String(format: "%02x", $0) }.joined()
    }
}

@Suite("Version hashes") struct VersionHashTests {
    /// The hashes in the metadata of an SQLite store, and the model file of the store.
    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            ("docset-7606f51/docSet.dsidx", "docset-7606f51/docSet.mom"),
            ("docset-db16521/docSet.dsidx", "docset-db16521/docSet.mom"),
            ("moody/Moody.moody", "moody/models/Moody.contents"),
            ("moody/Moody-2.moody", "moody/models/Moody-2.contents"),
            ("moody/Moody-3.moody", "moody/models/Moody-3.contents"),
            ("moody/Moody-4.moody", "moody/models/Moody-4.contents"),
            ("moody/Moody-5.moody", "moody/models/Moody-5.contents"),
            ("bookmarks/Bookmarks_V1.sqlite", "bookmarks/models/BookmarksModel.contents"),
            ("bookmarks/Bookmarks_V4.sqlite", "bookmarks/models/BookmarksModel-4.contents"),
            ("surfjournal/SurfJournalModel.sqlite", "surfjournal/SurfJournalModel.contents"),
            ("recipes/Recipes.sqlite", "recipes/Recipes.elements"),
            ("restkit/RKSeedDatabase.sqlite", "restkit/RKTwitterCoreData.elements"),
        ]) func equalTheStores(_ store: String, _ file: String) throws
    {
        let model = try ModelFile.load(Samples.path("sqlite-stores/" + file))
        let metadata = try self.metadata(Samples.path("sqlite-stores/" + store))
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        #expect(comparison.fits)
        #expect(comparison.entries.map(\.entity) == model.entities.map(\.name))
    }

    /// The numbers of a new store equal those of real stores.
    @Test(.enabled(if: Samples.available, "needs the samples")) func entityNumbersOfARealStore() throws {
        let model = try ModelFile.load(Samples.path("sqlite-stores/docset-db16521/docSet.mom"))
        let path = Samples.path("sqlite-stores/docset-db16521/docSet.dsidx")
        let rows = try blob(
            "SELECT CAST(group_concat(Z_ENT || Z_NAME || Z_SUPER, ' ') AS BLOB) FROM "
                + "(SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT)", path)
        #expect(
            String(decoding: rows, as: UTF8.self)
                == model.numberedEntities.map { "\($0.number)\($0.name)\($0.superentityNumber)" }
                .joined(separator: " "))
    }

    /// For every store in the list with a model file among the samples, one of the named files matches.
    @Test(.enabled(if: Samples.available, "needs the samples")) func equalTheKnownOnes() throws {
        var compared = 0
        for known in try Known.all {
            let files = known.models.compactMap(sample).filter { access($0.string, R_OK) == 0 }
            if files.isEmpty { continue }
            compared += 1
            let hashes = try files.map { file in
                try ModelFile.load(file).versionHashes.mapValues(Known.hexadecimal)
            }
            #expect(hashes.contains(known.entityHashes), "\(known.store)")
        }
        #expect(compared >= 15)
    }

    /// The models of whole stores that the framework uploaded are in the list.
    @Test(arguments: ["doc-one-0001", "doc-four-0004"])
    func wholeStoresHaveKnownOnes(_ document: String) throws {
        let client = "B2C0D0A4-0002-4A11-8E1D-0000000000BB"
        let documents = try Fixtures.remotes.pushing("plain-multi/remote/com.example.notes/Documents")
        let store = documents.pushing(FilePath("\(document)/WholeStore/\(client)/WholeStore.ticdsync"))
        let hashes = try metadata(store).versionHashes.mapValues(Known.hexadecimal)
        let known = try Known.all.filter { $0.entityHashes == hashes }
        #expect(!known.isEmpty && known.allSatisfy { $0.store.hasSuffix("docSet.dsidx") })
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func checksumOfARealStore() throws {
        let metadata = try metadata(Samples.path("sqlite-stores/bookmarks/Bookmarks_V4.sqlite"))
        #expect(
            versionChecksum(of: metadata.versionHashes)
                == metadata.all["NSStoreModelVersionChecksumKey"]?.stringValue)
    }

    @Test func comparisonTellsWhatIsWrong() {
        let name = AttributeDescription(name: "name", type: .string)
        var derived = name
        derived.isDerived = true
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "Same", attributes: [name]), EntityDescription(name: "Other"),
            EntityDescription(name: "New"), EntityDescription(name: "Derived", attributes: [derived]),
        ])
        var stored = model.versionHashes
        #expect(stored["Derived"] == nil)
        #expect(model.versionHashObstacle(of: "Derived")?.contains("“name”") == true)
        stored["New"] = nil
        stored["Other"]?[31] ^= 1
        stored["Old"] = stored["Same"]
        stored["Derived"] = stored["Same"]
        let comparison = VersionHashComparison(model: model, storeHashes: stored)
        #expect(comparison.entries.map(\.entity) == ["Derived", "New", "Old", "Other", "Same"])
        #expect(
            comparison.entries.map(\.outcome)
                == [.notComputable, .missingInStore, .missingInModel, .differs, .same])
        #expect(!comparison.fits)
    }

    /// Properties are sorted by code points, upper case first.
    @Test func orderOfPropertiesIsByCodePoints() {
        let names = ["b", "a", "C"].map { AttributeDescription(name: $0, type: .string) }
        let model = ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: names)])
        #expect(model.slots(of: "E").map(\.name) == ["C", "a", "b"])
        let reversed = ManagedObjectModel(entities: [
            EntityDescription(name: "E", attributes: names.reversed())
        ])
        #expect(model.versionHashes == reversed.versionHashes)
    }

    /// The order of several uniqueness constraints does not matter, but the order of the names in one does. Python's
    /// hashlib gives the expected hash.
    @Test func orderOfUniquenessConstraints() {
        func hash(_ constraints: [[String]]) -> String? {
            let attributes = ["a", "b", "c"].map { AttributeDescription(name: $0, type: .string) }
            let entity = EntityDescription(
                name: "E", attributes: attributes, uniquenessConstraints: constraints)
            return ManagedObjectModel(entities: [entity]).versionHash(of: "E").map(Known.hexadecimal)
        }
        let known = "7310962af284fa2567d50bc8c1ec03a33ce1bafc617c5b4c12c8b7af275eef12"
        #expect(hash([["c", "b"], ["a"]]) == known && hash([["a"], ["c", "b"]]) == known)
        #expect(hash([["a"], ["b", "c"]]) != known)
    }

    private func metadata(_ path: FilePath) throws -> StoreMetadata {
        let bytes = try blob("SELECT Z_PLIST FROM Z_METADATA", path)
        return StoreMetadata(try BinaryPropertyList(SharedBytes(bytes)).value())
    }

    /// The path in the samples of a model file, which the list names by its path in its project.
    private func sample(_ path: String) -> FilePath? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return nil }
        let folder = parts[parts.count - 2]
        let version = folder.replacing(".xcdatamodel", with: "").replacing(" ", with: "-")
        switch (parts[0], parts.last) {
        case ("nothirst+TICoreDataSync", "docSet.mom"):
            return Samples.path("sqlite-stores/docset-\(folder)/docSet.mom")
        case ("objcio+core-data", "contents"):
            return Samples.path("sqlite-stores/moody/models/\(version).contents")
        case ("duckduckgo+BrowserServicesKit", "contents"):
            return Samples.path("sqlite-stores/bookmarks/models/\(version).contents")
        case ("CoderDream+Core-Data-by-Tutorials", "contents") where version == "SurfJournalModel":
            return Samples.path("sqlite-stores/surfjournal/SurfJournalModel.contents")
        default: return nil
        }
    }
}
