public import KeyedArchive
import Synchronization

/// The reason why the fast check of a change set was not enough, so that the whole set was decoded.
public enum SlowReason: Sendable, Hashable, Comparable {
    /// The keyed archive is not in a form that the fast check knows.
    case unfamiliar(UnfamiliarArchive.Reason)
    /// The set is an SQLite store.
    case sqlite
    /// The header, a change, or a place that no reader uses has a fault, or the set was written with a different model.
    case finding

    /// The reason in one word, for output.
    public var name: String {
        switch self {
        case .unfamiliar(let reason): reason.rawValue
        case .sqlite: "sqlite"
        case .finding: "finding"
        }
    }

    /// The names of all reasons.
    public static let names = UnfamiliarArchive.Reason.allCases.map(\.rawValue) + ["sqlite", "finding"]

    /// Sorts by name.
    public static func < (one: SlowReason, other: SlowReason) -> Bool { one.name < other.name }
}

/// Counts the files of a verification for which the fast check was not enough.
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
