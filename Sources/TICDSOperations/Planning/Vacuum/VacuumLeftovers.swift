import SystemCalls
import TICDSCore

/// Finds the remains of uploads in `TemporaryFiles`. No client reads them, and only the next upload of the same client
/// removes them (ticds-protocol(7), 1.6 and 4.8).
struct VacuumLeftovers {
    /// The longest duration of an upload: a day, in seconds.
    static let uploadTime: Int64 = 86_400

    let document: VacuumInput
    private var tree: RemoteTree { document.snapshot.tree }

    init(_ document: VacuumInput) { self.document = document }

    func find() -> [VacuumLeftover] {
        let top = document.path.appending(RemoteLayout.temporaryFiles)
        let uploads = top.appending(RemoteLayout.wholeStore)
        return entries(in: uploads).map { upload($0, in: uploads) }
            + entries(in: top).filter { $0.name != RemoteLayout.wholeStore }.map { leftover($0, in: top) }
    }

    /// Files and folders, except those that no client wrote, which verification reports.
    private func entries(in folder: RemotePath) -> [FolderEntry] {
        let listing = tree.listing(folder).part
        return listing.filter { entry in
            guard entry.kind == .file || entry.kind == .folder else { return false }
            return StrayRules.junk(entry, in: listing).map { $0.kind == .temporaryFile } ?? true
        }
    }

    private func leftover(_ entry: FolderEntry, in folder: RemotePath) -> VacuumLeftover {
        let path = folder.appending(entry.name)
        var files = FileTotals()
        var modified = entry.modified
        add(entry, at: path, &files, &modified)
        let isRecent = modified > document.settings.now.before(Self.uploadTime)
        return VacuumLeftover(
            path: path, files: files, modified: modified,
            reason: isRecent ? "an upload may be in progress" : nil)
    }

    /// `TemporaryFiles/WholeStore/<client>`. An upload that was interrupted after it removed the old whole store has
    /// left the only copy of the new store there.
    private func upload(_ entry: FolderEntry, in folder: RemotePath) -> VacuumLeftover {
        var leftover = leftover(entry, in: folder)
        let client = document.facts.first { $0.identifier == entry.name }
        let isOnlyCopy = client.map { $0.store == nil && ($0.isMember || $0.storeFolder != nil) } ?? false
        if leftover.reason == nil, isOnlyCopy {
            leftover.reason = "it may be the only copy of the whole store of this client"
        }
        return leftover
    }

    private func add(
        _ entry: FolderEntry, at path: RemotePath, _ files: inout FileTotals, _ modified: inout FileTime
    ) {
        modified = max(modified, entry.modified)
        guard entry.kind == .folder else {
            files.add(entry.size)
            return
        }
        for inside in tree.listing(path).part {
            add(inside, at: path.appending(inside.name), &files, &modified)
        }
    }
}
