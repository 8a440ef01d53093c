public import TICDSCore
/// What a replay did, and what stood in its way.
public struct ReplayRecord: Sendable {
    /// A notice and where it came up.
    public struct PlacedNotice: Sendable, Hashable {
        /// Identifier of the author of the change.
        public var client: String
        /// Identifier of its change set.
        public var changeSet: String
        /// Position of the change in the order of application within its set, from 1; 0 for the set as a whole.
        public var sequence: Int
        /// What came up.
        public var notice: SyncNotice
    }

    /// Notices of one kind: how many, and the first of them.
    public struct Notices: Sendable {
        /// How many there were.
        public var count = 0
        /// The first of them, at most ``noticeLimit``.
        public var first: [PlacedNotice] = []
    }

    /// Sets that were applied.
    public var setsApplied = 0
    /// The sets that were applied, as lines of a register, without the time of it.
    public var appliedSets: [RegisteredChangeSet] = []
    /// Sets that the store had already.
    public var setsInStore = 0
    /// Sets of clients that are left out.
    public var setsOfOthers = 0
    /// Sets that are as late as the bound or later.
    public var setsAfterwards = 0
    /// Sets that could not be opened; single changes that could not be read are among the notices.
    public var setsUnreadable = 0
    /// Changes in the sets that were opened.
    public var changesRead = 0
    /// Changes that took effect.
    public var changesApplied = 0
    /// What came up, by kind.
    public var notices: [SyncNotice.Kind: Notices] = [:]

    /// Notices of one kind that are kept with their places.
    public static let noticeLimit = 100

    /// Nothing done yet.
    public init() {}

    mutating func add(_ notice: SyncNotice, client: String, changeSet: String, sequence: Int) {
        notices[notice.kind, default: Notices()].count += 1
        guard notices[notice.kind]?.first.count ?? 0 < Self.noticeLimit else { return }
        notices[notice.kind]?.first.append(
            PlacedNotice(client: client, changeSet: changeSet, sequence: sequence, notice: notice))
    }

    /// Whether something was left out that a change set asks for, or may ask for: it could not be read, or the store
    /// cannot have it.
    public var isPartial: Bool {
        let kinds: [SyncNotice.Kind] = [
            .withoutSyncID, .unknownEntity, .unknownProperty, .refused, .deletionDenied, .unknownType,
            .unreadableChange, .unreadableSet,
        ]
        return kinds.contains { notices[$0] != nil }
    }
}
