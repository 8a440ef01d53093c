import Base
import KeyedArchive

extension MigrationExpression {
    /// Parses an expression. Depth, length and the number of parts have limits.
    public init(parsing text: String) throws(ExpressionProblem) {
        var parser = try ExpressionParser(text)
        self = try parser.whole()
    }
}

/// A recursive-descent parser over words, with one word of look-ahead but for conditions.
struct ExpressionParser {
    /// The largest number of parentheses and functions around a part.
    private static let depthLimit = 64
    /// The largest number of parts, which bounds the depth of the result and the recursion over it.
    static let partLimit = 2_000

    private let words: ExpressionWords
    private var place = 0
    private var parts = 0

    init(_ text: String) throws(ExpressionProblem) { words = try ExpressionWords(text) }

    private var word: ExpressionWords.Word { words.words[place].word }

    mutating func whole() throws(ExpressionProblem) -> MigrationExpression {
        let expression = try expression(0)
        guard word == .end else { throw unexpected }
        return expression
    }

    func problem(_ text: String) -> ExpressionProblem {
        ExpressionProblem(offset: words.offset(of: words.words[place].start), problem: text)
    }

    private var unexpected: ExpressionProblem {
        switch word {
        case .sign("="), .sign("<"), .sign(">"), .sign("!"):
            problem("a comparison needs two values behind it: CONDITION ? VALUE : VALUE")
        case .sign("|"): problem("|| and OR belong into a condition; concat(a, b) joins texts")
        case .sign("%"): problem("there is no remainder: only + - * /")
        default: problem("an operation is missing, or quotation marks around a text")
        }
    }

    private mutating func advance() { if place < words.words.count - 1 { place += 1 } }

    private mutating func takes(_ sign: Unicode.Scalar) -> Bool {
        guard word == .sign(sign) else { return false }
        advance()
        return true
    }

    private mutating func need(_ sign: Unicode.Scalar, _ text: String) throws(ExpressionProblem) {
        guard takes(sign) else { throw problem(text) }
    }

    private mutating func count() throws(ExpressionProblem) {
        parts += 1
        guard parts <= Self.partLimit else { throw problem("too many parts") }
    }

    private mutating func expression(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        guard depth < Self.depthLimit else { throw problem("nested too deeply") }
        guard let mark = questionMark() else { return try sum(depth) }
        try count()
        let condition = try condition(before: mark)
        place = mark + 1
        let first = try expression(depth + 1)
        try need(":", "a colon and the value otherwise are missing")
        return .conditional(condition, first, try expression(depth + 1))
    }

    /// The place of the question mark of the condition that begins here; nil if an expression begins here.
    private func questionMark() -> Int? {
        var depth = 0
        for next in place..<words.words.count {
            switch words.words[next].word {
            case .sign("("), .sign("{"), .sign("["): depth += 1  // bounded: by the number of words
            case .sign(")"), .sign("}"), .sign("]"):
                depth -= 1  // bounded: by the number of words
                if depth < 0 { return nil }
            case .sign("?") where depth == 0: return next
            case .sign(","), .sign(":"): if depth == 0 { return nil }
            case .end: return nil
            default: break
            }
        }
        return nil
    }

    private mutating func condition(before mark: Int) throws(ExpressionProblem) -> ObjectPredicate {
        let range = words.words[place].start..<words.words[mark].start
        let predicate: ObjectPredicate
        do throws(PredicateProblem) {
            predicate = try ObjectPredicate(parsing: words.text(range))
        } catch {
            throw ExpressionProblem(
                offset: words.offset(of: range.lowerBound) + error.offset,  // bounded: by the text
                problem: "in the condition: \(error.problem)")
        }
        // A part for each comparison, so that the depth of the result has one limit.
        parts += predicate.comparisons.count  // bounded: by the limit of a condition
        try count()
        return predicate.ofSource
    }

    private mutating func sum(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        var result = try product(depth)
        // ends: with the text
        while true {
            if takes("+") {
                result = .function(.add, [result, try product(depth)])
            } else if takes("-") {
                result = .function(.subtract, [result, try product(depth)])
            } else {
                return result
            }
        }
    }

