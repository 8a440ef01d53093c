/// The objects of a binary property list under construction. Equal scalars are stored once.
struct PropertyListTable {
    private enum Entry {
        /// The encoded bytes.
        case scalar(Range<Int>)
        /// The marker and the range of the references.
        case container(UInt8, Range<Int>)
    }

    private var entries: [Entry] = []
    private var encoded: [UInt8] = []
    private var references: [Int] = []
    private var known: [ScalarKey: Int] = [:]

    /// Adds an array (marker 0xA0), ordered set (0xB0), set (0xC0) or dictionary (0xD0, keys before values).
    mutating func append(collection marker: UInt8, _ members: [Int]) -> Int {
        let start = references.count
        references += members
        entries.append(.container(marker, start..<references.count))
        return entries.count - 1
    }

    /// Adds a dictionary.
    mutating func append(dictionaryKeys keys: [Int], values: [Int]) -> Int {
        append(collection: 0xD0, keys + values)
    }

    /// Adds a scalar, or returns the index of an equal one. Nil if the value is not a property-list scalar.
    mutating func append(scalar value: ArchivedValue) -> Int? {
        guard let key = ScalarKey(value) else { return nil }
        if let index = known[key] { return index }
        let start = encoded.count
        encode(value)
        entries.append(.scalar(start..<encoded.count))
        known[key] = entries.count - 1
        return entries.count - 1
    }

    private mutating func encode(_ value: ArchivedValue) {
        switch value {
        case .none: encoded.append(0x00)
        case .boolean(let flag): encoded.append(flag ? 0x09 : 0x08)
        case .integer(let number): encode(number)
        case .real(let number): encode(marker: 0x23, number.bitPattern)
        case .date(let seconds): encode(marker: 0x33, seconds.bitPattern)
        case .uid(let number): encode(uid: number)
        case .data(let bytes):
            encoded.appendMarker(0x40, count: bytes.count)
            encoded += bytes
        case .string(let text): encode(text)
        default: break
        }
    }

    private mutating func encode(marker: UInt8, _ bits: UInt64) {
        encoded.append(marker)
        encoded.appendBigEndian(bits, width: 8)
    }

    private mutating func encode(_ number: Int128) {
        guard let small = Int64(exactly: number) else {
            encoded.append(0x14)
            encoded.appendBigEndian(UInt64(truncatingIfNeeded: number >> 64), width: 8)
            encoded.appendBigEndian(UInt64(truncatingIfNeeded: number), width: 8)
            return
        }
        let width = small < 0 ? 8 : byteWidth(UInt64(small))
        encoded.append(0x10 | UInt8(clamping: width.trailingZeroBitCount))
        encoded.appendBigEndian(UInt64(bitPattern: small), width: width)
    }

    private mutating func encode(uid number: UInt64) {
        let width = byteWidth(number)
        encoded.append(0x80 | UInt8(clamping: width - 1))
        encoded.appendBigEndian(number, width: width)
    }

    private mutating func encode(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            encoded.appendMarker(0x50, count: text.utf8.count)
            encoded += text.utf8
        } else {
            let units = Array(text.utf16)
            encoded.appendMarker(0x60, count: units.count)
            for unit in units { encoded.appendBigEndian(UInt64(unit), width: 2) }
        }
    }

    /// The bytes of the list. As in Apple's files, each object comes when it is first referenced, so that the content
    /// before a truncation can be read (`RebuiltPropertyList`).
    func bytes(top: Int) -> [UInt8] {
        let (order, numbers) = numbered(from: top)
        let referenceWidth = byteWidth(UInt64(max(order.count - 1, 0)))
        var file = Array("bplist00".utf8)
        file.reserveCapacity(encoded.count + references.count * referenceWidth + order.count * 5 + 64)
        var offsets: [Int] = []
        for entry in order {
            offsets.append(file.count)
            switch entries[entry] {
            case .scalar(let range): file += encoded[range]
            case .container(let marker, let range):
                file.appendMarker(marker, count: marker == 0xD0 ? range.count / 2 : range.count)
                for reference in references[range] {
                    file.appendBigEndian(UInt64(numbers[reference]), width: referenceWidth)
                }
            }
        }
        let table = file.count
        let offsetWidth = byteWidth(UInt64(table))
        for offset in offsets { file.appendBigEndian(UInt64(offset), width: offsetWidth) }
        file += [0, 0, 0, 0, 0, 0, UInt8(clamping: offsetWidth), UInt8(clamping: referenceWidth)]
        for number in [order.count, 0, table] { file.appendBigEndian(UInt64(number), width: 8) }
        return file
    }

    /// The entries in the order in which a walk from `top` meets them, and the position of each entry in that order.
    private func numbered(from top: Int) -> (order: [Int], numbers: [Int]) {
        var order: [Int] = []
        order.reserveCapacity(entries.count)
        var numbers = [Int](repeating: -1, count: entries.count)
        var open: [Range<Int>] = []
        func take(_ entry: Int) {
            numbers[entry] = order.count
            order.append(entry)
            if case .container(_, let range) = entries[entry] { open.append(range) }
        }
        take(top)
        while let range = open.popLast() {
            guard let first = range.first else { continue }
            open.append(first + 1..<range.upperBound)
            if numbers[references[first]] < 0 { take(references[first]) }
        }
        return (order, numbers)
    }
}

