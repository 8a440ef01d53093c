public import SystemCalls
public import TICDSCore

/// What the framework would do at the next synchronisation of one client, as far as the remote shows it.
public struct Simulation: Sendable {
    /// The relation of the client to the document.
    public enum Standing: String, Sendable, Hashable, CaseIterable {
        /// It has a folder in `SyncChanges`.
        case member
        /// It has no folder, and its tombstone says that it was removed.
        case removed
        /// It has no folder and no tombstone, but other files (ticds-protocol(7), 4.2-3).
        case orphaned
        /// It has no files: a client that registers for the first time.
        case newcomer
    }

    /// Whether the application is running, or starts for the synchronisation; only then does a client register.
    public enum Start: String, Sendable, Hashable, CaseIterable {
        /// It has registered before.
        case running
        /// It registers first.
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
    /// Whether its application is running already.
    public var start: Start
    /// Whether what a client looks at could not be listed: `standing` may then be another, and nothing was simulated.
    public var isUnseen = false
    /// The steps in the framework's order, up to one that fails; last those of the vacuum, a separate operation.
    public var steps: [SimulationStep] = []
    /// What a running client does when its application starts the next time; empty if another simulation shows that.
    public var nextStart: [SimulationStep] = []
    /// The sets that the simulation assumes the client has applied.
    public var known = KnownChangeSets()
    /// The requested sets that exist, in the order of application (ticds-remote-format(5), 3.5).
    public var changeSets: [SimulatedChangeSet] = []
    /// Sets of others that were repaired after the client had probably read them damaged: it lacks their edits. Filled by
    /// whoever knows of the repairs.
    public var repairedLate: [RemotePath] = []
    /// The whole store that a newcomer downloads.
    public var wholeStore: RemotePath?
    /// A vacuum removes the client's own sets from before this time; nil if the vacuum fails.
    public var vacuumLimit: FileTime?
    /// The client's own sets that a vacuum would remove.
    public var vacuumed = FileTotals()

    /// The step at which registration, download or synchronisation fails; nil if they succeed.
    public var stop: SimulationStep? { steps.first { $0.isEnd && $0.stage != .vacuum } }

    /// The outcome without the vacuum: that of the step that fails, or else a loss, or else `unknown`.
    public var outcome: SimulationStep.Outcome {
        if let stop { return stop.outcome }
        let outcomes = steps.lazy.filter { $0.stage != .vacuum }.map(\.outcome)
        return [.silentLoss, .unknown].first { outcomes.contains($0) } ?? .done
    }
}

/// The change sets that the simulation assumes the client has applied.
public struct KnownChangeSets: Sendable, Hashable {
    /// What shows which sets were applied.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Nothing, so that no set counts as applied.
        case nothing
        /// The register beside the whole store that the client uploaded; later sets are not known.
        case ownRegister
        /// The register beside the whole store that the client downloads.
        case downloadedRegister
    }

    /// What shows which sets were applied.
    public var source: Source = .nothing
    /// The register; nil if there is none.
    public var register: RemotePath?
    /// When the register was written.
    public var asOf: FileTime?
    /// Number of sets in the register.
    public var count = 0
}

/// A change set that a simulated client fetches.
public struct SimulatedChangeSet: Sendable, Hashable {
    /// What happens to the set.
    public enum Fate: String, Sendable, Hashable, CaseIterable {
        /// Its changes are applied.
        case applied
        /// It opens as an empty store and counts as applied; its changes are lost (ticds-protocol(7), 4.3-1).
        case swallowedAsEmpty
        /// Core Data cannot open it, with an error that the framework does not handle.
        case crashes
        /// It contains a change without a sync ID, which may crash the application (ticds-protocol(7), 2.3), or one that
        /// raises an exception if the client has the object, which the remote does not show.
        case mayCrash
        /// It contains a change that raises an exception when it is applied (ticds-protocol(7), 4.3-7).
        case raises
        /// It opens, but without a model it is not known whether the application can apply it.
        case notCompared
        /// It cannot be fetched or decrypted, which blocks the whole run.
        case cannotBeFetched
        /// It was not checked: there is no password, it is too large, or it changed while it was read.
        case unknown
    }

    /// Identifier of the document.
    public var document: RemoteName
    /// The client whose folder contains it.
    public var author: RemoteName
    /// Identifier of the set.
    public var identifier: RemoteName
    /// Path of the set in the remote.
    public var path: RemotePath
    /// Modification time, which the framework calls the creation date.
    public var modified: FileTime
    /// Bytes.
    public var size: Int64
    /// Whether the client certainly has not applied it. False for a set that is older than the client's last
    /// synchronisation, and has most likely been applied since the register was uploaded.
    public var isCertain: Bool
    /// What happens to it.
    public var fate: Fate
    /// More about the fate: "change 3 is about Note.colour, which the model that was given lacks".
    public var reason: String?
    var onICloud: Refusal.OnICloud?
    /// Whether the file is too short for a set, and nothing shows that it ever was one with changes.
    var mayBeStray = false
}

/// One step of the framework in a simulated run, and its outcome.
public struct SimulationStep: Sendable, Hashable {
    /// The operation that the step belongs to.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// In the order of a run; the vacuum is a separate operation.
        case applicationRegistration, documentRegistration, download, preSync, sync, postSync, vacuum
    }

    /// The outcome of a step.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It succeeds.
        case done
        /// The operation fails, with the error if there is one.
        case fails
        /// The application crashes, and crashes again at every synchronisation.
        case wouldCrash
        /// The step succeeds, and data are lost with it.
        case silentLoss
        /// The client skips the step.
        case skipped
        /// It was not checked: there is no password, it is too large, or it changed while it was read.
        case unknown
    }

    /// The operation that the step belongs to.
    public var stage: Stage
    /// "Read the integrity key"
    public var name: String
    /// The outcome of the step.
    public var outcome: Outcome
    /// The framework's error; nil if there is none.
    public var error: FrameworkError?
    /// "ticds-protocol(7), 1.8.1-1"
    public var section: String
    /// The files and folders that decided the outcome, at most `pathLimit`; the sentence contains their number.
    public var paths: [RemotePath]
    /// What happens and why, in one or two sentences.
    public var sentence: String
    /// How many paths a step keeps.
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
