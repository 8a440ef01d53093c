import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// The models that an argument names: those of a file or folder, or the model in a store.
struct NamedModels {
    let path: FilePath
    let models: [FoundModel]
    /// The problems of reading.
    let problems: [FileProblem]
    /// Whether all models are versions of one model.
    let isOneModel: Bool

    /// - Throws: `.unsupported` for a store that does not contain its model.
    init(_ argument: String, _ password: PasswordOptions) throws(FileProblem) {
        path = Environment.path(argument: argument)
        if try Self.isStore(path) {
            models = [try Self.model(inStore: path, password)]
            problems = []
            isOneModel = true
            return
        }
        let found = try ModelCollection(path)
        models = found.models
        problems = found.problems
        isOneModel = found.isOneModel
    }

    /// Whether a path is a store. A file that is not a model can only be a store; of folders, only a whole store is
    /// one.
    private static func isStore(_ path: FilePath) throws(FileProblem) -> Bool {
        let whole = FilePath(nameBytes: RemoteLayout.wholeStoreFile.bytes).lastComponent
        if path.lastComponent == whole { return true }
        if try RemoteAddress(path: path).archivedFile != nil { return true }
        let real = try path.resolved() ?? path
        guard try FileStatus.of(real).kind == .file else { return false }
        return try !ModelFile.isModel(real)
    }

    /// The model that a store contains.
    static func model(inStore path: FilePath, _ password: PasswordOptions) throws(FileProblem) -> FoundModel {
        let store = try embedded(in: try StoreFile(path, password), path)
        return FoundModel(path: path, name: path.stem ?? "", isCurrent: true, model: store.model)
    }

    /// The model that a store contains, and the metadata of the store.
    static func embedded(
        in file: StoreFile, _ named: FilePath
    ) throws(FileProblem) -> (model: ManagedObjectModel, metadata: StoreMetadata) {
        let store = try PersistentStores.open(file.path, examines: false)
        guard let model = store.model else {
            let reason = store.notes.first { $0.code == "modelCacheUnreadable" }
            throw FileProblem(
                .unsupported, path: named, reason?.text ?? "the store does not contain its model",
                advice: "ticds-model find looks for the model of a store in a folder")
        }
        return (model, store.metadata)
    }

    /// The current version.
    /// - Throws: as ``one(_:)``.
    func current() throws(FileProblem) -> FoundModel {
        do throws(FileProblem) {
            return try one(nil)
        } catch {
            guard error.kind == .ambiguous else { throw error }
            var problem = error
            problem.advice = "Name the file of one version"
            throw problem
        }
    }

    /// The version `name`, otherwise the current one.
    /// - Throws: `.unknownName` or `.ambiguous`, with the names; the problem of a model that cannot be read and may be
    ///   the one.
    func one(_ name: String?) throws(FileProblem) -> FoundModel {
        let fitting = models.filter { model in
            name.map { $0 == model.name }
                ?? (isOneModel ? model.isCurrent : models.count == 1 && problems.isEmpty)
        }
        if let only = fitting.first, fitting.count == 1 { return only }
        // A model that cannot be read may be the one that is meant.
        if fitting.isEmpty, let problem = problems.first { throw problem }
        let names = Set(models.map(\.name)).sorted().map { escapedText($0) }.joined(separator: ", ")
        guard fitting.isEmpty, let name else {
            throw FileProblem(
                .ambiguous, path: path, "several models can be meant", found: names,
                advice: "Name the file of one model, or choose with --model-version")
        }
        throw FileProblem(
            .unknownName, path: path, "there is no version \(escapedText(name))", found: names)
    }
}

/// The choice of a version of a model.
struct ModelVersionOptions: ParsableArguments {
    @Option(help: .value("name", "The version of the model; by default the current one."))
    var modelVersion: String?
}

extension CommandContext {
    /// Reports the problems of reading the models, and returns the exit status.
    func finish(_ problems: [FileProblem]) -> ExitStatus {
        for problem in problems { report(problem) }
        return problems.isEmpty ? .success : .partial
    }
}
