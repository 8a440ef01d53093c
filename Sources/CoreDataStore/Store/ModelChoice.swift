import SystemCalls
import SystemPackage

/// What to do with a model whose version hashes are not those of the store.
public enum ModelMismatch: Sendable {
    /// Refuse to open: entities and properties could be misread.
    case refuse
    /// Read what fits, and say so in a note. Entities that the model lacks are left out.
    case accept
}

/// The model that a store is read with, where it comes from, and what is to be said about it.
struct ModelChoice {
    var model: ManagedObjectModel?
    var origin: ModelOrigin
    var notes: [StoreNote] = []
}

extension ModelChoice {
    /// A given model, if the store was saved with it. A store without version hashes takes any.
    init(
        _ model: ManagedObjectModel, _ origin: ModelOrigin, _ mismatch: ModelMismatch,
        of metadata: StoreMetadata,
        at path: FilePath
    ) throws(FileProblem) {
        self.init(model: model, origin: origin)
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        if metadata.versionHashes.isEmpty || comparison.fits { return }
        let others = comparison.entries.filter { $0.outcome != .same && $0.outcome != .notComputable }
        let shown =
            others.prefix(5).map { "\($0.entity) (\($0.outcome))" }.joined(separator: ", ")
            + (others.count > 5 ? " and \(others.count - 5) more" : "")
        guard mismatch == .accept else {
            throw FileProblem(
                .refused, path: path, "the model is not the one that the store was saved with",
                expected: "the same version hashes", found: shown,
                advice: "Give the version of the model that the store was saved with, or none")
        }
        let text = "the model is not the one that the store was saved with: \(shown)"
        notes = [StoreNote(code: "modelMismatch", text: text)]
    }
}
