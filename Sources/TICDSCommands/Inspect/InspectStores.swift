import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct InspectStores: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "Lists the whole stores that clients uploaded.",
        discussion: """
            KIND comes from the first bytes of the store; for an encrypted store it shows only that it is \
            encrypted. MODIFIED is the time of the app's last write, which the framework takes for the time \
            of the upload.

            Examples:
              ticds-inspect stores ~/Dropbox/com.example.app
              ticds-inspect stores ~/Dropbox/com.example.app --sort modified --limit 1
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<Inspection>("ticds.stores/1", "Printed by ticds-inspect(1) `stores`.") {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.storeFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute() throws -> ExitStatus {
        var inspection = try Inspection(options)
        let chosen = list.chosen(inspection.wholeStores) { ($0.store.size, $0.store.modified) }
        inspection.wholeStores = chosen.entries
        try output.print(inspection, Self.schema) {
            Tables.stores(chosen.entries).show(to: &$0, colour: output.colour())
            if let note = chosen.note { $0.line(note) }
        }
        return inspection.finish(output)
    }
}
