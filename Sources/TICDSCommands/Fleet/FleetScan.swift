import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet
import TICDSStorages

struct FleetScanCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Searches folders for remotes, and adds them to the inventory.",
        discussion: """
            A remote is known by its folders, ClientDevices and Documents. What lies inside a remote is not searched, no \
            link is followed, and hidden folders below the one that was named are left out. A storage is named as rclone \
            knows it, rclone:NAME:path.

            Examples:
              ticds-fleet scan ~/Dropbox /srv/sync --tag customers
              ticds-fleet scan rclone:backup:customers --password-file /etc/ticds/password
            """)

    @Argument(
        help: .value("root", "Folders, or places in storages of rclone."),
        completion: LiveCompletion.remotes.kind)
    var roots: [String]
    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var new: NewRemoteOptions
    @Option(help: .value("count", "Search this many levels of folders below each."))
    var depth = 12
    @Flag(help: "Remove remotes from the inventory that were below the folders and are not there any more.")
    var prune = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...64).contains(depth) else { throw ValidationError("--depth takes a number from 0 to 64.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let places = try roots.map { try RemoteAddress(argument: $0) }
        for place in places { try place.refuseArchive() }
        let scan = try Interruption.catching {
            try FleetScan.run(places, depth: depth) { !Interruption.isWanted }
        }
        let searched = try places.map { place throws(FileProblem) in
            if case .folder(let path) = place { return try path.resolved() ?? path }
            return place.root
        }
        let password = try new.password()
        let changes = try inventory.change { (inventory) throws(FileProblem) in
            try inventory.add(scan, in: searched, password: password, tags: new.tags, removesGone: prune)
        }
        for problem in scan.problems { context.report(problem) }
        if context.json {
            var json = context.lines()
            for remote in changes.added { json.document(remote, FleetRemote.schema) }
            try json.flush()
        } else if !context.quiet {
            var text = context.text()
            for remote in changes.added { text.line("\(remote.identifier)  \(remote.location.escaped)") }
            let gone = Quantities.count(changes.gone.count, "remote")
            text.line(
                "\(Quantities.count(changes.added.count, "new remote")), \(Quantities.count(changes.known)) known, in \(Quantities.count(scan.folders, "folder"))"
            )
            if !changes.gone.isEmpty {
                text.line(
                    prune
                        ? "Removed from the inventory, since they are gone: \(gone)."
                        : "Not found any more: \(gone); --prune removes them from the inventory.")
            }
            try text.flush()
        }
        return scan.problems.isEmpty ? .success : .partial
    }
}
