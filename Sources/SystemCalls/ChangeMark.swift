import CSystemCalls
import Glibc
public import SystemPackage

/// The inode of a file and the time of its last change (`st_ctime`), which the system sets whenever content, size, name
/// or permissions change. A program can set the modification time, but not this one.
public struct ChangeMark: Hashable, Sendable {
    /// Inode number.
    public var inode: UInt64
    /// The time of the last change.
    public var changed: FileTime

    /// A mark.
    public init(inode: UInt64, changed: FileTime) {
        self.inode = inode
        self.changed = changed
    }
}

extension ChangeMark {
    /// The magic numbers of statfs(2) of file systems that set the time of the last change with every change: ext4 and those
    /// before it, xfs, btrfs, bcachefs, f2fs, zfs, tmpfs, and overlays of them. Others, such as FAT, give the modification
    /// time in its place, which programs can set; of network file systems it depends on the server.
    private static let reliable: Set<UInt32> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xCA45_1A4E, 0xF2F5_2010, 0x2FC1_2FC1, 0x0102_1994, 0x794C_7630,
    ]

    /// Whether every change of a file in the folder `path` gives it another mark.
    public static func isReliable(in path: FilePath) -> Bool {
        reliable.contains(path.withPlatformString { ticds_file_system_type($0) })
    }
}

extension OwnedDescriptor {
    /// The status and the mark of the entry of this folder with the name `name`, a single component; nil on any failure.
    public func mark(ofName name: [UInt8]) -> (status: FileStatus, mark: ChangeMark)? {
        withTerminated(name) { name in
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            let time = status.st_ctim
            let changed = FileTime(
                seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_nsec))
            return (FileStatus(status), ChangeMark(inode: UInt64(status.st_ino), changed: changed))
        } ?? nil
    }
}
