import Base
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSCore

/// The snapshots in a folder, as `ticds-archive list FOLDER` shows them.
struct ArchiveFolderList {
    /// A snapshot: its name, and what its manifest says.
    struct Snapshot {
        var name: DatedArchiveName
        var path: FilePath
        /// The size of the file in bytes.
        var size: Int64
        /// The manifest; nil if the archive has none, or could not be read.
        var manifest: ArchiveManifest?

        /// The newest earlier archive on which it depends.
        var parent: RemoteName? { manifest?.bases.first?.name }
    }

    let folder: FilePath
    private(set) var snapshots: [Snapshot] = []
    /// The errors of archives that could not be read.
    private(set) var problems: [FileProblem] = []

    /// Reads the manifest of each snapshot in a folder.
    init(_ listing: SnapshotFolder) {
        folder = listing.path
        for name in listing.snapshots {
            let path = listing.path(of: name)
            do throws(FileProblem) {
                let file = try path.resolved() ?? path
                var snapshot = Snapshot(name: name, path: path, size: try FileStatus.of(file).size)
                do throws(FileProblem) {
                    // The entries, which would take most of the memory, are not needed.
                    var manifest = try ArchiveListing(.plainFile(file)).manifest
                    manifest?.entries = []
                    snapshot.manifest = manifest
                } catch { problems.append(error) }
                snapshots.append(snapshot)
            } catch { problems.append(error) }
        }
    }

    static let schema = JSONSchema<ArchiveFolderList>(
        "ticds.archiveFolder/1", "Printed by ticds-archive(1) `list` for a folder of snapshots."
    ) {
        $0("folder", "The folder.", \.folder)
        $0("snapshots", "From the oldest to the newest.", \.snapshots, snapshot)
    }

    private static let snapshot = JSONFields<Snapshot> {
        $0("archive", "The archive.", \.path)
        $0("application", "The name of the application folder.", \.name.application)
        $0(
            "remote", "The identifier of the remote; null in a name without one.",
            as: .orNull(.hexadecimal(16)), \.name.identifier)
        $0("time", "The time of the snapshot.", \.name.time)
        $0("tag", "Null without a tag.", { $0.name.tag?.description })
        $0("size", "Of the archive, in bytes.", \.size)
        $0(
            "parent",
            "The newest earlier archive on which it depends; null if it depends on none, or is unreadable.",
            \.parent)
        $0(
            "encrypted", "Whether its files are encrypted; null if it is unreadable.",
            { $0.manifest?.isEncrypted })
    }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        if snapshots.isEmpty { return text.line(EmptyList.sentence("snapshot", besides: problems.first)) }
        var table = TextTable(
            ["TIME", "TAG", "SIZE", "PARENT", "REMOTE", "ARCHIVE"],
            [.time, .text, .number, .time, .text, .copied], leavesOut: ["REMOTE", "PARENT", "SIZE"])
        for snapshot in snapshots {
            let parent = snapshot.parent.map { parent in
                DatedArchiveName(parent).map { context.style.second($0.time) } ?? parent.description
            }
            let remote = [snapshot.name.application.description, snapshot.name.identifier].compactMap(\.self)
            table.add([
                context.style.second(snapshot.name.time), snapshot.name.tag?.description ?? "",
                context.style.size(snapshot.size), parent ?? (snapshot.manifest == nil ? "?" : ""),
                remote.joined(separator: " "), snapshot.name.name.description,
            ])
        }
        table.show(to: &text, colour: context.colour())
        if context.quiet { return }
        text.line()
        text.line("Look into one: ticds-inspect status \(ShellWord.quoted(folder)):\(SnapshotFolder.latest)")
    }
}
