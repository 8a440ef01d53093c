public import KeyedArchive

/// Counts of changes, and the largest values among them.
public struct ChangeStatistics: Sendable, Hashable {
    /// One of the largest values.
    public struct LargeValue: Sendable, Hashable {
        /// Size of its text in UTF-8 or of its data, in bytes.
        public var bytes: Int
        /// Name of the attribute.
        public var key: String
        /// The change that has the value.
        public var record: ChangeRecord
    }

    /// The number of changes.
    public private(set) var count = 0
    /// The number of changes, by name of the entity.
    public private(set) var byEntity: [String: Int] = [:]
    /// The number of changes, by name of the type; see `ChangeType.name`.
    public private(set) var byType: [String: Int] = [:]
    /// The number of changes, by identifier of the client; changes of files outside a remote are left out.
    public private(set) var byClient: [String: Int] = [:]
    /// The number of changes, by day of the author's timestamp, as days since 2001-01-01 UTC.
    public private(set) var byDay: [Int: Int] = [:]
    /// The largest values, largest first.
    public private(set) var largest: [LargeValue] = []
    private let limit: Int

    /// Statistics that keep the `limit` largest values.
    public init(largest limit: Int = 10) { self.limit = limit }

    /// Counts one change.
    public mutating func add(_ record: ChangeRecord) {
        let change = record.change
        count += 1
        byEntity[change.entity, default: 0] += 1
        byType[change.type.name, default: 0] += 1
        if let client = record.client { byClient[client, default: 0] += 1 }
        // bounded: a fraction has no least number
        if let seconds = change.timestamp, seconds.isFinite, abs(seconds) < 1e12 {
            // bounded: below 1e12, as said above
            byDay[Int((seconds / 86_400).rounded(.down)), default: 0] += 1
        }
        switch change.type {
        case .insert:
            for pair in change.changedAttributes.pairs ?? [] {
                weigh(pair.value, pair.key.stringValue ?? "?", record)
            }
        case .attribute: weigh(change.changedAttributes, change.key ?? "?", record)
        default: break
        }
    }

    private mutating func weigh(_ value: ArchivedValue, _ key: String, _ record: ChangeRecord) {
        let bytes = value.payloadSize
        guard bytes > 0, largest.count < limit || bytes > largest.last?.bytes ?? 0 else { return }
        let place = largest.firstIndex { $0.bytes < bytes } ?? largest.count
        var light = record
        light.change.changedAttributes = .none
        largest.insert(LargeValue(bytes: bytes, key: key, record: light), at: place)
        if largest.count > limit { largest.removeLast() }
    }
}

extension ArchivedValue {
    /// The size of the texts and data in the value, in bytes.
    public var payloadSize: Int {
        switch self {
        case .string(let text), .url(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array(let members), .set(let members), .orderedSet(let members):
            members.reduce(0) { $0 + $1.payloadSize }
        case .dictionary(let pairs): pairs.reduce(0) { $0 + $1.key.payloadSize + $1.value.payloadSize }
        case .attributedString(let text):
            text.string.utf8.count + text.attributes.reduce(0) { $0 + $1.payloadSize }
        case .object(let object): object.fields.reduce(0) { $0 + $1.value.payloadSize }
        default: 0
        }
    }
}

/// The amount of changes of each entity: changes by kind, and the bytes of their values.
public struct EntityChanges: Sendable, Hashable {
    /// The counts of one entity.
    public struct Counts: Sendable, Hashable {
        /// The number of changes, by the name of the type: insert, attribute, toOne, addToMany, removeFromMany, delete,
        /// unknown.
        public var byType: [String: Int] = [:]
        /// Bytes of texts and data among the values.
        public var bytes = 0

        /// The number of changes of all types.
        public var changes: Int { byType.values.reduce(0, +) }
    }

    /// The counts, by name of the entity.
    public private(set) var entities: [String: Counts] = [:]

    /// Counts without changes.
    public init() {}

    /// Counts one change.
    public mutating func add(_ change: SyncChange) {
        entities[change.entity, default: Counts()].byType[change.type.name, default: 0] += 1
        entities[change.entity]?.bytes += change.changedAttributes.payloadSize
    }

    /// The number of changes of all entities.
    public var total: Int { entities.values.reduce(0) { $0 + $1.changes } }

    /// The entities with the most changes first, then by name.
    public var largestFirst: [(entity: String, counts: Counts)] {
        entities.map { ($0.key, $0.value) }.sorted { one, other in
            let (first, second) = (one.1.changes, other.1.changes)
            return first == second ? one.0 < other.0 : first > second
        }
    }
}
