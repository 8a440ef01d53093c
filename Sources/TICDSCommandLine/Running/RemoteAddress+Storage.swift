package import SystemCalls
import SystemPackage
import TICDSArchive
package import TICDSCore
import TICDSOperations
package import TICDSStorages

extension RemoteAddress {
    /// The storage of the remote; the path of a folder has no symbolic links.
    package func storageWithoutLinks() throws(FileProblem) -> any RemoteStorage {
        let storage = try storage()
        guard case .folder = self, let root = try storage.root.resolved() else { return storage }
        return LocalStorage(root: root)
    }

    /// Finds the remote: the place itself, or the only remote among its subfolders.
    /// - Parameter workers: threads that may read a folder at once.
    package func storage(workers: Int = Cores.count) throws(FileProblem) -> any RemoteStorage {
        switch self {
        case .folder(let path):
            do throws(FileProblem) {
                return LocalStorage(root: try RemoteLocation.find(path), workers: workers)
            } catch {
                guard error.kind == .notARemote, try FileStatus.ifPresent(path) != nil else { throw error }
                let snapshots = try SnapshotFolder(path)
                throw snapshots.snapshots.isEmpty ? error : snapshots.asRemote
            }
        case .elsewhere(let address):
            let storage = try address.findRemote()
            if let capabilities = storage.capabilities, capabilities.timeResolution == nil {
                Messages.line(
                    "\(storage.root): this storage does not keep times, so the order of change sets depends on "
                        + "the times in their names")
            }
            if let archive = storage as? ArchiveStorage, !archive.scope.isEverything {
                Messages.line(
                    "\(archive.archive): this archive contains only a part of a remote, and nothing else is shown"
                )
            }
            return storage
        }
    }
}
