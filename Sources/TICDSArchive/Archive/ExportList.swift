import SystemCalls
import SystemPackage
import TICDSCore

/// The entries of a remote that an archive is to hold, in its order, and those that cannot be.
struct ExportList {
    private(set) var entries: [ArchivedEntry] = []
    private(set) var leftOut: [ArchiveManifest.LeftOut] = []
    private let absent: [RemotePath: AbsentContent]

    /// - Parameter modified: the time of the remote's own folder.
    init(_ snapshot: RemoteSnapshot, _ selection: ExportSelection, modified: FileTime) {
        absent = snapshot.absentFiles.reduce(into: [:]) { $0[$1.path] = $1.absence }
        entries.append(ArchivedEntry(path: .root, role: .folder, size: 0, modified: modified))
        add(.root, snapshot.tree, selection)
        let depth = snapshot.root.components.count
        for problem in snapshot.problems {
            let names = problem.path.components.dropFirst(depth).map { RemoteName($0.bytes) }
            leaveOut(RemotePath(names), problem.problem)
        }
    }

    private mutating func add(_ folder: RemotePath, _ tree: RemoteTree, _ selection: ExportSelection) {
        for entry in tree.listing(folder) {
            let path = folder.appending(entry.name)
            guard selection.includes(path) else { continue }
            switch entry.kind {
            case .symbolicLink: leaveOut(path, "a symbolic link")
            case .special: leaveOut(path, "a fifo, a socket or a device")
            case .file:
                if let absence = absent[path] {
                    leaveOut(path, "its content is not on this machine: \(absence.text)")
                    continue
                }
                entries.append(
                    ArchivedEntry(
                        path: path, role: FileRole(of: path, kind: .file), size: entry.size,
                        modified: entry.modified))
            case .folder:
                entries.append(
                    ArchivedEntry(path: path, role: .folder, size: 0, modified: entry.modified))
                add(path, tree, selection)
            }
        }
    }

    private mutating func leaveOut(_ path: RemotePath, _ problem: String) {
        leftOut.append(ArchiveManifest.LeftOut(path: path, problem: problem))
    }
}
