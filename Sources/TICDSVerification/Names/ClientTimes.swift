import SystemCalls
import TICDSCore

/// What the times of one client's change sets come to: counts, and the places of a few.
struct ClientTimes {
    let client: ClientChangeSets
    /// Sets whose name tells a believable time.
    private(set) var dated = 0
    /// Of these, sets whose own time does not fit.
    private(set) var off = Examples()
    /// Of these, sets that look older than they are.
    private(set) var early = 0
    private(set) var future = Examples()
    /// Sets that vacuum would remove although another client has not fetched them.
    private(set) var unseen = Examples()
    /// By how much all files differ from their names, where it is the same for all and too much.
    private(set) var shift: Int64?
    /// True where the files were written in less time than their names tell.
    private(set) var isSqueezed = false
    /// When the client made the latest set, by its file or by its name, whichever is earlier; never in the future.
    private(set) var lastSign: Int64?
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
            let sign = min(modified, nominal ?? modified)
            if !rules.isInFuture(sign) { lastSign = max(lastSign ?? sign, sign) }
            if let nominal, !isFuture {
                times.append(SetTimes(position: position, nominal: nominal, modified: modified))
            }
        }
        shift = SetTimes.commonShift(times)
        for time in times where rules.isBelievable(nominal: time.nominal) { add(time, rules, limits) }
        isSqueezed = SetTimes.isSqueezed(times.filter { rules.isBelievable(nominal: $0.nominal) })
    }

    private mutating func add(_ time: SetTimes, _ rules: TimeRules, _ limits: VacuumLimits) {
        dated += 1
        names =
            names.map { min($0.lowerBound, time.nominal)...max($0.upperBound, time.nominal) }
            ?? time.nominal...time.nominal
        if let shift, abs(time.shift - shift) <= SetTimes.sameShift { return }  // bounded: boundedSeconds
        let isEarly = rules.isEarly(time.modified, nominal: time.nominal)
        if isEarly || rules.isLate(time.modified, nominal: time.nominal) {
            off.add(time.position)
            if isEarly { early += 1 }
        } else if limits.takesUnseen(time, of: client.identifier) {
            unseen.add(time.position)
        }
    }

    /// True where not single sets but all, or many, have lost their times.
    var areTimesLost: Bool {
        isSqueezed || off.count > Examples.most || (off.count == dated && dated > 1)
    }

    /// True where nothing speaks for the times of this client.
    var isWhollyOff: Bool { areTimesLost || (dated > 0 && off.count == dated) }
}

/// The two times of one change set, in seconds since 1970.
struct SetTimes {
    let position: Int
    let nominal: Int64
    let modified: Int64
    /// By how much the file is younger than its name.
    var shift: Int64 { modified - nominal }

    /// Shifts that differ by no more are the same.
    static let sameShift: Int64 = 300
    private static let fewest = 5
    /// An app that synchronises a fixed time after the last edit makes files that much older than their names.
    private static let believableDelay: Int64 = 3300
    private static let believableUpload: Int64 = 900

    /// The shift that nine tenths of the sets of at least a day have in common, if it is more than any variant makes.
    static func commonShift(_ times: [SetTimes]) -> Int64? {
        guard times.count >= fewest, let first = times.map(\.nominal).min(),
            let last = times.map(\.nominal).max(), last - first >= 86_400
        else { return nil }
        let shifts = times.map(\.shift).sorted()
        let margin = shifts.count / 20
        let range = shifts[margin]...shifts[shifts.count - 1 - margin]
        let middle = shifts[shifts.count / 2]
        guard range.upperBound - range.lowerBound <= sameShift else { return nil }
        return middle > believableUpload || middle < -believableDelay ? middle : nil
    }

    /// True where the files were written in less than half the time that their names tell.
    ///
    /// A set holds the edits between two synchronisations, so that in no variant its file is older than the name of the
    /// set but one before it; hence from the first file to the last it is about as long as from the first name to the
    /// last but three.
    static func isSqueezed(_ times: [SetTimes]) -> Bool {
        guard times.count > fewest, let first = times.map(\.modified).min(),
            let last = times.map(\.modified).max()
        else { return false }
        let names = times.map(\.nominal).sorted()
        let told = names[names.count - 4] - names[0]
        return told >= 3600 && (last - first) < told / 2
    }
}
