public import TICDSCore

/// What a replay did, and what it could not apply.
public struct ReplayRecord: Sendable {
    /// A notice, and the change that caused it.
    public struct PlacedNotice: Sendable, Hashable {
        /// Identifier of the author of the change.
        public var client: String
        /// Identifier of its change set.
        public var changeSet: String
        /// Position of the change in the order of application within its set, from 1; 0 for the set as a whole.
        public var sequence: Int
        /// The warning or problem.
        public var notice: SyncNotice
    }

    /// The notices of one kind.
    public struct Notices: Sendable {
        /// How many there were.
        public var count = 0
        /// The first of them, at most ``noticeLimit``.
        public var first: [PlacedNotice] = []
    }

    /// Sets that were applied.
    public var setsApplied = 0
    /// The sets that were applied, as lines of a register without a time of application.
    public var appliedSets: [RegisteredChangeSet] = []
    /// Sets that the store already contained.
    public var setsInStore = 0
    /// Sets that were skipped because of their client.
    public var setsOfOthers = 0
    /// Sets that were skipped because they are not older than ``Replay/until``.
    public var setsAfterwards = 0
    /// Sets that could not be opened. A single change that could not be read is counted in `notices`.
    public var setsUnreadable = 0
    /// Changes in the sets that were opened.
    public var changesRead = 0
    /// Changes that took effect.
    public var changesApplied = 0
    /// The notices by kind.
    public var notices: [SyncNotice.Kind: Notices] = [:]

    /// How many notices of one kind are kept.
    public static let noticeLimit = 100

    /// An empty record.
    public init() {}

    mutating func add(_ notice: SyncNotice, client: String, changeSet: String, sequence: Int) {
        notices[notice.kind, default: Notices()].count += 1
        guard notices[notice.kind]?.first.count ?? 0 < Self.noticeLimit else { return }
        notices[notice.kind]?.first.append(
            PlacedNotice(client: client, changeSet: changeSet, sequence: sequence, notice: notice))
    }

    /// Whether the store lacks something that a change set contains, or may contain: it could not be read, or the store
    /// refused it.
    public var isPartial: Bool {
        let kinds: [SyncNotice.Kind] = [
            .withoutSyncID, .unknownEntity, .unknownProperty, .refused, .deletionDenied, .unknownType,
            .unreadableChange, .unreadableSet,
        ]
        return kinds.contains { notices[$0] != nil }
    }
}
