import CoreDataStore

/// A set of numbers that are already hashes, of eight bytes each.
struct FingerprintSet {
    private var slots: [UInt64] = []
    private var hasZero = false
    private(set) var count = 0

    /// Adds a number; returns false if it was already there.
    mutating func insert(_ number: UInt64) -> Bool {
        guard number != 0 else {
            defer { hasZero = true }
            return !hasZero
        }
        if count >= slots.count / 4 * 3 { grow() }
        guard Self.place(number, in: &slots) else { return false }
        count += 1
        return true
    }

    func contains(_ number: UInt64) -> Bool {
        guard number != 0 else { return hasZero }
        guard !slots.isEmpty else { return false }
        var place = Int(truncatingIfNeeded: number) & (slots.count - 1)
        while slots[place] != 0 {
            if slots[place] == number { return true }
            place = (place + 1) & (slots.count - 1)
        }
        return false
    }

    private static func place(_ number: UInt64, in slots: inout [UInt64]) -> Bool {
        var place = Int(truncatingIfNeeded: number) & (slots.count - 1)
        while slots[place] != 0 {
            if slots[place] == number { return false }
            place = (place + 1) & (slots.count - 1)
        }
        slots[place] = number
        return true
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: max(1_024, slots.count * 2))
        for number in slots where number != 0 { _ = Self.place(number, in: &larger) }
        slots = larger
    }
}

/// The keys of the present rows of one table, as runs of successive numbers.
struct KeyRuns {
    private var runs: [ClosedRange<Int64>] = []
    private var isSorted = true

    mutating func add(_ key: Int64) {
        if let last = runs.last {
            if last.upperBound != .max, key == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...key
                return
            }
            if key <= last.upperBound { isSorted = false }
        }
        runs.append(key...key)
    }

    /// Call once, after the last key.
    mutating func finish() {
        if !isSorted { runs.sort { $0.lowerBound < $1.lowerBound } }
    }

    func contains(_ key: Int64) -> Bool {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].contains(key)
    }
}
