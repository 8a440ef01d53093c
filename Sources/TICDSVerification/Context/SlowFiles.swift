public import KeyedArchive
import Synchronization

/// Why the fast check of a change set was not enough, so that the whole set was decoded.
public enum SlowReason: Sendable, Hashable, Comparable {
    /// The archive is not in a form that the fast check knows.
    case unfamiliar(UnfamiliarArchive.Reason)
    /// The set is an SQLite store.
    case sqlite
    /// Something is wrong with the header, with a change, or with a place that no reader looks at, or the set is of
    /// another model.
    case finding

    /// A word for output.
    public var name: String {
        switch self {
        case .unfamiliar(let reason): reason.rawValue
        case .sqlite: "sqlite"
        case .finding: "finding"
        }
    }

    /// All words.
    public static let names = UnfamiliarArchive.Reason.allCases.map(\.rawValue) + ["sqlite", "finding"]

    /// By name.
    public static func < (one: SlowReason, other: SlowReason) -> Bool { one.name < other.name }
}

/// Counts the files of a verification that the fast check was not enough for.
final class SlowFiles: Sendable {
    private let counts = Mutex<[SlowReason: Int]>([:])

    func note(_ reason: SlowReason) { counts.withLock { $0[reason, default: 0] += 1 } }

    /// The counts since the last call, by name.
    func take() -> [(reason: SlowReason, count: Int)] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts.sorted { $0.key < $1.key }.map { (reason: $0.key, count: $0.value) }
        }
    }
}
