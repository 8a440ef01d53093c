package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations
package import TICDSStorages

/// Where a copy of a remote goes: a folder of this machine, or of a storage.
package struct CopyTarget: Sendable {
    /// The application folder to be, without links on the way, or its address.
    package let root: FilePath
    /// The identifier of the app.
    package let application: RemoteName
    /// The same in a storage; nil for a folder of this machine.
    package let place: CopyPlace?
    private let storage: (any StorageTarget)?

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
        case .elsewhere(let address):
            let storage = try address.target(self.application)
            let place = storage.place
            if isUpdating, place.isPublishedStepwise {
                throw FileProblem(
                    .refused, path: storage.root,
                    "a copy in this storage cannot be updated: it can neither move a file nor remove it on a "
                        + "condition, so that what a client writes at the same time could be lost",
                    advice: "Make a new copy in another folder, and remove the old one with rclone purge")
            }
            root = storage.root
            self.place = place
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
    func upload(of tree: RemoteTree) throws(FileProblem) -> (any StorageUpload)? {
        try storage?.upload(of: tree)
    }
}
