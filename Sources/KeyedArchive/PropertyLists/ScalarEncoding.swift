// The bytes of the scalars of a binary property list.

/// The smallest width of 1, 2, 4 or 8 bytes that fits `number`.
func byteWidth(_ number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
}

/// The number of bytes of a marker with this count.
func markerSize(_ count: Int) -> Int { count < 15 ? 1 : 2 + byteWidth(UInt64(count)) }

/// The number of bytes of the scalar that begins at `start`, as `append(scalar:)` has written it.
func encodedSize(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    switch marker & 0xF0 {
    case 0x10, 0x20, 0x30: return 1 + 1 << low
    case 0x40, 0x50, 0x60:
        var count = low
        var head = 1
        if low == 15 {
            let width = 1 << Int(bytes[start + 1] & 0x0F)
            count = bytes[(start + 2)..<(start + 2 + width)].reduce(0) { $0 << 8 | Int($1) }
            head = 2 + width
        }
        return head + (marker & 0xF0 == 0x60 ? 2 * count : count)
    case 0x80: return 2 + low
    default: return 1
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ number: UInt64, width: Int) {
        for place in (0..<width).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))))
        }
    }

    /// Appends a marker with its count, as an integer object if it is 15 or more.
    mutating func appendMarker(_ marker: UInt8, count: Int) {
        guard count >= 15 else { return append(marker | UInt8(truncatingIfNeeded: count)) }
        let width = byteWidth(UInt64(count))
        append(marker | 0x0F)
        append(0x10 | UInt8(clamping: width.trailingZeroBitCount))
        appendBigEndian(UInt64(count), width: width)
    }

    /// Appends a scalar.
    /// - Returns: false if the value is not a property-list scalar.
    mutating func append(scalar value: ArchivedValue) -> Bool {
        switch value {
        case .none: append(0x00)
        case .boolean(let flag): append(flag ? 0x09 : 0x08)
        case .integer(let number): append(integer: number)
        case .real(let number): append(marker: 0x23, number.bitPattern)
        case .date(let seconds): append(marker: 0x33, seconds.bitPattern)
        case .uid(let number): append(uid: number)
        case .data(let bytes):
            appendMarker(0x40, count: bytes.count)
            self += bytes
        case .string(let text): append(text: text)
        default: return false
        }
        return true
    }

    private mutating func append(marker: UInt8, _ bits: UInt64) {
        append(marker)
        appendBigEndian(bits, width: 8)
    }

    private mutating func append(integer number: Int128) {
        guard let small = Int64(exactly: number) else {
            append(0x14)
            appendBigEndian(UInt64(truncatingIfNeeded: number >> 64), width: 8)
            appendBigEndian(UInt64(truncatingIfNeeded: number), width: 8)
            return
        }
        let width = small < 0 ? 8 : byteWidth(UInt64(small))
        append(0x10 | UInt8(clamping: width.trailingZeroBitCount))
        appendBigEndian(UInt64(bitPattern: small), width: width)
    }

    mutating func append(uid number: UInt64) {
        let width = byteWidth(number)
        append(0x80 | UInt8(clamping: width - 1))
        appendBigEndian(number, width: width)
    }

    private mutating func append(text: String) {
        if text.isASCII {
            appendMarker(0x50, count: text.utf8.count)
            self += text.utf8
        } else {
            appendMarker(0x60, count: text.utf16.count)
            for unit in text.utf16 { appendBigEndian(UInt64(unit), width: 2) }
        }
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension ArchivedValue {
    /// The marker of a large text or data, its count, and the size of its bytes with both.
    var largeEncoding: (marker: UInt8, count: Int, size: Int) {
        switch self {
        case .data(let bytes): return (0x40, bytes.count, markerSize(bytes.count) + bytes.count)
        case .string(let text) where text.isASCII:
            let count = text.utf8.count
            return (0x50, count, markerSize(count) + count)
        case .string(let text):
            let count = text.utf16.count
            return (0x60, count, markerSize(count) + 2 * count)
        default: return (0x00, 0, 1)
        }
    }

    /// Writes a large text or data without a copy of the whole.
    func writeLarge<Failure>(
        to file: inout ByteBlock, _ sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let encoding = largeEncoding
        file.bytes.appendMarker(encoding.marker, count: encoding.count)
        switch self {
        case .data(let bytes):
            try file.flush(to: sink)
            try bytes.span.withUnsafeBytes { (all) throws(Failure) in try sink(all) }
        case .string(let text) where encoding.marker == 0x50:
            for byte in text.utf8 {
                file.bytes.append(byte)
                try file.pass(to: sink)
            }
        case .string(let text):
            for unit in text.utf16 {
                file.bytes.appendBigEndian(UInt64(unit), width: 2)
                try file.pass(to: sink)
            }
        default: break
        }
    }
}

/// Bytes that go to a sink in blocks of some 64 KiB.
struct ByteBlock {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(72 << 10) }

    /// Passes the bytes on once they are a block.
    mutating func pass<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        if bytes.count >= 64 << 10 { try flush(to: sink) }
    }

    mutating func flush<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        if bytes.isEmpty { return }
        try bytes.span.withUnsafeBytes { (all) throws(Failure) in try sink(all) }
        bytes.removeAll(keepingCapacity: true)
    }
}
