import CoreDataStore
public import KeyedArchive
internal import SystemCalls

extension ObjectPredicate {
    /// Parses a condition. Depth, length and the number of values in a list have limits.
    public init(parsing text: String) throws(PredicateProblem) {
        var parser = try PredicateParser(text)
        self = try parser.whole()
    }
}

extension ArchivedValue {
    /// The names of a key path such as `recipe.title`; nil for any other text.
    public static func keyPath(_ text: String) -> [String]? {
        // By scalars: a dot and a combining mark after it are one character.
        let names = text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map {
            String(String.UnicodeScalarView($0))
        }
        let isTooLong = names.count > PredicateParser.pathLimit || text.utf8.count > WordScanner.textLimit
        return names.contains("") || isTooLong ? nil : names
    }
}

/// A recursive-descent parser over words, with one word of look-ahead.
struct PredicateParser {
    /// The largest number of names in a path, which bounds the recursion over it.
    static let pathLimit = 64
    private static let depthLimit = 200
    private static let listLimit = 10_000
    /// The largest number of parts, which bounds the depth of the result and the recursion over it.
    private static let partLimit = 2_000

    private enum Word: Hashable {
        case name(String)
        case text(String)
        case number(String)
        case sign(String)
        case end
    }

    private var scanner: WordScanner
    private var start = 0
    private var word = Word.end
    private var parts = 0

    init(_ text: String) throws(PredicateProblem) {
        guard let scanner = WordScanner(text) else {
            throw PredicateProblem(offset: 0, problem: "the condition is longer than 64 KiB")
        }
        self.scanner = scanner
        try advance()
    }

    mutating func whole() throws(PredicateProblem) -> ObjectPredicate {
        let predicate = try disjunction(0)
        guard word == .end else { throw unexpected }
        return predicate
    }

    private func problem(_ text: String) -> PredicateProblem {
        PredicateProblem(offset: scanner.offset(of: start), problem: text)
    }

    /// The problem of words after a comparison.
    private var unexpected: PredicateProblem {
        switch word {
        case .number(let digits) where digits.hasPrefix("-"), .number(let digits) where digits.hasPrefix("0"):
            problem(
                "a condition does not calculate; write a date as CAST(\"2013-05-01T12:00:00Z\", \"NSDate\")")
        case .sign(let sign) where ["+", "-", "*", "/", "%"].contains(sign):
            problem("a condition does not calculate: give the value itself")
        case .sign("("): problem("a condition knows no functions")
        case .sign("["): problem("a condition does not count with brackets: use ANY, ALL, NONE or @count")
        default: problem("AND or OR is missing, or quotation marks around a text")
        }
    }

    private mutating func disjunction(_ depth: Int) throws(PredicateProblem) -> ObjectPredicate {
        var result = try conjunction(depth)
        while try takes(["OR"], ["||"]) {
            result = .or(result, try conjunction(depth))
        }
        return result
    }

    private mutating func conjunction(_ depth: Int) throws(PredicateProblem) -> ObjectPredicate {
        var result = try negation(depth)
        while try takes(["AND"], ["&&"]) {
            result = .and(result, try negation(depth))
        }
        return result
    }

    private mutating func negation(_ depth: Int) throws(PredicateProblem) -> ObjectPredicate {
        guard depth < Self.depthLimit else { throw problem("nested too deeply") }
        parts += 1
        guard parts <= Self.partLimit else { throw problem("too many parts") }
        if try takes(["NOT"], ["!"]) { return .not(try negation(depth + 1)) }
        if try takes([], ["("]) {
            let inner = try disjunction(depth + 1)
            guard try takes([], [")"]) else { throw problem("a closing parenthesis is missing") }
            return inner
        }
        if try takes(["TRUEPREDICATE"], []) { return .constant(true) }
        if try takes(["FALSEPREDICATE"], []) { return .constant(false) }
        return .comparison(try comparison())
    }

    private mutating func comparison() throws(PredicateProblem) -> ObjectPredicate.Comparison {
        var quantifier = ObjectPredicate.Quantifier.one
        if try takes(["ANY", "SOME"], []) {
            quantifier = .any
        } else if try takes(["ALL"], []) {
            quantifier = .all
        } else if try takes(["NONE"], []) {
            quantifier = .none
        }
        let left = try operand()
        let operation = try operation()
        var ignores: Set<Character> = []
        if try takes([], ["["]) {
            guard case .name(let flags) = word, Set(flags).isSubset(of: ["c", "d"]) else {
                throw problem(
                    "only c (the case of letters does not count) and d (accents do not count) are options of a comparison"
                )
            }
            ignores = Set(flags)
            try advance()
            guard try takes([], ["]"]) else { throw problem("a closing bracket is missing") }
        }
        let right = try operation == .oneOf || operation == .between ? list() : operand()
        if operation == .between, case .list(let values) = right, values.count != 2 {
            throw problem("BETWEEN needs two values")
        }
        if case .list = left { throw problem("a list can only follow IN and BETWEEN") }
        return ObjectPredicate.Comparison(
            quantifier: quantifier, left: left, operation: operation, right: right,
            ignoresCase: ignores.contains("c"), ignoresAccents: ignores.contains("d"))
    }

