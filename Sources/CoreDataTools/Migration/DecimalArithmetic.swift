import KeyedArchive

/// Exact arithmetic on decimals of at most 38 digits; nil if the result has more, or leaves the range of exponents.
extension ArchivedDecimal {
    private static let digitLimit = 38
    /// The smallest number with too many digits.
    private static let mantissaLimit = power(digitLimit)
    private static let exponents = -128...127

    /// Ten to the power `count`, of 0 to 38.
    private static func power(_ count: Int) -> UInt128 {
        (0..<count).reduce(1) { power, _ in power * 10 }  // bounded: 38 digits fit into 128 bits
    }

    /// The number without zeros at its end, within the range of NSDecimalNumber; nil if it does not fit.
    private var fitting: ArchivedDecimal? {
        guard !isNaN else { return nil }
        var (mantissa, exponent) = (mantissa, exponent)
        if mantissa == 0 { return ArchivedDecimal(mantissa: 0, exponent: 0, isNegative: false) }
        while mantissa % 10 == 0, exponent < 0 || mantissa >= Self.mantissaLimit {
            mantissa /= 10
            exponent += 1  // bounded: as often as the number has digits
        }
        while exponent > Self.exponents.upperBound {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            mantissa = product
            exponent -= 1  // bounded: above 127
        }
        guard mantissa < Self.mantissaLimit, Self.exponents.contains(exponent) else { return nil }
        return ArchivedDecimal(mantissa: mantissa, exponent: exponent, isNegative: isNegative)
    }

    /// The mantissa of this number with a lower exponent; nil if it does not fit.
    private func mantissa(atExponent lower: Int) -> UInt128? {
        if mantissa == 0 { return 0 }
        let (count, isFar) = exponent.subtractingReportingOverflow(lower)
        guard !isFar, (0...Self.digitLimit).contains(count) else { return nil }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: Self.power(count))
        return overflow ? nil : product
    }

    var negated: ArchivedDecimal {
        ArchivedDecimal(mantissa: mantissa, exponent: exponent, isNegative: !isNegative)
    }

    func adding(_ other: ArchivedDecimal) -> ArchivedDecimal? {
        guard !isNaN, !other.isNaN else { return nil }
        let lowest =
            mantissa == 0
            ? other.exponent : other.mantissa == 0 ? exponent : min(exponent, other.exponent)
        guard let one = mantissa(atExponent: lowest), let two = other.mantissa(atExponent: lowest) else {
            return nil
        }
        if isNegative == other.isNegative {
            let (sum, overflow) = one.addingReportingOverflow(two)
            guard !overflow else { return nil }
            return ArchivedDecimal(mantissa: sum, exponent: lowest, isNegative: isNegative).fitting
        }
        let difference = one > two ? one - two : two - one  // bounded: the larger minus the smaller
        return ArchivedDecimal(
            mantissa: difference, exponent: lowest, isNegative: one > two ? isNegative : other.isNegative
        ).fitting
    }

    func multiplied(by other: ArchivedDecimal) -> ArchivedDecimal? {
        guard !isNaN, !other.isNaN else { return nil }
        let (product, overflow) = mantissa.multipliedReportingOverflow(by: other.mantissa)
        let (power, isFar) = exponent.addingReportingOverflow(other.exponent)
        guard !overflow, !isFar else { return nil }
        return ArchivedDecimal(
            mantissa: product, exponent: power, isNegative: isNegative != other.isNegative
        ).fitting
    }

    /// The quotient, rounded to 38 digits. `other` is not zero.
    func divided(by other: ArchivedDecimal) -> ArchivedDecimal? {
        guard !isNaN, !other.isNaN, other.mantissa != 0 else { return nil }
        var (quotient, rest) = mantissa.quotientAndRemainder(dividingBy: other.mantissa)
        var (power, isFar) = exponent.subtractingReportingOverflow(other.exponent)
        guard !isFar else { return nil }
        while rest != 0, quotient < Self.mantissaLimit / 10 {
            let (tenfold, overflow) = rest.multipliedReportingOverflow(by: 10)
            let (lower, isTooLow) = power.subtractingReportingOverflow(1)
            guard !overflow, !isTooLow else { return nil }
            let digit = tenfold.quotientAndRemainder(dividingBy: other.mantissa)
            quotient = quotient * 10 + digit.quotient  // bounded: below ten to the power 38
            (rest, power) = (digit.remainder, lower)
        }
        if rest >= other.mantissa - rest { quotient += 1 }  // bounded: the rest is below the divisor
        return ArchivedDecimal(
            mantissa: quotient, exponent: power, isNegative: isNegative != other.isNegative
        ).fitting
    }

    /// Whether both have the same value, whatever the zeros at their ends.
    func hasValue(of other: ArchivedDecimal) -> Bool { adding(other.negated)?.mantissa == 0 }
}
