import ArgumentParser
import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct InspectClients: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Lists the clients of the remote and of each document.",
        discussion: """
            NOT APPLIED counts the change sets of others that a client had not applied when it uploaded its \
            last whole store; nothing later is known. A missing LAST SYNC means unknown, not never; --since and \
            --until leave no such client out. --since, --until and --sort are about the size of the change sets \
            and the last sync; each list is limited by itself.

            Examples:
              ticds-inspect clients ~/Dropbox/com.example.app
              ticds-inspect clients ~/Dropbox/com.example.app --document Notebook --json
              ticds-inspect clients ~/Dropbox/com.example.app --sort modified --limit 5
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<Inspection>("ticds.clients/1", "Printed by ticds-inspect(1) `clients`.") {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.clientFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var inspection = try Inspection(options, context)
        let devices = try list.chosen(
            inspection.clients, context.style, isAtLeast: { !$0.lastSync.isWhole },
            { ($0.changeSets.part.bytes, $0.lastSync.part) })
        inspection.clients = devices.entries
        var notes: [String?] = []
        for number in inspection.documents.indices {
            let document = inspection.documents[number]
            let clients = document.clients.filter { inspection.isWanted($0.identifier) }
            let chosen = try list.chosen(clients, context.style) { ($0.changeSets.part.bytes, $0.lastSync) }
            inspection.documents[number].clients = chosen.entries
            notes.append(chosen.note(besides: inspection.unlistedClients(of: document)))
        }
        let note = devices.note(besides: inspection.unlistedClients)
        try context.print(inspection, Self.schema) { text in
            show(
                Tables.devices(inspection, context.style), inspection.unlistedClients, note, to: &text,
                context)
            for (document, note) in zip(inspection.documents, notes) {
                let name = document.description.map { "\(document.identifier.text) (\($0))" }
                text.line("")
                text.line("Document " + (name ?? document.identifier.text))
                let table = Tables.clients(inspection, of: document, context.style)
                let gap = inspection.unlistedClients(of: document)
                show(table, gap, note, to: &text, context, indent: 2)
            }
        }
        return inspection.finish(context)
    }

    /// A table of clients, or the sentence in its place, and the line below a list that `--limit` shortens.
    private func show(
        _ table: TextTable, _ gap: FileProblem?, _ note: String?, to text: inout OutputBuffer,
        _ context: CommandContext, indent: Int = 0
    ) {
        let margin = String(repeating: " ", count: indent)
        if table.isEmpty {
            let isNarrowed = options.isNarrowed || list.isNarrowed
            text.line(margin + EmptyList.sentence("client", isNarrowed: isNarrowed, besides: gap))
        } else {
            table.show(to: &text, colour: context.colour(), indent: indent)
        }
        if let note { text.line(margin + note) }
    }
}
