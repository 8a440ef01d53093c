import Base
public import SystemCalls
public import SystemPackage

/// Opens Core Data stores of all types. It recognises the type by the first bytes, never by the file name.
public enum PersistentStores {
    /// Whether a file begins like a store.
    package static func isStore(_ path: FilePath) throws(FileProblem) -> Bool {
        let head = try FileBytes.head(path, count: XMLKind.signatureSize)
        if head.starts(with: SQLiteStoreFile.magic) || head.starts(with: BinaryStoreHeader.magic) {
            return true
        }
        guard XMLKind.isXML(head) else { return false }
        return XMLKind(try FileBytes.head(path, count: XMLKind.headSize)) == .store
    }

    /// Opens the store at `path` for reading. Without `model`, it reads an SQLite store with the model that the store
    /// contains in Z_MODELCACHE, if it has one.
    /// - Parameters:
    ///   - gaps: files of values that were not copied with the store.
    ///   - examines: whether to check the pages of an SQLite store; false for a caller that reads no objects.
    ///   - admitsDamage: whether damaged metadata become one of the store's `gaps` rather than an error.
    /// - Throws: `.refused` if `model` does not match the store, `.unsupported` if the file is not a store, and any
    ///   error of reading the file.
    public static func open(
        _ path: FilePath, model: ManagedObjectModel? = nil, mismatch: ModelMismatch = .refuse,
        gaps: ExternalDataGaps = ExternalDataGaps(), examines: Bool = true, admitsDamage: Bool = false
    ) throws(FileProblem) -> any PersistentStore {
        let head = try FileBytes.head(path, count: XMLKind.signatureSize)
        if head.starts(with: SQLiteStoreFile.magic) {
            var store = try SQLiteStore(
                path, model: model, mismatch: mismatch, examines: examines, admitsDamage: admitsDamage)
            store.external.gaps = gaps
            return store
        }
        if XMLKind.isXML(head) {
            guard XMLKind(try FileBytes.head(path, count: XMLKind.headSize)) != .propertyList else {
                throw FileProblem(
                    .unsupported, path: path, offset: 0, "is an XML property list, and no store",
                    expected: "the element “database”",
                    advice: "Read it as what it is; python3 -m plistlib and plutil show it")
            }
            return try XMLStore(
                try FileBytes.read(path, limit: .xmlStore), path: path, model: model, mismatch: mismatch)
        }
        guard head.count == 0 || head.starts(with: BinaryStoreHeader.magic) else {
            throw FileProblem(
                .unsupported, path: path, offset: 0, "is not a Core Data store that can be read",
                expected: "\"SQLite format 3\" or \"CoreData\"", found: head.array(0..<16).hexadecimalText,
                advice:
                    "An encrypted store can be read only inside its remote, which has the salt, and with the password"
            )
        }
        let archive = try BinaryStoreArchive(try FileBytes.read(path, limit: .binaryStore), path: path)
        guard let model else { return BinaryStore(archive, model: nil) }
        let choice = try ModelChoice(model, mismatch, of: archive.metadata, at: path)
        return BinaryStore(archive, model: model, notes: choice.notes)
    }
}

extension ModelFile {
    /// Loads the model of a store from `path`, a model or a folder of models: the model with the version hashes of the
    /// store, or several that have them together. If none has them and `mismatch` admits that, it is the one with most
    /// equal hashes.
    /// - Throws: `.refused`, with the name of that model, if none has the hashes; `.ambiguous` if several may have
    ///   them; the error of ``load(_:)`` if there is no model; the error of a file that could not be read and may be
    ///   the model.
    public static func load(
        _ path: FilePath, for store: FilePath, mismatch: ModelMismatch, admitsDamage: Bool = false
    ) throws(FileProblem) -> (model: ManagedObjectModel, path: FilePath) {
        let metadata = try PersistentStores.open(store, examines: false, admitsDamage: admitsDamage).metadata
        return try load(path, for: metadata, of: store, mismatch: mismatch)
    }

    /// Loads the model of a store with known metadata.
    public static func load(
        _ path: FilePath, for metadata: StoreMetadata, of store: FilePath, mismatch: ModelMismatch
    ) throws(FileProblem) -> (model: ManagedObjectModel, path: FilePath) {
        let search = try candidates(in: path, for: metadata.versionHashes)
        if let fitting = try search.best() { return (fitting.model, fitting.path) }
        guard let nearest = search.candidates.first, !metadata.versionHashes.isEmpty else {
            return (try load(path), path)
        }
        let parts = search.merged(for: metadata.versionHashes)
        if !parts.isEmpty { return (ManagedObjectModel(merging: parts.map(\.model)), path) }
        let possible = search.possible
        if let only = possible.first, possible.count == 1 { return (only.model, only.path) }
        if mismatch == .accept { return (nearest.model, nearest.path) }
        if !possible.isEmpty { return try proven(possible, for: metadata, of: store) }
        let equal = nearest.comparison.equalCount
        let isOnly = search.candidates.count == 1
        throw FileProblem(
            .refused, path: store,
            isOnly
                ? "the model is not the one that the store was saved with"
                : "none of \(search.candidates.count) models is the one that the store was saved with",
            expected: "the same version hashes",
            found:
                "\(isOnly ? "" : "most alike is \(nearest.path.escaped): ")\(equal) equal; \(nearest.comparison.differences)",
            advice:
                "ticds-model find looks for the right one in folders and apps; without a model names are in capitals"
        )
    }

    /// The model that a store contains; nil if the file is no store.
    /// - Throws: `.unsupported` for a store that does not contain its model.
    static func modelIfStore(_ path: FilePath) throws(FileProblem) -> ManagedObjectModel? {
        guard try PersistentStores.isStore(path) else { return nil }
        let store = try PersistentStores.open(path, examines: false)
        guard let model = store.model else {
            let reason = store.notes.first { $0.code == "modelCacheUnreadable" }
            throw FileProblem(
                .unsupported, path: path, reason?.text ?? "the store does not contain its model",
                advice: "Name the app, or the folder with its model")
        }
        return model
    }

    /// The only one of several models, not all of whose hashes can be computed, that matches the tables of the store.
    private static func proven(
        _ possible: [ModelCandidate], for metadata: StoreMetadata, of store: FilePath
    ) throws(FileProblem) -> (model: ManagedObjectModel, path: FilePath) {
        var agreeing: [ModelCandidate] = []
        for candidate in possible {
            do throws(FileProblem) {
                _ = try PersistentStores.open(store, model: candidate.model, examines: false)
                agreeing.append(candidate)
            } catch {
                guard error.kind == .refused else { throw error }
            }
        }
        if let only = agreeing.first, agreeing.count == 1 { return (only.model, only.path) }
        let names = (agreeing.isEmpty ? possible : agreeing).map { "\($0.path)" }
        throw FileProblem(
            .ambiguous, path: store,
            agreeing.isEmpty
                ? "none of \(possible.count) models agrees with the tables of the store"
                : "\(agreeing.count) models may be the one that the store was saved with",
            found: names.listed(),
            advice: "Name the file of one model; not all version hashes can be computed")
    }
}
