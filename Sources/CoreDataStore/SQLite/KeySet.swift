/// A set of primary keys, with one bit for each number up to the highest key. Core Data counts keys from 1.
struct KeySet {
    private var words: [UInt64] = []
    /// Whether all added keys are in the set. Keys below 1, and those for which there is no room, are not.
    private(set) var isWhole = true

    /// Adds a key. The set takes at most `room` further bytes, and subtracts what it takes.
    mutating func add(_ key: Int64, _ room: inout Int) {
        let word = Int(truncatingIfNeeded: key >> 6)
        if key < 1 || word >= words.count {
            guard key > 0, grow(to: word, &room) else {
                isWhole = false
                return
            }
        }
        words[word] |= 1 << UInt64(truncatingIfNeeded: key & 63)
    }

    private mutating func grow(to word: Int, _ room: inout Int) -> Bool {
        let count = words.count
        guard word - count < room / 8 else { return false }
        // bounded: the room is a size in memory
        let more = max(word - count + 1, min(count, room / 8))
        words.append(contentsOf: repeatElement(0, count: more))
        room -= more * 8  // bounded: at most room
        return true
    }

    /// Whether the set has the key.
    func contains(_ key: Int64) -> Bool {
        let word = Int(truncatingIfNeeded: key >> 6)
        guard key > 0, word < words.count else { return false }
        return words[word] & 1 << UInt64(truncatingIfNeeded: key & 63) != 0
    }

    /// Whether all keys that were added here are known to be in another set.
    func isKnown(in other: KeySet) -> Bool {
        guard isWhole else { return false }
        for (place, word) in words.enumerated() where word != 0 {
            guard place < other.words.count, word & ~other.words[place] == 0 else { return false }
        }
        return true
    }
}
