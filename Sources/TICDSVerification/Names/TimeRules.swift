package import SystemCalls
package import TICDSCore

/// The rules for plausible times. All numbers are seconds; points in time are seconds since 1970.
package struct TimeRules {
    let now: Int64
    let isEncrypted: Bool

    /// The tolerated difference between clocks; also the error of a disk that keeps local time, after a change to
    /// summer time.
    static let futureTolerance: Int64 = 3600
    /// The tolerated time by which a file is younger than its name: no time zone differs by more, and no upload takes
    /// longer.
    static let lateTolerance: Int64 = 86_400
    /// The tolerated time by which a file is older than its name: a device may have been offline for half a year.
    static let offlineTolerance: Int64 = 180 * 86_400
    /// The longest silence: a client that is half a year behind the others of its document counts as abandoned.
    static let longestSilence: Int64 = 180 * 86_400
    /// 2010-01-01, before the first version of the framework.
    static let oldest: Int64 = 1_262_304_000

    package func isInFuture(_ time: FileTime) -> Bool { isInFuture(time.seconds) }
    func isInFuture(_ time: Int64) -> Bool { time > now + Self.futureTolerance }

    /// Whether the time in a name is plausible: neither before the framework existed nor in the future.
    package func isBelievable(nominal: Int64) -> Bool { nominal >= Self.oldest && !isInFuture(nominal) }

    /// Whether a file is younger than any variant makes it, if its name is right (ticds-protocol(7), 1.8.3).
    package func isLate(_ modified: Int64, nominal: Int64) -> Bool { modified > nominal + Self.lateTolerance }

    /// Whether a file is older than any variant makes it, if its name is right.
    package func isEarly(_ modified: Int64, nominal: Int64) -> Bool {
        let tolerance = isEncrypted ? Self.lateTolerance : Self.offlineTolerance
        return modified < max(nominal - tolerance, Self.oldest)
    }
}

extension FileTime {
    /// Seconds since 1970, clamped to some hundred thousand years, so that sums and differences of a few never overflow.
    package var boundedSeconds: Int64 { min(max(seconds, -1 << 43), 1 << 43) }
}

/// The extent of a vacuum of a document (ticds-protocol(7), 1.9); times are in seconds since 1970.
package struct VacuumLimits {
    let limit: Int64
    /// The last synchronisation of each member, the earliest first.
    private let lastSyncs: [(client: RemoteName, time: Int64)]
    /// The tolerated difference between the clocks of two machines.
    private static let tolerance: Int64 = 60

    package init(_ document: DocumentSnapshot, now: Int64) {
        let members = Set(document.clients.map(\.identifier))
        let stores = document.wholeStores.compactMap { $0.store?.modified.boundedSeconds }
        let syncs = document.recentSyncs.map { (client: $0.client, time: $0.file.modified.boundedSeconds) }
        limit = min(stores.min() ?? now, syncs.map(\.time).min() ?? now)
        lastSyncs = syncs.filter { members.contains($0.client) }.sorted { $0.time < $1.time }
    }

    /// Whether a vacuum removes a set that was uploaded after the last synchronisation of another client.
    package func takesUnseen(_ times: SetTimes, of author: RemoteName) -> Bool {
        guard times.modified < limit else { return false }
        guard let first = lastSyncs.first(where: { $0.client != author }) else { return false }
        return times.nominal > first.time + Self.tolerance
    }

    /// The clients whose last synchronisation was before `time`, without `author`, sorted.
    func clients(before time: Int64, without author: RemoteName) -> [RemoteName] {
        lastSyncs.prefix { $0.time + Self.tolerance < time }.map(\.client).filter { $0 != author }.sorted()
    }
}

