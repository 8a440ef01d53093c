import CoreDataStore
public import KeyedArchive

/// A condition on the objects of a store: a part of the format strings of NSPredicate.
public indirect enum ObjectPredicate: Sendable, Hashable {
    /// Always true or always false.
    case constant(Bool)
    /// The negation of a condition.
    case not(ObjectPredicate)
    /// The conjunction of two conditions.
    case and(ObjectPredicate, ObjectPredicate)
    /// The disjunction of two conditions.
    case or(ObjectPredicate, ObjectPredicate)
    /// A comparison.
    case comparison(Comparison)

    /// The rule for several values at the end of a to-many relationship.
    public enum Quantifier: Sendable, Hashable {
        /// There is only one value; the path has no to-many relationship.
        case one
        /// At least one value.
        case any
        /// All values; true without values.
        case all
        /// No value.
        case none
    }

    /// The operation of a comparison.
    public enum Operator: Sendable, Hashable {
        /// Equality.
        case equal, notEqual
        /// The order of numbers, dates and texts.
        case less, lessOrEqual, greater, greaterOrEqual
        /// Between two values, both included.
        case between
        /// A member of a list.
        case oneOf
        /// A pattern with `?` for one character and `*` for any number.
        case like
        /// A part of a text.
        case beginsWith, endsWith, contains
    }

    /// A side of a comparison.
    public enum Operand: Sendable, Hashable {
        /// A path of names of relationships, with an attribute, a relationship or `@count` at the end.
        case keyPath([String])
        /// A value.
        case value(ArchivedValue)
        /// A list of values.
        case list([ArchivedValue])
    }

    /// A comparison of two sides.
    public struct Comparison: Sendable, Hashable {
        /// The rule for several values of the left side.
        public var quantifier: Quantifier
        /// The left side.
        public var left: Operand
        /// The operation.
        public var operation: Operator
        /// The right side.
        public var right: Operand
        /// Whether the case of letters does not count: `[c]`.
        public var ignoresCase: Bool
        /// Whether accents do not count: `[d]`.
        public var ignoresAccents: Bool
    }

    /// The key paths in the condition.
    public var keyPaths: [[String]] {
        switch self {
        case .constant: []
        case .not(let inner): inner.keyPaths
        case .and(let one, let other), .or(let one, let other): one.keyPaths + other.keyPaths
        case .comparison(let comparison):
            [comparison.left, comparison.right].compactMap {
                if case .keyPath(let path) = $0 { path } else { nil }
            }
        }
    }

    /// The comparisons in the condition.
    var comparisons: [Comparison] {
        switch self {
        case .constant: []
        case .not(let inner): inner.comparisons
        case .and(let one, let other), .or(let one, let other): one.comparisons + other.comparisons
        case .comparison(let comparison): [comparison]
        }
    }
}

/// A problem in the text of a condition.
public struct PredicateProblem: Error, Hashable, Sendable {
    /// The offset in bytes from the start of the text.
    public var offset: Int
    /// The problem: a sentence without a full stop.
    public var problem: String
}
