package import Base
import FoundationEssentials
package import SystemCalls
package import SystemPackage
import TICDSOperations

/// The limits of a run, and when it gives up.
package struct FleetLimits: Codable, Hashable, Sendable {
    /// The time for each remote, in seconds.
    package var timeout: Int64 = 600
    /// The address space of each child process, in bytes.
    package var memory: Int64 = 4_000_000_000
    /// The output of each child process, in bytes.
    package var output: Int64 = 64_000_000
    /// The number of attempts on an unchanged remote.
    package var attempts = 3
    /// The number of failures, or the percentage of its remotes, above which a shard stops.
    package var maxFailures: String?
    /// The number of change sets of a document that a plan may remove, in the form for `ticds-journal apply`.
    package var maxDelete: String?

    package init() {}

    /// The number of failures that is too high for a shard with this number of remotes; nil for no limit.
    func failureLimit(of remotes: Int) -> Int? {
        maxFailures.flatMap { CountOrPercent($0) }?.count(of: remotes)
    }
}

/// A command over the remotes of a fleet: a folder with everything that a worker must know, and with the results.
/// Workers need only this folder, so that it can be on a file system that several machines share, or be copied to them.
///
///     run.json                  what is to be done (ticds.fleetRun/1)
///     remotes.jsonl             on which remotes
///     envelopes/5f/5f….json     the result of each (ticds.fleetEnvelope/1), by the first two digits of its identifier
///     shards/3-8.json           how far each shard is (ticds.fleetShard/1)
///     plans/5f/5f….json         the saved plans, of a run that plans
///     applied/, undone/         the results of carrying them out and of taking that back
package struct FleetRun: Sendable {
    /// The folder.
    package let folder: FilePath
    /// The description of the run.
    package private(set) var order: Order

    /// The part of `run.json` that every version has.
    private struct Form: Codable {
        static let current = "ticds.fleetRun/1"
        var schema: String
    }

    /// The content of `run.json`.
    package struct Order: Codable, Hashable, Sendable {
        var schema = "ticds.fleetRun/1"
        /// The name of the run, which results carry.
        package var name: String
        /// The words of the command.
        package var command: [String]
        /// Whether the command makes plans.
        package var isPlanning: Bool
        /// The version of ticds that prepared it.
        package var version: String
        /// The time at which it was last prepared, as ISO 8601.
        package var begun: String
        /// The number of remotes.
        package var remotes: Int
        /// The number of shards.
        package var shards: Int
        /// The limits of the run.
        package var settings: FleetLimits

        /// The command as a person types it for a remote: "ticds verify REMOTE".
        package var typedCommand: String { FleetCommand.typed(command) }
    }

    /// The stage of the processing of a remote.
    package enum Stage: String, Sendable, CaseIterable {
        /// The command of the run, then the execution of its plan, then the undo of that.
        case envelopes, applied, undone
    }

    /// The folder of runs that are named without a slash.
    package static var standardFolder: FilePath {
        get throws(FileProblem) { try Environment.stateHome.pushing(FilePath("fleet/runs")) }
    }

    /// The folder of a run: a path if the name contains a slash, otherwise a name below ``standardFolder``.
    package static func folder(named name: String) throws(FileProblem) -> FilePath {
        if name.contains("/") { return Environment.path(argument: name) }
        guard let component = FilePath(name).lastComponent, component.kind == .regular, !name.hasPrefix(".")
        else {
            throw FileProblem(
                .refused, path: FilePath(name), "cannot be used as the name of a run",
                advice: "Use letters, digits and hyphens")
        }
        let standard = try standardFolder.appending(component)
        // A run in the working folder takes precedence.
        let here = Environment.path(argument: name)
        let isHere = try FileStatus.ifPresent(here.appending("run.json")) != nil
        return isHere ? here : standard
    }

    /// The runs below ``standardFolder``, the newest first.
    package static func standardRuns() throws(FileProblem) -> [FleetRun] {
        let folder = try standardFolder
        guard try FileStatus.ifPresent(folder) != nil else { return [] }
        var runs: [FleetRun] = []
        for name in try DirectoryReader.names(in: OwnedDescriptor.folder(folder)) {
            let run = folder.pushing(name)
            guard try FileStatus.ifPresent(run.appending("run.json")) != nil else { continue }
            runs.append(try FleetRun(run))
        }
        return runs.sorted { $0.order.begun > $1.order.begun }
    }

    /// The newest run below ``standardFolder``.
    /// - Throws: `.missing` if there is no run.
    package static func newest() throws(FileProblem) -> FleetRun {
        if let run = try standardRuns().first { return run }
        throw FileProblem(
            .missing, path: try standardFolder, "there is no run",
            advice: "Prepare one with ticds-fleet run, or name the folder of a run")
    }

    /// Opens a prepared run.
    package init(_ folder: FilePath) throws(FileProblem) {
        self.folder = folder
        let path = folder.appending("run.json")
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileBytes.read(path, limit: .configuration).array
        } catch {
            guard error.kind == .missing else { throw error }
            throw FileProblem(
                .missing, path: folder, "is not the folder of a run",
                advice: "Prepare one with ticds-fleet run; the name of a run without a slash means one below "
                    + "~/.local/state/ticds/fleet/runs")
        }
        do {
            // The form is read first, since a different version may have different fields.
            let form = try JSONDecoder().decode(Form.self, from: Data(bytes))
            guard form.schema == Form.current else {
                throw FileProblem(
                    .unsupported, path: path, "is a run of another version of ticds", expected: Form.current,
                    found: form.schema,
                    advice: "Use the version of ticds that prepared the run, or prepare another")
            }
            order = try JSONDecoder().decode(Order.self, from: Data(bytes))
        } catch let error as FileProblem {
            throw error
        } catch {
            throw FileProblem(
                .damaged, path: path, "is not the description of a run", advice: "Prepare the run again")
        }
    }

    /// Moves a run of another reading command aside, with its results; returns its new folder. Nil if there is nothing to
    /// move.
    /// - Throws: `.refused` if a worker may be using it.
    package static func moveAside(
        _ folder: FilePath, for command: FleetCommand
    ) throws(FileProblem) -> FilePath? {
        guard try FileStatus.ifPresent(folder.appending("run.json")) != nil else { return nil }
        let former = try FleetRun(folder)
        if former.order.isPlanning || command.isChanging || former.order.command == command.words {
            return nil
        }
        guard try !ShardProgress.isAtWork(former) else {
            throw FileProblem(
                .refused, path: folder, "workers are at work on a run of another command",
                found: former.order.typedCommand,
                advice: "Wait until they have finished, or name another folder with --to")
        }
        let name = "\(folder.lastComponent?.string ?? "run")-\(former.order.begun.replacing(":", with: ""))"
        let aside = folder.removingLastComponent().appending(name)
        try NewFile.rename(folder, to: aside)
        return aside
    }

    /// Prepares a run in a folder, which is created if it does not exist. A run of the same command keeps its results.
    /// - Throws: `.refused` if the folder contains a run of a different command.
    package static func prepare(
        _ folder: FilePath, _ command: FleetCommand, _ remotes: [FleetRemote], _ settings: FleetLimits,
        shards: Int
    ) throws(FileProblem) -> FleetRun {
        try PrivateDirectory.make(folder)
        let path = folder.appending("run.json")
        var name = folder.lastComponent?.string ?? "run"
        if try FileStatus.ifPresent(path) != nil {
            let former = try FleetRun(folder)
            guard former.order.command == command.words, former.order.isPlanning == command.isChanging else {
                throw FileProblem(
                    .refused, path: folder, "is a run of another command",
                    expected: former.order.typedCommand, found: FleetCommand.typed(command.words),
                    advice: "Name another folder with --to, or remove this one with its results: rm -r "
                        + ShellWord.quoted(folder))
            }
            // Its results show what to undo.
            if command.isChanging, try FileStatus.ifPresent(folder.appending(Stage.applied.rawValue)) != nil {
                throw FileProblem(
                    .refused, path: folder, "plans of this run were carried out",
                    advice: "Name another folder for the new plans with --to")
            }
            name = former.order.name
        }
        let order = Order(
            name: name, command: command.words, isPlanning: command.isChanging, version: SuiteVersion.current,
            begun: FileTime.now.iso, remotes: remotes.count, shards: max(1, shards), settings: settings)
        for subfolder in ["envelopes", "shards", "log"] {
            try PrivateDirectory.make(folder.appending(subfolder))
        }
        try AtomicFile.write(FleetInventory.bytes(of: remotes), to: folder.appending("remotes.jsonl"))
        try write(order, to: path)
        return try FleetRun(folder)
    }

    private static func write(_ order: Order, to path: FilePath) throws(FileProblem) {
        var json = JSONWriter(nil, layout: .indented)
        json.document(order, Order.schema)
        try AtomicFile.write(Array(json.text.utf8), to: path)
    }

    /// The command of the run.
    /// - Throws: `.unsupported` if this version does not have the command.
    package func command() throws(FileProblem) -> FleetCommand {
        do throws(FleetCommand.Refusal) {
            return try FleetCommand(order.command, isChanging: order.isPlanning)
        } catch {
            throw FileProblem(
                .unsupported, path: folder, "has a command that cannot be run", found: error.text,
                advice: "Begin a new run in another folder")
        }
    }

    /// The remotes of the run, in the order of their identifiers.
    package func remotes() throws(FileProblem) -> [FleetRemote] {
        let path = folder.appending("remotes.jsonl")
        return try FleetInventory.remotes(
            in: FileBytes.read(path, limit: ReadLimit(1 << 30, "list of remotes")), path
        )
        .sorted { $0.identifier < $1.identifier }
    }

    /// The file with the result of a remote.
    package func envelope(_ identifier: String, _ stage: Stage = .envelopes) -> FilePath {
        place(identifier, below: stage.rawValue)
    }

    /// The head of the result of a remote; nil if there is no complete result for this remote and this run.
    /// - Throws: the reason why it cannot be read, such as a folder in its place.
    func result(of identifier: String, _ stage: Stage = .envelopes) throws(FileProblem) -> RunResultHeader? {
        do throws(FileProblem) {
            return try RunResultHeader.read(envelope(identifier, stage), run: self)
        } catch {
            var problem = error
            problem.advice =
                stage == .envelopes
                ? "Make it readable, or move it elsewhere; the next run then makes the result again"
                : "Make it readable: it shows whether the plan of the remote was carried out"
            throw problem
        }
    }

    /// The saved plan of a remote.
    package func plan(_ identifier: String) -> FilePath { place(identifier, below: "plans") }

    /// The path of a plan before the result of its command is known.
    func newPlan(_ identifier: String) -> FilePath {
        folder.appending("plans").appending(String(identifier.prefix(2))).appending("\(identifier).new.json")
    }

    /// The output of a process that changes a remote, which may outlive its worker.
    func output(_ identifier: String, _ stage: Stage) -> FilePath {
        folder.appending(stage.rawValue).appending(String(identifier.prefix(2))).appending(
            "\(identifier).output")
    }

    /// Sets the limits for carrying plans out; without a limit of failures, the first failure stops the run.
    package mutating func set(maxFailures: String?, maxDelete: String?) throws(FileProblem) {
        order.settings.maxDelete = maxDelete
        order.settings.maxFailures = maxFailures
        try Self.write(order, to: folder.appending("run.json"))
    }

    private func place(_ identifier: String, below name: String) -> FilePath {
        folder.appending(name).appending(String(identifier.prefix(2))).appending("\(identifier).json")
    }
}

