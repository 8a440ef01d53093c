public import SystemPackage

/// Words of a shell, for commands that people may paste.
public enum ShellWord {
    /// A path as one word.
    public static func quoted(_ path: FilePath) -> String { quoted(path.bytes) }

    /// Bytes as one word. Those that are not fit for a terminal are written as `$'\xE9'`, so that the line survives
    /// any.
    public static func quoted(_ bytes: [UInt8]) -> String {
        let isPlain = !bytes.isEmpty && bytes.allSatisfy(isHarmless)
        let text = String(decoding: bytes, as: UTF8.self)
        if isPlain { return text }
        guard String(validating: bytes, as: UTF8.self) == nil || escapedText(text) != text else {
            // Byte by byte: an apostrophe with an accent on it is one other character to Swift, but not to a shell.
            let parts = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
        }
        return "$'" + bytes.map(escaped).joined() + "'"
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

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
        case 0x20..<0x7F: String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}
