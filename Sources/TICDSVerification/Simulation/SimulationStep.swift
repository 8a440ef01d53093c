public import TICDSCore

/// One thing that the framework does in a simulated run, and how it ends.
public struct SimulationStep: Sendable, Hashable {
    /// The operation that the step belongs to.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        case applicationRegistration, documentRegistration, download, preSync, sync, postSync, vacuum
    }

    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        case done
        /// The operation ends here, with the error if it sets one.
        case fails
        /// The application may end here, and again at every synchronisation.
        case wouldCrash
        /// The step succeeds, and data are lost with it.
        case silentLoss
        case skipped
        /// The remote alone does not tell.
        case unknown
    }

    public var stage: Stage
    /// "Read the integrity key"
    public var name: String
    public var outcome: Outcome
    public var error: FrameworkError?
    /// "ticoredatasync.md, 4.8.1-1"
    public var section: String
    /// At most `pathLimit` of the files and folders that decided the outcome; the sentence says how many there are.
    public var paths: [RemotePath]
    /// What happens and why, in one or two sentences.
    public var sentence: String

    public static let pathLimit = 20

    init(
        _ stage: Stage, _ name: String, _ outcome: Outcome, _ error: FrameworkError? = nil, section: String,
        paths: [RemotePath] = [], _ sentence: String
    ) {
        self.stage = stage
        self.name = name
        self.outcome = outcome
        self.error = error
        self.section = "ticoredatasync.md, " + section
        self.paths = Array(paths.prefix(Self.pathLimit))
        self.sentence = sentence
    }

    /// Whether the run ends with this step.
    var isEnd: Bool { outcome == .fails || outcome == .wouldCrash }
}
