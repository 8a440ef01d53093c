public import CoreDataStore
import Foundation
import SystemCalls
public import SystemPackage

/// A sample store and its model file.
public struct SQLiteSample: CustomStringConvertible, Sendable {
    public var store: String
    public var model: String
    public var description: String { store }

    public var storePath: FilePath { Samples.path("sqlite-stores/" + store) }
    public var modelPath: FilePath { Samples.path("sqlite-stores/" + model) }

    public static let all = [
        SQLiteSample(store: "restkit/RKSeedDatabase.sqlite", model: "restkit/RKTwitterCoreData.elements"),
        SQLiteSample(store: "recipes/Recipes.sqlite", model: "recipes/Recipes.elements"),
        SQLiteSample(store: "docset-db16521/docSet.dsidx", model: "docset-db16521/docSet.mom"),
        SQLiteSample(store: "docset-7606f51/docSet.dsidx", model: "docset-7606f51/docSet.mom"),
        SQLiteSample(store: "moody/Moody.moody", model: "moody/models/Moody.contents"),
        SQLiteSample(store: "moody/Moody-2.moody", model: "moody/models/Moody-2.contents"),
        SQLiteSample(store: "moody/Moody-3.moody", model: "moody/models/Moody-3.contents"),
        SQLiteSample(store: "moody/Moody-4.moody", model: "moody/models/Moody-4.contents"),
        SQLiteSample(store: "moody/Moody-5.moody", model: "moody/models/Moody-5.contents"),
        SQLiteSample(
            store: "bookmarks/Bookmarks_V1.sqlite", model: "bookmarks/models/BookmarksModel.contents"),
        SQLiteSample(
            store: "bookmarks/Bookmarks_V4.sqlite", model: "bookmarks/models/BookmarksModel-4.contents"),
        SQLiteSample(
            store: "surfjournal/SurfJournalModel.sqlite", model: "surfjournal/SurfJournalModel.contents"),
    ]

    public func open(withModel: Bool) throws -> SQLiteStore {
        guard withModel else { return try SQLiteStore(storePath) }
        return try SQLiteStore(storePath, model: try ModelFile.load(modelPath))
    }
}

/// A binary store of the samples and its data model.
public struct SampleStore: CustomStringConvertible, Sendable {
    public let store: String
    public let model: String
    /// The number of objects according to Python's plistlib.
    public let count: Int
    public var description: String { store }

    public static let all = [
        SampleStore(store: "daymap-1.5.1", model: "DayMap-3.elements", count: 9),
        SampleStore(store: "daymap-1.5.3", model: "DayMap-4.elements", count: 62),
        SampleStore(store: "daymap-1.6.0", model: "DayMap-5.elements", count: 72),
        SampleStore(store: "daymap-demo", model: "DayMap-6.elements", count: 72),
        SampleStore(store: "daymap-full-demo", model: "DayMap-7.elements", count: 75),
        SampleStore(store: "daymap-lite-demo", model: "DayMap-7.elements", count: 49),
        SampleStore(store: "daymap-2.1.1", model: "DayMap_9.xcdatamodel_contents", count: 72),
    ]

    public func open(withModel: Bool = true) throws -> BinaryStore {
        let path = Samples.path("binary-stores/\(store).b_storedata")
        let archive = try BinaryStoreArchive(try FileBytes.read(path), path: path)
        let modelPath = Samples.path("binary-stores/models/\(model)")
        return BinaryStore(
            archive, model: withModel ? try ModelFile.load(modelPath) : nil)
    }
}

extension Samples {
    /// Model files of the samples, by relative path.
    public static let modelFiles: [String] = {
        let walk = FileManager.default.enumerator(atPath: Samples.folder.string)
        let names = walk?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            ["elements", "contents", ".mom", "xcdatamodel_contents"].contains { name.hasSuffix($0) }
                && !name.hasPrefix("remotes/")
        }.sorted()
    }()
}
