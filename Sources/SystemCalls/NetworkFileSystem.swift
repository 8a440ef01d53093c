import CSystemCalls
public import SystemPackage

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