extension FleetRun.Order {
    /// `ticds.fleetRun/1`.
    package static let schema = JSONSchema<FleetRun.Order>(
        "ticds.fleetRun/1", "`run.json` in the folder of a run of ticds-fleet(1)."
    ) {
        $0("name", "The name of the run.", \.name)
        $0("command", "The words of the command; `{}` stands for a remote.", \.command)
        $0("isPlanning", "Whether the command makes plans.", \.isPlanning)
        $0("version", "The version of the suite that prepared the run.", \.version)
        $0("begun", "When it was last prepared.", as: .shared("time"), \.begun)
        $0("remotes", "The number of remotes.", \.remotes)
        $0("shards", "The number of shards.", as: .number(from: 1), \.shards)
        $0(
            "settings", "What it may cost.", \.settings,
            JSONFields {
                $0("timeout", "Seconds for each remote.", \.timeout)
                $0("memory", "Bytes of address space for each remote.", \.memory)
                $0("output", "Bytes of output for each remote.", \.output)
                $0("attempts", "Attempts on a remote that stays as it is.", \.attempts)
                $0(
                    "maxFailures", "The failures with which a shard stops, as a number or `N%`.",
                    \.maxFailures)
                $0("maxDelete", "How many change sets of a document a plan may remove.", \.maxDelete)
            })
    }
}
