public import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
