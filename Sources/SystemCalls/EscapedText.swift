public import SystemPackage

/// `text` on one line, fit for a terminal: control characters, line breaks, characters that change the direction of text
/// and those that nobody sees become escapes (`\n`, `\u{1B}`, `\u{202E}`, `\u{200B}`). Invisible characters stay where
/// they make an emoji of its parts.
public func escapedText(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    let scalars = Array(text.unicodeScalars)
    for (position, scalar) in scalars.enumerated() {
        if isHarmful(scalar), !isPartOfEmoji(position, scalars) {
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

/// Control characters, those that end a line or annotate another text, and those that Unicode lets programs leave out:
/// they turn the direction of text, or make a name look like another.
private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x2029, 0xFFF9...0xFFFB: true
    case 0..<0xAD: false
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
}

/// Whether an invisible character asks for the picture of the sign before it, or joins two emoji.
private func isPartOfEmoji(_ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    func isEmoji(_ position: Int) -> Bool {
        scalars.indices.contains(position) && scalars[position].value > 0xFF
            && scalars[position].properties.isEmoji
    }
    func isPicture(_ position: Int) -> Bool {
        scalars.indices.contains(position) && scalars[position].value == 0xFE0F && isEmoji(position - 1)
            && !scalars[position - 1].properties.isEmojiPresentation
    }
    switch scalars[position].value {
    case 0xFE0F: return isPicture(position)
    case 0x200D: return (isEmoji(position - 1) || isPicture(position - 1)) && isEmoji(position + 1)
    default: return false
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