    private mutating func product(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        var result = try negation(depth)
        // ends: with the text
        while true {
            if takes("*") {
                result = .function(.multiply, [result, try negation(depth)])
            } else if takes("/") {
                result = .function(.divide, [result, try negation(depth)])
            } else {
                return result
            }
        }
    }

    private mutating func negation(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        guard depth < Self.depthLimit else { throw problem("nested too deeply") }
        try count()
        guard takes("-") else { return try primary(depth) }
        if case .number(let digits) = word {
            guard let value = PredicateParser.number("-" + digits) else { throw problem("not a number") }
            advance()
            return .constant(value)
        }
        return .function(.subtract, [.constant(.integer(0)), try negation(depth + 1)])
    }

    private mutating func primary(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        switch word {
        case .text(let text):
            advance()
            return .constant(.string(text))
        case .number(let digits):
            guard let value = PredicateParser.number(digits) else { throw problem("not a number") }
            advance()
            return .constant(value)
        case .sign("("):
            advance()
            let inner = try expression(depth + 1)
            try need(")", "a closing parenthesis is missing")
            return inner
        case .name(let name):
            if words.words[place + 1].word == .sign("(") { return try function(name, depth) }
            defer { advance() }
            switch name.uppercased() {
            case "NIL", "NULL": return .constant(.none)
            case "YES", "TRUE": return .constant(.boolean(true))
            case "NO", "FALSE": return .constant(.boolean(false))
            default: return try source(name)
            }
        case .sign("%"), .sign("@"):
            throw problem("nothing is put in the place of %@ here: write the value itself")
        default: throw problem("a value, a key path or a function is missing")
        }
    }

    private func source(_ name: String) throws(ExpressionProblem) -> MigrationExpression {
        guard var path = ArchivedValue.keyPath(name) else {
            throw problem("not a key path of at most \(PredicateParser.pathLimit) names")
        }
        if path.first == "$source" {
            path.removeFirst()
        } else if let first = path.first, first.hasPrefix("$") {
            throw problem("\(first.prefix(40)) has no value here: only $source, the object of the old store")
        }
        if let fault = Self.fault(ofPath: path) { throw problem(fault) }
        return .source(path: path)
    }

    /// The fault of a key path from the source object: a sentence without a full stop.
    static func fault(ofPath path: [String]) -> String? {
        if path.isEmpty { return nil }
        if path.count > PredicateParser.pathLimit || path.contains("") {
            return "not a key path of at most \(PredicateParser.pathLimit) names"
        }
        guard let name = path.first(where: { $0.hasPrefix("@") }) else { return nil }
        if name == "@count", path.count > 1, path.firstIndex(of: name) == path.count - 1 { return nil }
        return
            "\(name.prefix(40)) is not known here: only @count, at the end of a path to a to-many relationship"
    }
}

/// Functions.
extension ExpressionParser {
    private mutating func function(_ name: String, _ depth: Int) throws(ExpressionProblem)
        -> MigrationExpression
    {
        let start = self
        advance()
        advance()
        if name.uppercased() == "TERNARY" { return try ternary(depth) }
        let isOfManager = name.uppercased() == "FUNCTION" && word == .name("$manager")
        if isOfManager {
            advance()
            try need(",", "FUNCTION needs a receiver and a selector in quotation marks")
        }
        let arguments = try arguments(depth)
        func needs(_ text: String) -> ExpressionProblem { start.problem("\(name.prefix(40)) needs \(text)") }
        switch name.lowercased() {
        case "lowercase", "uppercase":
            guard arguments.count == 1 else { throw needs("one text") }
            return .function(name.lowercased() == "lowercase" ? .lowercase : .uppercase, arguments)
        case "concat":
            guard arguments.count > 1 else { throw needs("at least two texts") }
            return arguments[1...].reduce(arguments[0]) { .function(.concatenate, [$0, $1]) }
        case "cast", "castobject":
            guard arguments.count == 2, case .constant(.string(let type)) = arguments[1] else {
                throw needs("a value and a type in quotation marks, such as \"NSString\"")
            }
            return try start.cast(arguments[0], type)
        case "destinations":
            var names: [String] = []
            for argument in arguments.dropLast() {
                guard case .constant(.string(let text)) = argument else { break }
                names.append(text)
            }
            guard let last = arguments.last, arguments.count > 1, names.count == arguments.count - 1 else {
                throw needs("names of entity mappings in quotation marks, then a key path")
            }
            return .destinations(mappings: names, sources: last)
        case "function": return try start.selector(arguments, isOfManager: isOfManager)
        default:
            throw start.problem(
                "there is no function \(name.prefix(40)): only lowercase, uppercase, concat, CAST, destinations and FUNCTION"
            )
        }
    }

