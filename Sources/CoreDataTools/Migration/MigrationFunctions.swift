public import KeyedArchive
internal import SystemCalls

/// The reason why a function of a migration has no value: a sentence without a full stop, which names the values. The
/// caller adds the object.
public struct MigrationValueProblem: Error, Hashable, Sendable {
    /// The problem.
    public var problem: String

    /// A problem.
    public init(_ problem: String) { self.problem = problem }
}

extension MigrationExpression.Function {
    /// The number of arguments.
    public var argumentCount: Int {
        switch self {
        case .lowercase, .uppercase, .castToText, .castToNumber, .castToDate: 1
        case .add, .subtract, .multiply, .divide, .concatenate: 2
        }
    }

    /// The largest text that a function makes, in bytes.
    private static let textLimit = 64 << 20

    /// The value of the function.
    ///
    /// If an argument is nil, so is the value; only `concatenate` leaves a nil out if the other text is not nil.
    /// Whole numbers have a whole quotient without the rest, as in NSExpression. If one number is a decimal, the function
    /// calculates with decimals; otherwise, if one has a fraction, with reals.
    /// - Throws: for values of other kinds, numbers beyond the range, a division by zero, NaN, and texts that are too
    ///   long.
    public func apply(_ arguments: [ArchivedValue]) throws(MigrationValueProblem) -> ArchivedValue {
        guard arguments.count == argumentCount, let first = arguments.first, let last = arguments.last else {
            throw MigrationValueProblem("\(name) has \(argumentCount) values, not \(arguments.count)")
        }
        if self == .concatenate {
            if first.isNil { return last.isNil ? .none : .string(try text(last)) }
            if last.isNil { return .string(try text(first)) }
            let (one, two) = (try text(first), try text(last))
            guard one.utf8.count + two.utf8.count <= Self.textLimit else {  // bounded: both are in memory
                throw MigrationValueProblem("\(name) makes a text of more than 64 MiB")
            }
            return .string(one + two)
        }
        if arguments.contains(where: \.isNil) { return .none }
        switch self {
        case .lowercase: return .string(try text(first).lowercased())
        case .uppercase: return .string(try text(first).uppercased())
        case .concatenate: return .none
        case .add, .subtract, .multiply, .divide: return try calculate(first, last)
        case .castToText: return .string(try castToText(first))
        case .castToNumber: return try castToNumber(first)
        case .castToDate: return try castToDate(first)
        }
    }

    /// The name in the grammar of expressions.
    var name: String {
        switch self {
        case .lowercase: "lowercase"
        case .uppercase: "uppercase"
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .concatenate: "concat"
        case .castToText, .castToNumber, .castToDate: "CAST"
        }
    }

    private func text(_ value: ArchivedValue) throws(MigrationValueProblem) -> String {
        guard case .string(let text) = value else {
            throw MigrationValueProblem("\(name) needs a text, not \(value.shownForProblem)")
        }
        return text
    }
}

/// Arithmetic.
extension MigrationExpression.Function {
    private enum Number {
        case whole(Int128)
        case real(Double)
        case decimal(ArchivedDecimal)

        init?(_ value: ArchivedValue) {
            switch value {
            case .boolean(let truth): self = .whole(truth ? 1 : 0)
            case .integer(let number): self = .whole(number)
            case .real(let number) where number.isFinite: self = .real(number)
            case .decimal(let number) where !number.isNaN: self = .decimal(number)
            default: return nil
            }
        }

        /// The number as a decimal; a real becomes the shortest decimal that is read as the same real.
        var decimal: ArchivedDecimal? {
            switch self {
            case .whole(let number):
                ArchivedDecimal(mantissa: number.magnitude, exponent: 0, isNegative: number < 0)
            case .real(let number): ArchivedDecimal(text: "\(number)")
            case .decimal(let number): number
            }
        }

        var real: Double? {
            switch self {
            case .whole(let number): Double(number)
            case .real(let number): number
            case .decimal: nil
            }
        }
    }

    private func calculate(
        _ first: ArchivedValue, _ second: ArchivedValue
    ) throws(MigrationValueProblem) -> ArchivedValue {
        var numbers: [Number] = []
        for value in [first, second] {
            guard let number = Number(value) else {
                throw MigrationValueProblem("\(name) needs numbers, not \(value.shownForProblem)")
            }
            numbers.append(number)
        }
        let value: ArchivedValue?
        switch (numbers[0], numbers[1]) {
        case (.whole(let one), .whole(let two)):
            if self == .divide, two == 0 { throw byZero(first) }
            value = whole(one, two).map { .integer($0) }
        case (.decimal, _), (_, .decimal):
            guard let one = numbers[0].decimal, let two = numbers[1].decimal else {
                throw beyond(first, second)
            }
            if self == .divide, two.mantissa == 0 { throw byZero(first) }
            value = decimal(one, two).map { .decimal($0) }
        default:
            guard let one = numbers[0].real, let two = numbers[1].real else { throw beyond(first, second) }
            if self == .divide, two == 0 { throw byZero(first) }
            let result = real(one, two)
            value = result.isFinite ? .real(result) : nil
        }
        guard let value else { throw beyond(first, second) }
        return value
    }

