import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
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
              ticds-archive list app.tar.zst --type wholeStore --sort size
              ticds-archive list app.tar.zst --json | jq -r '.entries[] | select(.kind == "wholeStore").path'
            """)

    @OptionGroup var archive: ArchiveArgument
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var entries: EntryOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        var listing = try ArchiveListing(archive.origin)
        try choose(from: &listing)
        try output.print((listing, archive.origin.path), Self.schema) { show(listing, to: &$0) }
        return .success
    }

    /// Keeps the members that the options name.
    private func choose(from listing: inout ArchiveListing) throws(FileProblem) {
        let path = archive.origin.path
        let places = listing.members.map {
            RemotePath($0.path.split(separator: 0x2F).map { RemoteName(Array($0)) })
        }
        func items(_ names: [RemoteName?]) -> [NamedItem] {
            Set(names.compactMap(\.self)).sorted().map { NamedItem($0) }
        }
        let wanted =
            documents.document == nil
            ? nil
            : Set(
                try documents.some(of: items(places.map(\.document)), in: path, unread: nil).map(\.identifier)
            )
        let owners = try clients.chosen(of: items(places.map(\.client)), in: path, unread: nil)
        let chosen = entries.chosen(
            Array(zip(listing.members, places)), kind: \.0.kind, path: \.1,
            { ($0.0.size ?? -1, $0.0.modified) }, of: wanted, owners)
        listing.members = chosen.map(\.0)
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

    private func show(_ listing: ArchiveListing, to text: inout OutputBuffer) {
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
            text.line("\(manifest.application): \(files), \(Quantities.size(manifest.totals.bytes))\(state)")
            for base in manifest.bases {
                let number = manifest.bases.firstIndex(of: base)
                let files = Quantities.count(manifest.entries.count { $0.base == number }, "file")
                text.line("depends on \(base.name): \(files)")
            }
            for entry in manifest.leftOut { text.line("left out: \(entry.path) (\(entry.problem))") }
        } else {
            text.line("\(listing.form) without a manifest: made by another program")
        }
        text.line()
        table.show(to: &text, colour: output.colour())
    }
}

struct VerifyArchive: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads an archive to its end and checks every file in it.",
        discussion: """
            For a damaged or truncated archive it prints which files are intact. In an archive that depends on earlier ones, \
            it also reads the files in those. Ends with 1 if anything is wrong.

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
        let status = check.isWhole ? ExitStatus.success : .findings
        if output.isSilent(status) { return status }
        try output.print((check, archive.origin.path), Self.schema) { show(check, to: &$0) }
        return status
    }

    static let schema = JSONSchema<(check: ArchiveCheck, archive: FilePath)>(
        "ticds.archiveCheck/1", "Printed by ticds-archive(1) `verify`."
    ) {
        $0("archive", "The archive.", { $0.archive })
        $0("container", "", as: .names(["tar", "zip"]), { $0.check.form })
        $0("manifest", "Whether it has a manifest.", { $0.check.manifest != nil })
        $0("whole", "Whether nothing is wrong.", { $0.check.isWhole })
        $0("wholeFiles", "Files that are unchanged since they were archived.", { $0.check.whole })
        $0(
            "findings", "Members that are wrong.", { $0.check.findings },
            JSONFields {
                $0("member", "", { RemotePath([RemoteName($0.name)]) })
                $0("problem", "", \.problem)
            })
        $0(
            "missing", "Entries of the manifest that are missing in the archive.", { $0.check.missing },
            JSONFields {
                $0("path", "", \.path)
                $0("size", "", \.size)
            })
        $0("end", "Why the archive cannot be read to its end.", { $0.check.end })
        $0(
            "brokenBases", "Why earlier archives on which it rests cannot be used.", { $0.check.brokenBases })
    }

    private func show(_ check: ArchiveCheck, to text: inout OutputBuffer) {
        for finding in check.findings { text.line("\(escapedName(finding.name)): \(finding.problem)") }
        for entry in check.missing where !entry.isFolder { text.line("\(entry.path): not in the archive") }
        if let end = check.end { text.line(end.description) }
        for problem in check.brokenBases { text.line(problem.description) }
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
            // Of a damaged archive, the manifest may be what is damaged.
            if check.end == nil {
                output.warn("no manifest: only the check sums of the archive itself could be checked")
            }
            text.line(
                check.isWhole ? "Readable: \(whole), \(size)." : "Not intact: \(whole) can be read, \(size).")
        }
    }
}

/// The archive that a command reads.
struct ArchiveArgument: ParsableArguments {
    @Argument(help: .value("file", "The archive; - is standard input."), completion: .archives)
    var archive: String

    var origin: ArchiveOrigin { Self.origin(archive) }

    static func origin(_ argument: String) -> ArchiveOrigin {
        argument == "-" ? .standardInput : .file(Environment.path(argument: argument))
    }
}
