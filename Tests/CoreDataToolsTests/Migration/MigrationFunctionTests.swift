import CoreDataTools
import KeyedArchive
import SystemCalls
import TestSupport
import Testing

/// The functions of a migration as pure functions on values.
@Suite("Functions of migrations") struct MigrationFunctionTests {
    typealias Function = MigrationExpression.Function

    private func decimal(_ text: String) throws -> ArchivedValue {
        .decimal(try #require(ArchivedDecimal(text: text)))
    }

    @Test func wholeNumbersStayWhole() throws {
        #expect(try Function.add.apply([.integer(2), .boolean(true)]) == .integer(3))
        #expect(try Function.divide.apply([.integer(7), .integer(-2)]) == .integer(-3))
        #expect(try Function.multiply.apply([.integer(6), .real(0.5)]) == .real(3))
    }

    @Test func decimalsAreExact() throws {
        let tenth = try decimal("0.1")
        #expect(try Function.add.apply([tenth, .real(0.2)]) == decimal("0.3"))
        #expect(try Function.subtract.apply([tenth, .integer(1)]) == decimal("-0.9"))
        #expect(try Function.multiply.apply([decimal("12.50"), .real(1.19)]) == decimal("14.875"))
        let third = try Function.divide.apply([decimal("2"), .integer(3)])
        #expect(try third == decimal("0." + String(repeating: "6", count: 37) + "7"))
    }

    @Test func decimalsAgreeWithWholeNumbers() throws {
        var numbers = RandomNumbers(7)
        for _ in 0..<5_000 {
            let (one, two) = (
                Int128.random(in: -1_000_000_000...1_000_000_000, using: &numbers),
                Int128.random(in: 1...1_000_000_000, using: &numbers)
            )
            for function in [Function.add, .subtract, .multiply] {
                let whole = try function.apply([.integer(one), .integer(two)])
                let other = try function.apply([decimal("\(one).00"), .integer(two)])
                guard case .integer(let number) = whole, case .decimal(let result) = other else {
                    Issue.record("\(whole), \(other)")
                    return
                }
                #expect("\(number)" == "\(result)".split(separator: ".").first.map(String.init))
            }
            let product = try Function.multiply.apply([decimal("\(one)"), .integer(two)])
            #expect(try Function.divide.apply([product, .integer(two)]) == decimal("\(one)"))
        }
    }

    @Test(arguments: [MigrationExpression.Function.add, .subtract, .multiply, .divide])
    func extremeNumbersAreErrorsOrFinite(_ function: Function) throws {
        let largest = try #require(UInt128("99999999999999999999999999999999999999"))
        let extremes: [ArchivedValue] =
            [Int128.min, -1, 0, 1, .max].map { .integer($0) }
            + [
                -Double.greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan,
                .infinity,
            ]
            .map { .real($0) }
            + [-128, 0, 127].flatMap { exponent in
                [0, 1, largest, UInt128.max].flatMap { mantissa in
                    [true, false].map {
                        .decimal(ArchivedDecimal(mantissa: mantissa, exponent: exponent, isNegative: $0))
                    }
                }
            } + [.decimal(.notANumber), .string("1"), .date(0), .data([1]), .array([])]
        var failures = 0
        for one in extremes {
            for two in extremes {
                do {
                    switch try function.apply([one, two]) {
                    case .real(let number): #expect(number.isFinite)
                    case .decimal(let number):
                        #expect(!number.isNaN && "\(number.mantissa)".count <= 38)
                        #expect((-128...127).contains(number.exponent))
                    case .integer: break
                    case let other: Issue.record("\(one) \(two): \(other)")
                    }
                } catch {
                    failures += 1
                    #expect(!error.problem.isEmpty && !error.problem.hasSuffix("."))
                }
            }
        }
        #expect(failures > 100)
    }

    @Test func divisionByZeroNamesTheNumber() throws {
        for zero in [.integer(0), .real(0), .real(-0.0), try decimal("0.00")] as [ArchivedValue] {
            #expect(throws: MigrationValueProblem("5 is divided by zero")) {
                try Function.divide.apply([.integer(5), zero])
            }
        }
    }

    @Test func nilGivesNilButForConcatenation() throws {
        for function in [Function.add, .subtract, .multiply, .divide] {
            #expect(try function.apply([.none, .string("x")]) == .none)
        }
        for function in [Function.lowercase, .uppercase, .castToDate, .castToNumber, .castToText] {
            #expect(try function.apply([.null]) == .none)
        }
        #expect(try Function.concatenate.apply([.none, .string("b")]) == .string("b"))
        #expect(try Function.concatenate.apply([.string("a"), .none]) == .string("a"))
        #expect(try Function.concatenate.apply([.none, .null]) == .none)
    }

    @Test func textsOfTooManyBytesAreRefused() throws {
        let half = ArchivedValue.string(String(repeating: "x", count: 33 << 20))
        #expect(throws: MigrationValueProblem("concat makes a text of more than 64 MiB")) {
            try Function.concatenate.apply([half, half])
        }
    }

    @Test func castsReadWhatTheyWrite() throws {
        let values: [(ArchivedValue, Function)] = [
            (.integer(-12), .castToNumber), (.real(0.1), .castToNumber), (.real(1e300), .castToNumber),
            (try decimal("12345678901234567890.123456789"), .castToNumber),
            (.date(389_102_400.5), .castToDate),
        ]
        for (value, back) in values {
            #expect(try back.apply([try Function.castToText.apply([value])]) == value)
        }
        #expect(try Function.castToText.apply([.real(3)]) == .string("3"))
        #expect(try Function.castToDate.apply([.integer(60)]) == .date(60))
        #expect(try Function.castToNumber.apply([.date(60)]) == .real(60))
        #expect(try Function.castToDate.apply([.string("2013-05-01")]) == .date(389_059_200))
    }

    @Test(arguments: ["", " 1", "1 ", "0x10", "inf", "nan", "1e999", "1,5", "١"])
    func textsThatAreNoNumbersAreNamed(_ text: String) {
        #expect(throws: MigrationValueProblem("\"\(text)\" is not a number")) {
            try Function.castToNumber.apply([.string(text)])
        }
    }

    @Test func otherNumbersOfArgumentsAreErrors() {
        #expect(throws: MigrationValueProblem("lowercase has 1 values, not 0")) {
            try Function.lowercase.apply([])
        }
        #expect(throws: MigrationValueProblem.self) { try Function.add.apply([.integer(1)]) }
    }
}
