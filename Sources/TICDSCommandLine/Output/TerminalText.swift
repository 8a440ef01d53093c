public import SystemPackage

/// Text from a remote, made fit for a terminal.
public enum TerminalText {
    /// `text` on one line, with everything visible: control characters, ESC, line breaks and characters that
    /// change the direction of text become escapes (`\n`, `\u{1B}`, `\u{202E}`).
    public static func escaped(_ text: String) -> String {
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

    /// Bytes that ought to be UTF-8; those that are not become `\xE9`.
    public static func escaped(bytes: [UInt8]) -> String {
        escaped(escapedIllFormed(bytes))
    }

    /// A path, of whatever bytes.
    public static func escaped(_ path: FilePath) -> String { escaped(bytes: path.utf8Bytes) }

    /// A name, of whatever bytes.
    public static func escaped(_ component: FilePath.Component) -> String {
        escaped(bytes: component.utf8Bytes)
    }

    /// The bytes as text, where those that are not UTF-8 stand as `\xE9`; controls stay as they are.
    static func escapedIllFormed(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var result = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
            if let length, length <= rest.count {
                result += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
            } else {
                result += "\\x" + hexadecimal(rest[rest.startIndex])
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }
}

extension FilePath {
    /// The bytes of the path, without the NUL at the end.
    var utf8Bytes: [UInt8] { withPlatformString { bytes(of: $0) } }
}

extension FilePath.Component {
    /// The bytes of the name, without the NUL at the end.
    var utf8Bytes: [UInt8] { withPlatformString { bytes(of: $0) } }
}

private func bytes(of text: UnsafePointer<CInterop.PlatformChar>) -> [UInt8] {
    var result: [UInt8] = []
    var next = text
    while next.pointee != 0 {
        result.append(UInt8(bitPattern: next.pointee))
        next += 1
    }
    return result
}
