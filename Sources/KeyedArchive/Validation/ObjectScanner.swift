import Base

/// Decodes the objects of a property list one by one, with the rules of `BinaryPropertyList.node`.
///
/// `BinaryPropertyList` has checked the trailer. It has 32 bytes, so that an eight-byte load is valid at any offset
/// before it.
struct ObjectScanner {
    private let memory: UnsafeRawPointer
    /// The end of the objects, where the offset table begins.
    private let end: Int
    private let referenceWidth: Int
    /// The number of bytes that contents may still have. The objects of an intact list do not overlap; the limit bounds
    /// the time for a list whose objects do.
    private var room: Int
    /// The end of the last object.
    private(set) var objectEnd = 0
    /// The marks of each object of the list, by its index.
    private let marks: UnsafeMutableBufferPointer<ObjectMarks>

    /// - Parameters:
    ///   - memory: the bytes of `list`.
    ///   - marks: one for each object, for as long as the scanner is used.
    init(
        _ list: BinaryPropertyList, _ memory: UnsafeRawPointer,
        _ marks: UnsafeMutableBufferPointer<ObjectMarks>
    ) {
        self.memory = memory
        end = list.offsetTable
        referenceWidth = list.referenceWidth
        room = list.bytes.count
        self.marks = marks
    }

    /// Decodes the object at `start` and checks its text and references; nil if it is damaged or has a marker that
    /// archives do not use.
    @inline(__always)
    mutating func object(at start: UInt64) -> ScannedObject? {
        guard start >= 8, start < UInt64(end) else { return nil }
        let start = Int(truncatingIfNeeded: start)
        let marker = memory.load(fromByteOffset: start, as: UInt8.self)
        objectEnd = start &+ 1
        switch marker {
        case 0x00: return ScannedObject(.null)
        case 0x08, 0x09: return ScannedObject(.boolean)
        case 0x10...0x13:
            guard let number = scalar(at: start, width: 1 << Int(marker & 0x0F)) else { return nil }
            return ScannedObject(.integer, count: 1, value: Int(truncatingIfNeeded: number))
        case 0x14:
            objectEnd = start &+ 17
            return objectEnd <= end ? ScannedObject(.integer) : nil
        case 0x22:
            guard let bits = scalar(at: start, width: 4) else { return nil }
            let real = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            return ScannedObject(.real, value: Int(truncatingIfNeeded: real.bitPattern))
        case 0x23, 0x33:
            guard let bits = scalar(at: start, width: 8) else { return nil }
            return ScannedObject(marker == 0x23 ? .real : .date, value: Int(truncatingIfNeeded: bits))
        case 0x80...0x87:
            guard let number = scalar(at: start, width: Int(marker & 0x07) + 1),
                let uid = Int(exactly: number)
            else { return nil }
            return ScannedObject(.uid, value: uid)
        default: return contents(at: start, marker)
        }
    }

    /// Decodes an object with a count.
    private mutating func contents(at start: Int, _ marker: UInt8) -> ScannedObject? {
        let kind: ScannedObject.Kind
        var unit = 1
        switch marker >> 4 {
        case 0x4: kind = .data
        case 0x5: kind = .ascii
        case 0x6: (kind, unit) = (.utf16, 2)
        case 0xA: (kind, unit) = (.array, referenceWidth)
        case 0xB: (kind, unit) = (.orderedSet, referenceWidth)
        case 0xC: (kind, unit) = (.set, referenceWidth)
        case 0xD: (kind, unit) = (.dictionary, 2 &* referenceWidth)
        default: return nil
        }
        var first = start &+ 1
        var count = Int(marker & 0x0F)
        if count == 15 {
            guard let long = longCount(&first) else { return nil }
            count = long
        }
        let size = count &* unit
        room &-= size
        guard size <= end &- first, room >= 0, size <= UInt32.max else { return nil }
        objectEnd = first &+ size
        switch kind {
        case .ascii:
            guard isASCII(from: first, count: count) else { return nil }
            var text = ScannedObject(.ascii, count: count, value: first)
            text.name = name(text.range)
            return text
        case .array, .orderedSet, .set:
            return use(from: first, count: count)
                ? ScannedObject(kind, count: count, value: first) : nil
        case .dictionary:
            return use(from: first, count: 2 &* count)
                ? ScannedObject(.dictionary, count: count, value: first) : nil
        default: return ScannedObject(kind, count: size, value: first)
        }
    }

