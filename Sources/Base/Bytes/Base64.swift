/// Base64 (RFC 4648, 4).
package enum Base64 {
    private static let letters: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let padding = UInt8(ascii: "=")

    /// The number of digits, with padding, for `count` bytes.
    package static func digitCount(ofBytes count: Int) -> Int { (count + 2) / 3 * 4 }

    /// Writes the digits of `bytes` with padding to `room`, which must be large enough. Returns their number.
    package static func write(
        _ bytes: UnsafeBufferPointer<UInt8>, to room: UnsafeMutablePointer<UInt8>
    ) -> Int {
        letters.withUTF8Buffer { letters in
            var written = 0
            for index in stride(from: 0, to: bytes.count, by: 3) {
                let second = index + 1 < bytes.count ? bytes[index + 1] : 0
                let third = index + 2 < bytes.count ? bytes[index + 2] : 0
                room[written] = letters[Int(bytes[index] >> 2)]
                room[written + 1] = letters[Int(bytes[index] & 3) << 4 | Int(second >> 4)]
                room[written + 2] = letters[Int(second & 15) << 2 | Int(third >> 6)]
                room[written + 3] = letters[Int(third & 63)]
                written += 4
            }
            if bytes.count % 3 > 0 { room[written - 1] = padding }
            if bytes.count % 3 == 1 { room[written - 2] = padding }
            return written
        }
    }

    /// The digits of `bytes` with padding.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: digitCount(ofBytes: bytes.count)) { room in
            guard let start = room.baseAddress else { return 0 }
            return bytes.withUnsafeBufferPointer { write($0, to: start) }
        }
    }

    /// Decodes digits with padding; nil for any other text.
    package static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count % 4 == 0 else { return nil }
        let padded = digits.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits: UInt32 = 0
        for (place, digit) in digits.dropLast(padded).enumerated() {
            guard let value = value(digit) else { return nil }
            bits = bits << 6 | value
            if place % 4 != 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * UInt32(place % 4)))) }
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
