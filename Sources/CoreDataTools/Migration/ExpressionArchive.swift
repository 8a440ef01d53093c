import Base
import CoreDataStore
import KeyedArchive

/// Reads the expressions and predicates of a keyed archive.
///
/// A small archive can describe a huge expression by many references to one object; every visit counts.
struct ExpressionArchive {
    var archive: ModelArchive
    /// The number of expressions and predicates that may still be read.
    private(set) var left: Int

    /// The largest number of expressions and predicates in a mapping model, and their largest depth.
    static let countLimit = 200_000
    private static let depthLimit = 64

    init(_ archive: ModelArchive, left: Int = countLimit) {
        self.archive = archive
        self.left = left
    }

    /// The expression that is the root of an archive.
    mutating func root() throws(PropertyListError) -> ArchivedExpression {
        try expression(try archive.reader.root(), 0)
    }

    /// The expression in a field; nil if there is none.
    mutating func expression(
        _ name: StaticString, of owner: ArchivedReference, _ depth: Int = 0
    ) throws(PropertyListError) -> ArchivedExpression? {
        guard let reference = try archive.object(name, of: owner) else { return nil }
        return try expression(reference, depth)
    }

    private mutating func enter(_ reference: ArchivedReference, _ depth: Int) throws(PropertyListError) {
        left -= 1  // bounded: at most to -1
        guard left >= 0, depth < Self.depthLimit else {
            throw archive.failure(
                reference, expected: "an expression within the limits of the reader",
                found: left < 0 ? "too many parts" : "more than \(Self.depthLimit) levels")
        }
    }

    private mutating func needed(
        _ name: StaticString, _ words: String, of owner: ArchivedReference, _ depth: Int
    ) throws(PropertyListError) -> ArchivedExpression {
        guard let found = try expression(name, of: owner, depth) else {
            throw archive.failure(owner, expected: words, found: "none")
        }
        return found
    }

    private mutating func list(
        _ name: StaticString, of owner: ArchivedReference, _ depth: Int
    ) throws(PropertyListError) -> [ArchivedExpression] {
        var found: [ArchivedExpression] = []
        for element in try archive.elements(name, of: owner) {
            found.append(try expression(element, depth))
        }
        return found
    }

    private mutating func expression(
        _ reference: ArchivedReference, _ depth: Int
    ) throws(PropertyListError) -> ArchivedExpression {
        try enter(reference, depth)
        let name = try archive.className(of: reference)
        switch name {
        case "NSConstantValueExpression":
            if let name = try archive.text("NSConstantValueClassName", of: reference) {
                return .constantClass(name)
            }
            return .constant(try archive.smallValue("NSConstantValue", of: reference) ?? .none)
        case "NSSelfExpression": return .evaluatedObject
        case "NSVariableExpression":
            return .variable(try text("NSVariable", "the name of a variable", of: reference))
        case "NSKeyPathSpecifierExpression":
            return .keyPath(try text("NSKeyPath", "a key path", of: reference))
        case "NSKeyPathExpression", "NSFunctionExpression":
            if let path = try archive.text("NSKeyPath", of: reference) { return .keyPath(path) }
            let selector = try text("NSSelectorName", "a selector", of: reference)
            let receiver = try needed("NSOperand", "the receiver of a function", of: reference, depth + 1)
            return .function(
                receiver, selector: selector, try list("NSArguments", of: reference, depth + 1))
        case "NSAggregateExpression": return .list(try list("NSCollection", of: reference, depth + 1))
        case "NSTernaryExpression":
            guard let condition = try archive.object("NSPredicate", of: reference) else {
                throw archive.failure(reference, expected: "the condition of a TERNARY", found: "none")
            }
            let predicate = try predicate(condition, depth + 1)
            let first = try needed("NSTrueExpression", "the value of a TERNARY", of: reference, depth + 1)
            let second = try needed("NSFalseExpression", "the value of a TERNARY", of: reference, depth + 1)
            guard let predicate else { return .other("a TERNARY with a condition that is not known here") }
            return .conditional(predicate, first, second)
        case "NSFetchRequestExpression":
            return .fetch(
                request: try needed("NSFRExpression", "a fetch request", of: reference, depth + 1),
                context: try needed("NSMOCExpression", "the context of a fetch", of: reference, depth + 1))
        default:
            guard let name else {
                throw archive.failure(reference, expected: "an NSExpression", found: "a bare value")
            }
            return .other("an \(name)")
        }
    }

    private mutating func text(
        _ name: StaticString, _ words: String, of owner: ArchivedReference
    ) throws(PropertyListError) -> String {
        guard let text = try archive.text(name, of: owner) else {
            throw archive.failure(owner, expected: words, found: "none")
        }
        return text
    }
}

