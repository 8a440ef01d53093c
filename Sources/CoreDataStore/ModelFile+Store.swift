public import SystemCalls
public import SystemPackage

extension ModelFile {
    /// Loads the model of a store from `path`, a model or a folder of models: the model with the version hashes of the
    /// store. If none has them, the result is that of ``load(_:)`` for `path`.
    public static func load(
        _ path: FilePath, for store: FilePath
    ) throws(FileProblem) -> (model: ManagedObjectModel, path: FilePath) {
        let metadata = try PersistentStores.open(store).metadata
        let search = try candidates(in: path, for: metadata.versionHashes)
        if let fitting = search.fitting.first { return (fitting.model, fitting.path) }
        do throws(FileProblem) {
            return (try load(path), path)
        } catch {
            guard let nearest = search.candidates.first else { throw error }
            throw FileProblem(
                .unsupported, path: path, "none of the models in the folder is that of the store",
                expected: "version hashes as in \(store.escaped)",
                found: "\(search.candidates.count) models, the most alike \(nearest.path.escaped)")
        }
    }
}
