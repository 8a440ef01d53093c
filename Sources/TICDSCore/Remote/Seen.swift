public import SystemCalls

/// A value that was read completely, or in part with the reason. Code that decides asks for ``whole``, which throws;
/// code that shows takes ``part`` and marks it.
public enum Seen<Value> {
    /// The complete value, which may be empty.
    case all(Value)
    /// The part that could be listed or read, and the reason why there may be more.
    case some(Value, FileProblem)

    /// - Parameter problem: the reason why there may be more; nil if there is none.
    public init(_ value: Value, _ problem: FileProblem?) {
        self = problem.map { .some(value, $0) } ?? .all(value)
    }

    /// The value as far as it was read, whether or not that is all.
    public var part: Value {
        switch self {
        case .all(let value), .some(let value, _): value
        }
    }

    /// The complete value.
    /// - Throws: the reason why there may be more than was seen.
    public var whole: Value {
        get throws(FileProblem) {
            if let problem { throw problem }
            return part
        }
    }

    /// The complete value; nil if there may be more.
    public var known: Value? { isWhole ? part : nil }

    /// The reason why there may be more; nil if everything was seen.
    public var problem: FileProblem? {
        if case .some(_, let problem) = self { problem } else { nil }
    }

    /// Whether everything was seen.
    public var isWhole: Bool { problem == nil }

    /// Applies `body` to the value, and keeps the problem.
    public func map<Other>(_ body: (Value) -> Other) -> Seen<Other> { Seen<Other>(body(part), problem) }
}

extension Seen: Sendable where Value: Sendable {}

extension Seen: Equatable where Value: Equatable {}
extension Seen: Hashable where Value: Hashable {}

extension Seen where Value: ExpressibleByNilLiteral & Equatable {
    /// Whether the entry or file is known not to exist: it is neither unlisted nor undelivered.
    public var isMissing: Bool { isWhole && part == Value(nilLiteral: ()) }
}
