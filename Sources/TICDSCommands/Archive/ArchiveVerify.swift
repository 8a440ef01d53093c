import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

struct ArchiveVerify: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads an archive to its end and checks every file in it.",
        discussion: """
            For a damaged or truncated archive it prints which files are damaged or could not be read, how many are intact \
            (--json lists them), and the command that takes out what can be read. In an archive that depends on earlier ones, \
            it also reads the files in those. Ends with 1 if anything is wrong, and with 5 if the archive is intact, but \
            something of the remote could not be read when it was made.

            Examples:
              ticds-archive verify app.tar.zst
              ssh host cat app.tar.zst | ticds-archive verify -
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let bar = ArchiveProgress("checking", context)
        let origin = try archive.origin
        let check = try ArchiveCheck(origin) { bar.show($0, $1) }
        bar.end()
        let lacking = context.warnOfEntries(leftOutOf: check.manifest, of: origin.path)
        let status: ExitStatus = !check.isWhole ? .findings : lacking != nil ? .partial : .success
        if context.isSilent(status) { return status }
        try context.print((check, origin.path), Self.schema) {
            show(check, origin.path, to: &$0, context)
        }
        return status
    }

    static let schema = JSONSchema<(check: ArchiveCheck, archive: FilePath)>(
        "ticds.archiveCheck/1", "Printed by ticds-archive(1) `verify`."
    ) {
        $0("archive", "The archive.", { $0.archive })
        $0("container", "", as: .names(["tar", "zip"]), { $0.check.form })
        $0("manifest", "Whether it has a manifest that is not damaged.", { $0.check.manifest != nil })
        $0("whole", "Whether everything in it is as archived.", { $0.check.isWhole })
        $0(
            "leftOut", "Files of the remote that are not in it, since they could not be read.",
            { $0.check.manifest?.leftOut ?? [] }, ArchiveManifest.exception)
        $0("wholeFiles", "Files that are unchanged since they were archived.", { $0.check.whole })
        $0(
            "intact", "The paths of these below the remote; without a manifest, their names in the archive.",
            { $0.check.intact })
        $0(
            "lostFiles", "Files that are damaged, missing or could not be read; null without a manifest.",
            { $0.check.lostFiles })
        $0(
            "findings", "Members that are wrong.", { $0.check.findings },
            JSONFields {
                $0("member", "", { RemotePath([RemoteName($0.name)]) })
                $0("problem", "", \.problem)
            })
        $0(
            "missing",
            "Entries of the manifest that are missing in the archive; with an `end`, those that could not be read.",
            { $0.check.missing },
            JSONFields {
                $0("path", "", \.path)
                $0("size", "", \.size)
            })
        $0("end", "Why the archive cannot be read to its end.", { $0.check.end })
        $0(
            "brokenBases", "Why earlier archives on which it rests cannot be used.", { $0.check.brokenBases })
    }

    private func show(
        _ check: ArchiveCheck, _ path: FilePath, to text: inout OutputBuffer, _ context: CommandContext
    ) {
        for finding in check.findings { text.line("\(escapedName(finding.name)): \(finding.problem)") }
        let absence =
            check.end == nil ? "not in the archive" : "could not be read: the archive is damaged before it"
        for entry in check.missing where !entry.isFolder { text.line("\(entry.path): \(absence)") }
        if var end = check.end {
            // The advice of the error is this command itself.
            end.advice = nil
            text.line(end.description)
        }
        for problem in check.brokenBases { text.line(problem.description) }
        let whole = Quantities.count(check.whole.count, "file")
        let size = context.style.size(check.whole.bytes)
        if let manifest = check.manifest {
            let total = Quantities.count(manifest.totals.count, "file")
            let count = manifest.leftOut.count
            let lacking =
                count == 0
                ? "" : " Not complete: \(Quantities.count(count, "entry", "entries")) of the remote left out."
            text.line(
                (check.isWhole
                    ? "Intact: \(whole), \(size), as archived."
                    : "Not intact: \(Quantities.count(check.whole.count)) of \(total) as archived, \(size); "
                        + "\(Quantities.count(check.lostFiles ?? 0)) damaged, missing or not read.")
                    + lacking)
        } else if check.hasDamagedManifest {
            text.line("Not intact: \(whole) can be read, \(size), but the manifest cannot be used.")
            text.line(
                "Nothing shows whether their bytes are right, and whether files are missing or in earlier archives."
            )
        } else {
            // In a damaged archive, the manifest itself may be damaged.
            if check.end == nil {
                context.warn("no manifest: only the checksums of the archive itself could be checked")
            }
            text.line(
                check.isWhole ? "Readable: \(whole), \(size)." : "Not intact: \(whole) can be read, \(size).")
        }
        guard !check.findings.isEmpty || check.end != nil else { return }
        text.line("Names and sizes: \(check.salvage.listing(path))")
        text.line("Take out what can be read: \(check.salvage.unpacking(path))")
    }
}