    /// Reads the integer object at `place`, which moves past it; nil for a count that exceeds the list.
    private func longCount(_ place: inout Int) -> Int? {
        guard let marker = number(at: place, width: 1), (0x10...0x13).contains(marker) else { return nil }
        let width = 1 << Int(marker & 0x0F)
        guard let count = number(at: place + 1, width: width), count <= UInt64(end) else { return nil }
        place += 1 + width
        return Int(count)
    }

    // MARK: Bytes

    /// The number after the marker at `start`; sets `objectEnd`.
    @inline(__always)
    private mutating func scalar(at start: Int, width: Int) -> UInt64? {
        objectEnd = start &+ 1 &+ width
        return number(at: start &+ 1, width: width)
    }

    @inline(__always)
    private func number(at offset: Int, width: Int) -> UInt64? {
        offset &+ width <= end ? memory.bigEndian(at: offset, width: width) : nil
    }

    /// Marks the objects of references as used; returns false if a reference is invalid.
    @inline(__always)
    private func use(from offset: Int, count: Int) -> Bool {
        let (memory, width, marks) = (memory, referenceWidth, marks)
        let limit = UInt64(marks.count)
        var place = offset
        for _ in 0..<count {
            let index = memory.bigEndian(at: place, width: width)
            guard index < limit else { return false }
            marks[Int(truncatingIfNeeded: index)].insert(.used)
            place &+= width
        }
        return true
    }

    @inline(__always)
    private func isASCII(from offset: Int, count: Int) -> Bool {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var place = offset
        var rest = count
        while rest >= 8 {
            if memory.loadUnaligned(fromByteOffset: place, as: UInt64.self) & highBits != 0 { return false }
            place &+= 8
            rest &-= 8
        }
        return rest == 0 || memory.bigEndian(at: place, width: rest) & highBits == 0
    }

    @inline(__always)
    private func name(_ range: Range<Int>) -> ScannedName {
        switch memory.load(fromByteOffset: range.lowerBound, as: UInt8.self) {
        case UInt8(ascii: "$"), UInt8(ascii: "N"), UInt8(ascii: "m"), UInt8(ascii: "r"):
            return ScannedName(memory, range)
        default: return .unknown
        }
    }
}

extension UnsafeRawPointer {
    /// The unsigned big-endian number in the `width` bytes (1 to 8) at `offset`. Eight bytes must be readable.
    @inline(__always)
    func bigEndian(at offset: Int, width: Int) -> UInt64 {
        let bits = UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return bits &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    /// Whether the bytes of `range` are those of `text`. Compares words; the last one may overlap the previous one.
    @inline(__always)
    func holds(_ text: StaticString, at range: Range<Int>) -> Bool {
        let count = range.count
        guard count == text.utf8CodeUnitCount else { return false }
        let (one, other) = (self + range.lowerBound, UnsafeRawPointer(text.utf8Start))
        func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(_ place: Int, as _: Word.Type) -> Bool {
            one.loadUnaligned(fromByteOffset: place, as: Word.self)
                == other.loadUnaligned(fromByteOffset: place, as: Word.self)
        }
        guard count >= 4 else {
            return (0..<count).allSatisfy { areEqual($0, as: UInt8.self) }
        }
        guard count >= 8 else {
            return areEqual(0, as: UInt32.self) && areEqual(count &- 4, as: UInt32.self)
        }
        var place = 0
        while place < count &- 8 {
            guard areEqual(place, as: UInt64.self) else { return false }
            place &+= 8
        }
        return areEqual(count &- 8, as: UInt64.self)
    }
}
