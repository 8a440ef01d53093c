import KeyedArchive
public import SystemCalls

/// What is to go, and what is to be thought of it.
public struct VacuumSettings: Sendable {
    /// By what is decided which sets can go.
    public enum Rule: Sendable, Hashable {
        /// Sets that every client and every whole store is known to have: see ``VacuumPlanner``.
        case applied
        /// What the framework's own vacuum removes (ticds-protocol(7), 4.9).
        case framework
    }

    /// Thirty days, in seconds.
    public static let defaultMargin: Int64 = 30 * 86_400

    /// The rule to go by.
    public var rule = Rule.applied
    /// The time from which the margin counts back.
    public var now: FileTime
    /// Seconds that a set may take to reach everybody; none goes before. Without meaning to the framework's rule.
    public var keepWithin = defaultMargin
    /// Of the whole stores, only that with the latest time counts: the one that the framework takes of itself
    /// (ticds-protocol(7), 4.7).
    public var countsNewestStoreOnly = false
    /// Whose sets may go; nil for everybody's.
    public var clients: Set<RemoteName>?
    /// Clients that hold nothing back.
    public var ignored: Set<RemoteName> = []
    /// Names, or paths inside the remote, of files without which to go on.
    public var allowed: Set<String> = []
    /// Whether what uploads left behind goes, too.
    public var takesLeftovers = false

    /// Settings with the usual margin, which take no leftovers.
    public init(rule: Rule = .applied, now: FileTime) {
        self.rule = rule
        self.now = now
    }

    func isSelected(_ client: RemoteName) -> Bool { clients?.contains(client) ?? true }
}

extension FileTime {
    /// The time so many seconds before, or as early as can be told.
    func before(_ distance: Int64) -> FileTime {
        FileTime(seconds: seconds -| distance, nanoseconds: nanoseconds)
    }
}

/// What a vacuum reads besides the listing: the registers of applied change sets, which are never encrypted, and the
/// beginning of files whose content may not be here.
public struct VacuumSources: Sendable {
    let storage: any RemoteStorage
    /// Hands out the identifier of every change set that a register names, and throws where one line cannot be read.
    public var forEachApplied: @Sendable (RemotePath, _ body: (String) -> Void) throws(FileProblem) -> Void

    /// Sources that read registers with `forEachApplied`, and all else in `storage`.
    public init(
        _ storage: some RemoteStorage,
        forEachApplied: @escaping @Sendable (RemotePath, (String) -> Void) throws(FileProblem) -> Void
    ) {
        self.storage = storage
        self.forEachApplied = forEachApplied
    }

    /// The registers of a remote on this machine.
    public init(_ storage: any RemoteStorage) {
        self.init(storage) { file, body throws(FileProblem) in
            try ChangeSetRegister(file, in: storage).forEachChangeSet { line in
                if let identifier = line.identifier { body(identifier) }
            }
        }
    }
}
