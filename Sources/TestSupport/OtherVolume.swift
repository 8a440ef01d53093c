import SystemCalls
package import SystemPackage

/// A second local volume.
package enum OtherVolume {
    /// A folder on a volume other than that of temporary folders; nil if none is writable.
    package static let folder: FilePath? = {
        guard let near = try? TemporaryFolder(prefix: "ticds-volume"),
            let here = try? FileStatus.of(near.path).device
        else { return nil }
        return (["/dev/shm", "/var/tmp"] as [FilePath]).first { there in
            guard let status = try? FileStatus.of(there), status.device != here else { return false }
            return (try? TemporaryFolder(in: there, prefix: "ticds-volume")) != nil
        }
    }()
}
