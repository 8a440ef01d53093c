import SystemCalls
import TICDSCore

/// Which times are plausible. All numbers are seconds; points in time are seconds since 1970.
struct TimeRules {
    /// The present.
    let now: Int64
    let isEncrypted: Bool

    /// How much clocks may differ; also the error of a disk that keeps local time, after a change to summer time.
    static let futureTolerance: Int64 = 3600
    /// How much younger a file may be than its name: no time zone differs by more, and no upload takes longer.
    static let lateTolerance: Int64 = 86_400
    /// How much older a file may be than its name: a device may have been offline for half a year.
    static let offlineTolerance: Int64 = 180 * 86_400
    /// A client that is half a year behind the others of its document counts as abandoned.
    static let longestSilence: Int64 = 180 * 86_400
    /// 2010-01-01, before the first version of the framework.
    static let oldest: Int64 = 1_262_304_000

    func isInFuture(_ time: FileTime) -> Bool { isInFuture(time.seconds) }
    func isInFuture(_ time: Int64) -> Bool { time > now + Self.futureTolerance }

    /// Whether the time in a name is plausible: neither before the framework existed nor in the future.
    func isBelievable(nominal: Int64) -> Bool { nominal >= Self.oldest && !isInFuture(nominal) }

    /// Whether a file is younger than any variant makes it, if its name is right (ticds-protocol(7), 4.8.3).
    func isLate(_ modified: Int64, nominal: Int64) -> Bool { modified > nominal + Self.lateTolerance }

    /// Whether a file is older than any variant makes it, if its name is right.
    func isEarly(_ modified: Int64, nominal: Int64) -> Bool {
        let tolerance = isEncrypted ? Self.lateTolerance : Self.offlineTolerance
        return modified < max(nominal - tolerance, Self.oldest)
    }
}

extension FileTime {
    /// Seconds since 1970, clamped to some hundred thousand years, so that sums and differences of a few never overflow.
    var boundedSeconds: Int64 { min(max(seconds, -1 << 43), 1 << 43) }
}

/// What a vacuum of a document would remove (ticds-protocol(7), 4.9); times are in seconds since 1970.
struct VacuumLimits {
    /// A vacuum removes sets that are older than this.
    let limit: Int64
    /// The last synchronisation of each member, the earliest first.
    private let lastSyncs: [(client: RemoteName, time: Int64)]
    /// How much the clocks of two machines may differ.
    private static let tolerance: Int64 = 60

    init(_ document: DocumentSnapshot, now: Int64) {
        let members = Set(document.clients.map(\.identifier))
        let stores = document.wholeStores.compactMap { $0.store?.modified.boundedSeconds }
        let syncs = document.recentSyncs.map { (client: $0.client, time: $0.file.modified.boundedSeconds) }
        limit = min(stores.min() ?? now, syncs.map(\.time).min() ?? now)
        lastSyncs = syncs.filter { members.contains($0.client) }.sorted { $0.time < $1.time }
    }

    /// Whether a vacuum removes a set that was uploaded after the last synchronisation of another client.
    func takesUnseen(_ times: SetTimes, of author: RemoteName) -> Bool {
        guard times.modified < limit else { return false }
        guard let first = lastSyncs.first(where: { $0.client != author }) else { return false }
        return times.nominal > first.time + Self.tolerance
    }

    /// The clients whose last synchronisation was before `time`, without `author`, sorted.
    func clients(before time: Int64, without author: RemoteName) -> [RemoteName] {
        lastSyncs.prefix { $0.time + Self.tolerance < time }.map(\.client).filter { $0 != author }.sorted()
    }
}
