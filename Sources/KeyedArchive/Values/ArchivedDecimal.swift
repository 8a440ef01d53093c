/// The exact value of an NSDecimalNumber: `mantissa` times ten to the power `exponent`, with up to 38 digits.
public struct ArchivedDecimal: Sendable, Hashable, CustomStringConvertible {
    /// The digits without the sign.
    public var mantissa: UInt128
    /// The power of ten; -128 to 127 in an archive.
    public var exponent: Int
    /// Whether the number is below zero.
    public var isNegative: Bool
    /// Whether this is NaN; mantissa and exponent have no meaning then.
    public var isNaN: Bool

    /// NaN. Foundation archives it as a negative number with a mantissa of zero.
    public static let notANumber = ArchivedDecimal(mantissa: 0, exponent: 0, isNegative: true, isNaN: true)

    /// A number. Zero has no sign, since a negative zero means NaN in an archive.
    public init(mantissa: UInt128, exponent: Int, isNegative: Bool) {
        let isNegative = isNegative && mantissa != 0
        self.init(mantissa: mantissa, exponent: exponent, isNegative: isNegative, isNaN: false)
    }

    private init(mantissa: UInt128, exponent: Int, isNegative: Bool, isNaN: Bool) {
        self.mantissa = mantissa
        self.exponent = exponent
        self.isNegative = isNegative
        self.isNaN = isNaN
    }

    /// The permitted exponents of a text. No decimal has a larger one, and the digits would fill pages.
    private static let powers = -9_999...9_999

    /// Parses plain or exponent notation: "12.50", "-3", "1.5e10", "NaN". Nil for any other text, for digits beyond 128
    /// bits, and for an exponent of more than four digits.
    public init?(text: String) {
        if text == "NaN" {
            self = .notANumber
            return
        }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let number = parts.first, let power = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        let isNegative = number.hasPrefix("-")
        let digits = number.hasPrefix("-") || number.hasPrefix("+") ? number.dropFirst() : number
        let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? halves[1] : ""
        guard let whole = halves.first, Self.powers.contains(power),
            !(whole.isEmpty && fraction.isEmpty),
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }),
            let mantissa = UInt128(String(whole + fraction))
        else { return nil }
        self.init(mantissa: mantissa, exponent: power - fraction.utf8.count, isNegative: isNegative)
    }

    /// Decimal notation without an exponent, such as "-12.50".
    public var description: String {
        guard !isNaN else { return "NaN" }
        let sign = isNegative ? "-" : ""
        let digits = String(mantissa)
        guard exponent < 0 else {
            return sign + (mantissa == 0 ? "0" : digits + String(repeating: "0", count: exponent))
        }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.utf8.count)) + digits
        return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }
}
