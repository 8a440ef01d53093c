/// Bytes as hexadecimal digits in small letters, such as of a digest.
public func hexadecimalDigits(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        text.append(hexadecimalDigit(byte >> 4))
        text.append(hexadecimalDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}

/// Hexadecimal digits of that many random bytes.
public func randomHexadecimalDigits(bytes count: Int) -> String {
    hexadecimalDigits(of: (0..<count).map { _ in UInt8.random(in: 0...255) })
}

/// Whether a byte is a hexadecimal digit, in small or large letters.
@inlinable
public func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
    default: false
    }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
