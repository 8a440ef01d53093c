import Base

internal import CoreDataStore
internal import KeyedArchive
internal import SystemCalls

/// Evaluates a condition on one object after another. Texts in the condition are prepared once. For a path over to-many
/// relationships the result at each object on the way is cached, so that the work grows with the number of links and
/// not with the number of ways over them.
struct PredicateEvaluation {
    private indirect enum Node {
        case constant(Bool)
        case not(Node)
        case and(Node, Node)
        case or(Node, Node)
        case comparison(Int)
    }

    private let root: Node
    private var comparisons: [ComparisonEvaluation] = []
    /// The work so far, in steps of a few instructions.
    private(set) var steps = 0

    /// The largest amount of work, which takes seconds of processor time.
    static let stepLimit = 4_000_000_000

    init(_ predicate: ObjectPredicate) {
        var comparisons: [ComparisonEvaluation] = []
        func node(_ predicate: ObjectPredicate) -> Node {
            switch predicate {
            case .constant(let truth): return .constant(truth)
            case .not(let inner): return .not(node(inner))
            case .and(let one, let other): return .and(node(one), node(other))
            case .or(let one, let other): return .or(node(one), node(other))
            case .comparison(let comparison):
                comparisons.append(ComparisonEvaluation(comparison))
                return .comparison(comparisons.count - 1)
            }
        }
        root = node(predicate)
        self.comparisons = comparisons
    }

    /// Whether the condition holds for an object.
    mutating func holds(_ object: StoredObject, _ ends: QueriedEnds) -> Bool { holds(root, object, ends) }

    private mutating func holds(_ node: Node, _ object: StoredObject, _ ends: QueriedEnds) -> Bool {
        switch node {
        case .constant(let truth): truth
        case .not(let inner): !holds(inner, object, ends)
        case .and(let one, let other): holds(one, object, ends) && holds(other, object, ends)
        case .or(let one, let other): holds(one, object, ends) || holds(other, object, ends)
        case .comparison(let number): comparisons[number].holds(object, ends, &steps)
        }
    }
}

/// The evaluation of one comparison.
private struct ComparisonEvaluation {
    /// A value on the right side.
    private struct Side {
        let value: ArchivedValue
        let text: ComparedText?
        /// The text ignoring case, for UUIDs.
        let textWithoutCase: ComparedText?

        init(_ value: ArchivedValue, _ comparison: ObjectPredicate.Comparison) {
            self.value = value
            text = ComparedText(value, comparison, isRight: true)
            var other = comparison
            other.ignoresCase = true
            textWithoutCase = text.flatMap { _ in ComparedText(value, other, isRight: true) }
        }
    }

    /// An object on the way of the path.
    private struct Visit: Hashable {
        var place: Int
        var root: String
        var key: Int64
    }

    /// A key that equal values share, to find them in a long list.
    private enum Key: Hashable {
        case text([Unicode.Scalar])
        case number(Double)
        case date(Double)
    }

    private let comparison: ObjectPredicate.Comparison
    /// The values of the right side; nil if it is a path.
    private let rights: [Side]?
    /// The positions of the values of a list.
    private var listed: [Key: [Int]] = [:]
    private var found: [Visit: Bool] = [:]

    init(_ comparison: ObjectPredicate.Comparison) {
        self.comparison = comparison
        switch comparison.right {
        case .keyPath: rights = nil
        case .value(let value): rights = [Side(value, comparison)]
        case .list(let values):
            let sides = values.map { Side($0, comparison) }
            rights = sides
            guard comparison.operation == .oneOf else { return }
            for (place, side) in sides.enumerated() {
                let texts = [side.text, side.textWithoutCase].compactMap(\.self)
                for key in texts.map({ .text($0.scalars) }) + [Self.key(side.value)].compactMap(\.self) {
                    listed[key, default: []].append(place)
                }
            }
        }
    }

    private static func key(_ value: ArchivedValue) -> Key? {
        if case .date(let seconds) = value { return .date(seconds) }
        return value.realNumber.map { .number($0) }
    }

    mutating func holds(_ object: StoredObject, _ ends: QueriedEnds, _ steps: inout Int) -> Bool {
        let isAll = comparison.quantifier == .all
        let holds: Bool
        switch (comparison.left, rights) {
        case (.keyPath(let path), let rights?):
            holds = follow(path, 0, object, ends, rights, isAll, &steps)
        case (.keyPath(let path), nil):
            let rights = sides(of: object, ends)
            let lefts = ends.distinctValues(path, of: object, &steps)
            holds =
                isAll
                ? lefts.allSatisfy { test($0, rights, &steps) } : lefts.contains { test($0, rights, &steps) }
        case (.value(let value), let rights): holds = test(value, rights ?? sides(of: object, ends), &steps)
        case (.list, _): holds = false
        }
        return comparison.quantifier == .none ? !holds : holds
    }

    private func sides(of object: StoredObject, _ ends: QueriedEnds) -> [Side] {
        guard case .keyPath(let path) = comparison.right else { return [] }
        return ends.values(path[...], of: object).map { Side($0, comparison) }
    }

    /// Whether one or all of the values at the end of a path match, from the object at a position of it.
    private mutating func follow(
        _ path: [String], _ place: Int, _ object: StoredObject, _ ends: QueriedEnds, _ rights: [Side],
        _ isAll: Bool, _ steps: inout Int
    ) -> Bool {
        switch ends.end(of: path[place...], of: object) {
        case .value(let value): return test(value, rights, &steps)
        case .objects(let name, let keys):
            for key in keys {
                steps += 16
                let holds = follow(path, place + 1, key, name, object, ends, rights, isAll, &steps)
                if holds != isAll { return holds }
            }
            return isAll
        }
    }

