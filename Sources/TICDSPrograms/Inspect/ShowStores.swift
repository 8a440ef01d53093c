import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct ShowStores: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let inspection = try Inspection(options)
        if output.json {
            var json = inspection.document("ticds.stores/1", output)
            json.stores(inspection)
            try inspection.close(&json)
        } else {
            var text = output.text()
            let table = Tables.stores(inspection)
            table.show(to: &text, colour: output.colour())
            try text.flush()
        }
        return inspection.finish(output)
    }
}

extension JSONWriter {
    mutating func stores(_ inspection: Inspection) {
        array("stores", inspection.documents) { json, document in
            for store in document.wholeStores where inspection.isWanted(store.client) {
                let client = document.clients.first { $0.identifier == store.client }
                json.value(store, of: document.identifier, description: client?.description)
            }
        }
    }
}
