import CSystemCalls

/// The volume of an open file or folder. A rename works only within one volume (and one mount).
public struct Volume: Hashable, Sendable {
    private let device: UInt64
    private let mount: UInt64

    /// The volume of an open file or folder.
    public init(of file: borrowing OwnedDescriptor) throws(FileProblem) {
        device = try file.status().device
        mount = ticds_mount_number(file.descriptor)
    }
}

/// The identity of a folder, independent of its path: a move within the volume does not change it.
public struct FolderIdentity: Hashable, Sendable, Codable {
    private let device: UInt64
    private let volume: UInt64
    private let inode: UInt64

    /// The identity of an open folder.
    public init(of folder: borrowing OwnedDescriptor) throws(FileProblem) {
        let status = try folder.status()
        device = status.device
        volume = ticds_volume_number(folder.descriptor)
        inode = status.inode
    }

    /// Whether both are the same folder. The device number may differ after a restart or on another machine.
    public func isSame(as other: FolderIdentity) -> Bool {
        inode == other.inode && (device == other.device || volume != 0 && volume == other.volume)
    }
}
