import CoreDataStore

/// A value of a record in its stored form.
enum RecordValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
    /// The bytes are lost.
    case lost

    /// Hashes the bytes together, which is far faster than one by one.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let number):
            hasher.combine(1 as UInt8)
            hasher.combine(number)
        case .real(let number):
            hasher.combine(2 as UInt8)
            hasher.combine(number)
        case .text(let bytes): Self.add(bytes, 3, to: &hasher)
        case .blob(let bytes): Self.add(bytes, 4, to: &hasher)
        case .lost: hasher.combine(5 as UInt8)
        }
    }

    private static func add(_ bytes: [UInt8], _ kind: UInt8, to hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(bytes.count)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// The encoding of texts in a database: the number in its header.
enum RecordText {
    case utf8, littleEndian16, bigEndian16

    init(_ number: Int) {
        switch number {
        case 2: self = .littleEndian16
        case 3: self = .bigEndian16
        default: self = .utf8
        }
    }

    /// The text; nil if the bytes are not a text.
    func text(_ bytes: [UInt8]) -> String? {
        guard self != .utf8 else {
            // ASCII needs no check, and most texts are ASCII.
            return bytes.reduce(0, |) < 0x80
                ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { offset -> UInt16 in
            let one = UInt16(truncatingIfNeeded: bytes[offset])
            let other = UInt16(truncatingIfNeeded: bytes[offset + 1])
            return self == .bigEndian16 ? one << 8 | other : other << 8 | one
        }
        return String(validating: units, as: UTF16.self)
    }
}

/// The kinds of the values of a record, from its header.
struct RecordHeader {
    /// The serial type of each value.
    var types: [UInt64]
    /// The offset after the header.
    var end: Int

    /// The number of bytes of all values, clamped.
    var bodySize: Int { types.reduce(0) { min($0 + Self.size(of: $1), 1 << 40) } }

    /// Reads the header at `offset`: its size, then a serial type for each value.
    /// - Parameter most: the largest number of values.
    static func read(_ bytes: [UInt8], at offset: Int, most: Int) -> RecordHeader? {
        guard let size = VariableNumber.read(bytes, at: offset), size.value >= 1, size.value <= 65_536 else {
            return nil
        }
        let end = offset + Int(clamping: size.value)
        guard end <= bytes.count, end >= size.end else { return nil }
        var (types, at): ([UInt64], Int) = ([], size.end)
        while at < end {
            guard types.count < most, let type = VariableNumber.read(bytes, at: at), type.end <= end,
                type.value != 10, type.value != 11
            else { return nil }
            types.append(type.value)
            at = type.end
        }
        return RecordHeader(types: types, end: end)
    }

    /// Reads `count` serial types without the size of the header before them.
    static func types(_ bytes: [UInt8], at offset: Int, count: Int) -> RecordHeader? {
        var (types, at): ([UInt64], Int) = ([], offset)
        types.reserveCapacity(count)
        for _ in 0..<count {
            guard let type = VariableNumber.read(bytes, at: at), type.value != 10, type.value != 11,
                type.value < 1 << 31
            else { return nil }
            types.append(type.value)
            at = type.end
        }
        return RecordHeader(types: types, end: at)
    }

    /// The number of bytes of a value with a serial type, clamped.
    static func size(of type: UInt64) -> Int {
        switch type {
        case 0, 8, 9, 10, 11: 0
        case 1...4: Int(clamping: type)
        case 5: 6
        case 6, 7: 8
        default: Int(clamping: min((type - 12) / 2, 1 << 32))
        }
    }

    /// The values in the body at `offset`; a value with missing bytes is lost.
    func values(_ bytes: [UInt8], at offset: Int) -> [RecordValue] {
        var at = offset
        return types.map { type in
            let size = Self.size(of: type)
            defer { at = min(at + size, 1 << 40) }
            guard at >= 0, at + size <= bytes.count else { return .lost }
            switch type {
            case 0: return .null
            case 8: return .integer(0)
            case 9: return .integer(1)
            case 1...6: return .integer(Self.integer(bytes, at, size))
            case 7: return .real(Double(bitPattern: UInt64(bitPattern: Self.integer(bytes, at, 8))))
            default:
                let part = Array(bytes[at..<at + size])
                return type.isMultiple(of: 2) ? .blob(part) : .text(part)
            }
        }
    }

    private static func integer(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int64 {
        var value: Int64 = bytes[offset] & 0x80 == 0 ? 0 : -1
        for byte in bytes[offset..<offset + size] { value = value << 8 | Int64(byte) }
        return value
    }
}

/// The values of one row, in the form for the decoder of rows.
struct RecordRow: RowValues {
    var values: [RecordValue]
    var encoding: RecordText

    private func value(_ column: Int) -> RecordValue {
        values.indices.contains(column) ? values[column] : .null
    }

    func storage(_ column: Int) -> SQLiteStatement.Storage {
        switch value(column) {
        case .null, .lost: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    func integer(_ column: Int) -> Int64? {
        if case .integer(let number) = value(column) { number } else { nil }
    }

    func real(_ column: Int) -> Double? {
        if case .real(let number) = value(column) { number } else { nil }
    }

    func text(_ column: Int) -> String? {
        if case .text(let bytes) = value(column) { encoding.text(bytes) } else { nil }
    }

    func textBytes(_ column: Int) -> [UInt8]? {
        if case .text(let bytes) = value(column) { bytes } else { nil }
    }

    func blob(_ column: Int) -> [UInt8]? {
        if case .blob(let bytes) = value(column) { bytes } else { nil }
    }
}
