public import TICDSCore

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
        /// The remote does not show it.
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
    /// "ticds-protocol(7), 4.8.1-1"
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

    /// Whether the operation ends with this step.
    var isEnd: Bool { outcome == .fails || outcome == .wouldCrash }
}
