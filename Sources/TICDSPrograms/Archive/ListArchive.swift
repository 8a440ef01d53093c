import ArgumentParser
import SystemCalls
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
        if output.json { try printJSON(listing) } else { try printText(listing) }
        return .success
    }

    private func printJSON(_ listing: ArchiveListing) throws {
        var json = output.document("ticds.archiveList/1")
        json.field("archive", archive.origin.path)
        json.field("container", listing.form)
        json.field("manifest", listing.manifest != nil)
        if let manifest = listing.manifest { json.summary(manifest) }
        json.array("entries", listing.members) { $0.value($1) }
        try json.finish()
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
