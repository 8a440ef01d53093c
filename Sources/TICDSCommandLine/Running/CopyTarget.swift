package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations
package import TICDSStorages

/// The target of a copy of a remote: a local folder, or a folder of a storage.
package struct CopyTarget: Sendable {
    /// The new application folder, without links on the way, or its address.
    package let root: FilePath
    /// The identifier of the app.
    package let application: RemoteName
    /// The place in a storage; nil for a local folder.
    package let place: CopyPlace?
    private let storage: (any StorageTarget)?

    /// - Parameters:
    ///   - named: the new application folder, or the folder around it.
    ///   - application: the application identifier of the source.
    ///   - renamed: the application identifier of the copy; nil for the same.
    /// - Throws: `.refused` if the copy cannot be written there.
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

    /// The local state of the copy.
    package func state() throws(FileProblem) -> RemoteState {
        RemoteState(root: root, stateHome: try Environment.stateHome)
    }

    /// Removes the uploads of an earlier copy that ended before it changed anything.
    /// - Throws: `.refused` if there is an interrupted operation.
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
    /// - Returns: the upload; nil if a plan puts the copy in its place.
    /// - Throws: `.refused` if the place has a different content.
    func upload(of tree: RemoteTree) throws(FileProblem) -> (any StorageUpload)? {
        try storage?.upload(of: tree)
    }
}
