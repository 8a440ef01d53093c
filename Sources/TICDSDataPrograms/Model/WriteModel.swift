import ArgumentParser
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct ExtractModel: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Writes the model that a store contains as a source of Xcode.",
        discussion: """
            SQLite stores of systems since 2015 contain their model. The source has the version hashes of the model; \
            what it lacks, the command names.

            Examples:
              ticds-model extract Notebook.sqlite --to Notebook.xcdatamodel
              ticds-model extract WholeStore/4A11-8E1D/WholeStore.ticdsync --to Notebook.xcdatamodeld
            """)

    @Argument(help: "The store: loose, or a WholeStore.ticdsync in any form.", completion: .file())
    var store: String

    @OptionGroup var target: ModelTargetOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let path = Environment.path(argument: store)
        let (model, metadata) = try NamedModels.embedded(in: try StoreFile(path, password), path)
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        if !metadata.versionHashes.isEmpty, !comparison.mayFit {
            output.warn("the model that the store contains is not the one that it was saved with")
        }
        let name = try target.path().stem ?? ""
        let found = FoundModel(path: path, name: name, isCurrent: true, model: model)
        return try target.write([found], from: path, output)
    }
}

struct DecompileModel: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "decompile",
        abstract: "Writes a compiled model as a source of Xcode.",
        discussion: """
            A .xcdatamodel gets one version, a .xcdatamodeld all. Each source has the version hashes of its \
            model; what it lacks, the command names.

            Examples:
              ticds-model decompile Notebook.momd --to Notebook.xcdatamodeld
              ticds-model decompile Notebook.momd/Notebook.mom --to Notebook.xcdatamodel
            """)

    @Argument(help: "A .mom or .momd, or a source in the form of Xcode 3.", completion: .file())
    var model: String

    @OptionGroup var target: ModelTargetOptions
    @OptionGroup var version: ModelVersionOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let named = try NamedModels(model, password)
        let isFolder = try target.isFolder()
        let isWhole = isFolder && version.modelVersion == nil && named.isOneModel && named.problems.isEmpty
        let models = isWhole ? named.models : [try named.one(version.modelVersion)]
        if isFolder, !isWhole, let problem = named.problems.first { throw problem }
        return try target.write(models, from: named.path, output)
    }
}

/// The source that a command writes.
struct ModelTargetOptions: ParsableArguments {
    @Option(
        help: .value("target", "The .xcdatamodel or .xcdatamodeld to write."), completion: .directory)
    var to: String

    @Flag(help: "Replace an existing file or folder of that name.")
    var force = false

    func validate() throws {
        if !["xcdatamodel", "xcdatamodeld"].contains(FilePath(to).extension ?? "") {
            throw ValidationError("--to needs a name that ends with .xcdatamodel or .xcdatamodeld.")
        }
    }

    func path() throws(FileProblem) -> FilePath { try OutputTarget.path(to) }

    /// Whether the target has room for several versions.
    func isFolder() throws(FileProblem) -> Bool { try path().extension == "xcdatamodeld" }

    /// Writes the models, prints the result and returns the exit status.
    func write(
        _ models: [FoundModel], from source: FilePath, _ output: OutputOptions
    ) throws -> ExitStatus {
        let target = try path()
        let place = try AtomicOutput(target, isReplacing: force)
        var omissions: [String] = []
        try NewFile.makeFolder(place.path)
        for found in models {
            let source = try ModelSource(found.model, path: found.path)
            omissions += source.omissions
            var folder = place.path
            if try isFolder() {
                guard let name = FilePath.Component("\(found.name).xcdatamodel") else {
                    throw FileProblem(
                        .unsupported, path: found.path,
                        "a version of this model has no file name, so no source can be written for it",
                        advice: "Name the version with --model-version")
                }
                folder = folder.appending(name)
                try NewFile.makeFolder(folder)
            }
            try NewFile.write(Array(source.text.utf8), to: folder.appending("contents"))
        }
        if try isFolder(), let current = models.first(where: \.isCurrent) ?? models.first {
            let path = place.path.appending(".xccurrentversion")
            try NewFile.write(try ModelFile.currentVersionMark(current.name, path: path), to: path)
        }
        try place.finish()
        let result = Result(source: source, target: target, models: models, omissions: omissions)
        try output.print(result, Self.schema) { text in
            if output.quiet { return }
            let versions = Quantities.count(models.count, "version")
            let entities = Quantities.count(
                models.reduce(0) { $0 + $1.model.entities.count }, "entity", "entities")
            text.line("\(target): \(versions), \(entities)")
        }
        for omission in omissions { output.warn("the source lacks \(omission)") }
        return .success
    }

    struct Result {
        let source: FilePath
        let target: FilePath
        let models: [FoundModel]
        let omissions: [String]
    }

    static let schema = JSONSchema<Result>(
        "ticds.modelSource/1", "Printed by ticds-model(1) `extract` and `decompile`."
    ) {
        $0("source", "The store or model.", \.source)
        $0("target", "The folder that was written.", \.target)
        $0("versions", "The names of the versions.", { $0.models.map(\.name) })
        $0("omissions", "What the source lacks.", \.omissions)
    }
}
