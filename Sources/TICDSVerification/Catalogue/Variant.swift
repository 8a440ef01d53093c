/// The variants of the framework, which list and fetch differently (ticds-remote-format(5), 1.7).
public enum Variant: String, Sendable, Hashable, CaseIterable {
    /// A folder of the machine, synchronised by whatever lies below.
    case fileManager
    /// Dropbox through its SDK. The service behind it is gone; its remotes are not.
    case dropbox
    /// The iCloud branch.
    case iCloud

    /// The error of a request for something that is not there.
    var errorOfMissingFile: FrameworkError { self == .dropbox ? .dropboxClient : .fileManager }
}
