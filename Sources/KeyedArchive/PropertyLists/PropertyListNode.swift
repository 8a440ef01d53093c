import Base

/// An object of a binary property list. Its size is checked; its content and its references stay in the file.
public enum PropertyListNode: Sendable {
    /// The null object, which archivers never write.
    case null
    /// A boolean.
    case boolean(Bool)
    /// An integer of 1, 2, 4, 8 or 16 bytes.
    case integer(Int128)
    /// A real of 4 or 8 bytes.
    case real(Double)
    /// A date as seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// The range of the bytes of data in the file.
    case data(Range<Int>)
    /// The range of an ASCII string in the file.
    case ascii(Range<Int>)
    /// The range of a string in big-endian UTF-16 in the file.
    case utf16(Range<Int>)
    /// A UID: the number of an object of a keyed archive.
    case uid(UInt64)
    /// The members of an array.
    case array(PropertyListReferences)
    /// The members of an ordered set.
    case orderedSet(PropertyListReferences)
    /// The members of a set.
    case set(PropertyListReferences)
    /// The keys of a dictionary, and as many values in the same order.
    case dictionary(keys: PropertyListReferences, values: PropertyListReferences)
}

extension BinaryPropertyList {
    /// Decodes the object `index` without following references.
    public func node(_ index: Int) throws(PropertyListError) -> PropertyListNode {
        let start = try offset(of: index)
        let marker = marker(at: start)
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x0: return .null
            case 0x8: return .boolean(false)
            case 0x9: return .boolean(true)
            default: throw unknownMarker(marker, at: start)
            }
        case 0x1 where low <= 4: return .integer(try integer(at: start + 1, width: 1 << low))
        case 0x2 where low == 2:
            let bits = try number(at: start + 1, width: 4)
            return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        case 0x2 where low == 3: return .real(Double(bitPattern: try number(at: start + 1, width: 8)))
        case 0x3 where low == 3: return .date(Double(bitPattern: try number(at: start + 1, width: 8)))
        case 0x4: return .data(try payload(at: start, low, unit: 1))
        case 0x5: return .ascii(try payload(at: start, low, unit: 1))
        case 0x6: return .utf16(try payload(at: start, low, unit: 2))
        case 0x8 where low < 8: return .uid(try number(at: start + 1, width: low + 1))
        case 0xA: return .array(try references(at: start, low))
        case 0xB: return .orderedSet(try references(at: start, low))
        case 0xC: return .set(try references(at: start, low))
        case 0xD:
            let range = try payload(at: start, low, unit: 2 * referenceWidth)
            let count = range.count / (2 * referenceWidth)
            return .dictionary(
                keys: PropertyListReferences(offset: range.lowerBound, count: count),
                values: PropertyListReferences(
                    offset: range.lowerBound + count * referenceWidth, count: count))
        default: throw unknownMarker(marker, at: start)
        }
    }

    /// The number of the UID object `index`; nil for any other object.
    @inline(__always)
    func uid(_ index: Int) throws(PropertyListError) -> UInt64? {
        let start = try offset(of: index)
        let marker = marker(at: start)
        guard marker & 0xF8 == 0x80 else { return nil }
        return try number(at: start + 1, width: Int(marker & 0x07) + 1)
    }

    /// The marker byte of an object; `start` must be a checked offset.
    @inline(__always)
    func marker(at start: Int) -> UInt8 { UInt8(truncatingIfNeeded: bytes.bigEndian(at: start, width: 1)) }

    @inline(never)
    private func unknownMarker(_ marker: UInt8, at offset: Int) -> PropertyListError {
        failure(at: offset, "an object marker", [marker].hexadecimalText)
    }

    private func references(at start: Int, _ low: Int) throws(PropertyListError) -> PropertyListReferences {
        let range = try payload(at: start, low, unit: referenceWidth)
        return PropertyListReferences(offset: range.lowerBound, count: range.count / referenceWidth)
    }

    /// The content of an object. The low half of its marker is the count, or 15 if an integer object with the count
    /// follows.
    private func payload(at start: Int, _ low: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
        var first = start + 1
        var count = UInt64(low)
        if low == 15 {
            let marker = Int(try number(at: first, width: 1))
            guard marker & 0xF0 == 0x10, marker & 0x0F <= 3 else {
                throw failure(
                    at: first, "an integer that gives the count",
                    [UInt8(truncatingIfNeeded: marker)].hexadecimalText)
            }
            let width = 1 << (marker & 0x0F)
            count = try number(at: first + 1, width: width)
            first += 1 + width
        }
        let room = offsetTable - first
        guard room >= 0, count <= UInt64(room / unit) else {
            throw failure(
                at: start, "at most \(max(room, 0) / unit) items before the offset table", "\(count)")
        }
        return first..<first + Int(count) * unit
    }

    @inline(__always)
    private func number(at offset: Int, width: Int) throws(PropertyListError) -> UInt64 {
        guard offset + width <= offsetTable else {
            throw failure(at: offset, "\(width) bytes before the offset table", "\(offsetTable - offset)")
        }
        return bytes.bigEndian(at: offset, width: width)
    }

    /// An integer object: widths of 1, 2 and 4 bytes are unsigned, 8 and 16 are signed.
    private func integer(at offset: Int, width: Int) throws(PropertyListError) -> Int128 {
        guard width > 8 else {
            let bits = try number(at: offset, width: width)
            return width == 8 ? Int128(Int64(bitPattern: bits)) : Int128(bits)
        }
        let high = Int64(bitPattern: try number(at: offset, width: 8))
        let low = try number(at: offset + 8, width: 8)
        return Int128(high) << 64 | Int128(low)
    }
}
