import Glibc
import SystemCalls
import SystemPackage
import TICDSCore

/// Tries in the staging folder, before the first change, whether the remote's volume supports all system calls that an
/// operation needs. Some network file systems, FUSE file systems and cameras do not.
struct VolumeProbe {
    let places: OperationPaths
    let folders: RemoteFolders

    /// - Parameter timedFolders: the folders whose times are put back after the change.
    /// - Throws: `.refused`, naming what the volume does not support, or what the user has no permission for.
    func run(_ actions: PlanActions, _ timedFolders: [RemotePath]) throws(FileProblem) {
        let folder = try OwnedDescriptor.folder(places.stagingFolder)
        do throws(FileProblem) {
            try tryCalls(in: folder)
        } catch {
            // The error of a full or broken disk is reported as it is.
            guard error.kind == .writeFailed, !error.isDiskError else { throw error }
            throw FileProblem(
                .refused, path: places.stagingFolder,
                "this volume does not support what a change of a remote needs",
                found: error.found,
                advice: "Nothing was changed. Copy the remote to an ordinary disk, and change it there")
        }
        try checkOverlay(actions, folder)
        try checkOwners(actions, timedFolders)
    }

    /// Only the owner of an entry may set its time, even if others may write. This sets the present time again, which
    /// changes nothing and shows whether the user may set another.
    private func checkOwners(
        _ actions: PlanActions, _ timedFolders: [RemotePath]
    ) throws(FileProblem) {
        let timed = actions.compactMap { action -> RemotePath? in
            if case .setTime(let path, _, _) = action.kind { path } else { nil }
        }
        for path in timedFolders + timed {
            guard let status = try folders.storage.statusIfPresent(of: path), status.owner != geteuid() else {
                continue
            }
            do throws(FileProblem) {
                try folders.parent(of: path).setTime(status.modified, of: folders.name(of: path))
            } catch {
                guard error.kind == .writeFailed, !error.isDiskError else { throw error }
                throw FileProblem(
                    .refused, path: path.filePath(under: folders.root),
                    "belongs to another user, who alone may set its time, as a change must",
                    found: error.found,
                    advice: "Nothing was changed. Run the command as that user, or as root")
            }
        }
    }

    private func tryCalls(in folder: borrowing OwnedDescriptor) throws(FileProblem) {
        let time = FileTime(seconds: 1_000_000_000)
        let file: FilePath = "rehearsal"
        try FileWriter(file, in: folder, mode: 0o600).finishUnsynced(modified: time)
        try folder.move(file, to: folder, as: "rehearsal.new")
        try folder.setTime(time, of: "rehearsal.new")
        try FileWriter(file, in: folder, mode: 0o600).finishUnsynced(modified: time)
        try folder.replace(file, in: folder, by: "rehearsal.new")
        try folder.remove(file)
        try folder.makeFolder(file, mode: 0o700)
        try folder.setTime(time, of: file)
        try folder.move(file, to: folder, as: "rehearsal.new")
        try folder.removeFolder("rehearsal.new")
    }

    /// An overlay of a container may refuse to move folders of a lower layer. rename(2) onto a folder that is not empty
    /// always fails, changes nothing, and shows by its error whether the folder could move.
    private func checkOverlay(_ actions: PlanActions, _ folder: borrowing OwnedDescriptor)
        throws(FileProblem)
    {
        guard NetworkFileSystem.isOverlay(folder.path) else { return }
        let full: FilePath = "full"
        try folder.makeFolder(full, mode: 0o700)
        try folder.folder(full).makeFolder("something", mode: 0o700)
        for action in actions {
            guard case .moveToTrash(let path, let seen) = action.kind, seen.kind == .folder,
                try folders.exists(path)
            else { continue }
            guard try folders.parent(of: path).canMove(folders.name(of: path), over: full, in: folder) else {
                throw FileProblem(
                    .refused, path: path.filePath(under: folders.root),
                    "this overlay cannot move folders that come from a lower layer, such as the image of a container",
                    advice: "Mount it with redirect_dir=on, or keep the remote on a separate volume")
            }
        }
        try PrivateDirectory.remove(full, in: folder)
    }
}
