/// Times for people.
extension Moment {
    /// Local date and time to the minute: `2013-05-01 14:03`.
    public var local: String { String(localSeconds.prefix(16)) }

    /// Local date and time to the second: `2013-05-01 14:03:22`.
    public var localSeconds: String {
        var output = OutputBuffer(nil)
        output.append(calendar: seconds + localOffset, separator: 0x20)
        return output.collectedText
    }

    /// Local date and time with the distance from now: `2013-05-01 14:03 (12 years ago)`.
    public func localAndRelative(to now: Moment = .now) -> String { "\(local) (\(relative(to: now)))" }

    /// The distance from `now` in its largest unit: `just now`, `5 minutes ago`, `in 2 days`.
    public func relative(to now: Moment = .now) -> String {
        let distance = now.seconds - seconds
        let units: [(seconds: Int64, name: String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3_600, "hour"), (60, "minute"),
        ]
        for unit in units where distance.magnitude >= unit.seconds {
            let text = Quantities.count(Int(distance.magnitude) / Int(unit.seconds), unit.name)
            return distance > 0 ? text + " ago" : "in " + text
        }
        return "just now"
    }
}
