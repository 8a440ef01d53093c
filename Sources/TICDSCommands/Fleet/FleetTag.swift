import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct FleetTag: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Gives remotes of the inventory tags, or takes tags away.",
        discussion: """
            Changes the remotes that the options select, all if there is none.

            Examples:
              ticds-fleet tag urgent --id 5f3a
              ticds-fleet tag urgent --tag customers --remove
            """)

    @Argument(help: .value("word", "Tags."))
    var words: [String]
    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var selection: SelectionOptions
    @Flag(help: "Take the tags away.")
    var remove = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for word in words where !FleetRemote.isTag(word) {
            throw ValidationError("'\(word)' is no tag: \(FleetText.tagRule).")
        }
        for word in words where word.contains("/") {
            // try?: a word that cannot be looked up names no folder
            guard (try? FileStatus.of(Environment.path(argument: word))) != nil else { continue }
            throw ValidationError(
                "'\(word)' is a folder, and this command takes tags alone: choose remotes with --id, --tag or "
                    + "--application.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let changed = try inventory.change(mustExist: true) { (inventory) throws(FileProblem) in
            var chosen = try selection.selection.choose(from: inventory)
            if chosen.isEmpty { throw .noRemoteIsSelected }
            for number in chosen.indices {
                chosen[number].set(tags: words, isRemoving: remove)
                try inventory.put(chosen[number])
            }
            return chosen
        }
        if !context.isSilent(.success) { try FleetView.show(changed, context) }
        return .success
    }
}
