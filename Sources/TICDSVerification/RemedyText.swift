import SystemCalls
import SystemPackage
import TICDSCore

/// Fills the placeholders of a remedy.
enum RemedyText {
    /// The words that stand for the placeholders where no finding fills them, as in a manual page.
    private static let words = [
        "file": "FILE", "path": "PATH", "remote": "REMOTE", "document": "DOCUMENT", "client": "CLIENT",
        "subject": "NAME",
    ]

    /// The remedy with words in capitals for the placeholders.
    static func general(_ remedy: String) -> String { fill(remedy) { words[$0] } }

    /// The remedy for one finding, fit to be pasted into a shell.
    static func fill(_ remedy: String, for finding: Finding, under root: FilePath) -> String {
        let values: [String: [UInt8]?] = [
            "file": finding.path.filePath(under: root).bytes, "path": finding.path.bytes,
            "remote": root.bytes, "document": finding.document?.bytes, "client": finding.client?.bytes,
            "subject": finding.subject.map { Array($0.utf8) },
        ]
        return fill(remedy) { name in (values[name] ?? nil).map(quoted) ?? words[name] }
    }

    /// Puts a value for each `{name}`; what was put in is not looked at again.
    private static func fill(_ remedy: String, _ value: (String) -> String?) -> String {
        var text = ""
        var rest = remedy[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            text += rest[..<start] + (value(name) ?? "{\(name)}")
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// A word of a shell. Bytes that are not printable ASCII are written as `$'\xE9'`, so that the line survives any
    /// terminal.
    static func quoted(_ bytes: [UInt8]) -> String {
        let isPlain = !bytes.isEmpty && bytes.allSatisfy(isHarmless)
        let text = String(decoding: bytes, as: UTF8.self)
        if isPlain { return text }
        guard String(validating: bytes, as: UTF8.self) == nil || escapedText(text) != text else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
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
