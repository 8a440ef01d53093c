import SystemCalls

/// Which times are believable. All in seconds.
struct TimeRules {
    /// Seconds since 1970.
    let now: Int64
    let isEncrypted: Bool

    /// What clocks may disagree, and what summer time makes of a disk that keeps local time.
    static let futureTolerance: Int64 = 3600
    /// A file may be this much younger than its name says: no time zone is off by more, no upload takes longer.
    static let lateTolerance: Int64 = 86_400
    /// Half a year: edits of a device that was away for so long are still believed.
    static let offlineTolerance: Int64 = 180 * 86_400
    /// A client that is so much behind the others of its document counts as gone: half a year.
    static let longestSilence: Int64 = 180 * 86_400
    /// 2010-01-01: nothing of the framework's is older.
    static let oldest: Int64 = 1_262_304_000

    func isInFuture(_ time: FileTime) -> Bool { isInFuture(time.seconds) }
    func isInFuture(_ time: Int64) -> Bool { time > now + Self.futureTolerance }

    /// False for the time in a name that a clock gave which was badly wrong.
    func isBelievable(nominal: Int64) -> Bool { nominal >= Self.oldest && !isInFuture(nominal) }

    /// True for a file that no variant dates so, if its name is right (ticds-protocol(7), 4.8.3).
    func isLate(_ modified: Int64, nominal: Int64) -> Bool { modified > nominal + Self.lateTolerance }

    func isEarly(_ modified: Int64, nominal: Int64) -> Bool {
        let tolerance = isEncrypted ? Self.lateTolerance : Self.offlineTolerance
        return modified < max(nominal - tolerance, Self.oldest)
    }
}

extension FileTime {
    /// Seconds since 1970, cut to some hundred thousand years, so that sums and differences of a few never overflow.
    var boundedSeconds: Int64 { min(max(seconds, -1 << 43), 1 << 43) }
}
