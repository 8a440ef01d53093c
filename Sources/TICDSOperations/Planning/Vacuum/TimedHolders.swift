import Base
import SystemCalls
import TICDSCore

/// The holders that need every set of others which is later than a time, and nothing else. They are counted together,
/// so that a set costs one search instead of a look at each of them.
struct TimedHolders {
    /// The indexes of the holders in the rule, the earliest time first.
    private let holders: [Int]
    /// Their times; nil is earlier than all sets.
    private let times: [FileTime?]
    private let places: [RemoteName: Int]
    /// The sets by the number of holders that need them, if their authors are counted as well.
    private var needed: [Sums]
    /// The sets of each holder that it would need if they were those of another client.
    private var own: [Sums]

    private struct Sums {
        var count = 0
        var bytes: Int128 = 0
        /// The oldest set, the place of its author, and the oldest of all sets of other authors.
        var oldest: (time: FileTime, author: Int?, ofOthers: FileTime?)?

        mutating func add(_ entry: VacuumEntry, author: Int?) {
            count +|= 1
            bytes += Int128(entry.size)  // bounded: fewer than 2^63 sets
            add((entry.latest, author, nil))
        }

        mutating func add(_ other: Sums) {
            count +|= other.count
            bytes += other.bytes  // bounded: fewer than 2^63 sets
            if let oldest = other.oldest { add(oldest) }
        }

        private mutating func add(_ other: (time: FileTime, author: Int?, ofOthers: FileTime?)) {
            guard let own = oldest else { return oldest = other }
            let (first, second) = own.time <= other.time ? (own, other) : (other, own)
            let next = first.author == second.author ? second.ofOthers : second.time
            oldest = (first.time, first.author, [first.ofOthers, next].compactMap(\.self).min())
        }
    }

    /// Chooses among the holders of a rule; returns the indexes of the others.
    static func choose(_ indexes: [Int], of rule: some VacuumRule) -> (timed: TimedHolders, others: [Int]) {
        var places: [RemoteName: Int] = [:]
        var others: [Int] = []
        var chosen: [(index: Int, time: FileTime?)] = []
        for index in indexes {
            if case .everythingAfter(let time) = rule.need(of: index),
                places.updateValue(0, forKey: rule.holders[index].client) == nil
            {
                chosen.append((index, time))
            } else {
                others.append(index)
            }
        }
        chosen.sort { one, other in
            guard let later = other.time else { return false }
            return one.time.map { $0 < later } ?? true
        }
        for (place, holder) in chosen.enumerated() { places[rule.holders[holder.index].client] = place }
        return (TimedHolders(chosen.map(\.index), chosen.map(\.time), places), others)
    }

    private init(_ holders: [Int], _ times: [FileTime?], _ places: [RemoteName: Int]) {
        self.holders = holders
        self.times = times
        self.places = places
        needed = Array(repeating: Sums(), count: holders.count + 1)
        own = Array(repeating: Sums(), count: holders.count)
    }

    /// The place of a client in these holders, for `add`; nil if it is none of them.
    func place(of client: RemoteName) -> Int? { places[client] }

    /// Counts a set for the holders that need it.
    /// - Parameter author: the place of its author.
    /// - Returns: the number of these holders, and the first of them.
    mutating func add(_ entry: VacuumEntry, author: Int?) -> (count: Int, first: Int?) {
        let end = times.endOfPrefix { $0.map { $0 < entry.latest } ?? true }
        needed[end].add(entry, author: author)
        guard let author, author < end else { return (end, end > 0 ? holders[0] : nil) }
        own[author].add(entry, author: author)
        let first = author == 0 ? 1 : 0
        return (end - 1, first < end ? holders[first] : nil)  // bounded: the author is before the end
    }

    /// Adds what was counted to the sets that each holder holds.
    func finish(_ holds: inout [HeldSets]) {
        var sums = Sums()
        for place in holders.indices.reversed() {
            sums.add(needed[place + 1])
            let count = sums.count - own[place].count  // bounded: its own sets are among them
            let bytes = sums.bytes - own[place].bytes  // bounded: as above
            guard count > 0 else { continue }
            let index = holders[place]
            holds[index].sets.add(FileTotals(count: count, bytes: Int64(clamping: bytes)))
            holds[index].notSynchronised +|= count
            let oldest = sums.oldest.flatMap { $0.author == place ? $0.ofOthers : $0.time }
            holds[index].oldest = [holds[index].oldest, oldest].compactMap(\.self).min()
        }
    }
}
