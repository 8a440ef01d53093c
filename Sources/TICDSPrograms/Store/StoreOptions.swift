import ArgumentParser
import CoreDataStore
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// How a store that is named on the command line is opened.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.",
            valueName: "model"),
        completion: .file())
    var model: String?

    @Flag(help: "Use the model even if the store was saved with another version of it.")
    var acceptMismatch = false

    @OptionGroup var password: PasswordOptions

    /// Opens the store named `argument`: a loose file, or a whole store of a remote.
    func open(_ argument: String, _ output: OutputOptions) throws -> OpenedStore {
        let file = try StoreFile(Environment.path(argument: argument), password)
        let store = try open(file, output)
        for note in file.notes { output.warn(note.text) }
        return OpenedStore(file: file, store: store)
    }

    /// Opens a file of this machine, and tells what its reader must know.
    func open(_ file: StoreFile, _ output: OutputOptions) throws -> any PersistentStore {
        let store = try open(file)
        output.inform(
            "reading \(file.path), \(store.model.map { "model of \($0.entities.count) entities" } ?? "no model")"
        )
        for note in store.notes { output.warn(note.text) }
        return store
    }

    private func open(_ file: StoreFile) throws -> any PersistentStore {
        let path = file.path
        if let model {
            let found = try ModelFile.load(Environment.path(argument: model), for: path)
            return try PersistentStores.open(
                path, model: found.model, origin: .file(found.path),
                mismatch: acceptMismatch ? .accept : .refuse, gaps: file.gaps)
        }
        let store = try PersistentStores.open(path, gaps: file.gaps)
        guard store.model == nil, let own = Self.frameworkModel(for: store.metadata) else { return store }
        return try PersistentStores.open(path, model: own)
    }

    /// The framework's own model for a store that was saved with it: a change set or a register. Nil for others.
    private static func frameworkModel(for metadata: StoreMetadata) -> ManagedObjectModel? {
        [FrameworkModels.syncChange, FrameworkModels.syncChangeSet].first {
            VersionHashComparison(model: $0, storeHashes: metadata.versionHashes).fits
        }
    }
}

/// A store and what keeps its private copy, where it has one.
struct OpenedStore {
    let file: StoreFile
    let store: any PersistentStore
}
