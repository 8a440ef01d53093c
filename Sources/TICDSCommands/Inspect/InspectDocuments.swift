import ArgumentParser
import Base
import TICDSCommandLine
import TICDSCore

struct InspectDocuments: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents",
        abstract: "Lists the documents, including deleted ones.",
        discussion: """
            LAST SYNC is what the framework shows: the time of the folder RecentSyncs, even for a document \
            that was never synchronised.

            Examples:
              ticds-inspect documents ~/Dropbox/com.example.app
              ticds-inspect documents ~/Dropbox/com.example.app --json | jq -r '.documents[].identifier'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<Inspection>(
        "ticds.documents/1", "Printed by ticds-inspect(1) `documents`."
    ) {
        $0.include(Inspection.head, \.self)
        $0.include(Inspection.documentFields, \.self)
        $0.include(Inspection.end, \.self)
    }

    func execute() throws -> ExitStatus {
        let inspection = try Inspection(options)
        try output.print(inspection, Self.schema) { text in
            Tables.documents(inspection.documents).show(to: &text, colour: output.colour())
            for document in inspection.report.deletedDocuments {
                let name = document.description.map { " (\($0))" } ?? ""
                let time = document.deleted.local
                text.line("Deleted: \(document.identifier.text)\(name), \(time)")
            }
        }
        return inspection.finish(output)
    }
}
