import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// The model as named on the command line: one model, or a folder of many.
struct ModelArgument {
    /// The framework's own model for a store that was saved with it: a change set or a register. Nil for others.
    static func framework(for metadata: StoreMetadata) -> ManagedObjectModel? {
        [FrameworkModels.syncChange, FrameworkModels.syncChangeSet].first {
            VersionHashComparison(model: $0, storeHashes: metadata.versionHashes).fits
        }
    }

    private let path: FilePath

    init(_ path: FilePath) { self.path = path }

    /// The model for the store at `store`: of several in a folder, the one with the store's version hashes.
    func resolve(for store: FilePath) throws(FileProblem) -> (model: ManagedObjectModel, path: FilePath) {
        let metadata = try PersistentStores.open(store).metadata
        let search = try ModelFile.candidates(in: path, for: metadata.versionHashes)
        if let fitting = search.fitting.first { return (fitting.model, fitting.path) }
        return (try ModelFile.load(path), path)
    }
}
