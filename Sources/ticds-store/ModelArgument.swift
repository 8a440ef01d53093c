import CoreDataStore
import SystemCalls
import SystemPackage

/// The model as named on the command line: one model, or a folder of many.
struct ModelArgument {
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
