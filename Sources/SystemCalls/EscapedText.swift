public import SystemPackage

/// `text` on one line, fit for a terminal: control characters, line breaks and characters that change the direction
/// of text become escapes (`\n`, `\u{1B}`, `\u{202E}`).
public func escapedText(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isHarmful(scalar) {
            result += escape(scalar)
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Bytes of a name as text for people: escaped as text is, and bytes that are not UTF-8 read `\xE9`.
public func escapedName(_ bytes: [UInt8]) -> String { escapedText(escapedIllFormed(bytes)) }

/// The bytes as text, where those that are not UTF-8 stand as `\xE9`; control characters stay as they are.
public func escapedIllFormed(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    var position = 0
    while position < bytes.count {
        if let (scalar, length) = scalar(in: bytes, at: position) {
            text.unicodeScalars.append(scalar)
            position += length
        } else {
            let hexadecimal = String(bytes[position], radix: 16, uppercase: true)
            text += "\\x" + (hexadecimal.count < 2 ? "0" : "") + hexadecimal
            position += 1
        }
    }
    return text
}

extension FilePath {
    /// The path as text for people; see `escapedName`.
    public var escaped: String { escapedName(bytes) }

    /// The bytes of the path as the file system has them.
    public var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

extension FilePath.Component {
    /// The bytes of the name as the file system has them.
    public var bytes: [UInt8] { FilePath(root: nil, components: self).bytes }
}

/// The character that begins at `position`, if its bytes are proper UTF-8.
private func scalar(in bytes: [UInt8], at position: Int) -> (Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[position...].makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
}

/// Control characters, and those that turn the direction of text or end a line.
private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
}
