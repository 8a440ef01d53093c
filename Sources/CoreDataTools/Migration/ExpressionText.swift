import KeyedArchive

extension MigrationExpression {
    /// The expression in the form in which it is parsed.
    public var text: String {
        switch self {
        case .constant(let value): return value.expressionText
        case .source(let path): return Self.text(ofPath: path)
        case .destinations(let mappings, let sources):
            let names = mappings.map { ArchivedValue.quoted($0) }
            return "destinations(\((names + [sources.text]).joined(separator: ", ")))"
        case .function(let function, let arguments): return Self.text(function, arguments)
        case .conditional(let condition, let first, let second):
            return "\(condition.text) ? \(first.text) : \(second.text)"
        }
    }

    private static func text(_ function: Function, _ arguments: [MigrationExpression]) -> String {
        switch function {
        case .concatenate:
            // As few levels as possible: the text is parsed within a limit.
            var parts = arguments
            while case .function(.concatenate, let inner)? = parts.first, parts.count > 1 {
                parts.replaceSubrange(0..<1, with: inner)
            }
            return "concat(\(parts.map(\.text).joined(separator: ", ")))"
        case .lowercase, .uppercase: return "\(function.name)(\(texts(arguments)))"
        case .castToText: return "CAST(\(texts(arguments)), \"NSString\")"
        case .castToNumber: return "CAST(\(texts(arguments)), \"NSNumber\")"
        case .castToDate: return "CAST(\(texts(arguments)), \"NSDate\")"
        case .add, .subtract, .multiply, .divide:
            let own = MigrationExpression.function(function, arguments).strength
            let parts = arguments.enumerated().map { place, argument in
                argument.strength < own || (place > 0 && argument.strength == own)
                    ? "(\(argument.text))" : argument.text
            }
            return parts.joined(separator: " \(function.name) ")
        }
    }

    private static func texts(_ arguments: [MigrationExpression]) -> String {
        arguments.map(\.text).joined(separator: ", ")
    }

    /// How close the parts of the text belong together.
    private var strength: Int {
        switch self {
        case .conditional: 0
        case .function(.add, _), .function(.subtract, _): 1
        case .function(.multiply, _), .function(.divide, _): 2
        default: 3
        }
    }

    private static func text(ofPath path: [String]) -> String {
        let isPlain = path.allSatisfy { name in
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    WordScanner.isOfName($0) || ("0"..."9").contains($0) || $0 == "@"
                }
        }
        if isPlain { return (["$source"] + path).joined(separator: ".") }
        return
            "FUNCTION($source, \"valueForKeyPath:\", \(ArchivedValue.quoted(path.joined(separator: "."))))"
    }
}
