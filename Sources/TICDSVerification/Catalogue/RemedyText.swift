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

    static func general(_ remedy: String) -> String { fill(remedy) { words[$0] } }

    /// The remedy for one finding, quoted for a shell.
    static func fill(_ remedy: String, for finding: Finding, under root: FilePath) -> String {
        let file = finding.path.filePath(under: root)
        let paths = ["file": file, "remote": root]
        let values: [String: [UInt8]?] = [
            "path": finding.path.bytes, "document": finding.document?.bytes,
            "client": finding.client?.bytes, "subject": finding.subject.map { Array($0.utf8) },
            "place": forRclone(file), "storage": forRclone(root),
            "utc": finding.subject.map { Array($0.utf8.filter { $0 != UInt8(ascii: "Z") }) },
        ]
        return fill(remedy) { name in
            paths[name].map(ShellWord.quoted) ?? (values[name] ?? nil).map(ShellWord.quoted) ?? words[name]
        }
    }

    /// The address of a place in a storage in rclone's form.
    private static func forRclone(_ path: FilePath) -> [UInt8] {
        StorageRemedy.concerns(path)
            ? Array(path.bytes.dropFirst(StorageRemedy.prefix.utf8.count)) : path.bytes
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
extension FindingKind {
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

    static func writeDeviceInfo(in folder: String) -> [String] {
        [
            "Restore deviceInfo.plist from a back-up (cp -p). If there is no back-up and the remote is not encrypted:",
            "printf '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
                + "<key>kTICDSClientDeviceDescription</key><string>Recovered</string></dict></plist>' "
                + "> ~/ticds-recovered.plist && mkdir -p \(folder) && "
                + "mv -n ~/ticds-recovered.plist \(folder)/deviceInfo.plist",
        ]
    }

    static let changesLog = "ticds-changes log --document={document} -- {remote} {subject}"

    static let newUpload =
        "Let the application of client {client} save, synchronise, and upload its whole store again."
}

/// The repair of `ticds-verify --repair` for findings of a kind.
public enum Repair: String, Sendable, Hashable, CaseIterable {
    /// No repair; the remedy lists the steps by hand.
    case byHand
    /// Moves the entry to the trash.
    case trash
    /// Moves a copy to the trash if its original contains everything that the copy contains.
    case copy
    /// Moves a link to the trash unless it takes the place of a file or folder of the framework.
    case link
    /// Moves the entry to the trash, and creates the file or folder that belongs in its place.
    case place
    /// Creates a folder.
    case folder
    /// Writes a property list from other information in the remote.
    case information
    /// Writes the file for testing a password.
    case encryptionTest
    /// Moves an unreadable file to the trash, or writes it again if that is possible.
    case quarantine
    /// Writes a change set again from its changes.
    case rewrite
    /// Moves the whole store of a client to the trash if the document has another one.
    case wholeStore
    /// Moves the remains of an interrupted removal to the trash.
    case removal
    /// Moves all integrity keys except one to the trash.
    case integrityKey
    /// Sets a modification time.
    case time
    /// Sets the times of change sets to the times in their names.
    case timesFromNames
    /// Encrypts a file again with the key of the remote.
    case encrypt
    /// Decrypts a file.
    case decrypt

    /// A sentence for people; nil for `byHand`.
    public var text: String? {
        switch self {
        case .byHand: nil
        case .trash: "Moves it to the trash."
        case .copy: "Moves the copy to the trash, if the original contains everything that the copy contains."
        case .link:
            "Moves the link to the trash, unless it takes the place of a file or folder of the framework."
        case .place: "Moves it to the trash, and makes what belongs in its place, if that is known."
        case .folder: "Makes the folder, and the folders that belong in it."
        case .information:
            "Makes the property list from a tombstone, or from other information in the remote."
        case .encryptionTest: "Makes the file again, if the given password opens other files of the remote."
        case .quarantine:
            "Moves a change set to the trash, and also a whole store if the document has another one; makes a property list again; leaves other files alone."
        case .rewrite: "Writes the change set again from its changes, with its old time."
        case .wholeStore: "Moves the client's whole store to the trash, if the document has another one."
        case .removal: "Moves what the removal left to the trash."
        case .integrityKey:
            "Keeps the key that the clients most likely know, and moves the others to the trash."
        case .time: "Sets the time."
        case .timesFromNames: "Sets the times of change sets to the times in their names."
        case .encrypt: "Encrypts the file again with the key of the remote, and keeps its time."
        case .decrypt: "Decrypts the file, and keeps its time."
        }
    }
}
