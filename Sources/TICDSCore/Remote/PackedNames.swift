import Base
import Glibc

/// Names of files, stored end to end. The name of a change set consists for the most part of digits: of such a name only
/// the digits are stored, two in a byte, and the other bytes once for all names that share them. A million change sets
/// take 30 MB in place of 62.
package struct PackedNames: Sendable {
    /// The place of a name.
    package struct Place: Sendable {
        fileprivate(set) var start: UInt32
        /// The number of bytes of the name.
        package fileprivate(set) var length: UInt16
        /// The number of its shape; 0 for a name that is stored as it is.
        fileprivate var shape: UInt8
    }

    private var bytes: [UInt8] = []
    private var shapes: [Shape] = []

    package init() {}

    /// The form that names share: their length, where they have digits, and the other bytes.
    private struct Shape {
        /// The name, with zeros in place of digits.
        var others: [UInt8]
        /// The runs of digits. Each begins in a byte of its own.
        var runs: [Range<Int>] = []
        /// The number of bytes in which the digits are stored.
        var packedCount = 0
    }

    private static let mostShapes = 32
    /// Names with fewer digits, and longer ones, are stored as they are.
    private static let fewestDigits = 16
    private static let longestName = 255

    /// Adds a name; returns nil if it does not fit (4 GiB).
    package mutating func append(_ name: UnsafeRawBufferPointer) -> Place? {
        guard let start = UInt32(exactly: bytes.count), let length = UInt16(exactly: name.count) else {
            return nil
        }
        for number in shapes.indices.reversed() where pack(name, shapes[number]) {
            return Place(start: start, length: length, shape: UInt8(clamping: number + 1))
        }
        if shapes.count < Self.mostShapes, let shape = Self.shape(of: name), pack(name, shape) {
            shapes.append(shape)
            return Place(start: start, length: length, shape: UInt8(clamping: shapes.count))
        }
        bytes.append(contentsOf: name)
        return Place(start: start, length: length, shape: 0)
    }

    /// Calls `body` with a name, which is valid during the call only.
    package func withName<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            let start = Int(place.start)
            guard place.shape > 0 else {
                return body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(place.length)]))
            }
            let shape = shapes[Int(place.shape) - 1]
            let packed = UnsafeRawBufferPointer(rebasing: bytes[start..<start + shape.packedCount])
            return withUnsafeTemporaryAllocation(byteCount: shape.others.count, alignment: 8) { room in
                room.copyBytes(from: shape.others)
                Self.unpack(packed, shape.runs, to: room)
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
        return bytes.withUnsafeBytes { bytes in
            let first = bytes[Int(one.start)..<Int(one.start) + count]
            let second = bytes[Int(other.start)..<Int(other.start) + count]
            return UnsafeRawBufferPointer(rebasing: first).precedes(UnsafeRawBufferPointer(rebasing: second))
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
        shape.packedCount = shape.runs.reduce(0) { $0 + ($1.count + 1) / 2 }
        return digitCount < fewestDigits ? nil : shape
    }

    /// Adds the digits of a name, if it has this shape.
    private mutating func pack(_ name: UnsafeRawBufferPointer, _ shape: Shape) -> Bool {
        guard name.count == shape.others.count else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 2 * Self.longestName, alignment: 8) { room in
            let (text, packed) = (room.prefix(name.count), room.dropFirst(Self.longestName + 1))
            let target = UnsafeMutableRawBufferPointer(rebasing: packed)
            guard Self.pack(name, shape.runs, to: target) else { return false }
            // The other bytes are right if unpacking gives the name.
            let again = UnsafeMutableRawBufferPointer(rebasing: text)
            again.copyBytes(from: shape.others)
            Self.unpack(UnsafeRawBufferPointer(target), shape.runs, to: again)
            guard UnsafeRawBufferPointer(again).begins(with: name) else { return false }
            bytes.append(contentsOf: target[..<shape.packedCount])
            return true
        }
    }

    /// Writes the digits of a name. Returns false if one of them is something else.
    private static func pack(
        _ name: UnsafeRawBufferPointer, _ runs: [Range<Int>], to room: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var target = 0
        for run in runs {
            var position = run.lowerBound
            // Eight digits at once, each in a byte of its own.
            while position + 8 <= run.upperBound {
                let text = UInt64(
                    littleEndian: name.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                var digits = (text & 0x0F0F_0F0F_0F0F_0F0F) &+ (text >> 6 & 0x0101_0101_0101_0101) &* 9
                digits = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
                digits = (digits | digits >> 8) & 0x0000_FFFF_0000_FFFF
                let four = UInt32(truncatingIfNeeded: digits | digits >> 16)
                room.storeBytes(of: four.littleEndian, toByteOffset: target, as: UInt32.self)
                position += 8
                target += 4
            }
            while position < run.upperBound {
                let first = digit(name[position])
                let second = position + 1 < run.upperBound ? digit(name[position + 1]) : 0
                guard first | second < 16 else { return false }
                room[target] = first << 4 | second
                position += 2
                target += 1
            }
        }
        return true
    }

    private static func unpack(
        _ packed: UnsafeRawBufferPointer, _ runs: [Range<Int>], to room: UnsafeMutableRawBufferPointer
    ) {
        var source = 0
        for run in runs {
            var position = run.lowerBound
            while position + 8 <= run.upperBound {
                let four = packed.loadUnaligned(fromByteOffset: source, as: UInt32.self)
                var bytes = UInt64(UInt32(littleEndian: four))
                bytes = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF
                bytes = (bytes | bytes << 8) & 0x00FF_00FF_00FF_00FF
                let digits = (bytes >> 4 & 0x000F_000F_000F_000F) | (bytes & 0x000F_000F_000F_000F) << 8
                let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
                let text = digits &+ 0x3030_3030_3030_3030 &+ letters &* 7
                room.storeBytes(of: text.littleEndian, toByteOffset: position, as: UInt64.self)
                position += 8
                source += 4
            }
            while position < run.upperBound {
                room[position] = text(packed[source] >> 4)
                if position + 1 < run.upperBound { room[position + 1] = text(packed[source] & 15) }
                position += 2
                source += 1
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

    private static func text(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
