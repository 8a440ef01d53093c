package import ArgumentParser
import SystemCalls
package import TICDSCore

/// The span of time in which listed entries must be.
package struct TimeSpanOptions: ParsableArguments {
    @Option(help: .value("time", "Show only entries from this time or later."))
    package var since: TimeArgument?

    @Option(help: .value("time", "Show only entries from before this time."))
    package var until: TimeArgument?

    package init() {}

    /// Whether the options name a time.
    package var isNarrowed: Bool { since != nil || until != nil }

    /// The span that the options name, with times in the zone of this style.
    /// - Throws: `ValidationError` if no time lies between them.
    package func range(_ style: TextStyle) throws -> TimeRange {
        try TimeRange(since: since, until: until, style)
    }
}

/// A span of time, in seconds since 2001-01-01 00:00:00 UTC.
package struct TimeRange: Sendable, Hashable {
    /// The first moment; nil for no bound.
    package let since: Double?
    /// The moment after the last; nil for no bound.
    package let until: Double?

    /// - Throws: `ValidationError` if no time lies in it, or for a time that the clocks skip or show twice.
    package init(since: TimeArgument?, until: TimeArgument?, _ style: TextStyle) throws {
        self.since = try since?.secondsSince2001(style)
        self.until = try until?.secondsSince2001(style)
        if let since = self.since, let until = self.until, since >= until {
            throw ValidationError("--since has to be before --until.")
        }
    }

    /// Whether the span has a bound, and it is unknown on which side of it a time is.
    package func isUnknown(_ time: Double?) -> Bool {
        (since != nil || until != nil) && time.flatMap { FileTime(secondsSince2001: $0) } == nil
    }

    /// Whether a time is in the span. An unknown or impossible time may be.
    /// - Parameter isAtLeast: whether the true time may be later than `time`.
    package func contains(_ time: Double?, isAtLeast: Bool = false) -> Bool {
        guard let time, FileTime(secondsSince2001: time) != nil else { return true }
        return (isAtLeast || time >= since ?? -.infinity) && time < until ?? .infinity
    }
}
