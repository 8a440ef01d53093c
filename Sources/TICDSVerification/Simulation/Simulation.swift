public import SystemCalls
public import TICDSCore

/// The framework's behaviour at the next synchronisation of one client, as far as the remote shows it.
public struct Simulation: Sendable {
    /// The relation of the client to the document.
    public enum Standing: String, Sendable, Hashable, CaseIterable {
        /// The client has a folder in `SyncChanges`.
        case member
        /// The client has no folder, and a tombstone shows that it was removed.
        case removed
        /// The client has no folder and no tombstone, but other files (ticds-protocol(7), 4.2-3).
        case orphaned
        /// The client has no files: it registers for the first time.
        case newcomer
    }

    /// Whether the app is running, or starts for the synchronisation; a client registers only at a start.
    public enum Start: String, Sendable, Hashable, CaseIterable {
        /// The client has registered before.
        case running
        /// The client registers first.
        case anew
    }

    /// The simulated variant of the framework.
    public var variant: Variant
    /// Identifier of the document.
    public var document: RemoteName
    /// Identifier of the client; nil for a new one.
    public var client: RemoteName?
    /// The relation of the client to the document.
    public var standing: Standing
    /// Whether the client's app is already running.
    public var start: Start
    /// Whether an entry that a client looks at could not be listed: `standing` may then be wrong, and nothing was
    /// simulated.
    public var isUnseen = false
    /// The steps in the framework's order, up to one that fails, followed by the steps of the vacuum, a separate
    /// operation.
    public var steps: [SimulationStep] = []
    /// The steps of a running client when its app starts the next time; empty if another simulation shows them.
    public var nextStart: [SimulationStep] = []
    /// The sets that the simulation assumes the client has applied.
    public var known = KnownChangeSets()
    /// The requested sets that exist, in the order of application (ticds-remote-format(5), 3.5).
    public var changeSets: [SimulatedChangeSet] = []
    /// Sets of others that were repaired after the client had probably read them damaged, or removed before it read them:
    /// it lacks their edits. Filled by whoever knows of the repairs.
    public var repairedLate: [RemotePath] = []
    /// Such sets of which nothing shows whether the client read them intact, or has loaded a whole store since.
    public var perhapsLacking: [RemotePath] = []
    /// Whether the client lacks edits, or perhaps does.
    public var mayLackEdits: Bool { !repairedLate.isEmpty || !perhapsLacking.isEmpty }
    /// The whole store that a newcomer downloads.
    public var wholeStore: RemotePath?
    /// A vacuum removes the client's own sets from before this time; nil if the vacuum fails.
    public var vacuumLimit: FileTime?
    /// The client's own sets that a vacuum would remove.
    public var vacuumed = FileTotals()

    /// The step at which registration, download or synchronisation fails; nil if they succeed.
    public var stop: SimulationStep? { steps.first { $0.isEnd && $0.stage != .vacuum } }

    /// The outcome without the vacuum: the outcome of the step that fails, otherwise a loss, otherwise `unknown`.
    public var outcome: SimulationStep.Outcome {
        if let stop { return stop.outcome }
        let outcomes = steps.lazy.filter { $0.stage != .vacuum }.map(\.outcome)
        return [.silentLoss, .unknown].first { outcomes.contains($0) } ?? .done
    }
}

/// The change sets that the simulation assumes the client has applied.
public struct KnownChangeSets: Sendable, Hashable {
    /// The evidence for the applied sets.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// No evidence, so that no set counts as applied.
        case nothing
        /// The register beside the whole store that the client uploaded; later sets are unknown.
        case ownRegister
        /// The register beside the whole store that the client downloads.
        case downloadedRegister
    }

    /// The evidence for the applied sets.
    public var source: Source = .nothing
    /// The register; nil if there is none.
    public var register: RemotePath?
    /// The time at which the register was written.
    public var asOf: FileTime?
    /// Number of sets in the register.
    public var count = 0
}

