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
        case .function(let function, let arguments):
            let texts = arguments.map(\.text)
            switch function {
            case .lowercase, .uppercase, .concatenate:
                return "\(function.name)(\(texts.joined(separator: ", ")))"
            case .castToText: return "CAST(\(texts.joined(separator: ", ")), \"NSString\")"
            case .castToNumber: return "CAST(\(texts.joined(separator: ", ")), \"NSNumber\")"
            case .castToDate: return "CAST(\(texts.joined(separator: ", ")), \"NSDate\")"
            case .add, .subtract, .multiply, .divide:
                return arguments.map { $0.isOperation ? "(\($0.text))" : $0.text }
                    .joined(separator: " \(function.name) ")
            }
        case .conditional(let condition, let first, let second):
            return "\(condition.text) ? \(first.grouped) : \(second.grouped)"
        }
    }

    /// Whether the text consists of values with signs between them.
    private var isOperation: Bool {
        switch self {
        case .function(let function, _): [.add, .subtract, .multiply, .divide].contains(function)
        case .conditional: true
        default: false
        }
    }

    /// The text as a value of a condition.
    private var grouped: String { if case .conditional = self { "(\(text))" } else { text } }

    private static func text(ofPath path: [String]) -> String {
        let isPlain = path.allSatisfy { name in
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    ExpressionWords.isOfName($0) || ("0"..."9").contains($0) || $0 == "@"
                }
        }
        if isPlain { return (["$source"] + path).joined(separator: ".") }
        return "FUNCTION($source, \"valueForKeyPath:\", \(ArchivedValue.quoted(path.joined(separator: "."))))"
    }
}
