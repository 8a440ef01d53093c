#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment up to which somebody waits, by a clock that nobody can set.
public struct Deadline: Sendable {
    private let end: Int64

    /// The moment `seconds` from now; what is too far away to count never comes.
    public init(seconds: Int64) {
        let (length, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (end, isTooFar) = Self.now.addingReportingOverflow(length)
        self.end = isTooLong || isTooFar ? Int64.max : end
    }

    /// Whether the moment has come.
    public var isOver: Bool { Self.now >= end }

    /// Waits a moment before one looks again.
    public func pause() { usleep(50_000) }

    /// Nanoseconds since some moment in the past.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
