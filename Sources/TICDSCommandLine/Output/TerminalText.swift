import SystemCalls
public import SystemPackage

/// Text from a remote, made fit for a terminal.
public enum TerminalText {
    /// `text` on one line, with everything visible: control characters, ESC, line breaks and characters that
    /// change the direction of text become escapes (`\n`, `\u{1B}`, `\u{202E}`).
    public static func escaped(_ text: String) -> String { escapedText(text) }

    /// Bytes that ought to be UTF-8; those that are not become `\xE9`.
    public static func escaped(bytes: [UInt8]) -> String { escapedName(bytes) }

    /// A path, of whatever bytes.
    public static func escaped(_ path: FilePath) -> String { escapedName(path.bytes) }

    /// A name, of whatever bytes.
    public static func escaped(_ component: FilePath.Component) -> String { escapedName(component.bytes) }
}
