import Base
package import SystemCalls
package import TICDSCore

/// Times with their age, and sizes that may be larger.
extension TextStyle {
    /// Date and time to the minute, and the distance from now: `2013-05-01 14:03 (8 years ago)`.
    package func minuteWithAge(_ time: FileTime, now: FileTime = .now) -> String {
        isISO ? minute(time) : "\(minute(time)) (\(time.relative(to: now)))"
    }

    /// Date and time to the second, and the distance from now: `2013-05-01 14:03:22 (8 years ago)`.
    package func secondWithAge(_ time: FileTime) -> String {
        isISO ? second(time) : "\(second(time)) (\(time.relative()))"
    }

    /// A size for a cell, marked if there may be more.
    package func size(_ bytes: Seen<Int64>) -> String {
        Quantities.marked(bytes.map { $0 == 0 ? nil : size($0) }, none: size(Int64(0)))
    }
}

extension FileTime {
    /// The distance from `now` in its largest unit: `just now`, `5 minutes ago`, `in 2 days`.
    package func relative(to now: FileTime = .now) -> String {
        let distance = now.seconds(since: self)
        let units: [(seconds: UInt64, name: String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3_600, "hour"), (60, "minute"),
        ]
        for unit in units where distance.magnitude >= unit.seconds {
            let text = Quantities.count(Int(clamping: distance.magnitude / unit.seconds), unit.name)
            return distance > 0 ? text + " ago" : "in " + text
        }
        return "just now"
    }
}

/// Sizes and counts for people.
package enum Quantities {
    /// A count with a comma every three digits: "100,000".
    package static func count(_ number: Int) -> String { grouped(number) }

    /// A count with its noun: "1 change set", "3 change sets", "2 entries".
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        count(number) + " " + (number == 1 ? singular : plural ?? singular + "s")
    }

    /// A count for a cell, with a plus sign if there may be more; empty if it is then zero.
    package static func count(_ number: Seen<Int>) -> String {
        marked(number.map { $0 == 0 ? nil : count($0) }, none: "0")
    }

    fileprivate static func marked(_ text: Seen<String?>, none: String) -> String {
        text.isWhole ? text.part ?? none : text.part.map { $0 + "+" } ?? ""
    }

    /// A count with its noun for a sentence: "3 change sets", or "3+ change sets" if there may be more.
    package static func count(_ number: Seen<Int>, _ singular: String) -> String {
        number.isWhole ? count(number.part, singular) : "\(count(number.part))+ \(singular)s"
    }
}

extension FileProblem {
    /// The sentence in place of "there are none" if this problem hides whether there are any.
    package var doubt: String {
        "None was seen, but there may be some: \(path.escaped) could not be read."
    }
}
