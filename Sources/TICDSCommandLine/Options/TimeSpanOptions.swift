package import ArgumentParser

/// The times between which something has to lie that a command lists.
package struct TimeSpanOptions: ParsableArguments {
    @Option(help: .value("time", "Show only entries from this time or later."))
    package var since: TimeArgument?

    @Option(help: .value("time", "Show only entries from before this time."))
    package var until: TimeArgument?

    package init() {}

    package func validate() throws {
        if let since, let until, since.secondsSince2001 >= until.secondsSince2001 {
            throw ValidationError("--since has to be before --until.")
        }
    }

    /// Whether a time in seconds since 2001-01-01 00:00:00 UTC lies between them. An unknown time may do so.
    package func contains(_ time: Double?) -> Bool {
        guard let time else { return true }
        return time >= since?.secondsSince2001 ?? -.infinity && time < until?.secondsSince2001 ?? .infinity
    }
}
