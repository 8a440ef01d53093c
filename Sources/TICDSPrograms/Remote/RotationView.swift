import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSArchive
import TICDSCore

/// What became of a dated archive, and of those before it.
struct RotationView {
    private let root: FilePath
    private let folder: RotationFolder
    private let new: DatedArchiveName
    private let isDryRun: Bool
    /// Of the new archive; nil for one that is not made.
    var manifest: ArchiveManifest?
    /// In the journal of the folder; nil where nothing was removed.
    var operation: Int64?
    /// Whether what was removed can be had again.
    var keepsTrash = true

    init(_ root: FilePath, _ folder: RotationFolder, _ new: DatedArchiveName, isDryRun: Bool) {
        self.root = root
        self.folder = folder
        self.new = new
        self.isDryRun = isDryRun
    }

    func print(_ choice: RotationDecision, _ output: OutputOptions) throws {
        if output.json {
            try printJSON(choice, output)
        } else if !output.quiet || isDryRun {
            try printText(choice, output)
        }
    }

    private func printText(_ choice: RotationDecision, _ output: OutputOptions) throws {
        var text = output.text()
        let path = folder.path(of: new)
        if let manifest {
            let totals = manifest.totals
            let files = Quantities.count(totals.count, "file")
            let size = Quantities.size(try FileStatus.of(folder.path(of: new)).size)
            text.line("\(path): \(files), \(Quantities.size(totals.bytes)), in \(size)")
        } else {
            text.line("would write \(path)")
        }
        for file in choice.pruned {
            let path = folder.path(of: file.archive)
            let size = Quantities.size(file.size)
            text.line("\(isDryRun ? "would remove" : "removed") \(path), \(size)")
        }
        if let operation, keepsTrash {
            text.line("To undo that: ticds-journal undo \(ShellWord.quoted(folder.path)) \(operation)")
        }
        if isDryRun || output.verbose {
            for (file, reasons) in choice.kept where file.archive != new {
                let why = reasons.map(\.rawValue).joined(separator: ", ")
                let path = folder.path(of: file.archive)
                text.line("\(isDryRun ? "would keep" : "kept") \(path)\(why.isEmpty ? "" : " (\(why))")")
            }
            for left in choice.leftAlone {
                let path = folder.path(of: left.archive)
                text.line("\(isDryRun ? "would leave" : "left") \(path) alone (\(left.reason.text))")
            }
        } else {
            let others = choice.leftAlone.count { $0.reason == .otherRemote }
            if others > 0 {
                text.line("left \(Quantities.count(others, "snapshot")) of other remotes alone")
            }
        }
        try text.flush()
    }

    private func printJSON(_ choice: RotationDecision, _ output: OutputOptions) throws {
        var json = output.document("ticds.snapshot/1")
        json.field("remote", root)
        json.field("application", new.application)
        json.field("identifier", new.identifier)
        json.field("dryRun", isDryRun)
        json.field("archive", folder.path(of: new))
        json.field("format", new.form.rawValue)
        if let manifest {
            json.field("archiveBytes", try FileStatus.of(folder.path(of: new)).size)
            json.field("files", manifest.totals)
        } else {
            json.field("archiveBytes", Int64?.none)
            json.field("files", String?.none)
        }
        json.objects("leftOut", manifest?.leftOut ?? []) { json, entry in
            json.field("path", entry.path)
            json.field("problem", entry.problem)
        }
        json.array("kept", choice.kept) { json, kept in write(kept.0, kept.1, &json) }
        json.array("removed", choice.pruned) { json, file in write(file, nil, &json) }
        json.field("operation", operation)
        json.objects("leftAlone", choice.leftAlone) { json, left in
            json.field("archive", folder.path(of: left.archive))
            json.field("time", left.archive.time)
            json.field("reason", left.reason.rawValue)
            json.field("problem", left.problem?.problem)
        }
        try json.finish()
    }

    private func write(
        _ file: RotationFolder.File, _ reasons: [RetentionPolicy.Reason]?, _ json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("archive", folder.path(of: file.archive))
        json.field("time", file.archive.time)
        json.field("size", file.size)
        if let reasons { json.field("reasons", reasons.map(\.rawValue)) }
        json.endObject()
    }
}
