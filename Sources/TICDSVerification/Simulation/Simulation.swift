public import SystemCalls
public import TICDSCore

/// What the framework would do at the next synchronisation of one client, as far as the remote tells.
public struct Simulation: Sendable {
    /// What the client is to the document.
    public enum Standing: String, Sendable, Hashable {
        /// It has a folder in `SyncChanges`.
        case member
        /// Its folder is gone, and its tombstone says that somebody removed it.
        case removed
        /// Its folder is gone without a tombstone, and other traces of it are left (ticds-protocol(7), 7.2-3).
        case orphaned
        /// Nothing of it is there: a client that registers for the first time.
        case newcomer
    }

    /// Whether the client's application is running, or is started for the synchronisation: only then does the client
    /// register, and learn what has become of it.
    public enum Start: String, Sendable, Hashable, CaseIterable {
        /// It has registered before, and goes by what was so then.
        case running
        /// It registers first.
        case anew
    }

    /// The implementation of the framework that is played.
    public var variant: Variant
    /// Identifier of the document.
    public var document: RemoteName
    /// Nil for a new client.
    public var client: RemoteName?
    /// What the client is to the document.
    public var standing: Standing
    /// Whether its application is running already.
    public var start: Start
    /// In the framework's order. A synchronisation ends with the step that fails; the vacuum is an operation by itself,
    /// and comes last in any case.
    public var steps: [SimulationStep] = []
    /// What a running client does when its application is started the next time, before it synchronises again; empty
    /// where a simulation of its own shows that.
    public var nextStart: [SimulationStep] = []
    /// What the client is taken to have applied already.
    public var known = KnownChangeSets()
    /// The sets that it requests and finds, in the order of application (ticds-remote-format(5), 3.5).
    public var changeSets: [SimulatedChangeSet] = []
    /// The whole store that a newcomer downloads.
    public var wholeStore: RemotePath?
    /// Its own sets that are older are removed when the application asks for a vacuum; nil where that fails.
    public var vacuumLimit: FileTime?
    /// Its own sets that a vacuum would remove.
    public var vacuumed = FileTotals()

    /// The step that ended registration, download or synchronisation before their time; nil where they come to their
    /// end.
    public var stop: SimulationStep? { steps.first { $0.isEnd && $0.stage != .vacuum } }

    /// How registration, download and synchronisation end together: the step that stops them; else a loss, else what the
    /// remote alone does not tell.
    public var outcome: SimulationStep.Outcome {
        if let stop { return stop.outcome }
        let outcomes = steps.lazy.filter { $0.stage != .vacuum }.map(\.outcome)
        return [.silentLoss, .unknown].first { outcomes.contains($0) } ?? .done
    }
}

/// The change sets that a simulated client is taken to have applied.
public struct KnownChangeSets: Sendable, Hashable {
    /// Where it is known from.
    public enum Source: String, Sendable, Hashable {
        /// Nothing tells, so that nothing counts as applied.
        case nothing
        /// The register beside the whole store that the client uploaded itself; what came later is not known.
        case ownRegister
        /// The register beside the whole store that the client downloads.
        case downloadedRegister
    }

    /// Where it is known from.
    public var source: Source = .nothing
    /// The register; nil where there is none.
    public var register: RemotePath?
    /// When the register was written.
    public var asOf: FileTime?
    /// Lines of the register.
    public var count = 0
}

/// A change set that a simulated client fetches.
public struct SimulatedChangeSet: Sendable, Hashable {
    /// What becomes of the set.
    public enum Fate: String, Sendable, Hashable, CaseIterable {
        /// Its changes are applied.
        case applied
        /// Opens as an empty store: registered as applied, its changes are lost (ticds-protocol(7), 7.3-1).
        case swallowedAsEmpty
        /// Cannot be opened, and not in the way that the framework makes good.
        case crashes
        /// Holds a change without a sync ID, which may crash the application (ticds-protocol(7), 5.3).
        case mayCrash
        /// Holds a change that raises an exception when it is applied, such as one of a newer version of the app
        /// (ticds-protocol(7), 7.3-7).
        case raises
        /// Can be opened; without a model nobody knows whether the application can apply it.
        case notCompared
        /// Cannot be fetched or decrypted, and blocks the whole run.
        case cannotBeFetched
        /// Not checked: no password, too large, or it changed while it was read.
        case unknown
    }

    /// Identifier of the document.
    public var document: RemoteName
    /// The folder that it lies in.
    public var author: RemoteName
    /// Identifier of the set.
    public var identifier: RemoteName
    /// Where the set lies in the remote.
    public var path: RemotePath
    /// The framework's creation date.
    public var modified: FileTime
    /// Bytes.
    public var size: Int64
    /// False where the set is not newer than the client's last synchronisation: then it has most likely been applied
    /// since the register was uploaded.
    public var isCertain: Bool
    /// What becomes of it.
    public var fate: Fate
    /// Why, where the fate alone does not tell: "change 3 is about Note.colour, which the model that was given lacks".
    public var reason: String?
    /// Whether the exception is raised while an attribute is set.
    var isOfAttribute = false
}
