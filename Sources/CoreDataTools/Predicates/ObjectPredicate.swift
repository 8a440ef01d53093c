import CoreDataStore
public import KeyedArchive

/// A condition on the objects of a store: a part of the format strings of NSPredicate.
public indirect enum ObjectPredicate: Sendable, Hashable {
    /// Always true or always false.
    case constant(Bool)
    /// The opposite.
    case not(ObjectPredicate)
    /// Both.
    case and(ObjectPredicate, ObjectPredicate)
    /// At least one.
    case or(ObjectPredicate, ObjectPredicate)
    /// A comparison.
    case comparison(Comparison)

    /// How the values at the end of a to-many relationship count.
    public enum Quantifier: Sendable, Hashable {
        /// There is one value, not over a to-many relationship.
        case one
        /// At least one value of them.
        case any
        /// All of them; true without values.
        case all
        /// None of them.
        case none
    }

    /// What a comparison does.
    public enum Operator: Sendable, Hashable {
        /// Equality.
        case equal, notEqual
        /// The order of numbers, dates and texts.
        case less, lessOrEqual, greater, greaterOrEqual
        /// Between two values, both included.
        case between
        /// One of a list.
        case oneOf
        /// A pattern with `?` for one character and `*` for any number.
        case like
        /// A part of a text.
        case beginsWith, endsWith, contains
    }

    /// A side of a comparison.
    public enum Operand: Sendable, Hashable {
        /// The names of a relationship and so on, at the end an attribute, a relationship or `@count`.
        case keyPath([String])
        /// A value.
        case value(ArchivedValue)
        /// A list of values.
        case list([ArchivedValue])
    }

    /// A comparison of two sides.
    public struct Comparison: Sendable, Hashable {
        /// How several values of the left side count.
        public var quantifier: Quantifier
        /// The left side.
        public var left: Operand
        /// What is compared.
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

/// What is wrong with the text of a condition.
public struct PredicateProblem: Error, Hashable, Sendable {
    /// The offset in bytes from the start of the text.
    public var offset: Int
    /// A sentence without a full stop.
    public var problem: String
}
