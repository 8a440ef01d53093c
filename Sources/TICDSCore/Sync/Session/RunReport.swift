public import SystemCalls

/// A change set that cannot be applied as it is. It is never taken for applied.
public struct BadSet: Sendable, Hashable {
    public var client: String
    public var identifier: String
    public var problem: FileProblem
}

/// What a run did, or would do.
public struct RunReport: Sendable {
    /// A set with the contents of another, which was applied once.
    public struct Duplicate: Sendable, Hashable {
        public var client: String
        public var identifier: String
        public var original: String
    }

    public struct Sent: Sendable, Hashable {
        public var identifier: String
        public var changes: Int
    }

    /// Edits of the document that were recorded, as sync changes.
    public var editsRecorded = 0
    /// What was tidied in the document before, in words.
    public var tidied: [String] = []
    public var setsFetched = 0
    public var setsApplied = 0
    public var changesApplied = 0
    /// Sets that were in the document already, and were applied once more because one came late that belongs before.
    public var setsAppliedAgain = 0
    public var duplicates: [Duplicate] = []
    public var badSets: [BadSet] = []
    /// Bad sets that somebody has taken out of the remote: they are waited for no longer.
    public var forgotten: [BadSet] = []
    /// Sets that wait behind a bad one.
    public var setsHeldBack = 0
    /// Entries among the sets that are none, by their paths in the remote.
    public var strays: [String] = []
    /// Folders that could not be listed, and files that are not here yet.
    public var problems: [FileProblem] = []
    public var conflicts = 0
    public var warnings = 0
    /// Conflicts and warnings, at most ``eventLimit``.
    public var events: [SyncEvent] = []
    public var sent: Sent?
    /// Changes of one's own that are not sent.
    public var changesWaiting = 0
    /// Whether this client told the others that it has synchronised.
    public var wroteRecentSync = false
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    public var isDryRun = false

    /// Events that are kept of one run.
    public static let eventLimit = 100_000

    /// Whether everything that the others sent is in the document.
    public var isComplete: Bool { badSets.isEmpty && setsHeldBack == 0 && problems.isEmpty }
}

/// What a run is to do.
public struct RunOptions: Sendable {
    public enum Direction: String, Sendable {
        case both, pull, push
    }

    public var direction = Direction.both
    public var isDryRun = false
    /// Instead of what the configuration says.
    public var onBadSet: ReplicaConfiguration.BadSetChoice?
    public var conflicts: ConflictPolicy?
    /// Seconds to wait for another program that is changing the remote.
    public var lockWait: Int64 = 0

    public init() {}
}

/// A conflict that a person is asked about.
public struct OpenConflict: Sendable, Hashable {
    public var conflict: SyncConflict
    /// Who changed the value elsewhere.
    public var client: String
    public var changeSet: String
}
