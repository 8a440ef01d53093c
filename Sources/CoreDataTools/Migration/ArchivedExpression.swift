public import KeyedArchive

/// An NSExpression, as a mapping model archives it.
public indirect enum ArchivedExpression: Sendable, Hashable {
    /// A value.
    case constant(ArchivedValue)
    /// A class, such as that of the predefined functions.
    case constantClass(String)
    /// `SELF`.
    case evaluatedObject
    /// `$name`.
    case variable(String)
    /// A key path, as the argument of `valueForKeyPath:` or by itself.
    case keyPath(String)
    /// A message to the value of an expression.
    case function(ArchivedExpression, selector: String, [ArchivedExpression])
    /// A list.
    case list([ArchivedExpression])
    /// `TERNARY(condition, value, value)`.
    case conditional(ObjectPredicate, ArchivedExpression, ArchivedExpression)
    /// `FETCH(request, context, NO)`.
    case fetch(request: ArchivedExpression, context: ArchivedExpression)
    /// Anything else, in words, such as "an NSBlockExpression".
    case other(String)

    static let predefinedClass = "_NSPredicateUtilities"

    /// The expression as Foundation and Xcode write it.
    public var text: String {
        switch self {
        case .constant(let value): return value.expressionText
        case .constantClass(let name): return name
        case .evaluatedObject: return "SELF"
        case .variable(let name): return "$\(name)"
        case .keyPath(let path): return path
        case .function(let receiver, "valueForKeyPath:", let arguments):
            if arguments.count == 1, case .keyPath(let path) = arguments[0] {
                return receiver == .evaluatedObject ? path : "\(receiver.text).\(path)"
            }
            return Self.text(
                "FUNCTION", [receiver.text, ArchivedValue.quoted("valueForKeyPath:")], arguments)
        case .function(.constantClass(Self.predefinedClass), let selector, let arguments):
            switch (MigrationExpression.Function(predefined: selector), arguments.count) {
            case (.add?, 2), (.subtract?, 2), (.multiply?, 2), (.divide?, 2):
                let sign = MigrationExpression.Function(predefined: selector)?.name ?? ""
                return "(\(arguments[0].text) \(sign) \(arguments[1].text))"
            default:
                let name = selector == "castObject:toType:" ? "CAST" : String(selector.prefix { $0 != ":" })
                return Self.text(name, [], arguments)
            }
        case .function(let receiver, let selector, let arguments):
            return Self.text("FUNCTION", [receiver.text, ArchivedValue.quoted(selector)], arguments)
        case .list(let members): return "{\(members.map(\.text).joined(separator: ", "))}"
        case .conditional(let condition, let first, let second):
            return "TERNARY(\(condition.text), \(first.text), \(second.text))"
        case .fetch(let request, let context): return "FETCH(\(request.text), \(context.text), NO)"
        case .other(let words): return "<\(words)>"
        }
    }

    private static func text(_ name: String, _ first: [String], _ rest: [ArchivedExpression]) -> String {
        "\(name)(\((first + rest.map(\.text)).joined(separator: ", ")))"
    }
}

extension ArchivedExpression {
    /// The reason why a migration does not carry out the expression: a sentence without a full stop; nil if it does.
    public var problem: String? {
        do throws(SelectorProblem) {
            _ = try converted { _ in [] }
            return nil
        } catch {
            return error.problem
        }
    }

    /// The expression of a migration with the same meaning.
    /// - Parameter mappings: the names of the entity mappings that make the objects of a relationship from those of
    ///   the relationship of the old model with this name; nil if there is no such relationship.
    func converted(
        _ mappings: (String) -> [String]?
    ) throws(SelectorProblem) -> MigrationExpression {
        switch self {
        case .constant(let value):
            guard value.isExpressible else {
                throw SelectorProblem(problem: "a constant that is \(value.kindName) is not carried out")
            }
            return .constant(value)
        case .variable("source"): return .source(path: [])
        case .function(let receiver, let selector, let arguments):
            return try Self.function(receiver, selector, arguments, mappings)
        case .conditional(let condition, let first, let second):
            return .conditional(
                condition.ofSource, try first.converted(mappings), try second.converted(mappings))
        case .variable, .evaluatedObject, .keyPath:
            throw SelectorProblem(
                problem: "\(text.prefix(80)) has no value without the app: only $source has")
        case .constantClass, .list, .fetch, .other:
            throw SelectorProblem(problem: "\(text.prefix(80)) is not carried out")
        }
    }

    private static func function(
        _ receiver: ArchivedExpression, _ selector: String, _ arguments: [ArchivedExpression],
        _ mappings: (String) -> [String]?
    ) throws(SelectorProblem) -> MigrationExpression {
        let ofPaths = ["valueForKey:", "valueForKeyPath:"].contains(selector)
        var values: [MigrationExpression] = []
        for argument in arguments {
            if ofPaths, case .keyPath(let path) = argument {
                values.append(.constant(.string(path)))
            } else {
                values.append(try argument.converted(mappings))
            }
        }
        switch receiver {
        case .constantClass(predefinedClass):
            if let function = MigrationExpression.Function(predefined: selector),
                values.count == function.argumentCount
            {
                return .function(function, values)
            }
            if selector == "castObject:toType:", values.count == 2,
                case .constant(.string(let type)) = values[1],
                let function = MigrationExpression.Function(castTo: type)
            {
                return .function(function, [values[0]])
            }
            throw SelectorProblem(problem: "the function \(selector.prefix(80)) is not carried out")
        case .variable("manager"):
            if selector == "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                values.count == 2, case .constant(.string(let name)) = values[0]
            {
                guard let names = mappings(name) else {
                    throw SelectorProblem(problem: "the old model has no relationship \(name)")
                }
                return .destinations(mappings: names, sources: values[1])
            }
            return try MigrationExpression(manager: selector, values)
        case .variable("entityPolicy"):
            throw SelectorProblem(
                problem: "the function \(selector.prefix(80)) of the migration policy is code of the app")
        default: return try MigrationExpression(try receiver.converted(mappings), selector, values)
        }
    }
}

extension ArchivedValue {
    /// Whether the value is a scalar that attributes have.
    fileprivate var isExpressible: Bool {
        switch self {
        case .none, .null, .boolean, .integer, .string, .data, .uuid, .url: true
        case .real(let number), .date(let number): number.isFinite
        case .decimal(let number): !number.isNaN && (-128...127).contains(number.exponent)
        default: false
        }
    }
}
