import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSArchive
import TICDSCore

struct VerifyArchive: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads an archive to its end and checks every file in it.",
        discussion: """
            For a damaged or truncated archive it prints which files are intact. Ends with 1 if anything is wrong.

            Examples:
              ticds-archive verify app.tar.zst
              ssh host cat app.tar.zst | ticds-archive verify -
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let bar = ArchiveProgress("checking", output)
        let check = try ArchiveCheck(archive.origin) { bar.show($0, $1) }
        bar.end()
        if output.json { try printJSON(check) } else { try printText(check) }
        return check.isWhole ? .success : .findings
    }

    private func printJSON(_ check: ArchiveCheck) throws {
        var json = output.document("ticds.archiveCheck/1")
        json.field("archive", archive.origin.path)
        json.field("container", check.form)
        json.field("manifest", check.manifest != nil)
        json.field("whole", check.isWhole)
        json.field("wholeFiles", check.whole)
        json.objects("findings", check.findings) { json, finding in
            json.field("member", RemotePath([RemoteName(finding.name)]))
            json.field("problem", finding.problem)
        }
        json.objects("missing", check.missing) { json, entry in
            json.field("path", entry.path)
            json.field("size", entry.size)
        }
        json.field("end", check.end)
        try json.finish()
    }

    private func printText(_ check: ArchiveCheck) throws {
        var text = output.text()
        for finding in check.findings {
            text.line(
                "\(escapedName(finding.name)): \(finding.problem)")
        }
        for entry in check.missing where !entry.isFolder { text.line("\(entry.path): not in the archive") }
        if let end = check.end { text.line(end.description) }
        let whole = Quantities.count(check.whole.count, "file")
        let size = Quantities.size(check.whole.bytes)
        if let manifest = check.manifest {
            let total = Quantities.count(manifest.totals.count, "file")
            text.line(
                check.isWhole
                    ? "Intact: \(whole), \(size), as archived."
                    : "Not intact: \(Quantities.count(check.whole.count)) of \(total) as archived, \(size)."
            )
            for entry in manifest.leftOut {
                output.warn("\(entry.path) was left out of the archive: \(entry.problem)")
            }
        } else {
            output.warn("no manifest: only the check sums of the archive itself could be checked")
            text.line(
                check.isWhole ? "Readable: \(whole), \(size)." : "Not intact: \(whole) can be read, \(size).")
        }
        try text.flush()
    }
}
