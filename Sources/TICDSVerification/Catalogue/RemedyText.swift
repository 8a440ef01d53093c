import SystemCalls
import SystemPackage
import TICDSCore

/// Fills the placeholders of a remedy.
enum RemedyText {
    /// The words for placeholders that no finding fills, as in a manual page.
    private static let words = [
        "file": "FILE", "path": "PATH", "remote": "REMOTE", "document": "DOCUMENT", "client": "CLIENT",
        "subject": "NAME",
    ]

    /// The remedy with words in capitals for the placeholders.
    static func general(_ remedy: String) -> String { fill(remedy) { words[$0] } }

    /// The remedy for one finding, quoted for a shell.
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

    /// Replaces each `{name}` by its value. A value that contains braces is not replaced again.
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

/// Lines that many remedies share.
enum NamesRemedy {
    /// Moves the file or folder of the finding out of the remote. Each entry gets a folder of its own, because strays
    /// often share a name, and `mv -n` silently skips a name that exists.
    static let setAside =
        "mkdir -p ~/ticds-set-aside && mv -n {file} \"$(mktemp -d ~/ticds-set-aside/XXXXXX)\""

    static let makeFolder = "mkdir -p {file}"

    static let fromBackup = "Restore it from a back-up with its modification time: cp -p BACKUP {file}"

    /// Sets the time of every change set below a folder to the time in its name; skips sets with other names.
    static let timesFromNames =
        "find {file} -name '[0-9]*[.,][0-9]*-*.syncchg' -exec sh -c 'for f; do n=${f##*/}; t=${n%%-*}; "
        + "touch -d \"@$(expr \"${t%[.,]*}\" + 978307200).${t#*[.,]}\" \"$f\"; done' sh {} +"

    /// Writes a new deviceInfo.plist for a client into `folder`.
    static func deviceInfo(in folder: String) -> [String] {
        [
            "Restore deviceInfo.plist from a back-up (cp -p). If there is no back-up and the remote is not encrypted:",
            "printf '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
                + "<key>kTICDSClientDeviceDescription</key><string>Recovered</string></dict></plist>' "
                + "> ~/ticds-recovered.plist && mkdir -p \(folder) && "
                + "mv -n ~/ticds-recovered.plist \(folder)/deviceInfo.plist",
        ]
    }
}