    private mutating func arguments(_ depth: Int) throws(ExpressionProblem) -> [MigrationExpression] {
        var arguments: [MigrationExpression] = []
        if takes(")") { return arguments }
        // ends: with the text
        repeat { arguments.append(try expression(depth + 1)) } while takes(",")
        try need(")", "a closing parenthesis is missing")
        return arguments
    }

    /// `TERNARY(condition, value, value)`, the form of NSExpression.
    private mutating func ternary(_ depth: Int) throws(ExpressionProblem) -> MigrationExpression {
        var nesting = 0
        var end: Int?
        for next in place..<words.words.count where end == nil {
            switch words.words[next].word {
            case .sign("("), .sign("{"), .sign("["): nesting += 1  // bounded: by the number of words
            case .sign(")"), .sign("}"), .sign("]"): nesting -= 1  // bounded: by the number of words
            case .sign(",") where nesting == 0: end = next
            default: break
            }
        }
        guard let end else { throw problem("TERNARY needs a condition and two values") }
        let condition = try condition(before: end)
        place = end + 1
        let first = try expression(depth + 1)
        try need(",", "TERNARY needs a condition and two values")
        let second = try expression(depth + 1)
        try need(")", "a closing parenthesis is missing")
        return .conditional(condition, first, second)
    }

    private func cast(_ value: MigrationExpression, _ type: String) throws(ExpressionProblem)
        -> MigrationExpression
    {
        if case .constant(let constant) = value {
            guard let folded = Self.constant(constant, type) else {
                throw problem("this value cannot become an \(type.prefix(40))")
            }
            return .constant(folded)
        }
        guard let function = MigrationExpression.Function(castTo: type) else {
            throw problem(
                "CAST of a key path makes an \"NSString\", \"NSNumber\" or \"NSDate\", not \"\(type.prefix(40))\""
            )
        }
        return .function(function, [value])
    }

    /// The constant of a type that is given as text or number.
    private static func constant(_ value: ArchivedValue, _ type: String) -> ArchivedValue? {
        if let function = MigrationExpression.Function(castTo: type) {
            // try?: nil is the error
            return try? function.apply([value])
        }
        guard let text = value.stringValue ?? (value.integerValue.map { "\($0)" }) else { return nil }
        switch type {
        case "NSDecimalNumber": return ArchivedDecimal(text: text).map { .decimal($0) }
        case "NSUUID": return ArchivedUUID(text: text).map { .uuid($0) }
        case "NSURL": return .url(text)
        case "NSData": return Base64.bytes(Array(text.utf8)).map { .data($0) }
        default: return nil
        }
    }

    /// `FUNCTION(receiver, "selector", ...)`, the form of NSExpression.
    /// - Parameter isOfManager: whether the receiver is the migration manager, which is no argument then.
    private func selector(
        _ arguments: [MigrationExpression], isOfManager: Bool
    ) throws(ExpressionProblem) -> MigrationExpression {
        let place = isOfManager ? 0 : 1
        guard arguments.count > place, case .constant(.string(let selector)) = arguments[place] else {
            throw problem("FUNCTION needs a receiver and a selector in quotation marks")
        }
        let rest = Array(arguments[(place + 1)...])
        do throws(SelectorProblem) {
            return isOfManager
                ? try MigrationExpression(manager: selector, rest)
                : try MigrationExpression(arguments[0], selector, rest)
        } catch {
            throw problem(error.problem)
        }
    }
}
