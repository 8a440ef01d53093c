import SystemPackage

/// One call of a program that only reads.
struct ReadingCommand {
    var program: String
    var arguments: [String]
    /// The schema of its JSON; nil for JSON Lines.
    var schema: String?

    /// The subcommands of `ticds-inspect` that print a document.
    static let inspecting = ["status", "tree", "documents", "clients", "stores", "timeline"]

    /// Every reading command on a whole remote.
    static func all(on remote: String) -> [ReadingCommand] {
        let inspect = inspecting.map {
            ReadingCommand(program: "ticds-inspect", arguments: [$0, remote], schema: "ticds.\($0)/1")
        }
        let changes: [(words: [String], schema: String?)] = [
            (["list", remote], "ticds.changeSets/1"), (["list", remote, "--counts"], "ticds.changeSets/1"),
            (["dump", remote], nil), (["search", remote, "pie"], nil),
            (["log", remote, "no such object"], nil),
            (["stats", remote], "ticds.changeStatistics/1"),
        ]
        let verify: [[String]] = [
            [remote], [remote, "--level", "deep"], [remote, "--level", "headers"],
            [remote, "--as-new-client", "--variant", "dropbox"],
        ]
        let stores = [("list", "ticds.wholeStores/1"), ("check", "ticds.storeCheck/1")].map {
            ReadingCommand(program: "ticds-store", arguments: [$0.0, remote], schema: $0.1)
        }
        let keys = ReadingCommand(
            program: "ticds-integrity", arguments: ["show", remote], schema: "ticds.integrity/1")
        let password = ReadingCommand(
            program: "ticds-remote", arguments: ["check-password", remote, "--all"],
            schema: "ticds.password/1")
        return inspect + stores + [keys, password]
            + verify.map { ReadingCommand(program: "ticds-verify", arguments: $0, schema: nil) }
            + changes.map { ReadingCommand(program: "ticds-changes", arguments: $0.words, schema: $0.schema) }
    }

    /// The commands that take change sets and whole stores.
    static func all(onSets sets: [String], stores: [String]) -> [ReadingCommand] {
        var commands = stores.map {
            ReadingCommand(program: "ticds-store", arguments: ["dump", $0], schema: nil)
        }
        commands += stores.map {
            ReadingCommand(program: "ticds-store", arguments: ["info", $0], schema: "ticds.storeInfo/1")
        }
        if let set = sets.first {
            commands.append(
                ReadingCommand(program: "ticds-verify", arguments: ["file", set] + stores, schema: nil))
        }
        for set in sets.prefix(1) {
            commands.append(
                ReadingCommand(program: "ticds-changes", arguments: ["recover", set], schema: nil))
        }
        guard sets.count > 1 else { return commands }
        let (first, last) = (sets[0], sets[1])
        commands.append(
            ReadingCommand(program: "ticds-changes", arguments: ["dump", first, last], schema: nil))
        commands.append(
            ReadingCommand(
                program: "ticds-changes", arguments: ["diff", first, last],
                schema: "ticds.changeDifferences/1"))
        return commands
    }

    /// The commands that refuse many stores, with status 2: stores without a history, and stores in a damaged
    /// container.
    static func refusing(_ stores: [String]) -> [ReadingCommand] {
        ["history", "recover"].flatMap { word in
            stores.map { ReadingCommand(program: "ticds-store", arguments: [word, $0], schema: nil) }
        }
    }

    /// Runs the command with additional options; `ticds-inspect tree` takes no password.
    func run(
        _ options: [String] = [], password: [String] = [], environment: [String: String] = [:],
        seconds: Double = 30
    ) throws -> Program.Result {
        let opening = arguments.first == "tree" ? [] : password
        return try Program.run(
            program, arguments + options + opening, environment: environment, seconds: seconds)
    }

    var text: String { "\(program) \(arguments.joined(separator: " "))" }
}
