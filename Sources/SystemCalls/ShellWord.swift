public import SystemPackage

/// Words of a shell, for commands that people may paste. bash, dash, ksh, zsh, the shell of busybox and fish (from 3.4
/// on) read them alike; an older fish refuses the whole line rather than to read a word as another one.
public enum ShellWord {
    /// A path as one word, which no program takes for an option.
    public static func quoted(_ path: FilePath) -> String {
        quoted(path.bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + path.bytes : path.bytes)
    }

    /// Bytes as one word of characters that are fit for a terminal.
    public static func quoted(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if !bytes.isEmpty, bytes.allSatisfy(isHarmless) { return text }
        let isText = String(validating: bytes, as: UTF8.self) != nil && escapedText(text) == text
        return isText ? literal(bytes) : printed(bytes)
    }

    /// In apostrophes, but for apostrophes and backslashes: fish takes `\'` and `\\` between apostrophes for one
    /// character each, as no other shell does.
    private static func literal(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "''" }
        var word = ""
        // Byte by byte: an apostrophe with an accent on it is one other character to Swift, but not to a shell.
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

    /// As printf(1) prints it. Shells remove line breaks at the end of what a command prints, so that no word stands for
    /// a name that ends with one: the command then is an error to every shell, and does nothing.
    private static func printed(_ bytes: [UInt8]) -> String {
        // A format that begins with a hyphen would be an option.
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