/// A change set that a simulated client fetches.
public struct SimulatedChangeSet: Sendable, Hashable {
    /// The fate of a set.
    public enum Fate: String, Sendable, Hashable, CaseIterable {
        /// Its changes are applied.
        case applied
        /// The set opens as an empty store and counts as applied; its changes are lost (ticds-protocol(7), 4.3-1).
        case swallowedAsEmpty
        /// Core Data cannot open the set, with an error that the framework does not handle.
        case crashes
        /// The set contains a change without a sync ID, which may crash the app (ticds-protocol(7), 2.3), or a change
        /// that raises an exception if the client has the object, which the remote does not show.
        case mayCrash
        /// The set contains a change that raises an exception when it is applied (ticds-protocol(7), 4.3-7).
        case raises
        /// The set opens, but without a model it is unknown whether the app can apply it.
        case notCompared
        /// The set cannot be fetched or decrypted, which blocks the whole run.
        case cannotBeFetched
        /// The set was not checked: the password is missing, the set is too large, or it changed while it was read.
        case unknown
    }

    /// The folder that contains it, which all its sets share, and its place there: names and paths are made on request.
    let folder: SimulatedFolder
    let position: Int
    /// Modification time, which the framework calls the creation date.
    public var modified: FileTime
    /// Whether the client certainly has not applied it. False for a set that is older than the client's last
    /// synchronisation, and has most likely been applied since the register was uploaded.
    public var isCertain: Bool
    /// The fate of the set.
    public var fate: Fate
    /// Details of the fate: "change 3 is about Note.colour, which the model that was given lacks".
    public var reason: String?
    var onICloud: Refusal.OnICloud?
    /// Whether the file is too short for a set, and there is no evidence that it was ever a set with changes.
    var mayBeStray = false

    /// Identifier of the document.
    public var document: RemoteName { folder.document }
    /// The client whose folder contains it.
    public var author: RemoteName { folder.author }
    /// Identifier of the set.
    public var identifier: RemoteName { folder.listing[position].name.withoutExtension }
    /// Path of the set in the remote.
    public var path: RemotePath { folder.path.appending(folder.listing[position].name) }
    /// The size in bytes.
    public var size: Int64 { folder.listing.size(at: position) }
}

/// The folder of a client in `SyncChanges`, as a simulated client lists it.
final class SimulatedFolder: Sendable, Hashable {
    let document: RemoteName
    let path: RemotePath
    let listing: FolderListing

    init(document: RemoteName, path: RemotePath, listing: FolderListing) {
        self.document = document
        self.path = path
        self.listing = listing
    }

    var author: RemoteName { path.last ?? "" }

    static func == (one: SimulatedFolder, other: SimulatedFolder) -> Bool {
        one.document == other.document && one.path == other.path
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(document)
        hasher.combine(path)
    }
}

/// One step of the framework in a simulated run, and its outcome.
public struct SimulationStep: Sendable, Hashable {
    /// The operation to which the step belongs.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The operations in the order of a run; the vacuum is a separate operation.
        case applicationRegistration, documentRegistration, download, preSync, sync, postSync, vacuum
    }

    /// The outcome of a step.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The step succeeds.
        case done
        /// The operation fails, with the error if there is one.
        case fails
        /// The app crashes, and crashes again at every synchronisation.
        case wouldCrash
        /// The step succeeds, and loses data.
        case silentLoss
        /// The client skips the step.
        case skipped
        /// The step was not checked: the password is missing, a file is too large, or it changed while it was read.
        case unknown
    }

    /// The operation to which the step belongs.
    public var stage: Stage
    /// The name of the step, such as "Read the integrity key".
    public var name: String
    /// The outcome of the step.
    public var outcome: Outcome
    /// The framework's error; nil if there is none.
    public var error: FrameworkError?
    /// The section of the specification, such as "ticds-protocol(7), 1.8.1-1".
    public var section: String
    /// The files and folders that decided the outcome, at most `pathLimit`; the sentence contains their number.
    public var paths: [RemotePath]
    /// The event and its reason, in one or two sentences.
    public var sentence: String
    /// The largest number of paths that a step keeps.
    public static let pathLimit = 20

    init(
        _ stage: Stage, _ name: String, _ outcome: Outcome, _ error: FrameworkError? = nil, section: String,
        paths: [RemotePath] = [], _ sentence: String
    ) {
        self.stage = stage
        self.name = name
        self.outcome = outcome
        self.error = error
        self.section = "ticds-protocol(7), " + section
        self.paths = Array(paths.prefix(Self.pathLimit))
        self.sentence = sentence
    }

    var isEnd: Bool { outcome == .fails || outcome == .wouldCrash }
}
