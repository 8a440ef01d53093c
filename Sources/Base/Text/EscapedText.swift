/// Returns `text` as one line that is safe on a terminal. Control characters, line breaks, invisible characters and
/// characters that change the direction of text become escapes: `\n`, `\u{1B}`, `\u{200B}`, `\u{202E}`. Invisible
/// characters that join the parts of an emoji stay.
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

/// Returns the bytes of a name as text that is safe on a terminal. A byte that is not UTF-8 becomes `\xE9`.
public func escapedName(_ bytes: [UInt8]) -> String { escapedText(escapedIllFormed(bytes)) }

/// A number with its noun, for messages: `1 change set`, `2 change sets`.
public func counted(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// Returns bytes as text in which a byte that is not UTF-8 becomes `\xE9`. Control characters stay as they are.
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

/// The character that begins at `position`, or nil if the bytes there are not UTF-8.
private func scalar(in bytes: [UInt8], at position: Int) -> (Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[position...].makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
}

/// Whether a character can change what a reader sees: control characters, line ends, interlinear annotation,
/// noncharacters, and all characters with the Unicode property Default_Ignorable_Code_Point, which hide, reverse text,
/// or make two names look alike.
private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x2029, 0xFFF9...0xFFFB: true
    case 0..<0xAD: false
    default: scalar.properties.isNoncharacterCodePoint || scalar.properties.isDefaultIgnorableCodePoint
    }
}

/// Whether the scalar belongs to an emoji: U+FE0F after a character with an emoji form, or U+200D between two emoji.
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
