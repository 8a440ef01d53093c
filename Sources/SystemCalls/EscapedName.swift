public import SystemPackage

/// Bytes of a name as text for people: control characters and bytes that are not UTF-8 read `\x0A`.
public func escapedName(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var position = 0
    while position < bytes.count {
        if let (scalar, length) = scalar(in: bytes, at: position), !isControl(scalar) {
            text.append(scalar)
            position += length
        } else {
            text.append(contentsOf: "\\x".unicodeScalars)
            let hexadecimal = String(bytes[position], radix: 16, uppercase: true)
            text.append(contentsOf: ((hexadecimal.count < 2 ? "0" : "") + hexadecimal).unicodeScalars)
            position += 1
        }
    }
    return String(text)
}

extension FilePath {
    /// The path as text for people; see `escapedName`.
    public var escaped: String { escapedName(bytes) }

    /// The bytes of the path as the file system has them.
    public var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

/// The character that begins at `position`, if its bytes are proper UTF-8.
private func scalar(in bytes: [UInt8], at position: Int) -> (Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[position...].makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
}

/// Control characters, and those that turn the direction of text or end a line.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
}
