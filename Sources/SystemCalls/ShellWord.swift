import Base
public import SystemPackage

extension FilePath {
    /// The path as text that is safe on a terminal; see `escapedName`.
    public var escaped: String { escapedName(bytes) }

    /// The bytes of the path as the file system stores them.
    public var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

extension FilePath.Component {
    /// The longest name of an entry in file systems, in bytes: `NAME_MAX` of limits.h.
    public static let longest = 255

    /// The bytes of the name as the file system stores them.
    public var bytes: [UInt8] { FilePath(root: nil, components: self).bytes }
}

/// Quotes words for commands that users may paste into a shell. bash, dash, ksh, zsh, busybox sh and fish (3.4 or
/// later) read them in the same way. An older fish reports an error instead of reading a different word.
public enum ShellWord {
    /// The path as one word, which programs do not take for an option.
    public static func quoted(_ path: FilePath) -> String {
        quoted(path.bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + path.bytes : path.bytes)
    }

    /// The bytes as one word, with characters that are safe on a terminal.
    public static func quoted(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if !bytes.isEmpty, bytes.allSatisfy(isHarmless) { return text }
        let isText = String(validating: bytes, as: UTF8.self) != nil && escapedText(text) == text
        return isText ? literal(bytes) : printed(bytes)
    }

    /// The bytes in single quotes, except quotes and backslashes, since fish treats `\'` and `\\` in quotes as escapes.
    private static func literal(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "''" }
        var word = ""
        // Works by bytes, since an apostrophe and a combining accent are one Character in Swift, but not in a shell.
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
    /// one, the word therefore causes an error in every shell.
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
