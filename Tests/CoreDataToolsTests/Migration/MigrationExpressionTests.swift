import CoreDataTools
import KeyedArchive
import SystemCalls
import TestSupport
import Testing

/// The grammar of the expressions of a migration.
@Suite("Expressions of migrations") struct MigrationExpressionTests {
    private func parsed(_ text: String) throws -> MigrationExpression {
        try MigrationExpression(parsing: text)
    }

    @Test func operationsBindAsInArithmetic() throws {
        let (a, b) = (MigrationExpression.source(path: ["a"]), MigrationExpression.source(path: ["b", "c"]))
        #expect(
            try parsed("a - b.c * 2 - $source.a")
                == .function(
                    .subtract,
                    [
                        .function(.subtract, [a, .function(.multiply, [b, .constant(.integer(2))])]),
                        a,
                    ]))
        #expect(try parsed("(a + -3) / 1.5").text == "($source.a + -3) / 1.5")
        #expect(try parsed("-a") == .function(.subtract, [.constant(.integer(0)), a]))
    }

    @Test func constantsOfEachTypeAreWritten() throws {
        let constants: [(String, ArchivedValue)] = [
            ("nil", .none), ("YES", .boolean(true)), ("no", .boolean(false)), ("-5", .integer(-5)),
            ("2.5", .real(2.5)), ("'it\\'s'", .string("it's")),
            ("CAST('2013-05-01T12:00:00Z', 'NSDate')", .date(389_102_400)),
            ("CAST(-12.5, 'NSDate')", .date(-12.5)),
            (
                "CAST('12.50', 'NSDecimalNumber')",
                .decimal(ArchivedDecimal(mantissa: 1250, exponent: -2, isNegative: false))
            ),
            ("CAST('aGk=', 'NSData')", .data([0x68, 0x69])), ("CAST('a://b', 'NSURL')", .url("a://b")),
            (
                "castObject('0F3C4A5E-0000-4000-8000-000000000000', 'NSUUID')",
                .uuid(try #require(ArchivedUUID(text: "0F3C4A5E-0000-4000-8000-000000000000")))
            ),
        ]
        for (text, value) in constants {
            #expect(try parsed(text) == .constant(value), "\(text)")
            #expect(try parsed(parsed(text).text) == .constant(value), "\(text)")
        }
    }

    @Test func functionsOfXcodeAreRead() throws {
        #expect(
            try parsed("FUNCTION($source, 'valueForKey:', 'name')") == .source(path: ["name"]))
        #expect(
            try parsed("FUNCTION(FUNCTION($source,\"valueForKeyPath:\",\"a.b\"), 'lowercaseString')")
                == .function(.lowercase, [.source(path: ["a", "b"])]))
        #expect(
            try parsed(
                "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"BookToBook\", $source.book)"
            ) == .destinations(mappings: ["BookToBook"], sources: .source(path: ["book"])))
        #expect(
            try parsed("TERNARY(stars > 3 AND NOT (a == 'x, y'), 1, 2)")
                == parsed("stars > 3 && !(a == 'x, y') ? 1 : 2"))
    }

    @Test func conditionsChooseValues() throws {
        let expression = try parsed(
            "$source.stars IN {1, 2} ? 'few' : stars == nil ? nil : concat('a', b, c)")
        #expect(
            expression.text
                == "stars IN {1, 2} ? \"few\" : stars == nil ? nil : concat(\"a\", $source.b, $source.c)"
        )
        #expect(try parsed(expression.text) == expression)
    }

    @Test(arguments: [
        ("", 0, "a value, a key path or a function is missing"),
        ("a b", 2, "an operation is missing, or quotation marks around a text"),
        ("a + ", 4, "a value, a key path or a function is missing"),
        ("é + 'x", 5, "a quotation mark is missing"),
        ("a == 1", 2, "a comparison needs two values behind it: CONDITION ? VALUE : VALUE"),
        ("é ~ 2 ? 1 : 2", 3, "in the condition: a comparison such as ==, < or CONTAINS is missing"),
        ("a == 1 ? 2", 10, "a colon and the value otherwise are missing"),
        (
            "foo(1)", 0,
            "there is no function foo: only lowercase, uppercase, concat, CAST, destinations and FUNCTION"
        ),
        ("lowercase(a, b)", 0, "lowercase needs one text"),
        ("$destination.x", 0, "$destination has no value here: only $source, the object of the old store"),
        ("lowercase($manager)", 10, "$manager has no value here: only $source, the object of the old store"),
        (
            "a.@sum.b", 0,
            "@sum is not known here: only @count, at the end of a path to a to-many relationship"
        ),
        ("1 + (CAST('x', 'NSDate'))", 5, "this value cannot become an NSDate"),
        ("FUNCTION($manager, 'x', a)", 0, "the function x of the migration manager is not carried out"),
        ("FUNCTION(a, 'weigh:', 1)", 0, "the function weigh: is not carried out"),
        ("%@", 0, "nothing is put in the place of %@ here: write the value itself"),
        ("a..b", 0, "not a key path of at most 64 names"),
    ])
    func faultsHaveOffsets(_ text: String, _ offset: Int, _ problem: String) {
        do {
            _ = try parsed(text)
            Issue.record("accepted: \(text)")
        } catch let error as ExpressionProblem {
            #expect(error.problem == problem)
            #expect(error.offset == offset)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(arguments: [
        ("", "(", 30_000, ""), ("", "-", 30_000, ""), ("", "a+", 30_000, "a"), ("", "lowercase(", 6_000, ""),
        ("", "a == 1 ? ", 7_000, ""), ("", "a==1?1:", 9_000, "1"), ("", "TERNARY(", 8_000, ""),
        ("", "x", 70_000, ""), ("concat(", "a,", 30_000, "a)"),
    ])
    func excessiveTextsAreRefused(_ start: String, _ part: String, _ count: Int, _ end: String) {
        let text = start + String(repeating: part, count: count) + end
        #expect(throws: ExpressionProblem.self) { try parsed(text) }
    }

    @Test func printedExpressionsAreReadAgain() throws {
        var numbers = RandomNumbers(11)
        for _ in 0..<5_000 {
            let expression = Self.random(&numbers, depth: 5)
            let text = expression.text
            do {
                #expect(try parsed(text) == expression, "\(text)")
            } catch {
                Issue.record("\(error): \(text)")
            }
        }
    }

    /// The longest and deepest expressions that are read, printed and read again.
    @Test(arguments: [
        "a" + String(repeating: " - a", count: 1_999), "a" + String(repeating: " / 2 * a", count: 900),
        "concat(" + String(repeating: "a, ", count: 1_998) + "b)", String(repeating: "-", count: 63) + "a",
        String(repeating: "lowercase(", count: 63) + "a" + String(repeating: ")", count: 63),
        String(repeating: "a == 1 ? 1 : ", count: 63) + "2",
        String(repeating: "a == 1 ? ", count: 63) + "2" + String(repeating: " : 3", count: 63),
    ])
    func extremeExpressionsArePrintedWithinTheLimits(_ text: String) throws {
        let expression = try parsed(text)
        #expect(try parsed(expression.text) == expression)
    }

    @Test func damagedExpressionsAreRefusedOrRead() throws {
        var numbers = RandomNumbers(12)
        for _ in 0..<5_000 {
            var scalars = Array(Self.random(&numbers, depth: 4).text.unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) where !scalars.isEmpty {
                let place = Int.random(in: 0..<scalars.count, using: &numbers)
                if Bool.random(using: &numbers) {
                    scalars.remove(at: place)
                } else {
                    scalars[place] =
                        "()?:,'\"\\$@.{}%\u{301}é1e-".unicodeScalars.randomElement(using: &numbers) ?? "("
                }
            }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            do {
                let read = try parsed(String(view))
                #expect(try parsed(read.text) == read, "\(String(view))")
            } catch let error as ExpressionProblem {
                #expect((0...String(view).utf8.count).contains(error.offset))
            }
        }
    }

    private static func random(_ numbers: inout RandomNumbers, depth: Int) -> MigrationExpression {
        func name() -> String {
            ["a", "übung", "_x9", "nil", "lowercase"].randomElement(using: &numbers) ?? "a"
        }
        func path() -> MigrationExpression {
            .source(path: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in name() })
        }
        guard depth > 0 else {
            return Int.random(in: 0..<3, using: &numbers) == 0 ? path() : .constant(constant(&numbers))
        }
        func inner() -> MigrationExpression {
            random(&numbers, depth: Int.random(in: 0..<depth, using: &numbers))
        }
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: return path()
        case 1: return .constant(constant(&numbers))
        case 2: return .destinations(mappings: ["A", "B \"c\""], sources: inner())
        case 3:
            let function = [MigrationExpression.Function.lowercase, .uppercase].randomElement(using: &numbers)
            return .function(function ?? .lowercase, [inner()])
        case 4:
            let function = [MigrationExpression.Function.castToDate, .castToText, .castToNumber]
                .randomElement(using: &numbers)
            return .function(function ?? .castToText, [.function(.concatenate, [inner(), inner()])])
        case 5, 6:
            let function = [
                MigrationExpression.Function.add, .subtract, .multiply, .divide, .concatenate,
            ].randomElement(using: &numbers)
            return .function(function ?? .add, [inner(), inner()])
        default: return .conditional(condition(&numbers, depth: 2), inner(), inner())
        }
    }

    private static func constant(_ numbers: inout RandomNumbers) -> ArchivedValue {
        let bytes = (0..<Int.random(in: 0...9, using: &numbers)).map { _ in
            UInt8.random(in: 0...255, using: &numbers)
        }
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: return .none
        case 1: return .boolean(.random(using: &numbers))
        case 2: return .integer([Int128.min, -7, 0, 42, .max].randomElement(using: &numbers) ?? 0)
        case 3:
            return .real(
                [-0.5, 0.1, 1e300, .leastNonzeroMagnitude, -0.0, 3].randomElement(using: &numbers) ?? 0)
        case 4: return .string(String(decoding: bytes, as: UTF8.self) + "\"'\\\n?:")
        case 5: return .data(bytes)
        case 6:
            return .date(
                [389_102_400.5, 1e15, -12.345678901, .leastNonzeroMagnitude].randomElement(using: &numbers)
                    ?? 0)
        case 7:
            return .decimal(
                ArchivedDecimal(
                    mantissa: .random(in: 0...(1 << 100), using: &numbers),
                    exponent: .random(in: -128...0, using: &numbers), isNegative: .random(using: &numbers)))
        default: return .uuid(.random(using: &numbers))
        }
    }

    private static func condition(_ numbers: inout RandomNumbers, depth: Int) -> ObjectPredicate {
        let texts = [
            "stars BETWEEN {1, 2}", "ANY tags.name LIKE[cd] '?\\n*'", "a == nil", "TRUEPREDICATE",
            "made < CAST(5.25, 'NSDate')", "x IN {'a', 'b'}", "tags.@count >= 2", "done = YES",
        ]
        func inner() -> ObjectPredicate { condition(&numbers, depth: depth - 1) }
        guard depth > 0, Bool.random(using: &numbers) else {
            let text = texts.randomElement(using: &numbers) ?? "TRUEPREDICATE"
            // try?: the texts are conditions, as other tests show
            return (try? ObjectPredicate(parsing: text)) ?? .constant(false)
        }
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: return .not(inner())
        case 1: return .and(inner(), inner())
        default: return .or(inner(), inner())
        }
    }
}
