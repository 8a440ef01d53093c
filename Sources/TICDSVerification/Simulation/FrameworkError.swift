/// The framework's own errors, domain `com.timisted.ticoredatasync` (ticoredatasync.md, 3.2). The raw value is the code.
public enum FrameworkError: Int, Sendable, Hashable, CaseIterable {
    case fileManager = 2
    case incompleteStructure = 3
    case noUploadedStore = 9
    case dropboxClient = 15
    case encryption = 16
    case integrityKeysDiffer = 20
    case integrityKeyMissing = 21

    public static let domain = "com.timisted.ticoredatasync"

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
