import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct InspectTree: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Lists every file and folder with its role, size and time.",
        discussion: """
            Strays, which the framework did not put there, are marked with their probable kind.

            Examples:
              ticds-inspect tree ~/Dropbox/com.example.app
              ticds-inspect tree ~/Dropbox/com.example.app --type wholeStore --sort size --limit 3
              ticds-inspect tree ~/Dropbox/com.example.app --json | jq '.entries[] | select(.stray != null)'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var entries: EntryOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (snapshot, documents, clients) = try listed(context)
        let path = snapshot.root
        let problems = snapshot.problems()
        var all: [(path: RemotePath, entry: FolderEntry)] = []
        snapshot.tree.forEachEntry(below: .root) { all.append(($0, $1)) }
        let list = try entries.chosen(
            all, kind: { FileRole(of: $0.path, kind: $0.entry.kind).rawValue }, path: \.path,
            { ($0.entry.kind == .folder ? -1 : $0.entry.size, $0.entry.modified) }, of: documents, clients,
            context.style)
        let chosen = list.entries
        let strays = Dictionary(snapshot.strays.map { ($0.path, $0.kind) }) { one, _ in one }
        if context.json {
            try context.print((path, snapshot, chosen, strays, problems), Self.schema)
        } else {
            var text = context.longText()
            for (path, entry) in chosen {
                text.line(Self.line(entry, at: path, stray: strays[path], context.style))
            }
            let gap = Self.gap(snapshot, documents)
            if chosen.isEmpty {
                let isNarrowed = options.isNarrowed || entries.isNarrowed
                text.line(EmptyList.sentence("entry", isNarrowed: isNarrowed, besides: gap))
            }
            if let note = list.note(besides: gap) { text.line(note) }
            try text.flush()
        }
        for problem in problems { context.report(problem) }
        return problems.isEmpty ? .success : .partial
    }

    /// The listing, and the documents and clients that the options name; nil for all. Reads only files with their
    /// names.
    private func listed(
        _ context: CommandContext
    ) throws -> (RemoteSnapshot, Set<RemoteName>?, Set<RemoteName>?) {
        guard options.isNarrowed else {
            let storage = try options.remote.address.storage(workers: context.workers)
            return (try RemoteSnapshot.take(storage), nil, nil)
        }
        let inspection = try Inspection(options, context, namesSets: true)
        let documents = inspection.namesDocument ? Set(inspection.documents.map(\.identifier)) : nil
        return (inspection.remote.snapshot, documents, inspection.chosenClients)
    }

    /// The reason why there may be more entries, of these documents or of the remote, than were listed.
    private static func gap(_ snapshot: RemoteSnapshot, _ documents: Set<RemoteName>?) -> FileProblem? {
        guard let documents else { return snapshot.problems.first }
        return documents.sorted().lazy.compactMap { snapshot.tree.gap(below: RemoteLayout.document($0)) }
            .first
    }

    private static func line(
        _ entry: FolderEntry, at path: RemotePath, stray: Stray.Kind?, _ style: TextStyle
    ) -> String {
        let size = entry.kind == .folder ? "" : style.size(entry.size)
        let padding = String(repeating: " ", count: max(0, 12 - size.count))
        let mark = stray.map { "  <- \($0.rawValue)" } ?? ""
        let slash = entry.kind == .folder ? "/" : ""
        let time = style.second(entry.modified)
        return "\(time)  \(padding)\(size)  \(escapedName(path.bytes))\(slash)\(mark)"
    }
}

extension RemoteTree {
    /// Calls `body` with every entry below a folder, a folder before its contents.
    fileprivate func forEachEntry(below folder: RemotePath, _ body: (RemotePath, FolderEntry) -> Void) {
        for entry in listing(folder).part {
            let path = folder.appending(entry.name)
            body(path, entry)
            if entry.kind == .folder { forEachEntry(below: path, body) }
        }
    }
}

extension InspectTree {
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
            remote: FilePath, snapshot: RemoteSnapshot, chosen: [(path: RemotePath, entry: FolderEntry)],
            strays: [RemotePath: Stray.Kind], problems: [FileProblem]
        )
    >("ticds.tree/1", "Printed by ticds-inspect(1) `tree`.") {
        $0("remote", "The application folder.", { $0.remote })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote has a salt.", { $0.snapshot.isEncrypted })
        $0(
            "entries",
            "The files and folders that the options choose; without `--sort`, a folder before its contents.",
            as: .array(entry.type)
        ) {
            tree, json in
            json.beginArray("entries")
            for one in tree.chosen { json.value((one.path, one.entry, tree.strays[one.path]), entry) }
            json.endArray()
        }
        $0("unread", "As in `ticds.documents/1`.", { $0.problems })
    }
}
