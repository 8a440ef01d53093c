import Base
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
    /// Whether the removal of old archives was only shown.
    var onlyShowsRemoval = false
    /// Whether the removed archives are in the trash.
    var keepsTrash = true

    init(_ root: FilePath, _ folder: RotationFolder, _ new: DatedArchiveName, isDryRun: Bool) {
        self.root = root
        self.folder = folder
        self.new = new
        self.isDryRun = isDryRun
    }

    func print(_ choice: RotationDecision, _ context: CommandContext) throws {
        if context.json {
            try printJSON(choice, context)
        } else if !context.quiet || isDryRun {
            try printText(choice, context)
        }
    }

    private func printText(_ choice: RotationDecision, _ context: CommandContext) throws {
        var text = context.text()
        let path = folder.path(of: new)
        if let manifest {
            let totals = manifest.totals
            let files = Quantities.count(totals.count, "file")
            let size = context.style.size(try FileStatus.of(folder.path(of: new)).size)
            text.line(
                "\(path): \(files), \(context.style.size(totals.bytes)), in \(size)\(manifest.remainder)")
        } else {
            text.line("would write \(path)")
        }
        for file in choice.pruned {
            let path = folder.path(of: file.archive)
            let size = context.style.size(file.size)
            text.line("\(isDryRun || onlyShowsRemoval ? "would remove" : "removed") \(path), \(size)")
        }
        if let operation, keepsTrash {
            text.line("To undo that: ticds-journal undo \(ShellWord.quoted(folder.path)) \(operation)")
        }
        if isDryRun || onlyShowsRemoval || context.verbose {
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

    private func printJSON(_ choice: RotationDecision, _ context: CommandContext) throws {
        let size = manifest == nil ? nil : try FileStatus.of(folder.path(of: new)).size
        try context.print((self, choice, size), Self.schema)
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
        $0("tag", "Its tag.", { $0.view.new.tag?.description })
        $0("format", "", { $0.view.new.form })
        $0("archiveBytes", "Its size; null with `--dry-run`.", { $0.size })
        $0("files", "Plain files in it.", { $0.view.manifest?.totals })
        $0(
            "bases", "The earlier snapshots on which it rests.", { $0.view.manifest?.bases ?? [] },
            ArchiveManifest.base)
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
        $0("tag", "", { $0.file.archive.tag?.description })
        $0("size", "", { $0.file.size })
    }

    private static let left = JSONFields<(left: DatedArchives.LeftAlone, folder: RotationFolder)> {
        $0("archive", "", { $0.folder.path(of: $0.left.archive) })
        $0("time", "", { $0.left.archive.time })
        $0("tag", "", { $0.left.archive.tag?.description })
        $0("reason", "", { $0.left.reason })
        $0("problem", "What went wrong.", { $0.left.problem?.problem })
    }
}

/// The snapshots of a remote: those to keep, those to prune, and those that do not count.
struct RotationDecision {
    typealias Kept = (file: RotationFolder.File, reasons: [RetentionPolicy.Reason])

    private(set) var kept: [Kept] = []
    private(set) var pruned: [RotationFolder.File] = []
    private(set) var leftAlone: [DatedArchives.LeftAlone]
    /// The reason why the new archive cannot be used: an archive on which it depends is damaged. Nothing is pruned
    /// then.
    private(set) var damagedBase: FileProblem?
    /// The reason why the base archives could not be determined; nothing is then pruned.
    let problemOfOthers: FileProblem?

    /// Before any archive is pruned, each one to keep is read to its end; a damaged archive does not count.
    /// - Parameters:
    ///   - new: the new archive, which is kept. It need not be in the folder yet, and was read back when it was written.
    ///   - problem: reads an archive to its end, and returns its problem.
    init(
        _ archives: DatedArchives, _ new: DatedArchiveName, _ retention: RetentionPolicy,
        problem: (RotationFolder.File) -> FileProblem?
    ) {
        leftAlone = archives.leftAlone
        problemOfOthers = archives.problemOfOthers
        var counted = archives.own
        var checked: Set<DatedArchiveName> = [new]
        var damaged: [RemoteName: FileProblem] = [:]
        // ends: when all archives are checked; each round checks more
        while true {
            var reasons = retention.kept(Array(Set(counted.map(\.archive) + [new])))
            archives.addBases(to: &reasons, of: counted, and: leftAlone)
            pruned = counted.filter { reasons[$0.archive] == nil }
            kept = counted.compactMap { file in reasons[file.archive].map { (file, $0) } }
            let unchecked = kept.map(\.file).filter { !checked.contains($0.archive) }
            if pruned.isEmpty || unchecked.isEmpty { break }
            for file in unchecked {
                checked.insert(file.archive)
                guard let problem = problem(file) else { continue }
                damaged[file.archive.name] = problem
                leftAlone.append(.init(file.archive, .unreadable, problem))
                counted.removeAll { $0 == file }
            }
            // An archive that depends on a damaged one cannot be restored either.
            for file in counted where file.archive != new {
                guard let base = archives.bases[file.archive]?.first(where: { damaged[$0] != nil }) else {
                    continue
                }
                leftAlone.append(.init(file.archive, .unreadable, damaged[base]))
                counted.removeAll { $0 == file }
            }
        }
        damagedBase = archives.bases[new]?.lazy.compactMap { damaged[$0] }.first
        leftAlone.sort { $0.archive < $1.archive }
        if problemOfOthers != nil { keepAll() }
    }

    mutating func keepAll() {
        kept = (kept + pruned.map { ($0, []) }).sorted { $0.file.archive < $1.file.archive }
        pruned = []
    }
}

extension DatedArchives {
    /// Adds the archives on which kept ones depend, and on which others in the folder depend.
    /// - Parameter leftAlone: archives that stay although they do not count.
    func addBases(
        to reasons: inout [DatedArchiveName: [RetentionPolicy.Reason]], of counted: [RotationFolder.File],
        and leftAlone: [LeftAlone]
    ) {
        var waiting = Array(reasons.keys) + leftAlone.map(\.archive)
        guard let application = waiting.first?.application else { return }
        // If a base got or lost its tag, users can restore the name, as long as the file exists.
        func withoutTag(_ name: RemoteName) -> RemoteName {
            DatedArchiveName(name, of: application)?.tagged(nil).name ?? name
        }
        var names = Set(basesOfOthers.map(withoutTag))
        let files = Dictionary(grouping: counted.map(\.archive)) { $0.tagged(nil).name }
        // ends: when a round adds none
        repeat {
            for archive in waiting { names.formUnion((bases[archive] ?? []).map(withoutTag)) }
            waiting = names.flatMap { files[$0] ?? [] }.filter { reasons[$0]?.contains(.base) != true }
            for archive in waiting { reasons[archive, default: []].append(.base) }
        } while !waiting.isEmpty
    }
}

extension DatedArchives.Reason {
    /// The advice on archives that are left alone for this reason; nil if there is none, or if an error contains it.
    /// - Parameter isNewWhole: whether the new archive contains all integrity keys of the remote.
    func advice(isNewWhole: Bool) -> String? {
        switch self {
        case .otherRemote, .unreadable: nil
        case .unidentified:
            "If an archive belongs to this remote, count it with --adopt; otherwise keep it in another folder"
        case .future: "Check the clock, and rename or remove the archives with wrong times in their names"
        case .notAFile: "Find out what put it there"
        case .misnamed: "Find out where the archive comes from"
        case .otherKeys where !isNewWhole:
            "Keep them: keys of this remote could not be read. Make the remote readable, then take another snapshot"
        case .otherKeys:
            "If an archive belongs to this remote, count it with --adopt; otherwise keep it in another folder"
        case .incomplete:
            "It is never counted; remove it by hand once a complete snapshot has everything that you need from it"
        }
    }

    /// The reason in a few words.
    var text: String {
        switch self {
        case .otherRemote: "another remote"
        case .unidentified: "no remote in its name"
        case .future: "from the future"
        case .notAFile: "not a plain file"
        case .misnamed: "manifest of another remote"
        case .otherKeys: "no integrity key in common"
        case .incomplete: "not complete"
        case .unreadable: "cannot be read"
        }
    }
}
