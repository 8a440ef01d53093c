import SystemCalls
import SystemPackage

/// What to do with a model whose version hashes differ from those of the store.
public enum ModelMismatch: Sendable {
    /// Refuse to open the store, since entities and properties could be misread.
    case refuse
    /// Read the entities and properties that the model has, and add a note.
    case accept
}

/// The model of a store, its origin, and notes about the choice.
struct ModelChoice {
    var model: ManagedObjectModel?
    var origin: ModelOrigin
    var notes: [StoreNote] = []
}

extension ModelChoice {
    /// A given model, if its version hashes match. A store without version hashes matches any model.
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
