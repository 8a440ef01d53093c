/// The variants of the framework, which list and fetch differently (ticds-remote-format(5), 1.7).
public enum Variant: String, Sendable, Hashable, CaseIterable {
    /// A local folder, which a different program synchronises.
    case fileManager
    /// Dropbox through its SDK. Dropbox has shut down that interface, but the remotes still exist.
    case dropbox
    /// The iCloud branch.
    case iCloud

    /// The framework's error for a file that does not exist.
    var errorOfMissingFile: FrameworkError { self == .dropbox ? .dropboxClient : .fileManager }

    /// " (Dropbox variant only)"
    public var restriction: String {
        switch self {
        case .fileManager: " (File Manager variant only)"
        case .dropbox: " (Dropbox variant only)"
        case .iCloud: " (iCloud variant only)"
        }
    }
}

/// The framework's errors (domain `com.timisted.ticoredatasync`; ticds-remote-format(5), 3.2), by code.
public enum FrameworkError: Int, Sendable, Hashable, CaseIterable {
    /// A file could not be read, written or moved.
    case fileManager = 2
    /// A required folder or file is missing.
    case incompleteStructure = 3
    /// There is no whole store to download.
    case noUploadedStore = 9
    /// The app cancelled the operation instead of answering a question.
    case cancelled = 14
    /// A request of the Dropbox SDK failed.
    case dropboxClient = 15
    /// A file could not be encrypted or decrypted.
    case encryption = 16
    /// The integrity key differs from the one that the client remembers.
    case integrityKeysDiffer = 20
    /// The integrity key is missing.
    case integrityKeyMissing = 21

    /// The number of the error in its domain.
    public var code: Int { rawValue }

    /// The name in the framework's logs, without the common prefix.
    public var name: String {
        switch self {
        case .fileManager: "FileManagerError"
        case .incompleteStructure: "UnexpectedOrIncompleteFileLocationOrDirectoryStructure"
        case .noUploadedStore: "NoPreviouslyUploadedStoreExists"
        case .cancelled: "TaskWasCancelled"
        case .dropboxClient: "DropboxSDKRestClientError"
        case .encryption: "EncryptionError"
        case .integrityKeysDiffer: "SynchronizationFailedBecauseIntegrityKeysDoNotMatch"
        case .integrityKeyMissing: "SynchronizationFailedBecauseIntegrityKeyDirectoryIsMissing"
        }
    }
}
