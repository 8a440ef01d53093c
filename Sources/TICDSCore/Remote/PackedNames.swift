import Base
import Glibc

/// Names of files, stored end to end. The name of a change set consists for the most part of digits: of such a name only
/// the digits are stored, two in a byte, and the other bytes once for all names that share them. A million change sets
/// take 30 MB in place of 62.
package struct PackedNames: Sendable {
    /// The place of a name.
    package struct Place: Sendable {
        /// The number of its page, and the place in that.
        fileprivate(set) var start: UInt32
        /// The number of bytes of the name.
        package fileprivate(set) var length: UInt16
        /// The number of its shape; 0 for a name that is stored as it is.
        fileprivate var shape: UInt8
    }

    /// The bytes in pages, so that they grow without being copied. No name is in two pages.
    private var pages: [[UInt8]] = []
    private var shapes: [Shape] = []
    private let unpackedBytes: Int

    /// Without names.
    /// - Parameter unpackedBytes: the bytes of the first names, which are stored as they are: small folders are read
    ///   faster so.
    package init(unpackedBytes: Int = 256 << 10) {
        self.unpackedBytes = unpackedBytes
    }

    /// The form that names share: their length, where they have digits, and the other bytes.
    private struct Shape {
        /// The name, with zeros in place of digits.
        var others: [UInt8]
        /// The runs of digits.
        var runs: [Range<Int>] = []
        /// The number of bytes in which the digits are stored, eight in each four.
        var packedCount = 0
    }

    private static let mostShapes = 32
    /// Names with fewer digits, and longer ones, are stored as they are.
    private static let fewestDigits = 16
    private static let longestName = 255

    /// Adds a name; returns nil if it does not fit (4 GiB).
    package mutating func append(_ name: UnsafeRawBufferPointer) -> Place? {
        guard let length = UInt16(exactly: name.count), let start = makeRoom(for: name.count) else {
            return nil
        }
        if Int(start) >= unpackedBytes {
            for number in shapes.indices.reversed() where pack(name, shapes[number]) {
                return Place(start: start, length: length, shape: UInt8(clamping: number + 1))
            }
            if shapes.count < Self.mostShapes, let shape = Self.shape(of: name), pack(name, shape) {
                shapes.append(shape)
                return Place(start: start, length: length, shape: UInt8(clamping: shapes.count))
            }
        }
        pages[pages.count - 1].append(contentsOf: name)
        return Place(start: start, length: length, shape: 0)
    }

    /// The binary logarithm of the size of a page, which has room for the longest name.
    private static let pageShift = 20

    /// Begins a page if the last one has no room for so many bytes.
    /// - Returns: the place of the next byte; nil without room (4 GiB).
    private mutating func makeRoom(for count: Int) -> UInt32? {
        let size = 1 << Self.pageShift
        if pages.last.map({ $0.count + count >= size }) ?? true {  // bounded: the sizes of a page and a name
            // The first page is often the only one, and small.
            var page: [UInt8] = []
            if !pages.isEmpty { page.reserveCapacity(size) }
            pages.append(page)
        }
        let last = pages.count - 1
        return UInt32(exactly: last << Self.pageShift + pages[last].count)
    }

    /// Calls `body` with bytes that a page has.
    private func withBytes<Result>(
        from start: UInt32, count: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let first = Int(start) & (1 << Self.pageShift - 1)
        return pages[Int(start) >> Self.pageShift].withUnsafeBytes { page in
            body(UnsafeRawBufferPointer(rebasing: page[first..<first + count]))
        }
    }

    /// Calls `body` with a name, which is valid during the call only.
    package func withName<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard place.shape > 0 else { return withBytes(from: place.start, count: Int(place.length), body) }
        let shape = shapes[Int(place.shape) - 1]
        return withBytes(from: place.start, count: shape.packedCount) { packed in
            withUnsafeTemporaryAllocation(byteCount: shape.others.count, alignment: 8) { room in
                Self.unpack(packed, shape, to: room)
                return body(UnsafeRawBufferPointer(room))
            }
        }
    }

    /// Whether a name is before another one in the order of bytes. Digits of names with the same shape have the order of
    /// the names.
    package func precedes(_ one: Place, _ other: Place) -> Bool {
        guard one.shape == other.shape, one.shape > 0 else {
            return withName(one) { name in withName(other) { name.precedes($0) } }
        }
        let count = shapes[Int(one.shape) - 1].packedCount
        return withBytes(from: one.start, count: count) { first in
            withBytes(from: other.start, count: count) { first.precedes($0) }
        }
    }

    private static func shape(of name: UnsafeRawBufferPointer) -> Shape? {
        guard name.count <= longestName, !name.contains(0) else { return nil }
        var shape = Shape(others: Array(name))
        var digitCount = 0
        for (position, byte) in name.enumerated() where digit(byte) < 16 {
            shape.others[position] = 0
            digitCount += 1
            if let last = shape.runs.last, last.upperBound == position {
                shape.runs[shape.runs.count - 1] = last.lowerBound..<position + 1
            } else {
                shape.runs.append(position..<position + 1)
            }
        }
        shape.packedCount = (digitCount + 7) / 8 * 4
        return digitCount < fewestDigits ? nil : shape
    }

    /// Adds the digits of a name, if it has this shape.
    private mutating func pack(_ name: UnsafeRawBufferPointer, _ shape: Shape) -> Bool {
        guard name.count == shape.others.count else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 2 * Self.longestName, alignment: 8) { room in
            let packed = UnsafeMutableRawBufferPointer(rebasing: room[..<shape.packedCount])
            let again = UnsafeMutableRawBufferPointer(rebasing: room.suffix(name.count))
            Self.pack(name, shape, to: packed)
            // All digits are digits, and the other bytes are right, if unpacking gives the name.
            Self.unpack(UnsafeRawBufferPointer(packed), shape, to: again)
            guard UnsafeRawBufferPointer(again).begins(with: name) else { return false }
            pages[pages.count - 1].append(contentsOf: packed)
            return true
        }
    }

    /// Writes the digits of a name, those of all runs end to end. Any other byte gives any digit.
    private static func pack(
        _ name: UnsafeRawBufferPointer, _ shape: Shape, to room: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: 2 * room.count, alignment: 8) { digits in
            digits.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "0"))
            var target = 0
            for run in shape.runs {
                let part = UnsafeMutableRawBufferPointer(rebasing: digits[target..<target + run.count])
                part.copyMemory(from: UnsafeRawBufferPointer(rebasing: name[run]))
                target += run.count
            }
            for block in 0..<room.count / 4 {
                let text = UInt64(littleEndian: digits.load(fromByteOffset: 8 * block, as: UInt64.self))
                var digits = (text & 0x0F0F_0F0F_0F0F_0F0F) &+ (text >> 6 & 0x0101_0101_0101_0101) &* 9
                digits = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
                digits = (digits | digits >> 8) & 0x0000_FFFF_0000_FFFF
                let four = UInt32(truncatingIfNeeded: digits | digits >> 16)
                room.storeBytes(of: four.littleEndian, toByteOffset: 4 * block, as: UInt32.self)
            }
        }
    }

    private static func unpack(
        _ packed: UnsafeRawBufferPointer, _ shape: Shape, to name: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: 2 * packed.count, alignment: 8) { digits in
            for block in 0..<packed.count / 4 {
                let four = packed.loadUnaligned(fromByteOffset: 4 * block, as: UInt32.self)
                var bytes = UInt64(UInt32(littleEndian: four))
                bytes = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
                bytes = (bytes | bytes << 8) & 0x00FF_00FF_00FF_00FF
                let values = (bytes >> 4 & 0x000F_000F_000F_000F) | (bytes & 0x000F_000F_000F_000F) << 8
                let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
                let text = values &+ 0x3030_3030_3030_3030 &+ letters &* 7
                digits.storeBytes(of: text.littleEndian, toByteOffset: 8 * block, as: UInt64.self)
            }
            shape.others.withUnsafeBytes { name.copyMemory(from: $0) }
            var source = 0
            for run in shape.runs {
                let part = UnsafeRawBufferPointer(rebasing: digits[source..<source + run.count])
                UnsafeMutableRawBufferPointer(rebasing: name[run]).copyMemory(from: part)
                source += run.count
            }
        }
    }

    /// The value of an upper-case hexadecimal digit; 255 for every other byte.
    private static func digit(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: 255
        }
    }
}
