/// An NSDecimalNumber, exact: `mantissa` times ten to the power `exponent`, with up to 38 digits.
public struct ArchivedDecimal: Sendable, Hashable, CustomStringConvertible {
    /// The digits, without sign.
    public var mantissa: UInt128
    /// Power of ten, -128 to 127 in an archive.
    public var exponent: Int
    /// True for numbers below zero.
    public var isNegative: Bool
    /// True for no number; mantissa and exponent have no meaning then.
    public var isNaN: Bool

    /// The value that is no number, negative with a mantissa of zero, as Foundation archives it.
    public static let notANumber = ArchivedDecimal(mantissa: 0, exponent: 0, isNegative: true, isNaN: true)

    /// A number. Zero has no sign: with one, an archive means no number.
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

    /// Larger exponents are no decimal's, and the text of such a number would be too long for anybody.
    private static let powers = -9_999...9_999

    /// Plain or exponent notation: "12.50", "-3", "1.5e10", "NaN". Nil when the text is no number, has more digits than
    /// 128 bits hold, or an exponent of more than four digits.
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

    /// Plain decimal text without an exponent.
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
