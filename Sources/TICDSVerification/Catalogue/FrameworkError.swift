/// The framework's own errors, domain `com.timisted.ticoredatasync` (ticds-remote-format(5), 3.2). The raw value is the
/// code.
public enum FrameworkError: Int, Sendable, Hashable, CaseIterable {
    /// A file could not be read, written or moved.
    case fileManager = 2
    /// A folder or file that has to be there is missing.
    case incompleteStructure = 3
    /// There is no whole store to download.
    case noUploadedStore = 9
    /// The SDK of Dropbox could not do something.
    case dropboxClient = 15
    /// A file could not be encrypted or decrypted.
    case encryption = 16
    /// The integrity key is not the one that the client knows.
    case integrityKeysDiffer = 20
    /// There is no integrity key.
    case integrityKeyMissing = 21

    /// The number of the error in its domain.
    public var code: Int { rawValue }

    /// The name in the framework's logs, without the prefix of all codes.
    public var name: String {
        switch self {
        case .fileManager: "FileManagerError"
        case .incompleteStructure: "UnexpectedOrIncompleteFileLocationOrDirectoryStructure"
        case .noUploadedStore: "NoPreviouslyUploadedStoreExists"
        case .dropboxClient: "DropboxSDKRestClientError"
        case .encryption: "EncryptionError"
        case .integrityKeysDiffer: "SynchronizationFailedBecauseIntegrityKeysDoNotMatch"
        case .integrityKeyMissing: "SynchronizationFailedBecauseIntegrityKeyDirectoryIsMissing"
        }
    }
}
