import Base

/// A number, or a percentage of all.
public enum CountOrPercent: Sendable, Hashable {
    /// A number.
    case count(Int)
    /// A percentage, at most 100.
    case percent(Int)

    /// The value of `N` or `N%`; nil for any other text.
    public init?(_ text: String) {
        let isPercentage = text.hasSuffix("%")
        guard let number = Int(isPercentage ? text.dropLast() : text[...]), number >= 0 else { return nil }
        if isPercentage, number > 100 { return nil }
        self = isPercentage ? .percent(number) : .count(number)
    }

    /// The value as `N` or `N%`.
    public var text: String {
        switch self {
        case .count(let count): "\(count)"
        case .percent(let percent): "\(percent)%"
        }
    }

    /// The number out of `all`, rounded down; a plain number does not depend on `all`.
    public func count(of all: Int) -> Int {
        switch self {
        case .count(let count): count
        case .percent(let percent): all *| percent / 100
        }
    }
}
