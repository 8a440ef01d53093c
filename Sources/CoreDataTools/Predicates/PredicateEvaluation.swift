internal import CoreDataStore
internal import KeyedArchive
internal import SystemCalls

extension ObjectPredicate {
    /// Whether the condition holds, for values that `values` finds for a key path.
    func holds(_ values: ([String]) -> [ArchivedValue]) -> Bool {
        switch self {
        case .constant(let truth): return truth
        case .not(let inner): return !inner.holds(values)
        case .and(let one, let other): return one.holds(values) && other.holds(values)
        case .or(let one, let other): return one.holds(values) || other.holds(values)
        case .comparison(let comparison): return comparison.holds(values)
        }
    }
}

extension ObjectPredicate.Comparison {
    fileprivate func holds(_ values: ([String]) -> [ArchivedValue]) -> Bool {
        let lefts = Self.values(left, values)
        let rights = Self.values(right, values)
        func one(_ value: ArchivedValue) -> Bool {
            if operation == .between || operation == .oneOf { return holds(value, among: rights) }
            return rights.contains { holds(value, $0) }
        }
        switch quantifier {
        case .one, .any: return lefts.contains(where: one)
        case .all: return lefts.allSatisfy(one)
        case .none: return !lefts.contains(where: one)
        }
    }

    private static func values(
        _ operand: ObjectPredicate.Operand, _ values: ([String]) -> [ArchivedValue]
    ) -> [ArchivedValue] {
        switch operand {
        case .keyPath(let path): values(path)
        case .value(let value): [value]
        case .list(let list): list
        }
    }

    private func holds(_ value: ArchivedValue, among list: [ArchivedValue]) -> Bool {
        guard operation == .between else { return list.contains { isEqual(value, $0) } }
        guard list.count == 2, let low = order(value, list[0]), let high = order(value, list[1]) else {
            return false
        }
        return low >= 0 && high <= 0
    }

    private func holds(_ left: ArchivedValue, _ right: ArchivedValue) -> Bool {
        switch operation {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .less: return order(left, right).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(left, right).map { $0 <= 0 } ?? false
        case .greater: return order(left, right).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(left, right).map { $0 >= 0 } ?? false
        case .between, .oneOf: return false
        case .like, .beginsWith, .endsWith, .contains:
            guard let text = folded(left), let part = folded(right) else { return false }
            switch operation {
            case .like: return Self.matches(text, part)
            case .beginsWith: return text.starts(with: part)
            case .endsWith: return text.reversed().starts(with: part.reversed())
            default: return Self.contains(text, part)
            }
        }
    }

    private func isEqual(_ left: ArchivedValue, _ right: ArchivedValue) -> Bool {
        if left.isNil || right.isNil { return left.isNil && right.isNil }
        if let one = folded(left), let other = folded(right) { return one == other }
        if let order = order(left, right) { return order == 0 }
        return left == right
    }

    /// Less than, equal to or greater than 0; nil for values without an order.
    private func order(_ left: ArchivedValue, _ right: ArchivedValue) -> Int? {
        if let one = folded(left), let other = folded(right) {
            return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
        }
        return left.numericOrder(right)
    }

    /// The scalars of a text as the options of the comparison see it; nil for another value. UUIDs and URLs are texts.
    private func folded(_ value: ArchivedValue) -> [Unicode.Scalar]? {
        var text: String
        switch value {
        case .string(let string), .url(let string): text = string
        case .uuid(let uuid): text = "\(uuid)"
        default: return nil
        }
        if ignoresCase { text = text.lowercased() }
        guard ignoresAccents else { return Array(text.unicodeScalars) }
        return text.scalarsWithoutAccents
    }

    private static func contains(_ text: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
        if part.isEmpty { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    /// `?` stands for one scalar, `*` for any number. Takes time in proportion to the product of the lengths.
    private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var (place, mark) = (0, 0)
        var star: Int?
        var next = 0
        while place < text.count {
            if next < pattern.count, pattern[next] == "*" {
                star = next
                mark = place
                next += 1
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place] {
                place += 1
                next += 1
            } else if let star {
                mark += 1
                place = mark
                next = star + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
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

    private var realNumber: Double? {
        switch self {
        case .real(let number): number
        case .decimal(let number): Double("\(number)")
        default: wholeNumber.map { Double($0) }
        }
    }
}
