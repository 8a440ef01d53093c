import ArgumentParser
import Base
import TICDSCommandLine
import TICDSCore

struct InspectStores: InspectCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var inspection = try Inspection(options, context)
        let chosen = try list.chosen(inspection.wholeStores, context.style) {
            ($0.store.size.part, $0.store.modified)
        }
        inspection.wholeStores = chosen.entries
        try context.print(inspection, Self.schema) {
            let table = Tables.stores(chosen.entries, context.style)
            let gap = inspection.unlistedStores
            if table.isEmpty {
                let isNarrowed = options.isNarrowed || list.isNarrowed
                return $0.line(EmptyList.sentence("whole store", isNarrowed: isNarrowed, besides: gap))
            }
            table.show(to: &$0, colour: context.colour())
            if let note = chosen.note(besides: gap) { $0.line(note) }
        }
        return inspection.finish(context)
    }
}
