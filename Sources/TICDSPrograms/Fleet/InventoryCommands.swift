import ArgumentParser
import Rclone
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct ScanFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let places = try roots.map { try RemoteAddress(argument: $0) }
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
        for problem in scan.problems { output.report(problem) }
        if output.json {
            var json = output.lines()
            for remote in changes.added { json.document(remote, FleetRemote.schema) }
            try json.flush()
        } else if !output.quiet {
            var text = output.text()
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

struct AddToFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let password = try new.password()
        let found = try remotes.map { named -> FleetRemote in
            let address = try RemoteAddress(argument: named)
            if case .rclone(let storage) = address { try FleetRemote.checkName(of: storage) }
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
        try FleetView.show(found, output)
        return .success
    }
}

struct RemoveFromFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let removed = try inventory.change(mustExist: true) { (inventory) throws(FileProblem) in
            let chosen = try selection.selection.choose(from: inventory)
            for remote in chosen { inventory.remove(remote.identifier) }
            return chosen
        }
        try FleetView.show(removed, output)
        return .success
    }
}

struct TagFleet: SuiteCommand {
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
    }

    func execute() throws -> ExitStatus {
        let changed = try inventory.change(mustExist: true) { (inventory) throws(FileProblem) in
            var chosen = try selection.selection.choose(from: inventory)
            for number in chosen.indices {
                chosen[number].set(tags: words, isRemoving: remove)
                try inventory.put(chosen[number])
            }
            return chosen
        }
        try FleetView.show(changed, output)
        return .success
    }
}

struct ListFleet: SuiteCommand {
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
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        try FleetView.show(try selection.selection.choose(from: try inventory.read()), output)
        return .success
    }
}

/// How remotes are listed.
enum FleetView {
    static func show(_ remotes: [FleetRemote], _ output: OutputOptions) throws(FileProblem) {
        if output.json {
            var json = output.lines()
            for remote in remotes { json.document(remote, FleetRemote.schema) }
            return try json.flush()
        }
        var text = output.longText()
        var table = TextTable(
            ["Id", "Application", "Location", "Password", "Tags"], [.text, .text, .path, .text, .text],
            leavesOut: ["Password", "Tags", "Application"])
        for remote in remotes {
            let password =
                switch remote.password {
                case .file?: "file"
                case .command?: "command"
                case nil: ""
                }
            table.add([
                remote.identifier, remote.application, remote.location.escaped, password,
                remote.tags.joined(separator: " "),
            ])
        }
        if !table.isEmpty { table.show(to: &text, colour: output.colour()) }
        text.line("\(Quantities.count(remotes.count, "remote"))")
        try text.flush()
    }
}