/// The smallest width of 1, 2, 4 or 8 bytes that fits `number`.
private func byteWidth(_ number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: UInt64, width: Int) {
        for place in (0..<width).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))))
        }
    }

    /// Appends a marker with its count, as an integer object if it is 15 or more.
    fileprivate mutating func appendMarker(_ marker: UInt8, count: Int) {
        guard count >= 15 else { return append(marker | UInt8(truncatingIfNeeded: count)) }
        let width = byteWidth(UInt64(count))
        append(marker | 0x0F)
        append(0x10 | UInt8(clamping: width.trailingZeroBitCount))
        appendBigEndian(UInt64(count), width: width)
    }
}

/// A scalar by its encoded form, since `==` would treat 0.0 and -0.0, or canonically equivalent strings, as equal.
private enum ScalarKey: Hashable {
    case none
    case boolean(Bool)
    case integer(Int128)
    case real(UInt64)
    case date(UInt64)
    case uid(UInt64)
    case data([UInt8])
    case text([UInt8])

    /// The key of a value; nil if the value is not a property-list scalar.
    init?(_ value: ArchivedValue) {
        switch value {
        case .none: self = .none
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number.bitPattern)
        case .date(let seconds): self = .date(seconds.bitPattern)
        case .uid(let number): self = .uid(number)
        case .data(let bytes): self = .data(bytes)
        case .string(let text): self = .text(Array(text.utf8))
        default: return nil
        }
    }
}

/// Writes binary property lists that are not keyed archives.
public enum BinaryPropertyListWriter {
    /// The bytes of a list with `value` as top object. Throws for a value that a property list cannot contain.
    public static func bytes(of value: ArchivedValue) throws(PropertyListError) -> [UInt8] {
        var table = PropertyListTable()
        let top = try append(value, to: &table, depth: 0)
        return table.bytes(top: top)
    }

    static let depthLimit = 512

    private static func append(
        _ value: ArchivedValue, to table: inout PropertyListTable, depth: Int
    ) throws(PropertyListError) -> Int {
        guard depth <= depthLimit else {
            throw PropertyListError(offset: 0, expected: "at most \(depthLimit) levels", found: "more")
        }
        if let scalar = table.append(scalar: value) { return scalar }
        func members(_ values: [ArchivedValue], _ table: inout PropertyListTable) throws(PropertyListError)
            -> [Int]
        {
            var indices: [Int] = []
            for value in values { indices.append(try append(value, to: &table, depth: depth + 1)) }
            return indices
        }
        switch value {
        case .array(let values): return table.append(collection: 0xA0, try members(values, &table))
        case .orderedSet(let values): return table.append(collection: 0xB0, try members(values, &table))
        case .set(let values): return table.append(collection: 0xC0, try members(values, &table))
        case .dictionary(let pairs):
            let keys = try members(pairs.map(\.key), &table)
            return table.append(dictionaryKeys: keys, values: try members(pairs.map(\.value), &table))
        default:
            throw PropertyListError(offset: 0, expected: "a property-list value", found: value.kindName)
        }
    }
}
