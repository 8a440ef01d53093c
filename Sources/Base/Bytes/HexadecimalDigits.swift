/// Returns bytes as lower-case hexadecimal digits, for example of a digest.
package func hexadecimalDigits(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
        text.append(hexadecimalDigit(byte >> 4))
        text.append(hexadecimalDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}

/// Returns bytes of the system's random numbers, which are fit for keys.
package func randomBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    // Each random number is a system call.
    while bytes.count < count {
        withUnsafeBytes(of: UInt64.random(in: 0 ... .max)) { bytes += $0 }
    }
    return Array(bytes.prefix(count))
}

/// Returns `count` random bytes as `2 * count` hexadecimal digits.
package func randomHexadecimalDigits(bytes count: Int) -> String {
    hexadecimalDigits(of: randomBytes(count))
}

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits with spaces between them, for error messages.
    package var hexadecimalText: String { map { hexadecimalDigits(of: [$0]) }.joined(separator: " ") }
}

/// Whether a byte is a hexadecimal digit of either case.
@inlinable
package func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
    default: false
    }
}

/// The lower-case digit of a number below 16.
@inlinable
package func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
