import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct ShowStatus: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the remote at a glance.",
        discussion: """
            Shows documents, clients, whole stores, clients that are behind, clients that may be the same \
            device, and entries that do not belong in a remote.

            Examples:
              ticds-inspect status ~/Dropbox/com.example.app
              ticds-inspect status ~/Dropbox/com.example.app --json | jq '.strays | length'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let inspection = try Inspection(options)
        if output.json { try output.print(inspection, Self.schema) } else { try writeText(inspection) }
        return inspection.finish(output)
    }

    static let schema = JSONSchema<Inspection>("ticds.status/1", "Printed by ticds-inspect(1) `status`.") {
        $0.include(Inspection.head, \.self)
        $0("files", "All files of the remote.", \.report.files)
        $0.include(Inspection.documentFields, \.self)
        $0.include(Inspection.clientFields, \.self)
        $0.include(Inspection.storeFields, \.self)
        $0(
            "strays", "Entries that the framework did not put there, or that should be examined.",
            \.report.strays)
        $0.include(Inspection.end, \.self)
    }

    private func writeText(_ inspection: Inspection) throws {
        let report = inspection.report
        var text = output.text()
        let kind = report.isEncrypted ? "encrypted" : "not encrypted"
        let files = Quantities.count(report.files.count, "file")
        let size = Quantities.size(report.files.bytes)
        text.line("\(report.applicationIdentifier.text): \(kind), \(files), \(size)")
        let stores = Tables.stores(inspection)
        let tables = [Tables.documents(inspection.documents), Tables.devices(inspection.clients), stores]
        for table in tables where !table.isEmpty {
            text.line("")
            table.show(to: &text, colour: output.colour())
        }
        let notes = StatusNotes.lines(inspection)
        if !notes.isEmpty { text.line("") }
        for note in notes { text.line(note) }
        try text.flush()
    }
}
