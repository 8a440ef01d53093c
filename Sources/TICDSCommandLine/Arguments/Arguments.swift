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

/// A time on the command line: ISO 8601, with or without a time of day; UTC unless an offset is given.
public struct TimeArgument: ExpressibleByArgument, Sendable, Hashable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public let secondsSince2001: Double

    public init?(argument: String) {
        let day = Date.ISO8601FormatStyle().year().month().day()
        let seconds = day.time(includingFractionalSeconds: false)
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true), seconds,
            day.time(includingFractionalSeconds: true), day,
        ]
        for style in styles {
            guard let date = try? style.parse(argument) else { continue }  // try?: the next style may fit
            secondsSince2001 = date.timeIntervalSinceReferenceDate
            return
        }
        return nil
    }

    public static var allValueStrings: [String] { [] }
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
