import ArgumentParser
import Base
import TICDSCommandLine
import TICDSCore

struct InspectClients: InspectCommand {
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

    static let schema = JSONSchema<Inspection>("ticds.clients/1", "Printed by ticds-inspect(1) `clients`.") {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.clientFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let inspection = try Inspection(options, context)
        try context.print(inspection, Self.schema) { text in
            let colour = context.colour()
            let devices = Tables.devices(inspection, context.style)
            devices.show(to: &text, colour: colour)
            for document in inspection.documents {
                let name = document.description.map { "\(document.identifier.text) (\($0))" }
                text.line("")
                text.line("Document " + (name ?? document.identifier.text))
                let table = Tables.clients(inspection, of: document, context.style)
                table.show(to: &text, colour: colour, indent: 2)
            }
        }
        return inspection.finish(context)
    }
}
