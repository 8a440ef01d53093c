public import SystemCalls

/// A value that was read wholly, or in part, with the reason. Code that decides asks for ``whole``, which throws; code
/// that shows takes ``part`` and marks it.
public enum Seen<Value> {
    /// Everything that there is; nothing, where there is nothing.
    case all(Value)
    /// The part that could be listed or read, and why there may be more.
    case some(Value, FileProblem)

    /// - Parameter problem: why there may be more; nil where there is not.
    public init(_ value: Value, _ problem: FileProblem?) {
        self = problem.map { .some(value, $0) } ?? .all(value)
    }

    /// The value as far as it was read, whether or not that is all.
    public var part: Value {
        switch self {
        case .all(let value), .some(let value, _): value
        }
    }

    /// Everything.
    /// - Throws: why there may be more than was seen.
    public var whole: Value {
        get throws(FileProblem) {
            if let problem { throw problem }
            return part
        }
    }

    /// Everything; nil where there may be more.
    public var known: Value? { isWhole ? part : nil }

    /// Why there may be more; nil where everything was seen.
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
    /// Whether there is no such entry or file: not one that could not be listed, nor one that a service has not delivered.
    public var isMissing: Bool { isWhole && part == Value(nilLiteral: ()) }
}
