/// Finds names in one folder that differ only in letter case or Unicode form: one file on a Mac, two here.
enum NameCollisions {
    /// Pairs of positions: the twin, and the first entry with such a name.
    static func find(in listing: FolderListing) -> [(twin: Int, original: Int)] {
        guard listing.count > 1 else { return [] }
        var keys: [(key: UInt64, position: Int)] = []
        keys.reserveCapacity(listing.count)
        for position in listing.indices { keys.append((listing.withName(at: position, key), position)) }
        keys.sort { $0 < $1 }
        var twins: [(twin: Int, original: Int)] = []
        var first = 0
        for next in 1..<keys.count {
            if keys[next].key != keys[first].key {
                first = next
            } else if isSame(listing[keys[next].position], listing[keys[first].position]) {
                twins.append((keys[next].position, keys[first].position))
            }
        }
        return twins
    }

    private static func isSame(_ one: FolderEntry, _ other: FolderEntry) -> Bool {
        // String equality ignores the Unicode form.
        one.name.isUTF8 && other.name.isUTF8 && one.name.text.lowercased() == other.name.text.lowercased()
    }

    /// A key that is equal for all twins and few other names. ASCII is taken eight bytes at a time with the case bit
    /// set.
    private static func key(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var key: UInt64 = UInt64(name.count)
        var position = 0
        while position < name.count {
            var word: UInt64 = 0
            let length = min(8, name.count - position)
            withUnsafeMutableBytes(of: &word) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: name[position..<position + length]))
            }
            guard word & 0x8080_8080_8080_8080 == 0 else { return keyOfForeign(name) }
            key = (key ^ (word | 0x2020_2020_2020_2020)) &* 0x9E37_79B9_7F4A_7C15
            key ^= key >> 29
            position += length
        }
        return key
    }

    private static func keyOfForeign(_ name: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(bitPattern: Int64(String(decoding: name, as: UTF8.self).lowercased().hashValue))
    }
}
