import Rclone
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// Where a copy of a remote goes: a folder of this machine, or of a storage.
package struct CopyTarget: Sendable {
    /// The application folder to be, without links on the way, or its address.
    package let root: FilePath
    /// The identifier of the app.
    package let application: RemoteName
    /// The same in a storage; nil for a folder of this machine.
    package let place: CopyPlace?
    private let storage: RcloneTarget?

    /// - Parameters:
    ///   - named: the application folder to be, or the folder around it.
    ///   - application: the identifier that the source has.
    ///   - renamed: the one that the copy is to have; nil for the same.
    /// - Throws: `.refused` if the copy cannot be put there.
    package init(
        _ named: RemoteAddress, _ application: RemoteName, renamed: RemoteName?, isUpdating: Bool
    ) throws(FileProblem) {
        self.application = renamed ?? application
        switch named {
        case .folder(let path):
            root = try ImportPlace(path, renamed).target(application)
            place = nil
            storage = nil
        case .rclone(let address):
            let storage = try RcloneTarget(address, self.application)
            try storage.check()
            if isUpdating, storage.isBucket {
                throw FileProblem(
                    .refused, path: storage.address.root,
                    "a copy in this storage cannot be updated: it can neither move a file nor remove it on a "
                        + "condition, so that what a client writes at the same time could be lost",
                    advice: "Make a new copy in another folder, and remove the old one with rclone purge")
            }
            root = storage.address.root
            place = storage.place
            self.storage = storage
        }
    }

    /// What this machine keeps about the copy.
    package func state() throws(FileProblem) -> RemoteState {
        RemoteState(root: root, stateHome: try Environment.stateHome)
    }

    /// Removes what an earlier copy uploaded that ended before it changed anything.
    /// - Throws: `.refused` if an operation ended in the middle.
    package func clearLeftovers(_ context: CommandContext) throws(FileProblem) {
        guard let place, !place.isPublishedStepwise else { return }
        let state = try state()
        let operations = try OperationRecovery.unfinished(state)
        if let begun = operations.first(where: { $0.state != .preparing }) {
            throw Executor.recoveryIsDue(begun, state)
        }
        if operations.isEmpty { return }
        context.inform("removing what an interrupted copy has left")
        _ = try OperationRecovery.recover(state, OpenRemote.writable(at: root))
    }

    /// Prepares the upload of a copy that appears file by file.
    /// - Returns: nil where a plan puts the copy in its place.
    /// - Throws: `.refused` if something else is there.
    func upload(of tree: RemoteTree) throws(FileProblem) -> RcloneBucketCopy? {
        guard let storage, storage.isBucket else { return nil }
        return try RcloneBucketCopy(tree, to: storage)
    }
}