/// Predicates.
extension ExpressionArchive {
    /// The predicate; nil if it is none of those that conditions know.
    private mutating func predicate(
        _ reference: ArchivedReference, _ depth: Int
    ) throws(PropertyListError) -> ObjectPredicate? {
        try enter(reference, depth)
        switch try archive.className(of: reference) {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        case "NSCompoundPredicate":
            var parts: [ObjectPredicate] = []
            for element in try archive.elements("NSSubpredicates", of: reference) {
                guard let part = try predicate(element, depth + 1) else { return nil }
                parts.append(part)
            }
            switch try archive.integer("NSCompoundPredicateType", of: reference) ?? 0 {
            case 0: return parts.count == 1 ? .not(parts[0]) : nil
            case 1: return parts.isEmpty ? .constant(true) : Self.joined(parts) { .and($0, $1) }
            case 2: return parts.isEmpty ? .constant(false) : Self.joined(parts) { .or($0, $1) }
            default: return nil
            }
        case "NSComparisonPredicate": return try comparison(reference, depth).map { .comparison($0) }
        default: return nil
        }
    }

    /// Joins the parts as a balanced tree, so that the depth of the result is bounded.
    private static func joined(
        _ parts: [ObjectPredicate], _ join: (ObjectPredicate, ObjectPredicate) -> ObjectPredicate
    ) -> ObjectPredicate {
        guard parts.count > 1 else { return parts[0] }
        let middle = parts.count / 2
        return join(joined(Array(parts[..<middle]), join), joined(Array(parts[middle...]), join))
    }

    private mutating func comparison(
        _ reference: ArchivedReference, _ depth: Int
    ) throws(PropertyListError) -> ObjectPredicate.Comparison? {
        let left = try needed("NSLeftExpression", "the left side of a comparison", of: reference, depth + 1)
        let right = try needed(
            "NSRightExpression", "the right side of a comparison", of: reference, depth + 1)
        guard let described = try archive.object("NSPredicateOperator", of: reference) else {
            throw archive.failure(reference, expected: "the operator of a comparison", found: "none")
        }
        let flags = try archive.integer("NSFlags", of: described) ?? 0
        let options = try archive.integer("NSOptions", of: described) ?? flags
        let quantifiers: [ObjectPredicate.Quantifier] = [.one, .all, .any]
        let modifier = try archive.integer("NSModifier", of: described) ?? 0
        let type = try archive.integer("NSOperatorType", of: described) ?? -1
        guard let operation = Self.operators[type], quantifiers.indices.contains(modifier),
            let left = left.operand, let right = right.operand, (0...3).contains(options)
        else { return nil }
        switch (left, operation, right) {
        case (.list, _, _): return nil
        case (_, .between, .list(let values)): if values.count != 2 { return nil }
        case (_, .oneOf, .list): break
        case (_, .between, _), (_, .oneOf, _), (_, _, .list): return nil
        default: break
        }
        return ObjectPredicate.Comparison(
            quantifier: quantifiers[modifier], left: left, operation: operation, right: right,
            ignoresCase: options & 1 != 0, ignoresAccents: options & 2 != 0)
    }

    private static let operators: [Int: ObjectPredicate.Operator] = [
        0: .less, 1: .lessOrEqual, 2: .greater, 3: .greaterOrEqual, 4: .equal, 5: .notEqual, 7: .like,
        8: .beginsWith, 9: .endsWith, 10: .oneOf, 99: .contains, 100: .between,
    ]
}

extension ArchivedExpression {
    /// The side of a comparison; nil if conditions do not know it.
    fileprivate var operand: ObjectPredicate.Operand? {
        switch self {
        case .constant(let value):
            guard let members = value.elements else { return value.isComparable ? .value(value) : nil }
            return members.allSatisfy(\.isComparable) ? .list(members) : nil
        case .keyPath(let path): return ArchivedValue.keyPath(path).map { .keyPath($0) }
        case .function(let receiver, "valueForKeyPath:", let arguments)
        where receiver == .evaluatedObject || receiver == .variable("source"):
            guard arguments.count == 1, case .keyPath(let path) = arguments[0] else { return nil }
            return ArchivedValue.keyPath(path).map { .keyPath($0) }
        case .list(let members):
            var values: [ArchivedValue] = []
            for member in members {
                guard case .constant(let value) = member, value.isComparable else { return nil }
                values.append(value)
            }
            return .list(values)
        default: return nil
        }
    }
}

extension ArchivedValue {
    /// Whether conditions have such a value.
    fileprivate var isComparable: Bool {
        switch self {
        case .none, .null, .boolean, .integer, .string: true
        case .real(let number), .date(let number): number.isFinite
        default: false
        }
    }
}
