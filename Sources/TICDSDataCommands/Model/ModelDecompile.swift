import ArgumentParser
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct ModelDecompile: SuiteCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let named = try NamedModels(model, password)
        let isFolder = try target.isFolder()
        let isWhole = isFolder && version.modelVersion == nil && named.isOneModel && named.problems.isEmpty
        let models = isWhole ? named.models : [try named.one(version.modelVersion)]
        if isFolder, !isWhole, let problem = named.problems.first { throw problem }
        return try target.write(models, from: named.path, context)
    }
}
