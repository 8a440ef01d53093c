import ArgumentParser
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct DumpStore: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints every object of a Core Data store.",
        discussion: """
            The store is an SQLite or binary store of any app; or a WholeStore.ticdsync of a remote, zipped, encrypted \
            or in a folder. With --json each object is one line, schema "ticds.object/1" of ticds-json(5).

            Examples:
              ticds-store dump Notebook.sqlite --model Notebook.momd
              ticds-store dump ~/Dropbox/com.example.app/Documents/Notebook/WholeStore/4A11-8E1D/WholeStore.ticdsync
              ticds-store dump Notebook.sqlite --json | jq -r .entity | sort | uniq -c
            """)

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which the fitting one is looked for.",
            valueName: "model"),
        completion: .file())
    var model: String?

    @Flag(help: "Read with the model even if the store was saved with another version of it.")
    var acceptMismatch = false

    @Option(help: ArgumentHelp("Only objects of this entity.", valueName: "name"))
    var entity: String?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let file = try StoreFile(Environment.path(argument: store), password)
        let store = try open(file.path)
        output.tell(
            "reading \(file.path), \(store.model.map { "model of \($0.entities.count) entities" } ?? "no model")"
        )
        for note in store.notes { output.warn(note.text) }
        if let entity, !(try store.objectCounts().contains { $0.entity == entity }),
            store.model?[entity] == nil
        {
            let names = try store.objectCounts().map(\.entity).sorted().joined(separator: ", ")
            throw FileProblem(
                .unknownName, path: file.path, "there is no entity \(entity) with objects",
                found: names.isEmpty ? "no objects at all" : names)
        }
        var status = ExitStatus.success
        var lines = ObjectLines(output)
        try store.forEachObject(
            entity: entity,
            onDamage: { problem throws(FileProblem) in
                output.report(problem)
                status = .partial
            },
            { lines.add($0) })
        try lines.finish()
        return status
    }

    private func open(_ path: FilePath) throws -> any PersistentStore {
        if let model {
            let found = try ModelArgument(Environment.path(argument: model)).resolve(for: path)
            return try PersistentStores.open(
                path, model: found.model, origin: .file(found.path),
                mismatch: acceptMismatch ? .accept : .refuse)
        }
        let store = try PersistentStores.open(path)
        guard store.model == nil, let own = ModelArgument.framework(for: store.metadata) else { return store }
        return try PersistentStores.open(path, model: own)
    }
}
