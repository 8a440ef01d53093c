import Base

/// The objects of a binary property list whose offset table is lost, found one after another.
///
/// The objects lie without gaps from byte 8, each contains its length, and their positions are their numbers
/// (core-data-binary-store(5), 2). Only the width of references does not occur in them.
///
/// Apple's writer numbers an object when it first references it, so each reference leads to a known object or to the
/// next one, except for unreferenced UIDs between them. The scan follows the references in this order, and stops at a
/// reference that contradicts the objects before it: some of these then have a length other than the stated one.
struct RebuiltPropertyList {
    /// The state at the end of the objects.
    enum Ending: Sendable {
        /// Every referenced object was found.
        case whole
        /// The bytes end within the next object.
        case cutOff
        /// The bytes after the last object are not an object, or contradict the others.
        case damaged
    }

    /// The size of a reference: 1, 2, 4 or 8 bytes.
    let referenceWidth: Int
    private(set) var ending = Ending.whole
    /// The number of the top object.
    private(set) var top = 0
    /// The end of the last object.
    private(set) var end = 8
    private let bytes: SharedBytes
    private var offsets: [UInt32] = []

    static let widths = [1, 2, 4, 8]
    /// The largest number of objects: more than in any file that a reader admits, except for files that consist only of
    /// the smallest objects.
    private static let mostObjects = 1 << 26

    /// The number of objects.
    var count: Int { offsets.count }

    /// Finds the objects of a list that begins with its top object, if its first object is a dictionary whose names are
    /// strings with references of this width; otherwise the objects of a list that ends with its top object. Nil if
    /// neither is found.
    init?(_ bytes: SharedBytes, referenceWidth: Int) {
        guard bytes.starts(with: BinaryPropertyList.magic), bytes.count <= Int(UInt32.max) else { return nil }
        self.bytes = bytes
        self.referenceWidth = referenceWidth
        followReferences()
        if isDictionaryWithNames(0) { return }
        ending = .whole
        findAll()
        guard let top = offsets.indices.last(where: { isDictionaryWithNames($0, has: "$objects") }) else {
            return nil
        }
        self.top = top
        ending = .whole
    }

