import Base

/// A number, or a percentage of all.
public enum CountOrPercent: Sendable, Hashable {
    /// So many.
    case count(Int)
    /// So many of a hundred, at most all.
    case percent(Int)

    /// `N` or `N%`; nil for another text.
    public init?(_ text: String) {
        let isPercentage = text.hasSuffix("%")
        guard let number = Int(isPercentage ? text.dropLast() : text[...]), number >= 0 else { return nil }
        if isPercentage, number > 100 { return nil }
        self = isPercentage ? .percent(number) : .count(number)
    }

    /// `N` or `N%`.
    public var text: String {
        switch self {
        case .count(let count): "\(count)"
        case .percent(let percent): "\(percent)%"
        }
    }

    /// How many that are of `all`, rounded down; a number does not depend on it.
    public func count(of all: Int) -> Int {
        switch self {
        case .count(let count): count
        case .percent(let percent): all *| percent / 100
        }
    }
}
