// Arithmetic on numbers that come from outside: times and sizes of files, counts and offsets that a file tells. A file
// may tell any number, and what cannot be counted is shown as the last number that can; it never ends the program.

infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence

extension FixedWidthInteger {
    /// The sum; the largest or the least number where it lies beyond.
    @inlinable public static func +| (one: Self, other: Self) -> Self {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference; the largest or the least number where it lies beyond.
    @inlinable public static func -| (one: Self, other: Self) -> Self {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }

    /// The product; the largest or the least number where it lies beyond.
    @inlinable public static func *| (one: Self, other: Self) -> Self {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (one < 0) == (other < 0) ? .max : .min
    }

    /// Adds; stays at the largest or the least number where the sum lies beyond.
    @inlinable public static func +|= (one: inout Self, other: Self) { one = one +| other }

    /// The whole number nearest to zero from `number`; the largest or the least where that lies beyond, 0 for what is no
    /// number.
    @inlinable public init(saturating number: Double) {
        if let whole = Self(exactly: number.rounded(.towardZero)) {
            self = whole
        } else if number.isNaN {
            self = 0
        } else {
            self = number < 0 ? .min : .max
        }
    }
}
