/// Decodes the objects of a property list one by one, by the rules of `BinaryPropertyList.node`.
///
/// `BinaryPropertyList` has checked the trailer: 32 bytes follow the offset table, so that eight bytes can be read
/// from any place in front of them.
struct ObjectSurveyor {
    private let memory: UnsafeRawPointer
    /// Where the objects end and the offset table begins.
    private let end: Int
    private let referenceWidth: Int
    private let objectCount: Int
    /// Bytes that are left for the contents of objects: those of an honest list lie one behind the other, which bounds
    /// the time that a survey takes.
    private var room: Int

    /// The memory must be that of the list.
    init(_ list: BinaryPropertyList, _ memory: UnsafeRawPointer) {
        self.memory = memory
        end = list.offsetTable
        referenceWidth = list.referenceWidth
        objectCount = list.objectCount
        room = list.bytes.count
    }

    /// The object that begins at `start`, its text and its references checked; nil where it is damaged, or has a
    /// marker that archives have not.
    @inline(__always)
    mutating func object(at start: UInt64) -> SurveyedObject? {
        guard start >= 8, start < UInt64(end) else { return nil }
        let start = Int(truncatingIfNeeded: start)
        let marker = memory.load(fromByteOffset: start, as: UInt8.self)
        switch marker {
        case 0x00: return SurveyedObject(.null)
        case 0x08, 0x09: return SurveyedObject(.boolean)
        case 0x10...0x13:
            guard let number = number(at: start + 1, width: 1 << Int(marker & 0x0F)) else { return nil }
            return SurveyedObject(.integer, count: 1, value: Int(truncatingIfNeeded: number))
        case 0x14: return start + 17 <= end ? SurveyedObject(.integer) : nil
        case 0x22:
            guard let bits = number(at: start + 1, width: 4) else { return nil }
            let real = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            return SurveyedObject(.real, value: Int(truncatingIfNeeded: real.bitPattern))
        case 0x23, 0x33:
            guard let bits = number(at: start + 1, width: 8) else { return nil }
            return SurveyedObject(marker == 0x23 ? .real : .date, value: Int(truncatingIfNeeded: bits))
        case 0x80...0x87:
            let number = number(at: start + 1, width: Int(marker & 0x07) + 1)
            return number.flatMap(Int.init(exactly:)).map { SurveyedObject(.uid, value: $0) }
        default: return contents(at: start, marker)
        }
    }

    /// An object whose size is told by a count.
    private mutating func contents(at start: Int, _ marker: UInt8) -> SurveyedObject? {
        switch marker >> 4 {
        case 0x4: return payload(at: start, marker, .data, unit: 1)
        case 0x5:
            guard var text = payload(at: start, marker, .ascii, unit: 1), isASCII(text.range) else {
                return nil
            }
            text.name = name(text.range)
            return text
        case 0x6: return payload(at: start, marker, .utf16, unit: 2)
        case 0xA: return collection(at: start, marker, .array)
        case 0xB: return collection(at: start, marker, .orderedSet)
        case 0xC: return collection(at: start, marker, .set)
        case 0xD:
            guard let pairs = payload(at: start, marker, .dictionary, unit: 2 * referenceWidth),
                areThere(from: pairs.value, count: 2 * Int(pairs.count))
            else { return nil }
            return pairs
        default: return nil
        }
    }

    private mutating func collection(
        at start: Int, _ marker: UInt8, _ kind: SurveyedObject.Kind
    ) -> SurveyedObject? {
        guard let members = payload(at: start, marker, kind, unit: referenceWidth),
            areThere(from: members.value, count: Int(members.count))
        else { return nil }
        return members
    }

    /// The low half of the marker gives the count, or is 15 and an integer object follows that gives it. The count of
    /// UTF-16 text becomes one of bytes.
    @inline(__always)
    private mutating func payload(
        at start: Int, _ marker: UInt8, _ kind: SurveyedObject.Kind, unit: Int
    ) -> SurveyedObject? {
        var first = start + 1
        var count = UInt64(marker & 0x0F)
        if count == 15 {
            guard let marker = number(at: first, width: 1), (0x10...0x13).contains(marker) else { return nil }
            let width = 1 << Int(marker & 0x0F)
            guard let long = number(at: first + 1, width: width) else { return nil }
            count = long
            first += 1 + width
        }
        guard count <= UInt64(end) else { return nil }
        let size = Int(count) * unit
        room -= size
        guard size <= end - first, room >= 0 else { return nil }
        return SurveyedObject(kind, count: kind == .utf16 ? size : Int(count), value: first)
    }

    // MARK: Bytes

    @inline(__always)
    private func number(at offset: Int, width: Int) -> UInt64? {
        offset + width <= end ? memory.bigEndian(at: offset, width: width) : nil
    }

    /// Whether all references are those of objects.
    @inline(__always)
    private func areThere(from offset: Int, count: Int) -> Bool {
        for position in 0..<count {
            let index = memory.bigEndian(at: offset + position * referenceWidth, width: referenceWidth)
            if index >= UInt64(objectCount) { return false }
        }
        return true
    }

    @inline(__always)
    private func isASCII(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while range.upperBound &- place >= 8 {
            let bits = memory.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if bits & 0x8080_8080_8080_8080 != 0 { return false }
            place &+= 8
        }
        guard place < range.upperBound else { return true }
        return memory.bigEndian(at: place, width: range.upperBound &- place) & 0x8080_8080_8080_8080 == 0
    }

    @inline(__always)
    private func name(_ range: Range<Int>) -> SurveyedName {
        switch memory.load(fromByteOffset: range.lowerBound, as: UInt8.self) {
        case UInt8(ascii: "$"), UInt8(ascii: "N"), UInt8(ascii: "m"), UInt8(ascii: "r"):
            return SurveyedName(memory, range)
        default: return .unknown
        }
    }
}

extension UnsafeRawPointer {
    /// An unsigned big-endian number of 1 to 8 bytes. Eight bytes must be readable.
    @inline(__always)
    func bigEndian(at offset: Int, width: Int) -> UInt64 {
        let bits = UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return bits &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    /// Whether the bytes of `range` are those of `text`.
    @inline(__always)
    func holds(_ text: StaticString, at range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        for place in 0..<range.count
        where load(fromByteOffset: range.lowerBound + place, as: UInt8.self) != text.utf8Start[place] {
            return false
        }
        return true
    }
}
