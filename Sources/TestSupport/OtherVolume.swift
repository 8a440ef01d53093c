import SystemCalls
package import SystemPackage

/// A second volume of this machine.
package enum OtherVolume {
    /// A folder on another volume than temporary folders; nil if there is none that can be written.
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