    private mutating func follow(
        _ path: [String], _ place: Int, _ key: Int64, _ name: String, _ object: StoredObject,
        _ ends: QueriedEnds, _ rights: [Side], _ isAll: Bool, _ steps: inout Int
    ) -> Bool {
        guard place < path.count else { return test(.integer(Int128(key)), rights, &steps) }
        guard let root = ends.root(of: name, from: object), let next = ends.object(key, root) else {
            return test(.none, rights, &steps)
        }
        // One object leads to one value; only with several are there more ways than links.
        guard comparison.quantifier != .one else {
            return follow(path, place, next, ends, rights, isAll, &steps)
        }
        let visit = Visit(place: place, root: root, key: key)
        if let known = found[visit] { return known }
        let holds = follow(path, place, next, ends, rights, isAll, &steps)
        found[visit] = holds
        return holds
    }

    private func test(_ value: ArchivedValue, _ rights: [Side], _ steps: inout Int) -> Bool {
        let value = ComparedValue(value, comparison)
        steps += 1
        switch comparison.operation {
        case .oneOf: return isListed(value, rights, &steps)
        case .between:
            guard rights.count == 2, let low = value.order(rights[0]), let high = value.order(rights[1])
            else { return false }
            return low >= 0 && high <= 0
        case .equal: return rights.contains(where: value.isEqual)
        case .notEqual: return rights.contains { !value.isEqual($0) }
        case .less: return rights.contains { value.order($0).map { $0 < 0 } ?? false }
        case .lessOrEqual: return rights.contains { value.order($0).map { $0 <= 0 } ?? false }
        case .greater: return rights.contains { value.order($0).map { $0 > 0 } ?? false }
        case .greaterOrEqual: return rights.contains { value.order($0).map { $0 >= 0 } ?? false }
        case .like, .beginsWith, .endsWith, .contains:
            for side in rights {
                guard let (text, other) = value.texts(side), let pattern = other.pattern else { continue }
                if pattern.matches(text.scalars, &steps) { return true }
            }
            return false
        }
    }

    private func isListed(_ value: ComparedValue, _ rights: [Side], _ steps: inout Int) -> Bool {
        guard let key = value.text.map({ .text($0.scalars) }) ?? Self.key(value.value) else {
            return rights.contains(where: value.isEqual)
        }
        let places = listed[key] ?? []
        steps += places.count
        return places.contains { value.isEqual(rights[$0]) }
    }

    /// A value on the left side.
    private struct ComparedValue {
        let value: ArchivedValue
        let text: ComparedText?
        private let comparison: ObjectPredicate.Comparison

        init(_ value: ArchivedValue, _ comparison: ObjectPredicate.Comparison) {
            self.value = value
            self.comparison = comparison
            text = ComparedText(value, comparison, isRight: false)
        }

        /// Both sides as texts; the case of a UUID does not matter.
        func texts(_ side: Side) -> (ComparedText, ComparedText)? {
            guard let text, let other = side.text else { return nil }
            if case .uuid = value { return side.textWithoutCase.map { (text, $0) } }
            guard case .uuid = side.value else { return (text, other) }
            var comparison = comparison
            comparison.ignoresCase = true
            return ComparedText(value, comparison, isRight: false).map { ($0, other) }
        }

        func order(_ side: Side) -> Int? {
            texts(side).map { $0.order($1) } ?? value.numericOrder(side.value)
        }

        func isEqual(_ side: Side) -> Bool {
            if value.isNil || side.value.isNil { return value.isNil && side.value.isNil }
            return order(side).map { $0 == 0 } ?? (value == side.value)
        }
    }
}

/// A text under the options of a comparison. Composed and decomposed spellings of a letter with accents are the same.
private struct ComparedText {
    let scalars: [Unicode.Scalar]
    /// The pattern, for the right side of a comparison of parts.
    let pattern: TextPattern?

    /// Prepares a value; nil for a value that is not a text. UUIDs and URLs are texts.
    init?(_ value: ArchivedValue, _ comparison: ObjectPredicate.Comparison, isRight: Bool) {
        var text: String
        var ignoresCase = comparison.ignoresCase
        switch value {
        case .string(let string), .url(let string): text = string
        case .uuid(let uuid):
            text = "\(uuid)"
            ignoresCase = true
        default: return nil
        }
        if ignoresCase { text = text.lowercased() }
        scalars = comparison.ignoresAccents ? text.scalarsWithoutAccents : text.composedScalars
        let isOfParts = [.like, .beginsWith, .endsWith, .contains].contains(comparison.operation)
        pattern = isRight && isOfParts ? TextPattern(scalars, comparison.operation) : nil
    }

    func order(_ other: ComparedText) -> Int {
        scalars == other.scalars ? 0 : scalars.lexicographicallyPrecedes(other.scalars) ? -1 : 1
    }
}

extension ArchivedValue {
    /// The order of two numbers or two dates; nil for other values and NaN.
    func numericOrder(_ other: ArchivedValue) -> Int? {
        if case .date(let one) = self, case .date(let two) = other { return Self.order(one, two) }
        if let one = wholeNumber, let two = other.wholeNumber { return Self.order(one, two) }
        guard let one = realNumber, let two = other.realNumber else { return nil }
        return Self.order(one, two)
    }

    private static func order<Number: Comparable>(_ one: Number, _ two: Number) -> Int? {
        if one < two { return -1 }
        if one > two { return 1 }
        return one == two ? 0 : nil
    }

    private var wholeNumber: Int128? {
        switch self {
        case .integer(let number): number
        case .boolean(let truth): truth ? 1 : 0
        default: nil
        }
    }

    fileprivate var realNumber: Double? {
        switch self {
        case .real(let number): number
        case .decimal(let number): Double("\(number)")
        default: wholeNumber.map { Double($0) }
        }
    }
}
