import CoreDataStore
import KeyedArchive
import SystemPackage

enum ExternalStoreMaker {
    /// A store with one page.
    static func make(_ path: FilePath, model: FilePath) throws {
        var writer = try SQLiteStoreWriter(creating: path, model: try ModelFile.load(model))
        try writer.insert(
            StoredObject(
                entity: "Page", primaryKey: 1,
                attributes: [StoredAttribute(name: "picture", value: .data([1]))], relationships: []))
        try writer.finish()
    }
}
