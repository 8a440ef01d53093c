public import SystemPackage

/// Returns `text` as one line that is safe on a terminal. Control characters, line breaks, invisible characters and
/// those that change the direction of text become escapes: `\n`, `\u{1B}`, `\u{200B}`, `\u{202E}`. Invisible characters
/// that join the parts of an emoji stay.
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

extension FilePath {
    /// The path as text that is safe on a terminal; see `escapedName`.
    public var escaped: String { escapedName(bytes) }

    /// The bytes of the path as the file system stores them.
    public var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

extension FilePath.Component {
    /// The longest name of an entry that file systems take, in bytes: `NAME_MAX` of limits.h.
    public static let longest = 255

    /// The bytes of the name as the file system stores them.
    public var bytes: [UInt8] { FilePath(root: nil, components: self).bytes }
}

/// The character that begins at `position`, or nil if the bytes there are not UTF-8.
private func scalar(in bytes: [UInt8], at position: Int) -> (Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[position...].makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
}

/// Whether a character can change what a reader sees: control characters, line ends, interlinear annotation, and all
/// with the Unicode property Default_Ignorable_Code_Point, which hide, reverse text, or make two names look alike.
private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x2029, 0xFFF9...0xFFFB: true
    case 0..<0xAD: false
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
}

/// Whether it belongs to an emoji: U+FE0F after a character with an emoji form, or U+200D between two emoji.
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

/// Quotes words for commands that people may paste into a shell. bash, dash, ksh, zsh, busybox sh and fish (3.4 or
/// later) read them alike. An older fish reports an error instead of reading another word.
public enum ShellWord {
    /// The path as one word, which no program takes for an option.
    public static func quoted(_ path: FilePath) -> String {
        quoted(path.bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + path.bytes : path.bytes)
    }

    /// The bytes as one word, of characters that are safe on a terminal.
    public static func quoted(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if !bytes.isEmpty, bytes.allSatisfy(isHarmless) { return text }
        let isText = String(validating: bytes, as: UTF8.self) != nil && escapedText(text) == text
        return isText ? literal(bytes) : printed(bytes)
    }

    /// In single quotes all but quotes and backslashes, since fish treats `\'` and `\\` in quotes as escapes.
    private static func literal(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "''" }
        var word = ""
        // By bytes, since an apostrophe and a combining accent are one Character in Swift, but not in a shell.
        var rest = bytes[...]
        while let first = rest.first {
            let run = rest.prefix { !isEscaped($0) }
            word += run.isEmpty ? "\\\(UnicodeScalar(first))" : "'\(String(decoding: run, as: UTF8.self))'"
            rest = rest.dropFirst(max(run.count, 1))
        }
        return word
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
    }

    /// The bytes as output of printf(1). A command substitution removes trailing line breaks; for a name that ends with
    /// one, the word therefore makes every shell stop with an error.
    private static func printed(_ bytes: [UInt8]) -> String {
        // printf(1) would take a format with a leading hyphen for an option.
        let start = bytes.prefix { $0 == UInt8(ascii: "-") }.map(octal)
        let format =
            start + bytes.dropFirst(start.count).map { isHarmless($0) ? "\(UnicodeScalar($0))" : octal($0) }
        let word = "\"$(printf '\(format.joined())')\""
        return bytes.last == UInt8(ascii: "\n") ? word + "\"${the_name_ends_with_a_line_break:?}\"" : word
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