    private func whole(_ one: Int128, _ two: Int128) -> Int128? {
        let (value, overflow) =
            switch self {
            case .add: one.addingReportingOverflow(two)
            case .subtract: one.subtractingReportingOverflow(two)
            case .multiply: one.multipliedReportingOverflow(by: two)
            default: one.dividedReportingOverflow(by: two)
            }
        return overflow ? nil : value
    }

    private func real(_ one: Double, _ two: Double) -> Double {
        switch self {
        case .add: one + two
        case .subtract: one - two
        case .multiply: one * two
        default: one / two
        }
    }

    private func decimal(_ one: ArchivedDecimal, _ two: ArchivedDecimal) -> ArchivedDecimal? {
        switch self {
        case .add: one.adding(two)
        case .subtract: one.adding(two.negated)
        case .multiply: one.multiplied(by: two)
        default: one.divided(by: two)
        }
    }

    private func byZero(_ value: ArchivedValue) -> MigrationValueProblem {
        MigrationValueProblem("\(value.shownForProblem) is divided by zero")
    }

    private func beyond(_ one: ArchivedValue, _ two: ArchivedValue) -> MigrationValueProblem {
        MigrationValueProblem(
            "\(one.shownForProblem) \(name) \(two.shownForProblem) is beyond the range of numbers")
    }
}

/// Casts.
extension MigrationExpression.Function {
    private func castToText(_ value: ArchivedValue) throws(MigrationValueProblem) -> String {
        switch value {
        case .string(let text), .url(let text): return text
        case .boolean(let truth): return truth ? "1" : "0"
        case .integer(let number): return "\(number)"
        case .real(let number) where number.isFinite:
            return Int128(exactly: number).map { "\($0)" } ?? "\(number)"
        case .decimal(let number) where !number.isNaN: return "\(number)"
        case .uuid(let uuid): return "\(uuid)"
        case .date(let seconds):
            guard let time = FileTime(secondsSince2001: seconds), time.hasFourDigitYear else {
                throw MigrationValueProblem("\(value.shownForProblem) has no year of four digits")
            }
            return time.iso
        default: throw MigrationValueProblem("\(value.shownForProblem) cannot become a text")
        }
    }

    private func castToNumber(_ value: ArchivedValue) throws(MigrationValueProblem) -> ArchivedValue {
        switch value {
        case .integer, .boolean: return value
        case .real(let number), .date(let number):
            if number.isFinite { return .real(number) }
        case .decimal(let number):
            if !number.isNaN { return value }
        case .string(let text):
            if let number = Self.number(text) { return number }
        default: break
        }
        throw MigrationValueProblem("\(value.shownForProblem) is not a number")
    }

    /// The number in a text: whole, or a real if it has all the digits, otherwise a decimal.
    static func number(_ text: String) -> ArchivedValue? {
        guard text.utf8.count <= 1_000 else { return nil }
        if let number = Int128(text) { return .integer(number) }
        let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
        guard isPlain, let real = Double(text), real.isFinite else { return nil }
        guard let decimal = ArchivedDecimal(text: text), let shortest = ArchivedDecimal(text: "\(real)"),
            !decimal.hasValue(of: shortest), decimal.multiplied(by: .one) != nil
        else { return .real(real) }
        return .decimal(decimal)
    }

    private func castToDate(_ value: ArchivedValue) throws(MigrationValueProblem) -> ArchivedValue {
        switch value {
        case .date(let seconds), .real(let seconds):
            if seconds.isFinite { return .date(seconds) }
        case .integer(let number): return .date(Double(number))
        case .decimal(let number):
            if let seconds = Double("\(number)"), seconds.isFinite { return .date(seconds) }
        case .string(let text):
            if let time = PredicateParser.time(text) { return .date(time.secondsSince2001) }
            throw MigrationValueProblem(
                "\(value.shownForProblem) is not a time such as 2013-05-01T12:00:00Z")
        default: break
        }
        throw MigrationValueProblem("\(value.shownForProblem) is not a date")
    }
}

extension ArchivedDecimal {
    fileprivate static let one = ArchivedDecimal(mantissa: 1, exponent: 0, isNegative: false)
}

extension ArchivedValue {
    /// The value in words for a problem, at most a line of it.
    var shownForProblem: String {
        switch self {
        case .none, .null: "nil"
        case .boolean(let truth): truth ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .decimal(let number) where (-128...127).contains(number.exponent): "\(number)"
        case .date(let seconds):
            FileTime(secondsSince2001: seconds).map { "the date \($0.iso)" } ?? "the date \(seconds)"
        case .string(let text): "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
        case .uuid(let uuid): "the UUID \(uuid)"
        case .url(let text): "the URL \(text.prefix(60))"
        default: kindName
        }
    }
}
