#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment on the monotonic clock (CLOCK_MONOTONIC), which setting the system time does not change.
public struct Deadline: Sendable {
    private let end: Int64

    /// The moment `seconds` from now. A deadline beyond 64 bits of nanoseconds never comes.
    public init(seconds: Int64) {
        let (length, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (end, isTooFar) = Self.now.addingReportingOverflow(length)
        self.end = isTooLong || isTooFar ? Int64.max : end
    }

    /// Whether the moment has come.
    public var isOver: Bool { Self.now >= end }

    /// Sleeps for 50 milliseconds, between two attempts.
    public func pause() { usleep(50_000) }

    /// Nanoseconds on the monotonic clock.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
