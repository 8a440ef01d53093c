import ArgumentParser
import Base
import TICDSCommandLine
import TICDSCore

struct InspectDocuments: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents",
        abstract: "Lists the documents, including deleted ones.",
        discussion: """
            LAST SYNC is what the framework shows: the time of the folder RecentSyncs, even for a document \
            that was never synchronised. --since, --until and --sort are about the size of the change sets and \
            the time of the newest one.

            Examples:
              ticds-inspect documents ~/Dropbox/com.example.app
              ticds-inspect documents ~/Dropbox/com.example.app --json | jq -r '.documents[].identifier'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<Inspection>(
        "ticds.documents/1", "Printed by ticds-inspect(1) `documents`."
    ) {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.documentFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var inspection = try Inspection(options, context)
        let chosen = try list.chosen(
            inspection.documents, context.style, isAtLeast: { !$0.changeSets.isWhole },
            { ($0.changeSets.part.bytes, $0.changeSetTimes?.upperBound) })
        inspection.documents = chosen.entries
        try context.print(inspection, Self.schema) { text in
            let table = Tables.documents(chosen.entries, context.style)
            let gap = inspection.unlistedDocuments
            if table.isEmpty {
                let isNarrowed = options.isNarrowed || list.isNarrowed
                text.line(EmptyList.sentence("document", isNarrowed: isNarrowed, besides: gap))
            } else {
                table.show(to: &text, colour: context.colour())
            }
            if let note = chosen.note(besides: gap) { text.line(note) }
            for document in inspection.report.deletedDocuments {
                let name = document.description.map { " (\($0))" } ?? ""
                let time = context.style.minute(document.deleted)
                text.line("Deleted: \(document.identifier.text)\(name), \(time)")
            }
        }
        return inspection.finish(context)
    }
}
