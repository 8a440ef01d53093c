import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSOperations
package import TICDSFleet

/// The inventory that a command reads or changes.
struct InventoryOptions: ParsableArguments {
    @Option(
        help: .value(
            "file", "The inventory. Default: fleet/inventory.jsonl in the state folder of the suite."),
        completion: .file(extensions: ["jsonl"]))
    var inventory: String?

    var path: FilePath {
        get throws(FileProblem) {
            if let inventory { return try Environment.file(argument: inventory) }
            return try FleetInventory.standardPath
        }
    }

    /// The inventory, which must exist.
    func read() throws(FileProblem) -> FleetInventory {
        try checkPresence()
        return try FleetInventory(try path)
    }

    /// Changes the inventory, which only its owner can read, since it contains the places of passwords.
    /// - Parameter mustExist: whether the inventory must exist.
    func change<Value>(
        mustExist: Bool = false, _ body: (inout FleetInventory) throws(FileProblem) -> Value
    ) throws(FileProblem) -> Value {
        PrivateFiles.begin()
        return try FleetInventory.change(try OutputTarget.outside(path)) { (inventory) throws(FileProblem) in
            if mustExist { try checkPresence() }
            return try body(&inventory)
        }
    }

    private func checkPresence() throws(FileProblem) {
        let path = try path
        guard try FileStatus.ifPresent(path) == nil else { return }
        throw FileProblem(
            .missing, path: path, "there is no inventory here",
            advice: "Make one with ticds-fleet scan or add")
    }
}

/// The selection of remotes of the inventory for a command.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("tag"),
        help: .value("tag", "Only remotes with this tag. If given several times, with each of them."))
    var tags: [String] = []

    @Option(
        name: .customLong("application"),
        help: .value("name", "Only remotes of this application. If given several times, of any of them."))
    var applications: [String] = []

    @Option(
        name: .customLong("id"),
        help: .value(
            "id", "Only the remote with this identifier, or the beginning of it. May be given several times.")
    )
    var identifiers: [String] = []

    @Option(help: .value("count", "Use a fixed random sample of this many remotes."))
    var sample: Int?

    func validate() throws {
        for tag in tags where !FleetRemote.isTag(tag) { throw ValidationError("--tag: \(FleetText.tagRule)") }
        for text in identifiers where !FleetRemote.isIdentifier(text, beginning: true) {
            throw ValidationError("--id takes up to 16 digits, 0 to 9 and a to f.")
        }
        if let sample, sample < 1 { throw ValidationError("--sample takes a number of at least 1.") }
    }

    var selection: FleetSelection {
        var selection = FleetSelection()
        selection.tags = tags
        selection.applications = applications
        selection.identifiers = identifiers
        selection.sample = sample
        return selection
    }
}

extension FileProblem {
    /// The error that no remote matches all selecting options.
    static let noRemoteIsSelected = FileProblem(
        .unknownName, path: "the inventory", "no remote is selected",
        advice: "Choose others, or add some with ticds-fleet scan; see: ticds-fleet list")
}

/// The tags and the password source of added remotes.
struct NewRemoteOptions: ParsableArguments {
    @Option(
        name: .customLong("tag"),
        help: .value("tag", "Give the remotes this tag. May be given several times."))
    var tags: [String] = []

    @Option(
        help: .value(
            "file", "Note for the remotes that their password is in this file. The file is not read now."),
        completion: .file())
    var passwordFile: String?

    @Option(
        help: .value(
            "command", "Note for the remotes that this command line prints their password. It is not run now."
        ),
        completion: .commandLine)
    var passwordCommand: String?

    func validate() throws {
        for tag in tags where !FleetRemote.isTag(tag) { throw ValidationError("--tag: \(FleetText.tagRule)") }
        if passwordFile != nil, passwordCommand != nil {
            throw ValidationError("Give --password-file or --password-command, not both.")
        }
    }

    /// The source of the password. A relative path becomes absolute, since a later run does not know the working
    /// folder.
    func password() throws(FileProblem) -> PasswordReference? {
        if let passwordFile {
            return .file(try Environment.path(argument: passwordFile).resolvedAllowingMissing().string)
        }
        return passwordCommand.map { .command($0) }
    }
}

/// The limits of a child process of a run, and of the failures of a run.
struct RunLimitOptions: ParsableArguments {
    @Option(help: .value("duration", "Give each remote so much time, such as 90s or 10m. Default: 10m."))
    var timeout: DurationArgument?

    @Option(
        help: .value("size", "Give each remote so much address space, such as 500M or 8G. Default: 4G."))
    var memory: SizeArgument?

    @Option(
        help: .value("size", "Take at most so much output of each remote, such as 5M. Default: 64M."))
    var maxOutput: SizeArgument?

    @Option(
        help: .value(
            "count", "Give up on an unchanged remote after this many failures. Default: 3."))
    var attempts: Int?

    @Option(
        help: .value("limit", "Stop a shard with more failures than this number or percentage: N or N%."))
    var maxFailures: CountOrPercent?

    func validate() throws {
        if let attempts, !(1...1_000_000).contains(attempts) {
            throw ValidationError("--attempts takes a number from 1 to 1,000,000.")
        }
        if let timeout, timeout.seconds < 1 {
            throw ValidationError("--timeout takes a duration of at least 1s.")
        }
        if let maxOutput, maxOutput.bytes > 1 << 30 {
            throw ValidationError("--max-output takes a size of at most 1G.")
        }
    }

    var settings: FleetLimits {
        var settings = FleetLimits()
        if let timeout { settings.timeout = timeout.seconds }
        if let memory { settings.memory = memory.bytes }
        if let maxOutput { settings.output = maxOutput.bytes }
        if let attempts { settings.attempts = attempts }
        settings.maxFailures = maxFailures?.text
        return settings
    }
}

/// A command over a fleet, with its run options.
struct FleetRunOptions: ParsableArguments {
    @Argument(parsing: .captureForPassthrough, help: .value("command", "The command and its options."))
    var command: [String]
    @OptionGroup var inventory: InventoryOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var engine: EngineOptions
    @OptionGroup var limits: RunLimitOptions

    /// Shows the help of `own` where the words of the command ask for help: no remote is asked for it.
    func showHelp(of own: any ParsableCommand.Type) throws {
        if command.contains("--help") || command.last == "-h" { throw CleanExit.helpRequest(own) }
    }

    /// Prepares a run of the command over the selected remotes, and starts it.
    func begin(isChanging: Bool, named: String?, _ context: CommandContext) throws -> ExitStatus {
        let command = try FleetPreparation.command(command, isChanging: isChanging)
        let remotes = try selection.selection.choose(from: try inventory.read())
        return try FleetPreparation(command, remotes, limits.settings, engine, context).run(named: named)
    }
}

/// A shard such as `3/8`.
extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package static var allValueStrings: [String] { [] }
}

extension FleetEngine: ExpressibleByArgument {}
extension FleetWorker.Again: ExpressibleByArgument {}
extension FleetRun.Stage: ExpressibleByArgument {}

/// Sentences that several commands print.
enum FleetText {
    static let tagRule = "a tag has up to 64 letters, digits and ._:/=@+-"

    /// A duration such as `1.5 s` or `12 min`.
    static func duration(_ seconds: Double) -> String {
        if seconds < 10 {
            return "\(Int64(saturating: seconds * 10) / 10).\(Int64(saturating: seconds * 10) % 10) s"
        }
        let whole = Int64(saturating: seconds.rounded())
        if whole < 100 { return "\(whole) s" }
        if whole < 6_000 { return "\((whole + 59) / 60) min" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}
