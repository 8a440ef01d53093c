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
        abstract: "Lists the contents of an archive.",
        discussion: """
            Reads only the manifest at the beginning of the archive, if there is one, so that it lists also files that \
            damage behind the manifest made unreadable; verify reads them. Ends with 5 if something of the remote could not be read when the archive was made.

            Examples:
              ticds-archive list app.tar.zst
              ticds-archive list app.tar.zst --type wholeStore --sort size
              ticds-archive list app.tar.zst --json | jq -r '.entries[] | select(.kind == "wholeStore").path'
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var entries: EntryOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var listing = try ArchiveListing(archive.origin)
        let gap = context.warnOfEntries(leftOutOf: listing.manifest, of: archive.origin.path)
        let note = try choose(from: &listing, besides: gap, context.style)
        try context.print((listing, archive.origin.path), Self.schema) {
            show(listing, besides: gap, to: &$0, context)
            if let note { $0.line(note) }
        }
        return gap == nil ? .success : .partial
    }

    /// Keeps the members that the options name; returns the line below a list that `--limit` shortens.
    private func choose(
        from listing: inout ArchiveListing, besides gap: FileProblem?, _ style: TextStyle
    ) throws -> String? {
        let path = archive.origin.path
        func items(_ name: (RemotePath) -> RemoteName?) -> Seen<[NamedItem]> {
            Seen(Set(listing.members.compactMap { name($0.place) }).sorted().map { NamedItem($0) }, gap)
        }
        let wanted =
            documents.isNarrowed
            ? Set(try documents.some(of: items(\.document), in: path).map(\.identifier)) : nil
        let owners = clients.isNarrowed ? try clients.chosen(of: items(\.client), in: path) : nil
        let chosen = try entries.chosen(
            listing.members, kind: \.kind, path: \.place, { ($0.size ?? -1, $0.modified) }, of: wanted,
            owners, style)
        listing.members = chosen.entries
        return chosen.note(besides: gap)
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
                let files = Quantities.count(manifest.entries.count { $0.base == number }, "file")
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
            ["MODIFIED", "SIZE", "KIND", "PATH"], [.time, .number, .text, .path],
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

extension ArchiveListing.Member {
    /// The path as a place below a remote.
    fileprivate var place: RemotePath {
        RemotePath(path.split(separator: 0x2F).map { RemoteName(Array($0)) })
    }
}
