import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSArchive
import TICDSCore

struct ListArchive: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the contents of an archive.",
        discussion: """
            Reads only the manifest at the beginning of the archive, if there is one; verify checks whether the rest \
            agrees with it.

            Examples:
              ticds-archive list app.tar.zst
              ticds-archive list app.tar.zst --json | jq -r '.entries[] | select(.kind == "wholeStore").path'
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let listing = try ArchiveListing(archive.origin)
        if output.json {
            try output.print((listing, archive.origin.path), Self.schema)
        } else {
            try printText(listing)
        }
        return .success
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

    private func printText(_ listing: ArchiveListing) throws {
        var text = output.text()
        var table = TextTable(
            ["MODIFIED", "SIZE", "KIND", "PATH"], [.time, .number, .text, .path],
            leavesOut: ["KIND", "MODIFIED", "SIZE"])
        for member in listing.members {
            table.add([
                member.modified.localSeconds, member.size.map { Quantities.size($0) } ?? "", member.kind,
                member.path.isEmpty ? "." : escapedName(member.path),
            ])
        }
        if let manifest = listing.manifest {
            let files = Quantities.count(manifest.totals.count, "file")
            let state = manifest.isEncrypted ? ", encrypted" : ""
            text.line(
                "\(manifest.application): \(files), \(Quantities.size(manifest.totals.bytes))\(state)")
            for entry in manifest.leftOut { text.line("left out: \(entry.path) (\(entry.problem))") }
        } else {
            text.line("\(listing.form) without a manifest: made by another program")
        }
        text.line()
        table.show(to: &text, colour: output.colour())
        try text.flush()
    }
}