    private mutating func operation() throws(PredicateProblem) -> ObjectPredicate.Operator {
        let signs: [(String, ObjectPredicate.Operator)] = [
            ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
            ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("<", .less),
            (">", .greater),
        ]
        for (sign, operation) in signs where word == .sign(sign) {
            try advance()
            return operation
        }
        let names: [(String, ObjectPredicate.Operator)] = [
            ("BETWEEN", .between), ("IN", .oneOf), ("LIKE", .like), ("BEGINSWITH", .beginsWith),
            ("ENDSWITH", .endsWith), ("CONTAINS", .contains),
        ]
        for (name, operation) in names where try takes([name], []) { return operation }
        switch word {
        case .name(let name) where name.uppercased() == "MATCHES":
            throw problem(
                "a condition knows no regular expressions (MATCHES): use LIKE with ? and *, BEGINSWITH, ENDSWITH or CONTAINS"
            )
        case .name(let name): throw problem("\(name.prefix(40)) is no comparison such as ==, < or CONTAINS")
        case .sign(let sign) where ["+", "-", "*", "/", "%", "(", "["].contains(sign): throw unexpected
        default: throw problem("a comparison such as ==, < or CONTAINS is missing")
        }
    }

    private mutating func list() throws(PredicateProblem) -> ObjectPredicate.Operand {
        guard try takes([], ["{"]) else {
            throw problem("a list in braces is missing, such as {1, 2}; for a part of a text use CONTAINS")
        }
        var values: [ArchivedValue] = []
        if try takes([], ["}"]) { return .list([]) }
        // ends: with the text
        repeat {
            guard case .value(let value) = try operand() else { throw problem("a list has only values") }
            values.append(value)
            guard values.count <= Self.listLimit else { throw problem("the list is too long") }
        } while try takes([], [","])
        guard try takes([], ["}"]) else { throw problem("a closing brace is missing") }
        return .list(values)
    }

    private mutating func operand() throws(PredicateProblem) -> ObjectPredicate.Operand {
        switch word {
        case .text(let text):
            try advance()
            return .value(.string(text))
        case .number(let digits):
            guard let value = Self.number(digits) else { throw problem("not a number") }
            try advance()
            return .value(value)
        case .name(let name):
            try advance()
            switch name.uppercased() {
            case "NIL", "NULL": return .value(.none)
            case "YES", "TRUE": return .value(.boolean(true))
            case "NO", "FALSE": return .value(.boolean(false))
            case "CAST" where word == .sign("("): return .value(try castDate())
            default:
                if word == .sign("(") {
                    throw problem("a condition knows no functions such as \(name.prefix(40)), only CAST")
                }
                guard let path = ArchivedValue.keyPath(name) else {
                    throw problem("not a key path of at most \(Self.pathLimit) names")
                }
                return .keyPath(path)
            }
        case .sign("%"):
            throw problem(
                "nothing is put in the place of %@ and %K here: write the value or the key path itself")
        default: throw problem("a value or a key path is missing")
        }
    }

    /// `CAST(seconds, "NSDate")`, or with an ISO 8601 text in place of the seconds since 2001.
    private mutating func castDate() throws(PredicateProblem) -> ArchivedValue {
        try advance()
        let seconds: Double
        switch word {
        case .number(let digits):
            guard let number = Double(digits), number.isFinite else { throw problem("not a number") }
            seconds = number
        case .text(let text):
            guard let time = Self.time(text) else {
                throw problem("not a time such as 2013-05-01T12:00:00Z")
            }
            seconds = time.secondsSince2001
        default: throw problem("seconds since 2001, or a time in quotes, are missing")
        }
        try advance()
        guard try takes([], [","]), word == .text("NSDate") else {
            throw problem("only CAST(…, \"NSDate\") is known")
        }
        try advance()
        guard try takes([], [")"]) else { throw problem("a closing parenthesis is missing") }
        return .date(seconds)
    }

    /// A time in ISO 8601, or a day.
    static func time(_ text: String) -> FileTime? {
        FileTime(iso: text.contains("T") ? text : text + "T00:00:00Z")
    }

    static func number(_ digits: String) -> ArchivedValue? {
        if let whole = Int128(digits) { return .integer(whole) }
        guard let real = Double(digits), real.isFinite else { return nil }
        return .real(real)
    }

    /// Takes the next word if it is one of these names, in any case, or one of these signs.
    private mutating func takes(_ names: [String], _ signs: [String]) throws(PredicateProblem) -> Bool {
        switch word {
        case .name(let name) where names.contains(name.uppercased()): break
        case .sign(let sign) where signs.contains(sign): break
        default: return false
        }
        try advance()
        return true
    }
}

/// The words of a condition.
extension PredicateParser {
    private mutating func advance() throws(PredicateProblem) {
        scanner.skipSpace()
        start = scanner.place
        guard let first = scanner.next else {
            word = .end
            return
        }
        if first == "'" || first == "\"" {
            guard let text = scanner.quoted(first) else { throw problem("a quotation mark is missing") }
            word = .text(text)
        } else if WordScanner.isDigit(first) {
            word = .number(scanner.digits())
        } else if first == "-", let digit = scanner.afterNext, WordScanner.isDigit(digit) {
            scanner.skip()
            word = .number("-" + scanner.digits())
        } else if let name = scanner.name() {
            word = .name(name)
        } else {
            word = .sign(sign(first))
        }
    }

    private mutating func sign(_ first: Unicode.Scalar) -> String {
        if let second = scanner.afterNext {
            let pair = String(first) + String(second)
            if ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"].contains(pair) {
                scanner.skip(2)
                return pair
            }
        }
        scanner.skip()
        return String(first)
    }
}
