/// The 512-byte header of a member of a tar archive: POSIX ustar, GNU, or the old form without a magic.
struct TarHeader {
    static let size = 512

    /// The type flag, such as `0` for a file and `5` for a folder.
    let type: UInt8
    let size: Int64
    let modified: Int64
    private let bytes: [UInt8]

    /// Nil if the check sum or a number is wrong.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, Self.hasCheckSum(bytes),
            let size = Self.number(bytes[124..<136]), let modified = Self.number(bytes[136..<148]), size >= 0
        else { return nil }
        self.bytes = bytes
        self.size = size
        self.modified = modified
        type = bytes[156]
    }

    /// The name; in a ustar header, with its prefix.
    var name: [UInt8] {
        let name = Array(bytes[0..<100].prefix { $0 != 0 })
        let prefix = bytes[345..<500].prefix { $0 != 0 }
        let isPOSIX = bytes[257..<263].elementsEqual("ustar\0".utf8)
        return isPOSIX && !prefix.isEmpty ? prefix + [UInt8(ascii: "/")] + name : name
    }

    private static func hasCheckSum(_ bytes: [UInt8]) -> Bool {
        guard let expected = number(bytes[148..<156]) else { return false }
        var unsigned: Int64 = 0
        var signed: Int64 = 0
        for (offset, byte) in bytes.enumerated() {
            let byte = (148..<156).contains(offset) ? UInt8(ascii: " ") : byte
            unsigned += Int64(byte)
            signed += Int64(Int8(bitPattern: byte))
        }
        return expected == unsigned || expected == signed
    }

    /// A number in octal digits, or in base 256 if the first bit is set; nil if it is damaged or too large.
    static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        guard let first = field.first else { return nil }
        if first & 0x80 != 0 { return binaryNumber(field) }
        var value: Int64 = 0
        var hasEnded = false
        for byte in field.drop(while: { $0 == 0x20 }) {
            switch byte {
            case 0x30...0x37:
                guard !hasEnded, value < 1 << 59 else { return nil }
                value = value << 3 | Int64(byte - 0x30)
            case 0x20, 0: hasEnded = true
            default: return nil
            }
        }
        return value
    }

    /// A number in base 256, in two's complement. The first bit is the mark; the second is the sign.
    private static func binaryNumber(_ field: ArraySlice<UInt8>) -> Int64? {
        let isNegative = (field.first ?? 0) & 0x40 != 0
        var value: Int64 = isNegative ? -1 : 0
        for (position, byte) in field.enumerated() {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 256)
            if overflow { return nil }
            value = shifted + Int64(position == 0 && !isNegative ? byte & 0x7F : byte)
        }
        return value
    }
}
