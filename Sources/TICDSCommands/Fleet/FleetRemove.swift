import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct FleetRemove: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes remotes from the inventory. The remotes themselves stay as they are.",
        discussion: """
            Removes the remotes that the options select; at least one option is needed. Results of runs stay.

            Examples:
              ticds-fleet remove --id 5f3a
              ticds-fleet remove --tag former
            """)

    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if selection.selection.isEverything {
            throw ValidationError("Say which: --id, --tag, --application or --sample.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let removed = try inventory.change(mustExist: true) { (inventory) throws(FileProblem) in
            let chosen = try selection.selection.choose(from: inventory)
            if chosen.isEmpty { throw .noRemoteIsSelected }
            for remote in chosen { inventory.remove(remote.identifier) }
            return chosen
        }
        if !context.isSilent(.success) { try FleetView.show(removed, context) }
        return .success
    }
}
