import Base

/// What an index contains of one row, or of one of its own entries.
struct IndexEntry {
    /// A digest of the primary key, and of which values are NULL.
    private(set) var shape: UInt64
    /// A digest of the primary key and the values; nil if a value is on other pages.
    private(set) var digest: UInt64?
    /// The values with the primary key behind them, if all are integers or NULL. NULL comes before all numbers.
    private(set) var integers: SIMD4<Int64>?

    /// - Parameters:
    ///   - values: the columns of the index in its order; nil is the primary key.
    ///   - key: the primary key. A row has it outside of its record, an entry of an index at its end.
    init(
        _ page: UnsafeBufferPointer<UInt8>, _ record: borrowing RecordHead, _ values: TreeCheck.Columns,
        key: Int64
    ) {
        shape = Self.mix(0x9E37_79B9_7F4A_7C15, UInt64(bitPattern: key))
        digest = shape
        integers = values.count <= TreeCheck.orderLimit ? SIMD4(repeating: 0) : nil
        integers?[TreeCheck.orderLimit] = key
        for (place, column) in values.enumerated() {
            guard let column else {
                add(key, at: place)
                continue
            }
            add(page, record.value(column), at: place)
        }
    }

    private mutating func add(_ integer: Int64, at place: Int) {
        shape = Self.mix(shape, 1)
        digest = digest.map { Self.mix(Self.mix($0, 1), UInt64(bitPattern: integer)) }
        if integer == .min { integers = nil } else { integers?[place] = integer }
    }

    private mutating func add(_ page: UnsafeBufferPointer<UInt8>, _ value: RecordHead.Value, at place: Int) {
        switch value.type {
        case 0:
            shape = Self.mix(shape, 0)
            digest = digest.map { Self.mix($0, 0) }
            integers?[place] = .min
        case 8, 9: add(Int64(value.type - 8), at: place)
        case _ where !value.isHere:
            shape = Self.mix(shape, 1)
            (digest, integers) = (nil, nil)
        case 1...6: add(RecordHead.integer(page, value.bytes), at: place)
        case 7:
            integers = nil
            let number = Double(bitPattern: UInt64(bitPattern: RecordHead.integer(page, value.bytes)))
            // A row may have an integer where its index has the same number as a real.
            if let integer = Int64(exactly: number) { return add(integer, at: place) }
            shape = Self.mix(shape, 1)
            digest = digest.map { Self.mix(Self.mix($0, 2), number.bitPattern) }
        default:
            integers = nil
            shape = Self.mix(shape, 1)
            digest = digest.map { Self.digest(Self.mix($0, 3 + value.type % 2), page, value.bytes) }
        }
    }

    func isBefore(_ other: IndexEntry) -> Bool {
        guard let integers, let others = other.integers else { return true }
        for index in 0..<4 where integers[index] != others[index] { return integers[index] < others[index] }
        return false
    }

    private static func mix(_ digest: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (digest ^ word) &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ mixed >> 32
    }

    private static func digest(
        _ start: UInt64, _ page: UnsafeBufferPointer<UInt8>, _ bytes: Range<Int>
    ) -> UInt64 {
        var digest = mix(start, UInt64(bytes.count))
        var place = bytes.lowerBound
        while place < bytes.upperBound {
            var word: UInt64 = 0
            for offset in place..<min(place + 8, bytes.upperBound) { word = word << 8 | UInt64(page[offset]) }
            digest = mix(digest, word)
            place += 8
        }
        return digest
    }
}

/// The first values of one record: their types and places. Used again for each record of a tree.
struct RecordHead: ~Copyable {
    struct Value {
        /// The serial type; 0 is NULL.
        var type: UInt64
        var bytes: Range<Int>
        /// Whether all of its bytes are on the first page of the record.
        var isHere: Bool
    }

    private var values: [Value] = []

    /// A value of the record. A row without the last columns has NULL in them.
    func value(_ column: Int) -> Value {
        column < values.count ? values[column] : Value(type: 0, bytes: 0..<0, isHere: true)
    }

    /// An integer of the record; nil for another value, and for one on other pages.
    func integer(_ page: UnsafeBufferPointer<UInt8>, _ column: Int) -> Int64? {
        let value = value(column)
        return switch value.type {
        case 8, 9: Int64(value.type - 8)
        case 1...6 where value.isHere: Self.integer(page, value.bytes)
        default: nil
        }
    }

    static func integer(_ page: UnsafeBufferPointer<UInt8>, _ bytes: Range<Int>) -> Int64 {
        var number = Int64(Int8(bitPattern: page[bytes.lowerBound]))
        for offset in bytes.dropFirst() { number = number << 8 | Int64(page[offset]) }
        return number
    }

    enum Extent {
        case whole
        /// The head goes on on other pages.
        case partial
        case damaged
    }

    /// Reads the first `count` values of a record with `payload` bytes, of which those in `record` are on this page.
    mutating func read(
        _ page: UnsafeBufferPointer<UInt8>, _ record: Range<Int>, payload: Int, count: Int
    ) -> Extent {
        values.removeAll(keepingCapacity: true)
        var offset = record.lowerBound
        let headSize = Int(clamping: SQLiteVarint.read(page, &offset))
        guard headSize <= record.count else { return headSize <= payload ? .partial : .damaged }
        let end = record.lowerBound + headSize
        var place = end
        while values.count < count, offset < end {
            let type = SQLiteVarint.read(page, &offset)
            guard let size = Self.size(of: type) else { return .damaged }
            let next = place +| size
            values.append(Value(type: type, bytes: place..<next, isHere: next <= record.upperBound))
            place = next
        }
        return .whole
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
