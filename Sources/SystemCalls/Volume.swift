import CSystemCalls

/// Where an open file or folder lies: an entry moves by a rename only within one volume.
public struct Volume: Hashable, Sendable {
    private let device: UInt64
    private let mount: UInt64

    /// The volume of an open file or folder.
    public init(of file: borrowing OpenFile) throws(FileProblem) {
        device = try file.status().device
        mount = ticds_mount_number(file.descriptor)
    }
}
