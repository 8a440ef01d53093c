import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

struct ArchiveList: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the contents of an archive, or the snapshots in a folder.",
        discussion: """
            Reads only the manifest at the beginning of the archive, if there is one, so that it lists also files that \
            damage behind the manifest made unreadable; verify reads them. For a folder it lists the snapshots in it, each \
            with its time, tag, size, the newest archive on which it depends, and the remote. A document or client that is named by its \
            description makes it read on, since descriptions are inside the archive. Ends with 5 if something of the \
            remote could not be read when the archive was made.

            Examples:
              ticds-archive list app.tar.zst
              ticds-archive list app.tar.zst --type wholeStore --sort size
              ticds-archive list /backup
              ticds-archive list app.tar.zst --json | jq -r '.entries[] | select(.kind == "wholeStore").path'
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var entries: EntryOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let origin = try archive.origin
        if let folder = try snapshots(of: origin) { return try list(folder, context) }
        var listing = try ArchiveListing(origin, hasDigests: context.json)
        let gap = context.warnOfEntries(leftOutOf: listing.manifest, of: origin.path)
        let note = try choose(from: &listing, besides: gap, context.style)
        try context.print((listing, origin.path), Self.schema) {
            show(listing, besides: gap, to: &$0, context)
            if let note { $0.line(note) }
        }
        return gap == nil ? .success : .partial
    }

    /// The folder that the argument names, with the snapshots in it; nil for an archive, and for a folder without any.
    private func snapshots(of origin: ArchiveOrigin) throws(FileProblem) -> SnapshotFolder? {
        guard case .file(let path) = origin, let place = try path.resolved(),
            try FileStatus.of(place).kind == .folder
        else { return nil }
        let folder = try SnapshotFolder(path)
        return folder.snapshots.isEmpty ? nil : folder
    }

    private func list(_ folder: SnapshotFolder, _ context: CommandContext) throws -> ExitStatus {
        if documents.isNarrowed || clients.isNarrowed || entries.isNarrowed {
            throw ValidationError(
                "These options choose entries of an archive, and this is a folder of snapshots. Name one of them, such as "
                    + "\(ShellWord.quoted(folder.path)):\(SnapshotFolder.latest).")
        }
        let list = ArchiveFolderList(folder)
        try context.print(list, ArchiveFolderList.schema) { list.show(to: &$0, context) }
        for problem in list.problems { context.report(problem) }
        return list.problems.isEmpty ? .success : .partial
    }

    /// Keeps the members that the options name; returns the line below a list that `--limit` shortens.
    private func choose(
        from listing: inout ArchiveListing, besides gap: FileProblem?, _ style: TextStyle
    ) throws -> String? {
        let layout = ListedLayout(listing)
        let (wanted, owners) = try named(layout, listing, besides: gap)
        let members = listing.members
        let chosen = try entries.chosen(
            Array(members.indices), kind: { layout.kind(of: members[$0]) },
            path: { layout.place(of: members[$0]) },
            { (members.size(at: $0) ?? -1, members.modified(at: $0)) },
            of: wanted, owners, style)
        listing.members.choose(chosen.entries)
        return chosen.note(besides: gap)
    }

    /// The identifiers of the documents and clients that the options name; nil for all.
    private func named(
        _ layout: ListedLayout, _ listing: ArchiveListing, besides gap: FileProblem?
    ) throws(FileProblem) -> (documents: Set<RemoteName>?, clients: Set<RemoteName>?) {
        guard documents.isNarrowed || clients.isNarrowed else { return (nil, nil) }
        let origin = try archive.origin
        var descriptions: (documents: [RemoteName: String], clients: [RemoteName: String]) = ([:], [:])
        var hidden = gap
        var locked: FileProblem?
        if case .standardInput = origin {
            locked = .hiddenDescriptions(
                in: origin.path, "standard input cannot be read again for descriptions",
                advice: "Give a whole identifier, or the archive as a file")
        } else {
            let contents = try ArchiveNames(origin).contents(
                documents: [documents.document].compactMap(\.self), clients: clients.clients
            ).0
            descriptions = (contents.documents, contents.clients)
            hidden = hidden ?? contents.problems.first
            locked = contents.lockedDescriptions(in: origin.path)
        }
        func items(_ name: (RemotePath) -> RemoteName?, _ known: [RemoteName: String]) -> Seen<[NamedItem]> {
            var names: Set<RemoteName> = []
            for member in listing.members {
                if let name = name(layout.place(of: member)) { names.insert(name) }
            }
            return Seen(
                names.sorted().map { NamedItem($0, known[$0], locked: known[$0] == nil ? locked : nil) },
                hidden)
        }
        return (
            documents.isNarrowed
                ? Set(
                    try documents.some(of: items(\.document, descriptions.documents), in: origin.path)
                        .map(\.identifier)) : nil,
            try clients.chosen(of: items(\.client, descriptions.clients), in: origin.path)
        )
    }

    static let schema = JSONSchema<(listing: ArchiveListing, archive: FilePath)>(
        "ticds.archiveList/1", "Printed by ticds-archive(1) `list`.",
        rules: """
            "if": { "properties": { "manifest": { "const": true } } },
              "then": { "required": [\(ArchiveManifest.summary.list.map { "\"\($0.key)\"" }.joined(separator: ", "))] }
            """
    ) {
        $0("archive", "The archive.", { $0.archive })
        $0("container", "", as: .names(["tar", "zip"]), { $0.listing.form })
        $0(
            "manifest", "Whether it has a manifest; only then it has the keys of one.",
            { $0.listing.manifest != nil })
        $0.include(ArchiveManifest.summary, isOptional: true, { $0.listing.manifest })
        $0("entries", "", { $0.listing.members })
    }

    private func show(
        _ listing: ArchiveListing, besides gap: FileProblem?, to text: inout OutputBuffer,
        _ context: CommandContext
    ) {
        if let manifest = listing.manifest {
            let files = Quantities.count(manifest.totals.count, "file")
            let state = manifest.isEncrypted ? ", encrypted" : ""
            text.line(
                "\(manifest.application): \(files), \(context.style.size(manifest.totals.bytes))\(state)")
            for base in manifest.bases {
                let number = manifest.bases.firstIndex(of: base)
                let count = manifest.entries.indices.count { manifest.entries.base(at: $0) == number }
                let files = Quantities.count(count, "file")
                text.line("depends on \(base.name): \(files)")
            }
        } else {
            text.line("\(listing.form) without a manifest: made by another program")
        }
        text.line()
        if listing.members.isEmpty {
            let isNarrowed = documents.isNarrowed || clients.isNarrowed || entries.isNarrowed
            return text.line(EmptyList.sentence("entry", isNarrowed: isNarrowed, besides: gap))
        }
        let table = TextTable(
            ["MODIFIED", "SIZE", "KIND", "PATH"], [.time, .number, .text, .copied],
            leavesOut: ["KIND", "MODIFIED", "SIZE"])
        table.show(to: &text, colour: context.colour()) { add in
            for member in listing.members {
                add([
                    context.style.second(member.modified), member.size.map { context.style.size($0) } ?? "",
                    member.kind, member.path.isEmpty ? "." : escapedName(member.path),
                ])
            }
        }
        if listing.manifest != nil, !context.quiet {
            text.line()
            text.line(
                "As the manifest lists them. The contents were not read: ticds-archive verify reads them.")
        }
    }
}

/// The places of listed members in the remote. A different program may have packed the remote with the folder around
/// it, and lists no kinds.
private struct ListedLayout {
    /// The folder around the remote.
    private let application: RemoteName?
    private let hasKinds: Bool

    init(_ listing: ArchiveListing) {
        hasKinds = listing.manifest != nil
        let tops = hasKinds ? [] : Set(listing.members.lazy.compactMap { Self.path(of: $0).names.first })
        let isAround = !hasKinds && tops.count == 1 && tops.isDisjoint(with: RemoteLayout.topNames)
        application = isAround ? tops.first : nil
    }

    /// The path of a member below the remote.
    func place(of member: ArchiveListing.Member) -> RemotePath {
        let path = Self.path(of: member)
        return application == nil ? path : RemotePath(Array(path.names.dropFirst()))
    }

    /// The role of a member, by its place if the archive has no manifest.
    func kind(of member: ArchiveListing.Member) -> String {
        guard !hasKinds, member.kind == FileRole.unknown.rawValue else { return member.kind }
        return FileRole(of: place(of: member), kind: .file).rawValue
    }

    private static func path(of member: ArchiveListing.Member) -> RemotePath {
        RemotePath(member.path.split(separator: 0x2F).map { RemoteName(Array($0)) }.filter { $0 != "." })
    }
}
