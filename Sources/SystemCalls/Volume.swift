import CSystemCalls
public import SystemPackage

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

/// File systems that other machines, or a program in user space, change without the kernel: inotify(7) does not report
/// such changes.
public enum NetworkFileSystem {
    /// The short name of the network file system that holds `path`; nil for a local one.
    public static func name(of path: FilePath) -> String? {
        names[path.withPlatformString { ticds_file_system_type($0) }]
    }

    /// Whether `path` is on an overlay file system (overlayfs).
    public static func isOverlay(_ path: FilePath) -> Bool {
        path.withPlatformString { ticds_file_system_type($0) } == 0x794C_7630
    }

    /// By the magic numbers of statfs(2). Systems other than Linux report only that it is a network file system.
    private static let names: [UInt32: String] = [
        0x6969: "nfs", 0x517B: "smb", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x6573_5546: "fuse",
        0x0102_1997: "9p", 0x5346_414F: "afs", 0x7375_7245: "coda", 0x00C3_6400: "ceph",
        0x786F_4256: "vboxsf", 0x7C7C_6673: "prl_fs", 0x0BD0_0BD0: "lustre", 0x0116_1970: "gfs2",
        1: "network",
    ]
}
