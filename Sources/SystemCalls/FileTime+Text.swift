import KeyedArchive

extension FileTime {
    /// The time that `iso` tells, as ``iso`` writes it: a year of at least four digits, perhaps with a minus sign, up
    /// to nine digits of fraction, UTC. Nil for any other text, and for what 64 bits cannot count.
    public init?(iso: String) {
        var text = Array(iso.utf8)[...]
        let sign: Int = text.first == UInt8(ascii: "-") ? -1 : 1
        if sign < 0 { text = text.dropFirst() }
        let halves = Self.split(text, at: "T")
        guard halves.count == 2, halves[1].last == UInt8(ascii: "Z") else { return nil }
        let days = Self.split(halves[0], at: "-").map(Self.number)
        let parts = Self.split(halves[1].dropLast(), at: ".")
        let clock = Self.split(parts[0], at: ":").map(Self.number)
        guard days.count == 3, clock.count == 3, parts.count <= 2, let year = days[0], let month = days[1],
            let day = days[2], let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: sign * year, month: month, day: day)
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : [UInt8(ascii: "0")]
        guard fraction.count <= 9, let nanoseconds = Self.number(fraction) else { return nil }
        let scale = (fraction.count..<9).reduce(1) { scale, _ in scale * 10 }
        // The first day begins before the first second.
        let seconds = Int128(date.daysSince1970) * 86_400 + Int128(hour * 3_600 + minute * 60 + second)
        guard let seconds = Int64(exactly: seconds) else { return nil }
        self.init(seconds: seconds, nanoseconds: Int32(clamping: nanoseconds * scale))
    }

    /// At least one part.
    private static func split(_ text: ArraySlice<UInt8>, at sign: Unicode.Scalar) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: sign), omittingEmptySubsequences: false)
    }

    /// A number of one to twelve digits.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...12).contains(text.count) else { return nil }
        var number = 0
        for digit in text {
            guard (48...57).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return number
    }
}
