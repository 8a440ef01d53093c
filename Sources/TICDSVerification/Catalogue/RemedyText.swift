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
        let paths = ["file": finding.path.filePath(under: root), "remote": root]
        let values: [String: [UInt8]?] = [
            "path": finding.path.bytes, "document": finding.document?.bytes,
            "client": finding.client?.bytes, "subject": finding.subject.map { Array($0.utf8) },
        ]
        return fill(remedy) { name in
            paths[name].map(ShellWord.quoted) ?? (values[name] ?? nil).map(ShellWord.quoted) ?? words[name]
        }
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
}
