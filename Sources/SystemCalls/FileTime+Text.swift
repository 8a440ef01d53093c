import KeyedArchive

extension FileTime {
    /// The time that `iso` tells, as ``iso`` writes it: a year of at least four digits, perhaps with a minus sign, up
    /// to nine digits of fraction, UTC. Nil for any other text.
    public init?(iso: String) {
        var text = Substring(iso)
        let sign: Int = text.first == "-" ? -1 : 1
        if sign < 0 { text = text.dropFirst() }
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, let end = halves[1].last, end == "Z" else { return nil }
        let days = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        let parts = halves[1].dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let clock = (parts.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
            .map(Self.number)
        guard days.count == 3, clock.count == 3, parts.count <= 2, let year = days[0], let month = days[1],
            let day = days[2], let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: sign * year, month: month, day: day)
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard fraction.utf8.count <= 9, let nanoseconds = Self.number(fraction) else { return nil }
        let scale = (fraction.utf8.count..<9).reduce(1) { scale, _ in scale * 10 }
        self.init(
            seconds: date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second),
            nanoseconds: Int32(nanoseconds * scale))
    }

    /// A number of one to twelve digits.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
