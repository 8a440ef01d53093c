import ArgumentParser
import Base
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
              ticds-inspect stores ~/Dropbox/com.example.app --json | jq '.stores | max_by(.modified)'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<Inspection>("ticds.stores/1", "Printed by ticds-inspect(1) `stores`.") {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.storeFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute() throws -> ExitStatus {
        let inspection = try Inspection(options)
        try output.print(inspection, Self.schema) {
            Tables.stores(inspection).show(to: &$0, colour: output.colour())
        }
        return inspection.finish(output)
    }
}
