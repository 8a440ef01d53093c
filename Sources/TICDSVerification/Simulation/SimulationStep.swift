public import TICDSCore

/// One thing that the framework does in a simulated run, and how it ends.
public struct SimulationStep: Sendable, Hashable {
    /// The operation that the step belongs to.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// In the order of a run; the vacuum is an operation by itself.
        case applicationRegistration, documentRegistration, download, preSync, sync, postSync, vacuum
    }

    /// How the step ends.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It succeeds.
        case done
        /// The operation ends here, with the error if it sets one.
        case fails
        /// The application ends here, and again at every synchronisation.
        case wouldCrash
        /// The step succeeds, and data are lost with it.
        case silentLoss
        /// It is left out, since nothing calls for it.
        case skipped
        /// The remote alone does not tell.
        case unknown
    }

    /// The operation that the step belongs to.
    public var stage: Stage
    /// "Read the integrity key"
    public var name: String
    /// How the step ends.
    public var outcome: Outcome
    /// The error that the framework gives; nil where it gives none.
    public var error: FrameworkError?
    /// "ticds-protocol(7), 4.8.1-1"
    public var section: String
    /// At most `pathLimit` of the files and folders that decided the outcome; the sentence says how many there are.
    public var paths: [RemotePath]
    /// What happens and why, in one or two sentences.
    public var sentence: String

    /// Paths that one step names.
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

    /// Whether the run ends with this step.
    var isEnd: Bool { outcome == .fails || outcome == .wouldCrash }
}
