import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct FleetList: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the remotes of the inventory.",
        discussion: """
            Prints the remotes that the options select, in the order of their identifiers.

            Examples:
              ticds-fleet list --tag customers
              ticds-fleet list --sample 20 --json > sample.jsonl
            """)

    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var limit: LimitOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let chosen = limit.first(of: try selection.selection.choose(from: try inventory.read()))
        try FleetView.show(chosen.entries, context, note: chosen.note())
        return .success
    }
}
