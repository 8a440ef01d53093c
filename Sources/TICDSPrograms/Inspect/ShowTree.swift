import ArgumentParser
import SystemCalls
import SystemPackage
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
        let storage = try remote.address.storage()
        let path = storage.root
        let snapshot = try RemoteSnapshot.take(storage)
        let problems = snapshot.problems()
        let strays = Dictionary(snapshot.strays.map { ($0.path, $0.kind) }) { one, _ in one }
        if output.json {
            try output.print((path, snapshot, strays, problems), Self.schema)
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

extension ShowTree {
    private typealias Entry = (path: RemotePath, entry: FolderEntry, stray: Stray.Kind?)

    private static let entry = JSONFields<Entry> {
        $0("path", "", { $0.path })
        $0("role", "The purpose of an entry in that place.", { FileRole(of: $0.path, kind: $0.entry.kind) })
        $0("size", "Bytes; null for a folder.", { $0.entry.kind == .folder ? nil : $0.entry.size })
        $0("modified", "", { $0.entry.modified })
        $0("stray", "The kind of stray, as in `ticds.status/1`.", { $0.stray })
    }

    static let schema = JSONSchema<
        (
            remote: FilePath, snapshot: RemoteSnapshot, strays: [RemotePath: Stray.Kind],
            problems: [FileProblem]
        )
    >("ticds.tree/1", "Printed by ticds-inspect(1) `tree`.") {
        $0("remote", "The application folder.", { $0.remote })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote has a salt.", { $0.snapshot.isEncrypted })
        $0("entries", "Every file and folder, a folder before its contents.", as: .array(entry.type)) {
            tree, json in
            json.beginArray("entries")
            tree.snapshot.tree.forEachEntry(below: .root) { json.value(($0, $1, tree.strays[$0]), entry) }
            json.endArray()
        }
        $0("unread", "As in `ticds.documents/1`.", { $0.problems })
    }
}
