import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

/// The result of a snapshot, and of the removal of older ones.
struct RotationView {
    private let root: FilePath
    private let folder: RotationFolder
    private let new: DatedArchiveName
    private let isDryRun: Bool
    /// The manifest of the new archive; nil in a dry run.
    var manifest: ArchiveManifest?
    /// The removal in the journal of the folder; nil if nothing was removed.
    var operation: Int64?
    /// Whether old archives were only shown, and none was removed.
    var onlyShowsRemoval = false
    /// Whether the removed archives are in the trash.
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
            text.line("\(isDryRun || onlyShowsRemoval ? "would remove" : "removed") \(path), \(size)")
        }
        if let operation, keepsTrash {
            text.line("To undo that: ticds-journal undo \(ShellWord.quoted(folder.path)) \(operation)")
        }
        if isDryRun || onlyShowsRemoval || output.verbose {
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
            if others > 0 { text.line("left \(Quantities.count(others, "snapshot")) of other remotes alone") }
        }
        try text.flush()
    }

    private func printJSON(_ choice: RotationDecision, _ output: OutputOptions) throws {
        let size = manifest == nil ? nil : try FileStatus.of(folder.path(of: new)).size
        try output.print((self, choice, size), Self.schema)
    }

    static let schema = JSONSchema<(view: RotationView, choice: RotationDecision, size: Int64?)>(
        "ticds.snapshot/1", "Printed by ticds-remote(1) `snapshot`."
    ) {
        $0("remote", "", { $0.view.root })
        $0("application", "", { $0.view.new.application })
        $0(
            "identifier",
            """
            The identifier of the remote, 16 hexadecimal digits; before its first snapshot, with `--dry-run`, one that the \
            snapshot will not have.
            """, as: .hexadecimal(16), { $0.view.new.identifier })
        $0("dryRun", "True if the command only showed what it would write and remove.", { $0.view.isDryRun })
        $0("archive", "The new snapshot.", { $0.view.folder.path(of: $0.view.new) })
        $0("format", "", { $0.view.new.form })
        $0("archiveBytes", "Its size; null with `--dry-run`.", { $0.size })
        $0("files", "Plain files in it.", { $0.view.manifest?.totals })
        $0(
            "leftOut", "Files that are not in it.", { $0.view.manifest?.leftOut ?? [] },
            ArchiveManifest.exception)
        $0(
            "kept",
            "The snapshots of this remote that stay, from the oldest to the newest, the new one among them.",
            { run in run.choice.kept.map { ($0.0, $0.1, run.view.folder) } },
            JSONFields<(file: RotationFolder.File, reasons: [RetentionPolicy.Reason], folder: RotationFolder)>
            {
                $0.include(file, { ($0.file, $0.folder) })
                $0(
                    "reasons", "No reasons if nothing was to be removed.",
                    as: .array(.words(RetentionPolicy.Reason.self)), { $0.reasons.map(\.rawValue) })
            })
        $0(
            "removed", "The snapshots that were removed, or with `--dry-run` and `--prune-dry-run` would be.",
            { run in run.choice.pruned.map { ($0, run.view.folder) } }, file)
        $0(
            "operation", "The operation in the journal of the folder that removed them.",
            as: .orNull(.number(from: 1)), { $0.view.operation })
        $0(
            "leftAlone",
            """
            Everything else that has a name like a snapshot of the application, but neither counts nor is \
            removed.
            """, { run in run.choice.leftAlone.map { ($0, run.view.folder) } }, left)
    }

    private static let file = JSONFields<(file: RotationFolder.File, folder: RotationFolder)> {
        $0("archive", "", { $0.folder.path(of: $0.file.archive) })
        $0("time", "", { $0.file.archive.time })
        $0("size", "", { $0.file.size })
    }

    private static let left = JSONFields<(left: DatedArchives.LeftAlone, folder: RotationFolder)> {
        $0("archive", "", { $0.folder.path(of: $0.left.archive) })
        $0("time", "", { $0.left.archive.time })
        $0("reason", "", { $0.left.reason })
        $0("problem", "What went wrong.", { $0.left.problem?.problem })
    }
}

/// The dated archives of a remote, sorted into those to keep, those to prune, and those that do not count.
struct RotationDecision {
    typealias Kept = (file: RotationFolder.File, reasons: [RetentionPolicy.Reason])

    private(set) var kept: [Kept] = []
    private(set) var pruned: [RotationFolder.File] = []
    private(set) var leftAlone: [DatedArchives.LeftAlone]

    /// Before any archive is pruned, each one to keep is read to its end; a damaged archive does not count.
    /// - Parameters:
    ///   - new: is kept. It need not be in the folder yet; writing it included reading it again.
    ///   - problem: reads an archive to its end, and returns what is wrong with it.
    init(
        _ archives: DatedArchives, _ new: DatedArchiveName, _ retention: RetentionPolicy,
        problem: (RotationFolder.File) -> FileProblem?
    ) {
        leftAlone = archives.leftAlone
        var counted = archives.own
        var checked: Set<DatedArchiveName> = [new]
        while true {
            let reasons = retention.kept(Array(Set(counted.map(\.archive) + [new])))
            pruned = counted.filter { reasons[$0.archive] == nil }
            kept = counted.compactMap { file in reasons[file.archive].map { (file, $0) } }
            let unchecked = kept.map(\.file).filter { !checked.contains($0.archive) }
            if pruned.isEmpty || unchecked.isEmpty { break }
            for file in unchecked {
                checked.insert(file.archive)
                guard let problem = problem(file) else { continue }
                leftAlone.append(.init(file.archive, .unreadable, problem))
                counted.removeAll { $0 == file }
            }
        }
        leftAlone.sort { $0.archive < $1.archive }
    }

    mutating func keepAll() {
        kept = (kept + pruned.map { ($0, []) }).sorted { $0.file.archive < $1.file.archive }
        pruned = []
    }
}
