import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// The models that an argument names: those of a file or folder, or the one that a store contains.
struct NamedModels {
    let path: FilePath
    let models: [FoundModel]
    /// What could not be read.
    let problems: [FileProblem]
    /// Whether all are versions of one model.
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

    /// A file of another kind than models can only be a store; of folders only a whole store is one.
    private static func isStore(_ path: FilePath) throws(FileProblem) -> Bool {
        let whole = FilePath(nameBytes: RemoteLayout.wholeStoreFile.bytes).lastComponent
        if path.lastComponent == whole { return true }
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

    /// The version `name`, otherwise the current one.
    /// - Throws: `.unknownName` or `.ambiguous`, with the names; what could not be read if it is the only thing there.
    func one(_ name: String?) throws(FileProblem) -> FoundModel {
        let fitting = models.filter { model in
            name.map { $0 == model.name } ?? (models.count == 1 || isOneModel && model.isCurrent)
        }
        if let only = fitting.first, fitting.count == 1 { return only }
        if models.isEmpty, let problem = problems.first { throw problem }
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

/// Which version of a model is meant.
struct ModelVersionOptions: ParsableArguments {
    @Option(help: .value("name", "The version of the model; by default the current one."))
    var modelVersion: String?
}

extension CommandContext {
    /// Reports what of the models could not be read, and returns the exit status.
    func finish(_ problems: [FileProblem]) -> ExitStatus {
        for problem in problems { report(problem) }
        return problems.isEmpty ? .success : .partial
    }
}
