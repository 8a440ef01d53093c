/// The known facts about a document's objects, by hash of sync ID: 20 bytes for each object with free places, no
/// strings.
struct ObjectIndex {
    private var shards = [Shard](repeating: Shard(), count: 64)

    /// The known facts about one object.
    struct Entry {
        /// The first set that refers to the object while it is unknown, counted from 1; 0 for none.
        var set: UInt32 = 0
        /// Number of the entity in `EntityNames`; 0 if it is unknown.
        var entity: UInt16 = 0
        var flags: Flags = []

        /// Whether the object is known to exist or to have existed.
        var isKnown: Bool { !flags.isDisjoint(with: [.inserted, .inStore]) }
    }

    struct Flags: OptionSet {
        let rawValue: UInt16
        static let inserted = Flags(rawValue: 1)
        static let inStore = Flags(rawValue: 2)
        /// Deleted and not inserted again.
        static let deleted = Flags(rawValue: 4)
        static let everDeleted = Flags(rawValue: 8)
        /// Changed, or the target of a relationship, before it was known.
        static let referenced = Flags(rawValue: 16)
        /// Inserted by a set that comes after one that refers to it.
        static let insertedLate = Flags(rawValue: 32)
        /// Objects of several entities have this sync ID, so no finding is made.
        static let ambiguous = Flags(rawValue: 64)
    }

    /// A hash with a random seed, so that an attacker cannot craft a file whose sync IDs collide. Never 0.
    static func key(_ syncID: String) -> UInt64 {
        var hasher = Hasher()
        var text = syncID
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return max(1, UInt64(bitPattern: Int64(hasher.finalize())))
    }

    /// The entry of a key; setting nil has no effect.
    subscript(key: UInt64) -> Entry? {
        get { shards[Int(key & 63)].entry(key) }
        set { if let newValue { shards[Int(key & 63)].set(key, newValue) } }
    }

    func forEach(_ body: (UInt64, Entry) -> Void) {
        for shard in shards { shard.forEach(body) }
    }

    /// A hash table with linear probing. The 64 tables grow one at a time, so that copying needs little extra memory.
    private struct Shard {
        private var keys: [UInt64] = []
        private var entries: [Entry] = []
        private var count = 0

        func entry(_ key: UInt64) -> Entry? {
            guard !keys.isEmpty else { return nil }
            let place = place(of: key)
            return keys[place] == key ? entries[place] : nil
        }

        mutating func set(_ key: UInt64, _ entry: Entry) {
            if count * 5 >= keys.count * 4 { grow() }
            let place = place(of: key)
            if keys[place] == 0 {
                keys[place] = key
                count += 1
            }
            entries[place] = entry
        }

        func forEach(_ body: (UInt64, Entry) -> Void) {
            for place in keys.indices where keys[place] != 0 { body(keys[place], entries[place]) }
        }

        private func place(of key: UInt64) -> Int {
            var place = Int(key.multipliedFullWidth(by: UInt64(keys.count)).high)
            while keys[place] != 0, keys[place] != key {
                place += 1
                if place == keys.count { place = 0 }
            }
            return place
        }

        private mutating func grow() {
            let old = self
            let size = max(16, keys.count / 4 * 5)
            keys = [UInt64](repeating: 0, count: size)
            entries = [Entry](repeating: Entry(), count: size)
            count = 0
            old.forEach { key, entry in set(key, entry) }
        }
    }
}

/// Numbers for the names of entities, from 1 to 4095. A hostile document with more names gets no further numbers.
struct EntityNames {
    private var numbers: [String: UInt16] = [:]
    private var names: [String] = []

    /// The number of a name; 0 if no number is left.
    mutating func number(of name: String) -> UInt16 {
        if let number = numbers[name] { return number }
        guard names.count < 4095 else { return 0 }
        names.append(name)
        numbers[name] = UInt16(clamping: names.count)
        return UInt16(clamping: names.count)
    }

    func name(_ number: UInt16) -> String? { number == 0 ? nil : names[Int(number) - 1] }
}
