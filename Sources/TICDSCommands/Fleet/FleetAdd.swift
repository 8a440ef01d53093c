import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet
import TICDSStorages

struct FleetAdd: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds remotes to the inventory.",
        discussion: """
            Adds each remote by its folder or its address, with a reference to its password and tags. A remote that the \
            inventory has already keeps its tags and gets the new ones.

            Examples:
              ticds-fleet add ~/Dropbox/com.example.app --tag customers
              ticds-fleet add /srv/sync/com.example.app --password-file /etc/ticds/password
            """)

    @Argument(help: .value("remote", "Remotes."), completion: LiveCompletion.remotes.kind)
    var remotes: [String]
    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var new: NewRemoteOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let password = try new.password()
        let found = try remotes.map { named -> FleetRemote in
            let address = try RemoteAddress(argument: named)
            try address.refuseArchive()
            if case .elsewhere(let storage) = address { try FleetRemote.checkName(of: storage) }
            let root = try address.storageWithoutLinks().root
            return FleetRemote(
                location: root, application: RemoteName(ofRemoteAt: root).text, password: password,
                tags: new.tags)
        }
        try inventory.change { (inventory) throws(FileProblem) in
            for var remote in found {
                if let known = inventory.remotes[remote.identifier], known.location == remote.location {
                    remote.set(tags: known.tags, isRemoving: false)
                    remote.password = remote.password ?? known.password
                }
                try inventory.put(remote)
            }
        }
        if !context.isSilent(.success) { try FleetView.show(found, context) }
        return .success
    }
}
