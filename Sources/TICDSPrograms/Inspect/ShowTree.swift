import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct ShowTree: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Lists every file and folder with its role, size and time.",
        discussion: """
            Strays, which the framework did not put there, are marked with their probable kind.

            Examples:
              ticds-inspect tree ~/Dropbox/com.example.app
              ticds-inspect tree ~/Dropbox/com.example.app --json | jq '.entries[] | select(.stray != null)'
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let path = try RemoteLocation.find(remote.path)
        let snapshot = try RemoteSnapshot.take(OpenRemote.storage(at: path))
        let problems = snapshot.problems()
        let strays = Dictionary(snapshot.strays.map { ($0.path, $0.kind) }) { one, _ in one }
        if output.json {
            var json = output.document("ticds.tree/1")
            json.field("remote", path)
            json.field("application", snapshot.applicationIdentifier)
            json.field("encrypted", snapshot.isEncrypted)
            json.beginArray("entries")
            snapshot.tree.forEachEntry(below: .root) { json.value($1, at: $0, stray: strays[$0]) }
            json.endArray()
            json.array("unread", problems) { $0.value($1) }
            try json.finish()
        } else {
            var text = output.longText()
            snapshot.tree.forEachEntry(below: .root) { text.line(Self.line($1, at: $0, stray: strays[$0])) }
            try text.flush()
        }
        for problem in problems { output.report(problem) }
        return problems.isEmpty ? .success : .partial
    }

    private static func line(_ entry: FolderEntry, at path: RemotePath, stray: Stray.Kind?) -> String {
        let size = entry.kind == .folder ? "" : Quantities.size(entry.size)
        let padding = String(repeating: " ", count: max(0, 12 - size.count))
        let mark = stray.map { "  <- \($0.rawValue)" } ?? ""
        let slash = entry.kind == .folder ? "/" : ""
        let time = entry.modified.localSeconds
        return "\(time)  \(padding)\(size)  \(escapedName(path.bytes))\(slash)\(mark)"
    }
}

extension RemoteTree {
    /// Every entry below a folder, a folder before what it holds.
    fileprivate func forEachEntry(below folder: RemotePath, _ body: (RemotePath, FolderEntry) -> Void) {
        for entry in listing(folder) {
            let path = folder.appending(entry.name)
            body(path, entry)
            if entry.kind == .folder { forEachEntry(below: path, body) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ entry: FolderEntry, at path: RemotePath, stray: Stray.Kind?) {
        beginObject()
        field("path", path)
        field("role", FileRole(of: path, kind: entry.kind).rawValue)
        field("size", entry.kind == .folder ? nil : entry.size)
        field("modified", entry.modified)
        field("stray", stray?.rawValue)
        endObject()
    }
}
