import Base

/// The values of a row that an index contains, read from the row or from the index.
struct IndexEntry {
    /// A digest of the primary key and the values.
    private(set) var digest: UInt64
    /// The values with the primary key behind them, if all are integers or NULL. NULL comes before all numbers.
    private(set) var integers: SIMD4<Int64>?

    /// - Parameters:
    ///   - bytes: the bytes in which the record has its values.
    ///   - columns: the columns of the index in its order; nil is the primary key.
    ///   - key: the primary key. A row has it outside of its record, an entry of an index at its end.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, _ record: borrowing RecordHead, _ columns: TreeCheck.Columns,
        key: Int64
    ) {
        digest = Self.mix(0x9E37_79B9_7F4A_7C15, UInt64(bitPattern: key))
        integers = columns.count <= TreeCheck.orderLimit ? SIMD4(repeating: 0) : nil
        integers?[TreeCheck.orderLimit] = key
        for (place, column) in columns.enumerated() {
            if let column { add(bytes, record.value(column), at: place) } else { add(key, at: place) }
        }
    }

    private mutating func add(_ integer: Int64, at place: Int) {
        digest = Self.mix(Self.mix(digest, 1), UInt64(bitPattern: integer))
        if integer == .min { integers = nil } else { integers?[place] = integer }
    }

    private mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>, _ value: RecordHead.Value, at place: Int
    ) {
        switch value.type {
        case 0:
            digest = Self.mix(digest, 0)
            integers?[place] = .min
        case 8, 9: add(Int64(value.type - 8), at: place)
        case 1...6: add(RecordHead.integer(bytes, value.bytes), at: place)
        case 7:
            integers = nil
            let number = Double(bitPattern: UInt64(bitPattern: RecordHead.integer(bytes, value.bytes)))
            // A row may have an integer where its index has the same number as a real.
            if let integer = Int64(exactly: number) { return add(integer, at: place) }
            digest = Self.mix(Self.mix(digest, 2), number.bitPattern)
        default:
            integers = nil
            // The type tells a text from a blob, and how long it is.
            digest = Self.digest(Self.mix(digest, value.type), bytes, value.bytes)
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
        var digest = start
        var place = bytes.lowerBound
        let raw = UnsafeRawBufferPointer(page)
        while place + 8 <= bytes.upperBound {
            digest = mix(digest, raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        guard place < bytes.upperBound else { return digest }
        var word: UInt64 = 0
        for offset in place..<bytes.upperBound { word = word << 8 | UInt64(page[offset]) }
        return mix(digest, word)
    }
}

/// The first values of one record: their types and places. Used again for each record of a tree.
struct RecordHead: ~Copyable {
    struct Value {
        /// The serial type; 0 is NULL.
        var type: UInt64
        /// Where its bytes are.
        var bytes: Range<Int>
    }

    private var values: [Value] = []

    /// A value of the record. A row without the last columns has NULL in them.
    func value(_ column: Int) -> Value {
        column < values.count ? values[column] : Value(type: 0, bytes: 0..<0)
    }

    /// An integer of the record; nil for another value.
    func integer(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Int) -> Int64? {
        let value = value(column)
        return switch value.type {
        case 8, 9: Int64(value.type - 8)
        case 1...6: Self.integer(bytes, value.bytes)
        default: nil
        }
    }

    static func integer(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Int64 {
        var number = Int64(Int8(bitPattern: bytes[place.lowerBound]))
        for offset in place.dropFirst() { number = number << 8 | Int64(bytes[offset]) }
        return number
    }

    /// The size in bytes of the head of a record.
    static func size(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
        var offset = place
        return Int(clamping: SQLiteVarint.read(bytes, &offset))
    }

    /// Reads the types and places of the first `count` values of a record with `payload` bytes.
    /// - Parameter head: the bytes of its head, which must be there.
    /// - Returns: whether the head is valid.
    mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ head: Range<Int>, payload: Int, count: Int
    ) -> Bool {
        values.removeAll(keepingCapacity: true)
        var offset = head.lowerBound
        _ = SQLiteVarint.read(bytes, &offset)
        let end = head.lowerBound +| payload
        var place = head.upperBound
        while values.count < count, offset < head.upperBound {
            let type = SQLiteVarint.read(bytes, &offset)
            guard let size = Self.size(of: type), size <= end - place else { return false }
            values.append(Value(type: type, bytes: place..<place + size))
            place += size
        }
        return true
    }

    /// The place of the end of the last value that was read.
    var end: Int { values.last?.bytes.upperBound ?? 0 }

    /// The bytes of a longer value that are compared.
    static let longestPart = 1 << 20

    /// Prepares for a copy of the values of some columns, one after the other; of longer values, of the first part.
    /// - Returns: their places before the copy.
    mutating func move(_ columns: [Int]) -> [Range<Int>] {
        var (places, end): ([Range<Int>], Int) = ([], 0)
        for column in columns where column < values.count && !values[column].bytes.isEmpty {
            let part = values[column].bytes.prefix(Self.longestPart)
            places.append(part.startIndex..<part.endIndex)
            values[column].bytes = end..<end + part.count
            end += part.count
        }
        return places
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
        // Nearly all have one byte.
        if offset < page.count, page[offset] < 0x80 {
            offset += 1
            return UInt64(page[offset - 1])
        }
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
