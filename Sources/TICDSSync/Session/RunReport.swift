public import SystemCalls

/// A change set that cannot be applied as it is. It is never taken for applied.
public struct BadSet: Sendable, Hashable {
    /// Identifier of the client that uploaded it.
    public var client: String
    /// Identifier of the set.
    public var identifier: String
    /// Why it cannot be applied.
    public var problem: FileProblem
}

/// What a run did, or would do.
public struct RunReport: Sendable {
    /// A set with the contents of another, which was applied once.
    public struct Duplicate: Sendable, Hashable {
        /// Identifier of the client that uploaded it.
        public var client: String
        /// Identifier of the set.
        public var identifier: String
        /// Identifier of the set that has the same contents and was applied.
        public var original: String
    }

    /// The set that this client sent.
    public struct Sent: Sendable, Hashable {
        /// Its identifier.
        public var identifier: String
        /// How many changes it has.
        public var changes: Int
    }

    /// Whether the run, which is a dry one, would register the client first.
    public var registers = false
    /// Edits of the document that were recorded, as sync changes.
    public var editsRecorded = 0
    /// What was tidied in the document before, in words.
    public var tidied: [String] = []
    /// Sets that were fetched.
    public var setsFetched = 0
    /// Sets that were applied for the first time.
    public var setsApplied = 0
    /// Changes that took effect.
    public var changesApplied = 0
    /// Sets that were in the document already, and were applied once more because one came late that belongs before.
    public var setsAppliedAgain = 0
    /// Sets with the contents of another.
    public var duplicates: [Duplicate] = []
    /// Sets that could not be applied.
    public var badSets: [BadSet] = []
    /// Bad sets that somebody has taken out of the remote: they are waited for no longer.
    public var forgotten: [BadSet] = []
    /// Sets that wait behind a bad one.
    public var setsHeldBack = 0
    /// Entries among the sets that are none, by their paths in the remote.
    public var strays: [String] = []
    /// Folders that could not be listed, and files that are not here yet.
    public var problems: [FileProblem] = []
    /// Conflicts that came up.
    public var conflicts = 0
    /// Warnings that came up.
    public var warnings = 0
    /// Conflicts and warnings, at most ``eventLimit``.
    public var events: [SyncEvent] = []
    /// What was sent; nil where there was nothing to send.
    public var sent: Sent?
    /// Changes of one's own that are not sent.
    public var changesWaiting = 0
    /// Whether this client told the others that it has synchronised.
    public var wroteRecentSync = false
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Whether nothing was really done.
    public var isDryRun = false

    /// Events that are kept of one run.
    public static let eventLimit = 100_000

    /// Whether everything that the others sent is in the document.
    public var isComplete: Bool { badSets.isEmpty && setsHeldBack == 0 && problems.isEmpty }
}

/// What a run is to do.
public struct RunOptions: Sendable {
    /// Both ways, or one only.
    public enum Direction: String, Sendable {
        /// Fetch and send, fetch only, send only.
        case both, pull, push
    }

    /// Which way to go.
    public var direction = Direction.both
    /// Whether to tell what a run would do, and do nothing.
    public var isDryRun = false
    /// Instead of what the configuration says.
    public var onBadSet: ReplicaConfiguration.BadSetChoice?
    /// Instead of the policy of the configuration.
    public var conflicts: ConflictPolicy?
    /// Seconds to wait for another program that is changing the remote.
    public var lockWait: Int64 = 0

    /// Both ways, for real, by the configuration.
    public init() {}
}

/// A conflict that a person is asked about.
public struct OpenConflict: Sendable, Hashable {
    /// The two values, and when each was set.
    public var conflict: SyncConflict
    /// Who changed the value elsewhere.
    public var client: String
    /// Identifier of the set that has the change.
    public var changeSet: String
}
