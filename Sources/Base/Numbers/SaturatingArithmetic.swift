// Saturating arithmetic for numbers that files contain: times, sizes, counts and offsets. Such a number can have any
// value; overflow must not end the program.

infix operator +| : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator *| : MultiplicationPrecedence
infix operator +|= : AssignmentPrecedence

extension FixedWidthInteger {
    /// The sum, clamped to the range of the type.
    @inlinable public static func +| (one: Self, other: Self) -> Self {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, clamped to the range of the type.
    @inlinable public static func -| (one: Self, other: Self) -> Self {
        let (difference, overflow) = one.subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }

    /// The product, clamped to the range of the type.
    @inlinable public static func *| (one: Self, other: Self) -> Self {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (one < 0) == (other < 0) ? .max : .min
    }

    /// Adds, clamped to the range of the type.
    @inlinable public static func +|= (one: inout Self, other: Self) { one = one +| other }

    /// Converts a number, rounded towards zero and clamped to the range of the type; 0 for NaN.
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
