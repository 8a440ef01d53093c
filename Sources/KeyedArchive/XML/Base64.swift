/// Data as text (RFC 4648, 4).
enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The digits of `bytes`, padded.
    static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                digits.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : padding)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes that padded digits stand for; nil for anything else.
    static func bytes(_ digits: [UInt8]) -> [UInt8]? {
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
