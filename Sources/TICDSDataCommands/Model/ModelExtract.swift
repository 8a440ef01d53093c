import ArgumentParser
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine

struct ModelExtract: SuiteCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = Environment.path(argument: store)
        let (model, metadata) = try NamedModels.embedded(in: try StoreFile(path, password), path)
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        if !metadata.versionHashes.isEmpty, !comparison.mayFit {
            context.warn("the model that the store contains is not the one that it was saved with")
        }
        let name = try target.path().stem ?? ""
        let found = FoundModel(path: path, name: name, isCurrent: true, model: model)
        return try target.write([found], from: path, context)
    }
}
