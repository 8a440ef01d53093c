#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import SystemCalls

extension FileTime {
    /// Seconds by which the local time zone (`TZ`) is ahead of UTC at this time.
    var localOffset: Int64 {
        var time = time_t(seconds)
        var fields = tm()
        return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
    }

    /// Milliseconds of a clock that nobody sets.
    static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