/// Statistics of the times of one client's change sets: counts, and the positions of a few examples.
package struct ClientTimes {
    package let client: ClientChangeSets
    private(set) var dated = 0
    /// Of the sets with a time in their names, those whose modification time does not fit the name.
    private(set) var mismatched = Examples()
    /// Of the sets with a time in their names, the number whose modification time is too early.
    private(set) var early = 0
    private(set) var future = Examples()
    /// Sets that a vacuum would remove although another client has not fetched them.
    private(set) var unseen = Examples()
    /// The seconds between file times and names, if nearly the same for all sets and more than any variant makes.
    package private(set) var clockOffset: Int64?
    /// Whether the files were written within a shorter time than the times in their names cover.
    package private(set) var isSpanTooShort = false
    /// The time of the client's latest set, by the file or by the name, whichever is earlier; never in the future.
    private(set) var lastActivity: Int64?
    private(set) var names: ClosedRange<Int64>?

    /// A count and the positions of the first few.
    struct Examples {
        static let most = 3
        private(set) var count = 0
        private(set) var positions: [Int] = []

        mutating func add(_ position: Int) {
            count += 1
            if positions.count < Self.most { positions.append(position) }
        }
    }

    init(_ client: ClientChangeSets, _ rules: TimeRules, _ limits: VacuumLimits) {
        self.client = client
        var times: [SetTimes] = []
        times.reserveCapacity(client.changeSets.count)
        for position in client.changeSets.indices {
            let modified = client.changeSets.modified(at: position).boundedSeconds
            let isFuture = rules.isInFuture(modified)
            if isFuture { future.add(position) }
            let name = client.changeSets.withIdentifier(at: position, ChangeSetIdentifier.nominalTime)
            let nominal = name?.seconds
            let made = min(modified, nominal ?? modified)
            if !rules.isInFuture(made) { lastActivity = max(lastActivity ?? made, made) }
            if let nominal, !isFuture {
                times.append(SetTimes(position: position, nominal: nominal, modified: modified))
            }
        }
        clockOffset = SetTimes.commonOffset(times)
        for time in times where rules.isBelievable(nominal: time.nominal) { add(time, rules, limits) }
        isSpanTooShort = SetTimes.isSpanTooShort(times.filter { rules.isBelievable(nominal: $0.nominal) })
    }

    private mutating func add(_ time: SetTimes, _ rules: TimeRules, _ limits: VacuumLimits) {
        dated += 1
        names =
            names.map { min($0.lowerBound, time.nominal)...max($0.upperBound, time.nominal) }
            ?? time.nominal...time.nominal
        // bounded: boundedSeconds
        if let clockOffset, abs(time.offset - clockOffset) <= SetTimes.offsetTolerance { return }
        let isEarly = rules.isEarly(time.modified, nominal: time.nominal)
        if isEarly || rules.isLate(time.modified, nominal: time.nominal) {
            mismatched.add(time.position)
            if isEarly { early += 1 }
        } else if limits.takesUnseen(time, of: client.identifier) {
            unseen.add(time.position)
        }
    }

    /// Whether all or many sets have lost their times, and not only a few.
    package var areTimesLost: Bool {
        isSpanTooShort || mismatched.count > Examples.most || (mismatched.count == dated && dated > 1)
    }

    package var isWhollyOff: Bool { areTimesLost || (dated > 0 && mismatched.count == dated) }
}

/// The two times of one change set, in seconds since 1970.
package struct SetTimes {
    let position: Int
    let nominal: Int64
    let modified: Int64
    /// The seconds by which the file is younger than its name; negative if it is older.
    var offset: Int64 { modified - nominal }

    package init(position: Int, nominal: Int64, modified: Int64) {
        self.position = position
        self.nominal = nominal
        self.modified = modified
    }

    /// The largest difference between offsets that count as equal.
    static let offsetTolerance: Int64 = 300
    private static let fewest = 5
    /// An app that synchronises at a fixed time after the last edit makes files older than their names by that time.
    private static let believableDelay: Int64 = 3300
    private static let believableUpload: Int64 = 900

    /// The offset of nine tenths of the sets, if they cover a day and it is greater than any variant makes.
    static func commonOffset(_ times: [SetTimes]) -> Int64? {
        guard times.count >= fewest, let first = times.map(\.nominal).min(),
            let last = times.map(\.nominal).max(), last - first >= 86_400
        else { return nil }
        let offsets = times.map(\.offset).sorted()
        let margin = offsets.count / 20
        let range = offsets[margin]...offsets[offsets.count - 1 - margin]
        let middle = offsets[offsets.count / 2]
        guard range.upperBound - range.lowerBound <= offsetTolerance else { return nil }
        return middle > believableUpload || middle < -believableDelay ? middle : nil
    }

    /// Whether the files were written in less than half the time that the times in their names cover.
    ///
    /// A set contains the edits between two synchronisations, so that in every variant its file is younger than the
    /// name of the set two places before it. The time from the first file to the last is therefore about as long as the
    /// time from the first name to the fourth last.
    static func isSpanTooShort(_ times: [SetTimes]) -> Bool {
        guard times.count > fewest, let first = times.map(\.modified).min(),
            let last = times.map(\.modified).max()
        else { return false }
        let names = times.map(\.nominal).sorted()
        let span = names[names.count - 4] - names[0]
        return span >= 3600 && (last - first) < span / 2
    }
}
