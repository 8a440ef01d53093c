import CoreDataStore
import KeyedArchive
import SystemCalls

/// The kind of the values on one side of a comparison, as far as the model or the tables show it.
enum ValueKind: Hashable {
    case number, truth, date, text, data
    /// The primary key of an object.
    case object
    /// Nil.
    case none
    /// Any value.
    case unknown

    init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
            case .boolean: .truth
            case .date: .date
            case .string, .uuid, .uri: .text
            case .binary: .data
            case .undefined, .transformable, .objectID, .composite: .unknown
            }
    }

    init(_ value: ArchivedValue) {
        self =
            switch value {
            case .none, .null: .none
            case .integer, .real, .decimal: .number
            case .boolean: .truth
            case .date: .date
            case .string, .url, .uuid: .text
            case .data: .data
            default: .unknown
            }
    }

    /// The name with an article.
    var title: String {
        switch self {
        case .number: "a number"
        case .truth: "a Boolean"
        case .date: "a date"
        case .text: "a text"
        case .data: "data"
        case .object: "an object"
        case .none: "nil"
        case .unknown: "a value"
        }
    }

    /// Kinds of one family can be equal, and have an order if they are not data.
    private var family: ValueKind { self == .truth || self == .object ? .number : self }

    /// Whether a comparison with this kind on the left side can hold for a value, or not hold.
    func fits(_ other: ValueKind, _ operation: ObjectPredicate.Operator) -> Bool {
        switch operation {
        case .equal, .notEqual, .oneOf:
            return self == .unknown || other == .unknown || self == .none || other == .none
                || family == other.family
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            if [self, other].contains(.none) || [self, other].contains(.data) { return false }
            return self == .unknown || other == .unknown || family == other.family
        case .like, .beginsWith, .endsWith, .contains:
            return [.text, .unknown].contains(self) && [.text, .unknown].contains(other)
        }
    }
}

/// The reason why a comparison has the same result for all objects, and the right form.
struct KindMismatch {
    /// The problem: a sentence without a full stop.
    let problem: String
    /// The right form.
    let advice: String

    /// The mismatch; nil if the kinds of both sides fit.
    init?(_ comparison: ObjectPredicate.Comparison, _ left: ValueKind, _ right: ValueKind) {
        let values: [ArchivedValue] = if case .list(let list) = comparison.right { list } else { [] }
        let kinds = values.isEmpty ? [right] : values.map { ValueKind($0) }
        guard let place = kinds.firstIndex(where: { !left.fits($0, comparison.operation) }) else {
            return nil
        }
        let (other, name) = (kinds[place], Self.name(comparison.left, left))
        let second =
            values.isEmpty ? Self.name(comparison.right, right) : Self.name(.value(values[place]), other)
        if left == .none || other == .none {
            problem = "\(comparison.operation.name) compares nothing with nil: \(name), \(second)"
        } else if comparison.operation.isOfTexts {
            problem = "\(comparison.operation.name) compares texts only: \(name), \(second)"
        } else if left == .data && other == .data {
            problem = "data have no order: \(name), \(second)"
        } else {
            problem = "values of different kinds are never equal and have no order: \(name), \(second)"
        }
        let value: ArchivedValue? =
            if !values.isEmpty { values[place] } else if case .value(let value) = comparison.right {
                value
            } else {
                nil
            }
        switch (comparison.left, value, comparison.right) {
        case (.keyPath(let path), let value?, _):
            advice = Self.advice(path.joined(separator: "."), left, value, comparison.operation)
        case (.value(let value), _, .keyPath(let path)):
            advice = Self.advice(path.joined(separator: "."), right, value, comparison.operation)
        default: advice = "Compare values of the same kind"
        }
    }

    private static func name(_ operand: ObjectPredicate.Operand, _ kind: ValueKind) -> String {
        switch operand {
        case .keyPath(let path): "\(path.joined(separator: ".")) is \(kind.title)"
        case .value(.none): "nil"
        case .value(let value): "\(written(value)) is \(kind.title)"
        case .list: "a list"
        }
    }

    /// The right form of a comparison with a property of this kind.
    private static func advice(
        _ path: String, _ kind: ValueKind, _ value: ArchivedValue, _ operation: ObjectPredicate.Operator
    ) -> String {
        if value.isNil || kind == .data || kind == .none {
            return "Write \(path) == nil, or \(path) != nil"
        }
        let sign = operation.isOfTexts && kind != .text ? "==" : operation.name
        func write(_ value: String) -> String {
            switch operation {
            case .between: "Write \(path) BETWEEN {\(value), \(value)}, with the lower and the upper value"
            case .oneOf: "Write \(path) IN {\(value)}"
            default: "Write \(path) \(sign) \(value)"
            }
        }
        switch kind {
        case .date:
            if case .string(let text) = value, PredicateParser.time(text) != nil {
                return write("CAST(\"\(text)\", \"NSDate\")")
            }
            return write("CAST(\"2013-05-01T12:00:00Z\", \"NSDate\")")
        case .text: return write(value.isNumber ? "\"\(written(value))\"" : "\"text\"")
        case .truth: return write("YES")
        case .number:
            if case .string(let text) = value, let number = PredicateParser.number(text) {
                return write(written(number))
            }
            return write("5")
        case .object: return "Write a key path to an attribute, such as \(path).name"
        case .data, .none, .unknown: return "Compare values of the same kind"
        }
    }

    /// A value in the form of a condition, at most a few words of it.
    private static func written(_ value: ArchivedValue) -> String {
        switch value {
        case .string(let text): "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
        case .boolean(let truth): truth ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
        default: "the value"
        }
    }
}

extension ArchivedValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .real: true
        default: false
        }
    }
}

extension ObjectPredicate.Operator {
    /// The operator in the form of a condition.
    var name: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "BETWEEN"
        case .oneOf: "IN"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .contains: "CONTAINS"
        }
    }

    /// Whether the operator compares parts of texts.
    var isOfTexts: Bool { [.like, .beginsWith, .endsWith, .contains].contains(self) }
}
