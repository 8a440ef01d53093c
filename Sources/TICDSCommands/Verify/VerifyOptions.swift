public import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
package import TICDSVerification

/// Options for the verification of a remote.
struct VerifyOptions: ParsableArguments {
    @Option(help: "How thoroughly to check.")
    var level = VerificationLevel.contents

    @Option(
        help: .value(
            "file", "Record intact files in this file, and open only new and changed ones the next time."),
        completion: .file())
    var state: String?

    @Option(
        help: .value(
            "duration",
            "With --state: open intact files again when their last check is older than this, such as 30d."))
    var recheckAfter: DurationArgument?

    @Option(
        help: .value(
            "duration",
            "Stop at a safe point after this time, such as 10m; the next run begins with the files whose "
                + "check is oldest."))
    var maxDuration: DurationArgument?

    @Option(help: .value("count", "Open this many files at the same time. Default: one for each core."))
    var jobs: Int?

    @Flag(
        help:
            "Do not use a password for an encrypted remote: encrypted files are only counted, and the exit status depends on findings."
    )
    var withoutPassword = false

    func validate() throws {
        if recheckAfter != nil, state == nil { throw ValidationError("--recheck-after needs --state.") }
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 256.")
        }
        if state != nil, level < .contents {
            throw ValidationError("--state needs --level contents or deep.")
        }
    }

    /// The state file, which must be outside of the remote.
    func statePath(of root: FilePath) throws -> FilePath? {
        guard let state else { return nil }
        let path = try Environment.file(argument: state)
        guard let place = try path.resolvedInFolder() else {
            throw FileProblem.noFolder(path.parent)
        }
        if let remote = try root.resolved(), place.parent.starts(with: remote) {
            throw FileProblem(
                .refused, path: path, "the state file would lie in the remote",
                advice: "Name a file elsewhere: foreign files harm the clients")
        }
        return place
    }
}

extension VerificationLevel: ExpressibleByArgument {}
extension Severity: ExpressibleByArgument {}

/// The findings that the command shows, and those that make it fail.
struct FindingOptions: ParsableArguments {
    @Option(help: .value("code", "Show only findings of this kind. May be given several times."))
    var only: [FindingCode] = []

    @Option(help: .value("code", "Leave out findings of this kind. May be given several times."))
    var ignore: [FindingCode] = []

    @Option(help: "Exit with 1 if a finding has at least this severity.")
    var failOn = Severity.warning

    @Option(help: .value("count", "Show at most this many findings; all are counted. 0 shows all."))
    var maxFindings = 0

    func validate() throws {
        if maxFindings < 0 { throw ValidationError("--max-findings takes a number of at least 0.") }
    }

    /// The wanted findings.
    func choose(_ findings: [Finding]) -> [Finding] {
        let wanted = Set(only.map(\.kind))
        let unwanted = Set(ignore.map(\.kind))
        return findings.filter {
            (wanted.isEmpty || wanted.contains($0.kind)) && !unwanted.contains($0.kind)
        }
    }

    /// Whether `--only` leaves out files that could not be read: they may have the wanted findings.
    func leaveOutUnread(_ findings: [Finding]) -> Bool {
        let unread = FindingKind.cannotBeRead
        return !only.isEmpty && !(only + ignore).contains { $0.kind == unread }
            && findings.contains { $0.kind == unread }
    }

    /// The findings to show, or the values that contain one finding each.
    func shown<Item>(_ findings: [Item]) -> ArraySlice<Item> {
        maxFindings == 0 ? findings[...] : findings.prefix(maxFindings)
    }

    /// The exit status for chosen findings.
    func status(_ findings: [Finding]) -> ExitStatus {
        findings.contains { $0.kind.severity >= failOn } ? .findings : .success
    }
}

/// The code of a finding on the command line: "TICDS-0201", or "0201".
struct FindingCode: ExpressibleByArgument {
    let kind: FindingKind

    init?(argument: String) {
        guard let kind = Catalogue.kind(argument) else { return nil }
        self.kind = kind
    }

    static var defaultCompletionKind: CompletionKind { .list(Catalogue.all.map(\.code)) }
}

/// Whether and how the command repairs findings.
struct RepairOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Repair what can be repaired without a person or a client; shows the plan first.",
            discussion: "With --only: only these findings. With --ignore: all others."))
    var repair = false

    @OptionGroup var change: PlanOptions

    func validate() throws {
        let changes =
            change.isDryRun || change.saysYes || change.savedPlan != nil || change.maxDelete != nil
            || change.hasNoTrash || change.waiting.lockWait != nil || !change.allowed.isEmpty
        if changes, !repair {
            throw ValidationError(
                "--dry-run, --yes, --save-plan, --max-delete, --allow-missing, --no-trash and --lock-wait need --repair."
            )
        }
    }

    /// Whether the plan is only shown or saved.
    var isOnlyPlanned: Bool { change.isDryRun || change.savedPlan != nil }
}

extension VariantArgument {
    var variant: Variant {
        switch self {
        case .fileManager: .fileManager
        case .dropbox: .dropbox
        case .icloud: .iCloud
        }
    }
}

/// The client whose next synchronisation the command simulates.
struct SimulationOptions: ParsableArguments {
    @Option(
        help: .value("name", "Do not check, but simulate the next synchronisation of this client."),
        completion: LiveCompletion.clients.kind)
    var asClient: String?

    @Flag(help: "Like --as-client, for a new client that registers with the document.")
    var asNewClient = false

    @Option(help: "The kind of client that --as-client and --as-new-client simulate.")
    var variant = VariantArgument.fileManager

    @Option(
        help: .value(
            "model",
            "The managed object model of the application that --as-client and --as-new-client simulate: a "
                + ".mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file."),
        completion: .file())
    var model: String?

    func validate() throws {
        if model != nil, !isWanted { throw ValidationError("--model needs --as-client or --as-new-client.") }
        if asClient != nil, asNewClient {
            throw ValidationError("--as-client and --as-new-client contradict each other.")
        }
    }

    var isWanted: Bool { asClient != nil || asNewClient }

    /// The model of the app, if one is given.
    var givenModel: ManagedObjectModel? {
        get throws(FileProblem) {
            guard let model else { return nil }
            return try ModelFile.load(Environment.path(argument: model))
        }
    }

    /// The named client; nil for a new one.
    func client(of open: OpenRemote) throws(FileProblem) -> RemoteName? {
        guard let asClient else { return nil }
        var identifiers = open.snapshot.clientDevices.map(\.identifier)
        for document in open.snapshot.documents {
            let others =
                document.clients.map(\.identifier) + document.deletedClients.map(\.identifier)
                + document.syncCommands + document.recentSyncs.map(\.client)
                + document.wholeStores.map(\.client)
            for other in others where !identifiers.contains(other) { identifiers.append(other) }
        }
        // If everything is gone, no name can be compared.
        if identifiers.isEmpty, open.isWhole, !asClient.isEmpty, !asClient.contains("/") {
            return RemoteName(asClient)
        }
        return try open.client(asClient, option: "--as-client", among: identifiers)
    }
}
