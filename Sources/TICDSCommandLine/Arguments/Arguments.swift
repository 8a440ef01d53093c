public import ArgumentParser
public import SystemCalls
public import SystemPackage
import TICDSCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A length of time on the command line: a whole number and a unit, as in `90s`, `10m`, `2h`, `30d` or `4w`.
public struct DurationArgument: ExpressibleByArgument, Sendable, Hashable {
    public let seconds: Int64

    public init?(argument: String) {
        guard let unit = argument.last, let scale = Self.units[unit], let number = Int64(argument.dropLast()),
            number >= 0
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        self.seconds = seconds
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    public static var allValueStrings: [String] { [] }
}

/// A time on the command line: ISO 8601 from the year on, with or without a time of day, UTC unless an offset is given; or
/// so long ago, as in `30d`; or `now`, `today` or `yesterday`, which begin at midnight UTC.
public struct TimeArgument: ExpressibleByArgument, Sendable, Hashable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public let secondsSince2001: Double

    public init?(argument: String) { self.init(argument, now: FileTime.now.secondsSince2001) }

    /// - Parameter now: in seconds since 2001-01-01 00:00:00 UTC.
    init?(_ text: String, now: Double) {
        let today = (now / 86_400).rounded(.down) * 86_400
        switch text.lowercased() {
        case "now": secondsSince2001 = now
        case "today": secondsSince2001 = today
        case "yesterday": secondsSince2001 = today - 86_400
        default:
            let isPart = [4, 7].contains(text.utf8.count) && text.utf8.allSatisfy { $0 != UInt8(ascii: ":") }
            let missing = isPart ? text.utf8.count == 4 ? "-01-01" : "-01" : ""
            if let time = Self.iso(text + missing) {
                secondsSince2001 = time
            } else if let length = DurationArgument(argument: text) {
                secondsSince2001 = now - Double(length.seconds)  // bounded: floating point
            } else {
                return nil
            }
        }
    }

    private static func iso(_ text: String) -> Double? {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let seconds = day.time(includingFractionalSeconds: false)
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true), seconds,
            day.time(includingFractionalSeconds: true), day,
        ]
        for style in styles {
            guard let date = try? style.parse(text) else { continue }  // try?: the next style may fit
            return date.timeIntervalSinceReferenceDate
        }
        return nil
    }

    public static var allValueStrings: [String] { [] }
}

/// A size on the command line: a whole number and a unit, as in `800k`, `500M`, `10G` or `1T`; thousands, not 1,024s.
public struct SizeArgument: ExpressibleByArgument, Sendable, Hashable {
    public let bytes: Int64

    public init?(argument: String) {
        guard let unit = argument.last else { return nil }
        let scale = Self.units[unit]
        guard let number = Int64(scale == nil ? argument[...] : argument.dropLast()), number >= 0 else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: scale ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    private static let units: [Character: Int64] = [
        "B": 1, "k": 1_000, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000,
    ]

    public static var allValueStrings: [String] { [] }
}

/// How values of options are written, by the name that the help gives them.
enum ValueForms {
    private static let forms = [
        "time": """
        A time is a date or the beginning of one (2013, 2013-10, 2013-10-05T14:30:00Z), so long ago (36h, 30d, \
        4w), now, today or yesterday.
        """,
        "duration": "A duration is a number and a unit: 90s, 10m, 2h, 30d, 4w.",
        "size": "A size is a number and a unit: 800k, 500M, 10G, 1T.",
        "tag": """
        A tag has 1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'; it begins with no '.', and does not end \
        as an archive does (.zip).
        """,
    ]

    /// What fits an error of the parser about a value; nil for other errors.
    static func hint(_ problem: String) -> String? {
        guard problem.contains("is invalid for") else { return nil }
        return forms.first { problem.contains(" <\($0.key)>'") }?.value
    }
}

/// Where a command writes its results: never into a remote.
public enum OutputTarget {
    /// The file or folder that an argument names.
    /// - Throws: `FileProblem` of kind `refused` for a place in a remote.
    public static func path(_ argument: String) throws(FileProblem) -> FilePath {
        let path = Environment.path(argument: argument)
        if let remote = try RemoteLocation.remote(around: path.resolvedInFolder() ?? path) {
            throw FileProblem(
                .refused, path: path, "lies in a remote, where a foreign file blocks the clients",
                found: "the remote \(remote.escaped)", advice: "Choose a place outside it")
        }
        return path
    }
}