    /// The list: with its own offset table if that names the objects that were found, otherwise a copy of its bytes with a
    /// new offset table and trailer.
    func list(baseOffset: Int) throws(PropertyListError) -> BinaryPropertyList {
        // try?: then there is no table to use
        if let table = try? BinaryPropertyList(bytes, baseOffset: baseOffset), isSame(table) { return table }
        let width = end < 1 << 16 ? 2 : 4
        let size = end + offsets.count * width + BinaryPropertyList.trailerSize
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        let whole = SharedBytes(adopting: UnsafeRawBufferPointer(copy)) { $0.deallocate() }
        bytes.withUnsafeBytes { copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<end])) }
        var place = end
        func append(_ number: UInt64, width: Int) {
            for byte in (0..<width).reversed() {
                copy[place] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte)))
                place += 1
            }
        }
        for offset in offsets { append(UInt64(offset), width: width) }
        append(0, width: 6)
        append(UInt64(width), width: 1)
        append(UInt64(referenceWidth), width: 1)
        for number in [offsets.count, top, end] { append(UInt64(number), width: 8) }
        return try BinaryPropertyList(whole, baseOffset: baseOffset)
    }

    /// Whether a table names the objects that were found.
    private func isSame(_ table: BinaryPropertyList) -> Bool {
        guard table.objectCount == offsets.count, table.top == top, table.offsetTable == end,
            table.referenceWidth == referenceWidth
        else { return false }
        // try?: an invalid offset is not the one that was found
        return offsets.indices.allSatisfy { (try? table.offset(of: $0)) == Int(offsets[$0]) }
    }

    // MARK: Finding objects

    /// The references of an object, if it has any.
    private struct References {
        var next: Int
        var left: Int
        /// The number of references that lead to the names of a dictionary.
        var names = 0
    }

    private enum Found {
        case object(end: Int, References)
        case cutOff, unknown
    }

    private mutating func followReferences() {
        var open: [References] = []
        guard take(&open) else { return }
        while var references = open.popLast() {
            guard references.left > 0 else { continue }
            let number = bytes.bigEndian(at: references.next, width: referenceWidth)
            let isName = references.names > 0
            references.next += referenceWidth
            references.left -= 1
            if isName { references.names -= 1 }
            open.append(references)
            let isNew = number >= UInt64(offsets.count)
            if isNew {
                guard skipUIDs(to: number), take(&open) else { return }
            }
            guard !isName || isText(at: Int(offsets[Int(number)])) else { return contradict() }
        }
        // Unreferenced UIDs.
        var none: [References] = []
        while isUID(at: end), take(&none) {}
        ending = .whole
    }

    /// Takes objects up to the one with a number, which must be unreferenced UIDs. Returns false if there are others.
    private mutating func skipUIDs(to number: UInt64) -> Bool {
        var none: [References] = []
        while UInt64(offsets.count) < number {
            guard end >= bytes.count || isUID(at: end) else {
                contradict()
                return false
            }
            guard take(&none) else { return false }
        }
        return true
    }

    /// Records a contradiction: the end of the latest object differs from its stated length, or the reference is
    /// damaged.
    private mutating func contradict() {
        ending = .damaged
        if let last = offsets.popLast() { end = Int(last) }
    }

    private func isUID(at offset: Int) -> Bool { bytes.byte(at: offset).map { $0 >> 4 == 0x8 } ?? false }

    private func isText(at offset: Int) -> Bool {
        bytes.byte(at: offset).map { $0 >> 4 == 0x5 || $0 >> 4 == 0x6 } ?? false
    }

    /// Takes the next object; returns false if there is none.
    private mutating func take(_ open: inout [References]) -> Bool {
        switch object(at: end) {
        case .object where offsets.count == Self.mostObjects: ending = .damaged
        case .object(let next, let references):
            offsets.append(UInt32(truncatingIfNeeded: end))
            end = next
            open.append(references)
            return true
        case .cutOff: ending = .cutOff
        case .unknown: ending = .damaged
        }
        return false
    }

    /// Takes every object up to the first bytes that are not one: those of the offset table, in an intact list.
    private mutating func findAll() {
        offsets = []
        end = 8
        var open: [References] = []
        while take(&open) { open.removeAll(keepingCapacity: true) }
    }

    private func object(at start: Int) -> Found {
        guard let marker = bytes.byte(at: start) else { return .cutOff }
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0 where [0x0, 0x8, 0x9].contains(low): return scalar(start + 1, 0)
        case 0x1 where low <= 4: return scalar(start + 1, 1 << low)
        case 0x2 where low == 2 || low == 3: return scalar(start + 1, 1 << low)
        case 0x3 where low == 3: return scalar(start + 1, 8)
        case 0x4, 0x5: return counted(start + 1, low, unit: 1)
        case 0x6: return counted(start + 1, low, unit: 2)
        case 0x8 where low < 8: return scalar(start + 1, low + 1)
        case 0xA, 0xB, 0xC: return counted(start + 1, low, unit: referenceWidth, references: 1)
        case 0xD: return counted(start + 1, low, unit: 2 * referenceWidth, references: 2)
        default: return .unknown
        }
    }

    private func scalar(_ start: Int, _ size: Int) -> Found {
        guard size <= bytes.count - start else { return .cutOff }
        return .object(end: start + size, References(next: start, left: 0))
    }

    private func counted(_ start: Int, _ low: Int, unit: Int, references: Int = 0) -> Found {
        var first = start
        var count = UInt64(low)
        if low == 15 {
            guard let marker = bytes.byte(at: first) else { return .cutOff }
            guard marker & 0xF0 == 0x10, marker & 0x0F <= 3 else { return .unknown }
            let width = 1 << Int(marker & 0x0F)
            guard let number = bytes.number(at: first + 1, width: width) else { return .cutOff }
            count = number
            first += 1 + width
        }
        guard count <= UInt64((bytes.count - first) / unit) else { return .cutOff }
        let (left, names) = (Int(count) * references, references == 2 ? Int(count) : 0)
        return .object(
            end: first + Int(count) * unit, References(next: first, left: left, names: names))
    }

    // MARK: The top object

    /// Whether an object is a dictionary whose names are ASCII strings, as far as they were found.
    private func isDictionaryWithNames(_ number: Int, has wanted: StaticString? = nil) -> Bool {
        guard offsets.indices.contains(number) else { return false }
        let start = Int(offsets[number])
        guard let marker = bytes.byte(at: start), marker >> 4 == 0xD,
            case .object(_, let references) = object(at: start), references.left > 0
        else { return false }
        var hasWanted = wanted == nil
        var names = 0
        for place in 0..<min(references.left / 2, 16) {
            let name = bytes.bigEndian(at: references.next + place * referenceWidth, width: referenceWidth)
            guard name < UInt64(offsets.count) else { continue }
            let text = Int(offsets[Int(name)])
            guard let marker = bytes.byte(at: text), marker >> 4 == 0x5 else { return false }
            names += 1
            if let wanted, marker == 0x50 | UInt8(clamping: wanted.utf8CodeUnitCount) {
                let found = bytes.array(text + 1..<text + 1 + wanted.utf8CodeUnitCount)
                if found.elementsEqual(UnsafeBufferPointer(start: wanted.utf8Start, count: found.count)) {
                    hasWanted = true
                }
            }
        }
        return names > 0 && hasWanted
    }
}
