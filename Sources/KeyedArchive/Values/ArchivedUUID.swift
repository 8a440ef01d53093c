/// The value of an NSUUID.
public struct ArchivedUUID: Sendable, Hashable, CustomStringConvertible {
    /// The sixteen bytes, in the order of the text.
    public let bytes: [UInt8]

    /// The UUID with these bytes; nil unless there are sixteen.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses the text form with hyphens, in either case, such as "0F3C4A5E-0000-4000-8000-000000000000".
    public init?(text: String) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = groups.joined().compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map {
            UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// A new random UUID (version 4).
    public static func random() -> ArchivedUUID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A new UUID (version 4) from the numbers of `generator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> ArchivedUUID {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ArchivedUUID(sixteen: bytes)
    }

    private init(sixteen bytes: [UInt8]) { self.bytes = bytes }

    /// Upper-case hexadecimal digits with hyphens.
    public var description: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
