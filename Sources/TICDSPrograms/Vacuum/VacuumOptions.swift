import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// What is to go.
struct VacuumOptions: ParsableArguments {
    @Option(
        name: .customLong("document"),
        help: ArgumentHelp(
            "A document: its identifier, an unambiguous beginning of it, or its description. May be given several times.",
            valueName: "name"),
        completion: LiveCompletion.documents.kind)
    var documents: [String] = []

    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "Remove sets of this client only. May be given several times.", valueName: "name"),
        completion: LiveCompletion.clients.kind)
    var clients: [String] = []

    @Option(
        help: ArgumentHelp(
            "The margin: keep sets for this time, in which they reach every client (default: 30d).",
            valueName: "duration"))
    var keepWithin: DurationArgument?

    @Option(
        name: .customLong("ignore-client"),
        help: ArgumentHelp(
            "Ignore a client that is gone for good. May be given several times.", valueName: "name"),
        completion: LiveCompletion.clients.kind)
    var ignored: [String] = []

    @Flag(help: "Count only the newest whole store, which a new client downloads by default.")
    var newestStore = false

    @Flag(help: "Remove what the framework's own vacuum would remove, for all clients or those of --client.")
    var frameworkRule = false

    @Flag(help: "Also remove what uploads left in TemporaryFiles.")
    var leftovers = false

    func validate() throws {
        guard frameworkRule else { return }
        if keepWithin != nil {
            throw ValidationError(
                "--framework-rule cannot be combined with --keep-within: it looks only at times.")
        }
        if newestStore {
            throw ValidationError("--framework-rule counts every whole store, not only the newest.")
        }
    }

    func settings(_ names: VacuumNames, _ change: ChangeOptions) throws -> VacuumSettings {
        var settings = VacuumSettings(rule: frameworkRule ? .framework : .applied, now: .now)
        if let keepWithin { settings.keepWithin = keepWithin.seconds }
        settings.countsNewestStoreOnly = newestStore
        if !clients.isEmpty { settings.clients = try names.clients(clients, option: "--client") }
        settings.ignored = try names.clients(ignored, option: "--ignore-client")
        settings.allowed = change.allowedMissing
        settings.takesLeftovers = leftovers
        return settings
    }
}
