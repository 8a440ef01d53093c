/// The integers of an index entry; NULL comes before all numbers.
struct IndexEntry {
    var values: SIMD4<Int64> = .zero

    var hash: UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for index in 0..<4 {
            hash = (hash ^ UInt64(bitPattern: values[index])) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
        }
        return hash
    }

    func isBefore(_ other: IndexEntry) -> Bool {
        for index in 0..<4 where values[index] != other.values[index] {
            return values[index] < other.values[index]
        }
        return false
    }

    /// The integers of a row; nil if a value has a different class or is on other pages.
    /// - Parameter key: the key of a row of a table. An entry of an index contains it as its last value.
    init?(
        _ page: UnsafeBufferPointer<UInt8>, _ record: Range<Int>, _ wanted: IndexEntryColumns, key: Int64
    ) {
        var offset = record.lowerBound
        let headerSize = Int(clamping: SQLiteVarint.read(page, &offset))
        guard headerSize <= record.count else { return nil }
        let end = record.lowerBound + headerSize
        var value = end
        for slot in wanted.slots {
            guard offset < end else { return nil }
            let type = SQLiteVarint.read(page, &offset)
            guard let size = Self.size(of: type), size <= record.upperBound - value else { return nil }
            if slot >= 0 {
                guard type <= 6 || type == 8 || type == 9 else { return nil }
                values[slot] = Self.integer(page, value, type, size)
            }
            value += size
        }
        for slot in wanted.keySlots { values[slot] = key }
    }

    /// The size of a value in bytes; nil for a type that does not exist.
    private static func size(of type: UInt64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: Int(clamping: (type - 12) / 2)
        }
    }

    private static func integer(
        _ page: UnsafeBufferPointer<UInt8>, _ place: Int, _ type: UInt64, _ size: Int
    ) -> Int64 {
        if type == 0 { return .min }
        if type >= 8 { return Int64(type - 8) }
        var number = Int64(Int8(bitPattern: page[place]))
        for offset in place + 1..<place + size { number = number << 8 | Int64(page[offset]) }
        return number
    }
}

/// The values of a record that make an entry.
struct IndexEntryColumns {
    /// The place in the entry of each value of the record from the first on; -1 for an unwanted value.
    var slots: [Int]
    /// The places of the primary key of a row, which is not in its record.
    var keySlots: [Int] = []

    /// The last place of an entry, which contains the primary key.
    private static let last = TreeCheck.columnLimit

    /// The values of a table's row.
    init(row columns: TreeCheck.Columns) {
        slots = Array(repeating: -1, count: (columns.compactMap(\.self).max() ?? -1) + 1)
        keySlots = [Self.last]
        for (slot, column) in columns.enumerated() {
            if let column { slots[column] = slot } else { keySlots.append(slot) }
        }
    }

    /// The values of an index with `count` columns before the primary key.
    init(index count: Int) { slots = (0..<count).map(\.self) + [Self.last] }
}

/// Numbers of one to nine bytes. Bytes after the end of the page count as zero.
enum SQLiteVarint {
    static func read(_ page: [UInt8], _ offset: inout Int) -> UInt64 {
        page.withUnsafeBufferPointer { read($0, &offset) }
    }

    static func read(_ page: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt64 {
        var number: UInt64 = 0
        for count in 1...9 {
            let byte = offset < page.count ? page[offset] : 0
            offset += 1
            if count == 9 { return number << 8 | UInt64(byte) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return number
    }
}
