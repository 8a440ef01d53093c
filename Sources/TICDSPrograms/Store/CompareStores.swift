import ArgumentParser
import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCommandLine

struct CompareStores: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Shows which objects of two stores differ.",
        discussion: """
            Identifies objects by sync ID if objects of both stores have one, otherwise by primary key; --by chooses. \
            With --json each difference is one line.

            Examples:
              ticds-store compare before.sqlite after.sqlite --model Notebook.momd
              ticds-store compare Anna/WholeStore.ticdsync Ben/WholeStore.ticdsync --json | jq -r .kind | sort | uniq -c
            """)

    @Argument(help: "A store: loose, or a WholeStore.ticdsync in any form.", completion: .file())
    var first: String

    @Argument(help: "Another store.", completion: .file())
    var second: String

    @Option(
        help: ArgumentHelp(
            "What identifies objects: the name of an attribute, or primary-key.", valueName: "attribute"))
    var by: String?

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let stores = (try options.open(first, output), try options.open(second, output))
        let key = by.map { $0 == "primary-key" ? StoreComparison.Key.primaryKey : .attribute($0) }
        let comparison = try StoreComparison(
            stores.0.store, stores.1.store, by: key, identifier: StoreChecker.syncIDAttribute,
            json: JSONWriter.text(of:))
        if by == nil, comparison.key == .primaryKey {
            output.warn(
                "some objects have no sync ID: objects are compared by primary key, which only copies of one store share"
            )
        }
        var lines = DifferenceLines(output)
        let counts = try comparison.forEachDifference { lines.add($0) }
        try lines.finish(counts, by: comparison.key)
        return counts.isEqual ? .success : .findings
    }
}
