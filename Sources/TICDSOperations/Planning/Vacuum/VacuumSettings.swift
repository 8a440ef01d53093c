import Base
public import SystemCalls
public import TICDSCore

/// The choices of the user for a vacuum.
public struct VacuumSettings: Sendable {
    /// The rule that decides which sets can be removed.
    public enum Rule: Sendable, Hashable {
        /// Removes sets that all clients and all whole stores are known to have: see ``VacuumPlanner``.
        case applied
        /// Removes what the framework's own vacuum removes (ticds-protocol(7), 1.9).
        case framework
    }

    /// Thirty days, in seconds.
    public static let defaultMargin: Int64 = 30 * 86_400

    /// The rule.
    public var rule = Rule.applied
    /// The time from which the margin counts back.
    public var now: FileTime
    /// Seconds that a set may take to reach all clients. No younger set is removed, except with the framework's rule.
    public var keepWithin = defaultMargin
    /// Whether only the whole store with the latest time counts, which new clients download by default
    /// (ticds-protocol(7), 1.7).
    public var countsNewestStoreOnly = false
    /// Clients whose sets may be removed; nil for all.
    public var clients: Set<RemoteName>?
    /// Clients that do not hold sets back.
    public var ignored: Set<RemoteName> = []
    /// Names, or paths inside the remote, of files that may be missing.
    public var allowed: Set<String> = []
    /// Whether to remove the remains of uploads as well.
    public var takesLeftovers = false

    /// Settings with the usual margin, which take no leftovers.
    public init(rule: Rule = .applied, now: FileTime) {
        self.rule = rule
        self.now = now
    }

    func isSelected(_ client: RemoteName) -> Bool { clients?.contains(client) ?? true }
}

extension FileTime {
    /// The time `distance` seconds earlier, or the earliest that can be expressed.
    func before(_ distance: Int64) -> FileTime {
        FileTime(seconds: seconds -| distance, nanoseconds: nanoseconds)
    }
}

/// The data that a vacuum reads besides the listing: the registers of applied change sets, which are never encrypted,
/// and the beginnings of files whose contents may not be local.
public struct VacuumSources: Sendable {
    let storage: any RemoteStorage
    /// Calls `body` with the identifier of every change set that a register names; throws if a line cannot be read.
    public var forEachApplied: @Sendable (RemotePath, _ body: (String) -> Void) throws(FileProblem) -> Void

    /// The damage of a whole store, because of which it cannot take the place of change sets; nil if there is none.
    var storeDamage: @Sendable (RemotePath) throws(FileProblem) -> FileProblem? = { _ in nil }

    /// Sources that read registers with `forEachApplied`, and everything else from `storage`.
    public init(
        _ storage: some RemoteStorage,
        forEachApplied: @escaping @Sendable (RemotePath, (String) -> Void) throws(FileProblem) -> Void
    ) {
        self.storage = storage
        self.forEachApplied = forEachApplied
    }

    /// The sources of a remote in a storage.
    public init(_ storage: any RemoteStorage) {
        self.init(storage) { file, body throws(FileProblem) in
            try ChangeSetRegister(file, in: storage).forEachChangeSet { line in
                if let identifier = line.identifier { body(identifier) }
            }
        }
        storeDamage = { path throws(FileProblem) in try WholeStoreDamage.first(at: path, in: storage) }
    }
}
