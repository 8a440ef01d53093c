import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct ShowClients: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Lists the clients of the remote and of each document.",
        discussion: """
            NOT APPLIED counts the change sets of others that a client had not applied when it uploaded its \
            last whole store; nothing later is known. A missing LAST SYNC means unknown, not never.

            Examples:
              ticds-inspect clients ~/Dropbox/com.example.app
              ticds-inspect clients ~/Dropbox/com.example.app --document Notebook --json
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let inspection = try Inspection(options)
        if output.json {
            var json = inspection.document("ticds.clients/1", output)
            json.clients(inspection)
            try inspection.close(&json)
        } else {
            var text = output.text()
            let colour = output.colour()
            let devices = Tables.devices(inspection.clients)
            devices.show(to: &text, colour: colour)
            for document in inspection.documents {
                let name = document.description.map { "\(document.identifier.text) (\($0))" }
                text.line("")
                text.line("Document " + (name ?? document.identifier.text))
                let table = Tables.clients(document.clients.filter { inspection.isWanted($0.identifier) })
                table.show(to: &text, colour: colour, indent: 2)
            }
            try text.flush()
        }
        return inspection.finish(output)
    }
}

extension JSONWriter {
    /// The clients of the application, of each document, and those that look like one device.
    mutating func clients(_ inspection: Inspection) {
        array("clients", inspection.clients) { $0.value($1) }
        array("documentClients", inspection.documents) { json, document in
            for client in document.clients where inspection.isWanted(client.identifier) {
                json.value(client, of: document.identifier)
            }
        }
        objects("duplicates", inspection.report.duplicates) { json, duplicate in
            json.field("reason", duplicate.reason.rawValue)
            json.field("clients", duplicate.clients)
        }
    }
}
